//! Integration tests: the product through its own front doors, on both databases, with Meta and
//! the model as HTTP servers.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test that panics has failed, and one that is skipped says so"
)]

mod support;

mod answering;
mod cli;
mod crash;
mod delivery;
mod documents;
mod gates;
mod ledger;
mod logs;
mod memory;
mod payloads;
mod simulator;
mod tidy;
mod transport;
mod webhooks;
