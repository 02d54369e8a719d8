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
mod board;
mod browser;
mod chaos;
mod cli;
mod conformance;
mod crash;
mod dashboards;
mod delivery;
mod deploying;
mod documents;
mod evolution;
mod evolution_sending;
mod gates;
mod http_tools;
mod identity;
mod injection;
mod keys;
mod kinds;
mod knowledge;
mod ledger;
mod limits;
mod lines;
mod logs;
mod media;
mod memory;
mod rolling;
mod simulator;
mod takeover;
mod threats;
mod tidy;
mod traces;
mod transport;
mod triage;
mod triage_eval;
mod webhooks;
