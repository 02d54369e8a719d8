//! What a channel says of the moment: whether the line is connected, and what a customer is doing.

use serde::{Deserialize, Serialize};

use super::identity::Sender;

/// How a line is connected to WhatsApp.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Connection {
    pub state: ConnectionState,
    /// The provider's code for it; 401 means logged out.
    pub status_code: Option<i64>,
}

/// The states that a line goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConnectionState {
    Open,
    Connecting,
    /// Lost; the provider tries again by itself.
    Closed,
    /// The phone removed this device; somebody must pair it again.
    LoggedOut,
    /// A code waits to be scanned.
    NeedsPairing,
    /// The instance is gone.
    Removed,
    /// A word that is not known here.
    Unknown,
}

impl ConnectionState {
    pub fn as_str(self) -> &'static str {
        match self {
            ConnectionState::Open => "open",
            ConnectionState::Connecting => "connecting",
            ConnectionState::Closed => "closed",
            ConnectionState::LoggedOut => "logged_out",
            ConnectionState::NeedsPairing => "needs_pairing",
            ConnectionState::Removed => "removed",
            ConnectionState::Unknown => "unknown",
        }
    }

    /// Whether nothing comes in or goes out until a person does something.
    pub fn needs_a_person(self) -> bool {
        matches!(
            self,
            ConnectionState::LoggedOut | ConnectionState::NeedsPairing | ConnectionState::Removed
        )
    }
}

/// What a customer is doing in the chat with us.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Presence {
    /// The provider's name of the receiving line.
    pub channel: String,
    pub sender: Sender,
    pub state: PresenceState,
}

/// See [`Presence`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PresenceState {
    Typing,
    Recording,
    /// Stopped typing or recording.
    Paused,
}

impl PresenceState {
    pub fn as_str(self) -> &'static str {
        match self {
            PresenceState::Typing => "typing",
            PresenceState::Recording => "recording",
            PresenceState::Paused => "paused",
        }
    }
}
