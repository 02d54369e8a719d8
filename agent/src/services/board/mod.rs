//! What operators see and do that is more than one query.

pub mod admin;
pub mod agenda;
pub mod contacts;
pub mod conversations;
pub mod curation;
pub mod failures;
pub mod inbox_changes;
pub mod inboxes;
pub mod memory_search;
pub mod memory_switches;
pub mod operators;
pub mod overview;
pub mod overview_parts;
pub mod ranking;
pub mod reports;
pub mod roll_up;
pub mod sessions;
pub mod settings;
pub mod thread;
pub mod tokens;
pub mod turn_record;
pub mod undelivered;
pub mod units;
