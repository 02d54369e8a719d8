//! What operators see: queries for pages and for the API, each within one account.

pub mod actors;
pub mod alerts;
pub mod contact;
pub mod contacts;
pub mod conversation_rows;
pub mod conversation_search;
pub mod conversations;
pub mod curation;
pub mod fact_search;
pub mod facts;
pub mod failures;
pub mod handoffs;
pub mod live;
pub mod operators;
pub mod setup;
pub mod stats;
pub mod stats_sources;
pub mod thread;
pub mod turns;
pub mod unanswered;
pub mod undelivered;
pub mod unit_facts;
