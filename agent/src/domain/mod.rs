//! Pure rules and types: no async, no I/O, no clock.

pub mod access;
pub mod chat;
pub mod consent;
pub mod contact;
pub mod contact_search;
pub mod conversation;
pub mod fields;
pub mod gate;
pub mod grounding;
pub mod identity;
pub mod knowledge;
pub mod live;
pub mod memory;
pub mod message;
pub mod numerals;
pub mod phone_text;
pub mod scheduling;
pub mod sought;
pub mod spreadsheet;
pub mod stats;
pub mod tool;
pub mod tool_failure;
pub mod triage;
pub mod whatsapp_text;
