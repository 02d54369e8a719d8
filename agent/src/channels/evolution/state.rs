//! Whether the instance is connected: `connection.update`, `status.instance`, `qrcode.updated`,
//! `logout.instance`.

use super::super::payload::text;
use super::payload::{Envelope, Event, whole};
use crate::domain::live::{Connection, ConnectionState};
use crate::domain::message::{InboundEvent, SystemNotice};

/// The phone removed this device.
const LOGGED_OUT: i64 = 401;

/// Reads a notice of the connection. Its kind is the event with the provider's word, such as
/// `connection.update:open`.
pub fn read(envelope: &Envelope<'_>) -> InboundEvent {
    let data = envelope.data;
    let codes = ["statusReason", "disconnectionReasonCode", "statusCode"];
    let status_code = codes.iter().find_map(|key| whole(data.get(key)?));
    let (name, word) = match envelope.event {
        Event::QrCodeUpdated => ("qrcode.updated", None),
        Event::InstanceRemoved => ("logout.instance", None),
        Event::StatusInstance => ("status.instance", text(data, "status")),
        _ => ("connection.update", text(data, "state")),
    };
    let state = match envelope.event {
        Event::QrCodeUpdated => ConnectionState::NeedsPairing,
        Event::InstanceRemoved => ConnectionState::Removed,
        _ => state(word.as_deref().unwrap_or_default(), status_code),
    };
    let kind = match word {
        Some(word) => format!("{name}:{}", word.chars().take(40).collect::<String>()),
        None => name.to_owned(),
    };
    InboundEvent::System(SystemNotice {
        channel: envelope.channel.clone(),
        kind,
        message_id: None,
        sender: None,
        new_identity: None,
        timestamp: None,
        connection: Some(Connection { state, status_code }),
    })
}

fn state(word: &str, code: Option<i64>) -> ConnectionState {
    match word.to_lowercase().as_str() {
        "open" | "connected" => ConnectionState::Open,
        "connecting" => ConnectionState::Connecting,
        "close" | "closed" | "disconnected" if code == Some(LOGGED_OUT) => {
            ConnectionState::LoggedOut
        }
        "close" | "closed" | "disconnected" => ConnectionState::Closed,
        "refused" => ConnectionState::NeedsPairing,
        "removed" | "deleted" => ConnectionState::Removed,
        _ => ConnectionState::Unknown,
    }
}
