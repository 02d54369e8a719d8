//! The ledger: what is to be done, written in the transaction that needs it. Redis or SQLite
//! carries ids of its rows to workers and decides nothing (DESIGN §4).

pub mod admin;
pub mod arrivals;
pub mod attempts;
pub mod backoff;
pub mod bells;
pub mod board;
pub mod board_kinds;
pub mod claim;
pub mod enqueue;
pub mod finish;
pub mod journal;
pub mod kinds;
pub mod knowledge_kinds;
pub mod memory_kinds;
pub mod pauses;
pub mod processes;
pub mod queue;
pub mod reap;
pub mod relay;
pub mod schedules;
pub mod stats;
pub mod transport;

pub use claim::{Claim, ClaimedJob};
pub use enqueue::NewJob;
pub use finish::JobOutcome;
pub use kinds::JobKind;
pub use queue::Queue;

/// States of a job, as stored.
pub mod state {
    pub const PENDING: &str = "pending";
    pub const QUEUED: &str = "queued";
    pub const RUNNING: &str = "running";
    pub const DONE: &str = "done";
    pub const DEAD: &str = "dead";
    pub const CANCELLED: &str = "cancelled";
}
