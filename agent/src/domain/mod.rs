//! Pure rules and types: no async, no I/O, no clock.

pub mod chat;
pub mod conversation;
pub mod gate;
pub mod identity;
pub mod knowledge;
pub mod live;
pub mod memory;
pub mod message;
pub mod tool;
pub mod tool_failure;
pub mod triage;
pub mod whatsapp_text;
