//! Runs the jobs of the ledger. `bot` hosts it in standalone mode; in production it is a process
//! of its own, of which any number may run.

pub mod host;
mod jobs;
pub mod ops;
mod queues;
pub mod relaying;
pub mod runner;
pub mod runtime;
pub mod schedule;
pub mod table;
pub mod telemetry;
pub mod vitals;
