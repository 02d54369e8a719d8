//! Integration tests: the product through its own front doors, on both databases, with Meta and
//! the model as HTTP servers.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test that panics has failed, and one that is skipped says so"
)]

mod support;

mod agenda;
mod agent;
mod answering;
mod cli;
mod conformance;
mod crash;
mod delivery;
mod documents;
mod evolution;
mod evolution_sending;
mod gates;
mod http_tools;
mod identity;
mod kinds;
mod knowledge;
mod ledger;
mod lines;
mod logs;
mod media;
mod memory;
mod simulator;
mod takeover;
mod tidy;
mod transport;
mod triage;
mod triage_eval;
mod webhooks;
