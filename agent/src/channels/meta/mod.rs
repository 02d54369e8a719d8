//! Meta's WhatsApp Cloud API.

pub mod auth;
mod client;
mod content;
mod errors;
mod history;
mod normalize;
mod system;

pub use client::MetaClient;
pub use normalize::normalize;

/// As stored in `inboxes.channel`, and as the webhook's path says it.
pub const NAME: &str = "meta";

/// Newest Graph version at the time of writing (WhatsApp facts 27).
pub const GRAPH_URL: &str = "https://graph.facebook.com/v26.0";
