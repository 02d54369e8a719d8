//! The web process: webhooks for channels, pages and the simulator in standalone mode, and the
//! command line.

pub mod access;
mod api;
pub mod app;
pub mod cli;
mod demo_agenda;
mod live;
mod pages;
mod request_log;
mod simulator;
pub mod standalone;
mod webhooks;
