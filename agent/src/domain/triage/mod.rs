//! The deterministic first word on every message.

pub mod fold;
pub mod guard;
