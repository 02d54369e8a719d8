//! The deterministic first word on every message.

pub mod eval;
pub mod fold;
pub mod guard;
pub mod locale;
mod phrase;
pub mod response;
pub mod router;
pub mod safety;
pub mod scope;
