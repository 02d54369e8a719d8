//! What Lembra does: one folder or file per thing it does.

pub mod agent_chat;
pub mod conversations;
pub mod curation;
pub mod deliver;
pub mod handoff;
pub mod inboxes;
pub mod intake;
pub mod operators;
pub mod texts;
pub mod triage;
pub mod turn;
