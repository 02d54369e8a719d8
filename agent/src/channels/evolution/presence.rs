//! What a customer is doing: `presence.update`.

use serde_json::Value;

use super::super::payload::text;
use super::jid::Jid;
use super::message::refusal;
use super::payload::Envelope;
use crate::domain::identity::Sender;
use crate::domain::live::{Presence, PresenceState};
use crate::domain::message::{IgnoredWhy, InboundEvent};

/// Reads the presences of a chat. That somebody is online or not is nothing for the bot.
pub fn read(envelope: &Envelope<'_>, item: &Value) -> InboundEvent {
    let nothing = |why| refusal(envelope, why, "presence.update");
    let Some(chat) = text(item, "id").or_else(|| text(item, "remoteJid")) else {
        return nothing(IgnoredWhy::Malformed);
    };
    let (phone, lid) = match Jid::parse(&chat) {
        Some(Jid::Phone(phone)) => (Some(phone), None),
        Some(Jid::Lid(lid)) => (None, Some(lid)),
        Some(Jid::NotAPerson(why, _)) => return nothing(why),
        None => return nothing(IgnoredWhy::NoSender),
    };
    let presences = item.get("presences").and_then(Value::as_object);
    let word = presences
        .and_then(|presences| {
            presences.values().find_map(|presence| text(presence, "lastKnownPresence"))
        })
        .or_else(|| text(item, "presence"));
    let state = match word.unwrap_or_default().to_lowercase().as_str() {
        "composing" => PresenceState::Typing,
        "recording" => PresenceState::Recording,
        "paused" => PresenceState::Paused,
        _ => return nothing(IgnoredWhy::OtherField),
    };
    match Sender::new(phone, None, lid) {
        Some(sender) => {
            InboundEvent::Presence(Presence { channel: envelope.channel.clone(), sender, state })
        }
        None => nothing(IgnoredWhy::NoSender),
    }
}
