//! The operators' pages and the API beside them, over HTTP: who may see and do what, and what each
//! action changes.

mod contacts;
mod conversations;
mod curation;
mod failures;
mod handoffs;
mod household;
mod jobs;
mod knowledge_pages;
mod lines;
mod memories;
mod open_routes;
mod operators;
mod overview;
mod paid;
mod queues;
mod reports;
mod roles;
mod settings;
mod tenancy;
