//! Rows of the database and nothing else: what they mean is in `agent`.

pub mod account;
pub mod alert;
pub mod contact;
pub mod contact_identity;
pub mod conversation;
pub mod curation_mark;
pub mod early_status;
pub mod inbox;
pub mod job;
pub mod media_file;
pub mod message;
pub mod operator;
pub mod turn;
pub mod webhook_event;
