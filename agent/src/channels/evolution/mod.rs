//! Evolution API, versions 1 and 2: WhatsApp through a paired phone (WhatsApp facts D to G).

pub mod auth;
mod client;
mod content;
mod found;
mod jid;
mod message;
mod names;
mod normalize;
mod payload;
mod presence;
mod protocol;
mod state;
mod status;
mod strip;

pub use client::EvolutionClient;
pub use normalize::{Arrival, normalize};
pub use protocol::is_made;
pub use strip::storable;

/// As stored in `inboxes.channel`, and as the webhook's path says it.
pub const NAME: &str = "evolution";
