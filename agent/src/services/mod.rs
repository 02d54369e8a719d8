//! What Lembra does: one folder or file per thing it does.

pub mod agenda;
pub mod agent_chat;
pub mod alerts;
pub mod board;
pub mod conversations;
pub mod credentials;
pub mod curation;
pub mod deliver;
pub mod handoff;
pub mod inboxes;
pub mod intake;
pub mod keys;
pub mod knowledge;
pub mod media;
pub mod memory;
pub mod operators;
pub mod query_embedding;
pub mod sessions;
pub mod spending;
pub mod statuses;
pub mod texts;
pub mod tokens;
pub mod tools;
pub mod triage;
pub mod turn;
pub mod watch;
