//! Queries over entities: rows become domain types here.

pub mod accounts;
pub mod alerts;
pub mod api_tokens;
pub mod changes;
pub mod conversations;
pub mod curation;
pub mod db;
pub mod early_statuses;
pub mod error;
pub mod events;
pub mod extractions;
pub mod features;
pub mod greetings;
pub mod identities;
pub mod ids;
pub mod inboxes;
pub mod media;
pub mod memories;
pub mod memory_subject;
pub mod memory_upkeep;
pub mod messages;
pub mod nearest;
pub mod operators;
pub mod outbox;
pub mod own_echoes;
pub mod people;
pub mod retention;
pub mod rowset;
pub mod silence;
pub mod threads;
pub mod tools;
pub mod turns;
pub mod units;
pub mod usage;
pub mod watch;

pub use error::{StoreError, StoreResult};
