//! What became of a message: `messages.update`.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::super::payload::text;
use super::content::{self, Found};
use super::jid::Jid;
use super::message::{read_change, refusal};
use super::payload::{Envelope, moment, whole};
use crate::domain::message::{Content, DeliveryStatus, DeliveryUpdate, IgnoredWhy, InboundEvent};

/// Reads an update. The message's id is `keyId` in version 2, whose `messageId` is an id of
/// Evolution's own database; `key.id` or `id` in others.
pub fn read(envelope: &Envelope<'_>, item: &Value, received_at: DateTime<Utc>) -> InboundEvent {
    let update = item.get("update").unwrap_or(&Value::Null);
    let key = item.get("key").filter(|key| key.is_object()).unwrap_or(item);
    if let Some(message) = update.get("message").filter(|message| message.is_object()) {
        return read_edit(envelope, key, item, message, received_at);
    }
    let Some(message_id) = text(item, "keyId").or_else(|| text(key, "id")) else {
        return refusal(envelope, IgnoredWhy::NoMessageId, "an update");
    };
    let Some(word) = item.get("status").or_else(|| update.get("status")) else {
        return refusal(envelope, IgnoredWhy::OtherField, "an update without a status");
    };
    let remote = text(item, "remoteJid").or_else(|| text(key, "remoteJid"));
    let recipient = remote.map(|remote| match Jid::parse(&remote) {
        Some(Jid::Phone(phone)) => phone.as_str().to_owned(),
        Some(Jid::Lid(lid)) => lid,
        Some(Jid::NotAPerson(..)) | None => remote,
    });
    let at = ["messageTimestamp", "timestamp"].iter().find_map(|name| moment(item.get(name)?));
    InboundEvent::Status(DeliveryUpdate {
        channel: envelope.channel.clone(),
        message_id,
        status: status(word),
        recipient,
        timestamp: at,
        error_code: None,
        callback_data: None,
        pricing: None,
    })
}

/// An update that brings a new text, as other servers on Baileys send edits.
fn read_edit(
    envelope: &Envelope<'_>,
    key: &Value,
    item: &Value,
    message: &Value,
    received_at: DateTime<Utc>,
) -> InboundEvent {
    let found = match content::read(message) {
        Found::Content(content @ Content::Edit { .. }) => Found::Content(content),
        Found::Content(content) => match text(key, "id") {
            Some(target_id) => {
                let text = content.text().to_owned();
                Found::Content(Content::Edit { target_id, text })
            }
            None => Found::Nothing(IgnoredWhy::NoMessageId, "an edit".to_owned()),
        },
        nothing => nothing,
    };
    read_change(envelope, key, item, found, received_at)
}

/// A status as word or as WhatsApp's number. `DELETED` is what Evolution says of every update that
/// it does not know, edits among them (WhatsApp facts 49): nothing is concluded from it.
fn status(word: &Value) -> DeliveryStatus {
    let named = word.as_str().map(str::to_uppercase);
    match (named.as_deref(), whole(word)) {
        (Some("ERROR" | "FAILED"), _) | (_, Some(0)) => DeliveryStatus::Failed,
        (Some("PENDING"), _) | (_, Some(1)) => DeliveryStatus::Pending,
        (Some("SERVER_ACK" | "SENT"), _) | (_, Some(2)) => DeliveryStatus::Sent,
        (Some("DELIVERY_ACK" | "DELIVERED"), _) | (_, Some(3)) => DeliveryStatus::Delivered,
        (Some("READ"), _) | (_, Some(4)) => DeliveryStatus::Read,
        (Some("PLAYED"), _) | (_, Some(5)) => DeliveryStatus::Played,
        (Some("DELETED"), _) => DeliveryStatus::Deleted,
        _ => DeliveryStatus::Unknown,
    }
}
