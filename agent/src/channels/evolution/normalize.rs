//! A webhook body of Evolution, told apart. Nothing in here fails; what cannot be read is an
//! [`Ignored`](crate::domain::message::Ignored) event that says why.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::super::payload::text;
use super::content::Found;
use super::message::{self, Way, refusal};
use super::payload::{Envelope, Event};
use super::{presence, protocol, state, status};
use crate::domain::message::{Content, Ignored, IgnoredWhy, InboundEvent};

/// What is known of a webhook beside its body.
#[derive(Debug, Clone, Copy)]
pub struct Arrival<'a> {
    /// The end of its path, with `webhookByEvents`: `messages-upsert`.
    pub path_event: Option<&'a str>,
    /// The time of what does not say its own.
    pub received_at: DateTime<Utc>,
}

/// All events in a body, in the order in which they stand there.
pub fn normalize(body: &[u8], arrival: &Arrival<'_>) -> Vec<InboundEvent> {
    let unreadable = |why, detail: String| {
        vec![InboundEvent::Ignored(Ignored {
            channel: None,
            message_id: None,
            why,
            detail,
            sender: None,
            timestamp: None,
            text: None,
        })]
    };
    let root = match super::super::payload::parse(body) {
        Ok(root) => root,
        Err(error) => return unreadable(IgnoredWhy::NotJson, error.to_string()),
    };
    match Envelope::open(&root, arrival.path_event) {
        Some(envelope) => read(&envelope, arrival.received_at),
        None => unreadable(IgnoredWhy::Malformed, "no `event`".to_owned()),
    }
}

fn read(envelope: &Envelope<'_>, received_at: DateTime<Utc>) -> Vec<InboundEvent> {
    let each = |read: &dyn Fn(&Value) -> InboundEvent| {
        let events: Vec<InboundEvent> = envelope.items().into_iter().map(read).collect();
        if events.is_empty() {
            return vec![refusal(envelope, IgnoredWhy::Empty, envelope.name.clone())];
        }
        events
    };
    match &envelope.event {
        Event::MessagesUpsert => {
            // Raw servers say it; Evolution itself sends what it caught up with like the rest
            // (WhatsApp facts 52), and only its age tells.
            let append = envelope.data.get("type").and_then(Value::as_str) == Some("append");
            let way = if append { Way::Past } else { Way::Live };
            each(&|item| message::read(envelope, item, way, received_at))
        }
        Event::SendMessage => each(&|item| message::read(envelope, item, Way::Api, received_at)),
        Event::MessagesSet => each(&|item| message::read(envelope, item, Way::Past, received_at)),
        Event::MessagesEdited => each(&|item| read_edited(envelope, item, received_at)),
        Event::MessagesUpdate => each(&|item| status::read(envelope, item, received_at)),
        Event::MessagesDelete => each(&|item| read_deleted(envelope, item, received_at)),
        Event::PresenceUpdate => each(&|item| presence::read(envelope, item)),
        Event::ConnectionUpdate
        | Event::StatusInstance
        | Event::QrCodeUpdated
        | Event::InstanceRemoved => vec![state::read(envelope)],
        Event::Other(name) => vec![refusal(envelope, IgnoredWhy::OtherField, name.clone())],
    }
}

/// `messages.edited`: mostly the bare note, also for deletions and for timers.
fn read_edited(envelope: &Envelope<'_>, item: &Value, received_at: DateTime<Utc>) -> InboundEvent {
    let whole_message = item.get("message").is_some_and(Value::is_object);
    if whole_message && item.get("editedMessage").is_none() && item.get("type").is_none() {
        return message::read(envelope, item, Way::Live, received_at);
    }
    let key = item.get("key").unwrap_or(&Value::Null);
    message::read_change(envelope, key, item, protocol::read(item), received_at)
}

/// `messages.delete`: the key, bare or in a row of Evolution's database, whose own `id` is another.
fn read_deleted(envelope: &Envelope<'_>, item: &Value, received_at: DateTime<Utc>) -> InboundEvent {
    let key = item.get("key").filter(|key| key.is_object()).unwrap_or(item);
    let found = match text(key, "id") {
        Some(target_id) => Found::Content(Content::Revoke { target_id }),
        None => Found::Nothing(IgnoredWhy::NoMessageId, "a deletion".to_owned()),
    };
    message::read_change(envelope, key, item, found, received_at)
}
