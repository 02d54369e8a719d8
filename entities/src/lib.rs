//! Rows of the database and nothing else: what they mean is in `agent`.

pub mod account;
pub mod contact;
pub mod contact_identity;
pub mod conversation;
pub mod curation_mark;
pub mod inbox;
pub mod job;
pub mod message;
pub mod operator;
pub mod operator_alert;
pub mod turn;
pub mod webhook_event;
