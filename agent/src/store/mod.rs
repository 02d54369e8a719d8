//! Queries over entities: rows become domain types here.

pub mod accounts;
pub mod alerts;
pub mod conversations;
pub mod curation;
pub mod db;
pub mod early_statuses;
pub mod error;
pub mod events;
pub mod greetings;
pub mod identities;
pub mod ids;
pub mod inboxes;
pub mod media;
pub mod messages;
pub mod operators;
pub mod outbox;
pub mod people;
pub mod retention;
pub mod rowset;
pub mod threads;
pub mod turns;
pub mod watch;

pub use error::{StoreError, StoreResult};
