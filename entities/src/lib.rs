//! Rows of the database and nothing else: what they mean is in `agent`.

pub mod account;
pub mod account_feature;
pub mod agenda;
pub mod alert;
pub mod api_token;
pub mod assistant_response;
pub mod contact;
pub mod contact_identity;
pub mod contact_memory;
pub mod conversation;
pub mod curation_mark;
pub mod dashboard_error;
pub mod early_status;
pub mod handoff;
pub mod inbox;
pub mod job;
pub mod llm_usage;
pub mod media_file;
pub mod memory_extraction;
pub mod message;
pub mod operator;
pub mod tool;
pub mod tool_call;
pub mod turn;
pub mod unit;
pub mod webhook_event;
