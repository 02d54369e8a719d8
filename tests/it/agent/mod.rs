//! The agent with tools: rounds, the contract of failures, what it may say, people.

mod builtin;
mod handoffs;
mod models;
mod rounds;
mod spending;
