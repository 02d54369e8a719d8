//! The agent with tools: rounds, the contract of failures, what it may say, people.

mod announced;
mod builtin;
mod contract;
mod declared;
mod grounded;
mod handoffs;
mod models;
mod replay;
mod rounds;
mod spending;
