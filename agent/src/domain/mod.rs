//! Pure rules and types: no async, no I/O, no clock.

pub mod chat;
pub mod consent;
pub mod conversation;
pub mod gate;
pub mod grounding;
pub mod identity;
pub mod knowledge;
pub mod live;
pub mod memory;
pub mod message;
pub mod numerals;
pub mod scheduling;
pub mod tool;
pub mod tool_failure;
pub mod triage;
pub mod whatsapp_text;
