//! Queries over entities: rows become domain types here.

pub mod accounts;
pub mod conversations;
pub mod db;
pub mod error;
pub mod events;
pub mod ids;
pub mod inboxes;
pub mod messages;
pub mod operators;
pub mod outbox;
pub mod people;
pub mod retention;
pub mod threads;
pub mod turns;
pub mod watch;

pub use error::{StoreError, StoreResult};

/// `values` filled up to a power of two with copies of the last one. The text of an `IN` list
/// depends on its length; so it has few forms, and each stays prepared.
pub(crate) fn padded<T: Clone>(mut values: Vec<T>) -> Vec<T> {
    if let Some(last) = values.last().cloned() {
        values.resize(values.len().next_power_of_two(), last);
    }
    values
}
