//! What Lembra does: one folder or file per thing it does.

pub mod agent_chat;
pub mod conversations;
pub mod deliver;
pub mod handoff;
pub mod inboxes;
pub mod intake;
pub mod memory;
pub mod operators;
pub mod texts;
pub mod tokens;
pub mod turn;
