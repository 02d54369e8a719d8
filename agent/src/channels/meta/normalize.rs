//! A webhook body of the Cloud API, told apart: every entry × change × message, status and echo.
//! Nothing in here fails; what cannot be read is an [`Ignored`] event that says why.

use serde_json::Value;

use super::super::payload::{self, instant, list, number, text};
use super::{content, history, system};
use crate::domain::identity::{Phone, Sender};
use crate::domain::message::{
    Content, DeliveryStatus, DeliveryUpdate, Echo, EchoOrigin, Ignored, IgnoredWhy, InboundEvent,
    InboundMessage, Referral,
};

/// All events in `body`, in the order in which they stand there.
pub fn normalize(body: &[u8]) -> Vec<InboundEvent> {
    let root = match payload::parse(body) {
        Ok(root) => root,
        Err(error) => return vec![ignored(None, IgnoredWhy::NotJson, error.to_string())],
    };
    let Some(entries) = root.get("entry").and_then(Value::as_array) else {
        return vec![ignored(None, IgnoredWhy::Malformed, "no list `entry`")];
    };
    let mut events = Vec::new();
    for entry in entries {
        let account = text(entry, "id");
        let account = account.as_deref();
        match entry.get("changes").and_then(Value::as_array) {
            Some(changes) if changes.is_empty() => {
                events.push(ignored(None, IgnoredWhy::Empty, "an entry without changes"));
            }
            Some(changes) => {
                changes.iter().for_each(|change| read_change(account, change, &mut events));
            }
            None => events.push(ignored(None, IgnoredWhy::Malformed, "no list `changes`")),
        }
    }
    if events.is_empty() {
        events.push(ignored(None, IgnoredWhy::Empty, "no entry"));
    }
    events
}

pub(super) fn ignored(
    channel: Option<&str>,
    why: IgnoredWhy,
    detail: impl Into<String>,
) -> InboundEvent {
    InboundEvent::Ignored(Ignored {
        channel: channel.map(str::to_owned),
        message_id: None,
        why,
        detail: detail.into(),
        sender: None,
        timestamp: None,
        text: None,
    })
}

/// `account` is the id of the WhatsApp Business account, which stands for the line where a change
/// is about none.
fn read_change(account: Option<&str>, change: &Value, events: &mut Vec<InboundEvent>) {
    let Some(value) = change.get("value").filter(|value| value.is_object()) else {
        events.push(ignored(None, IgnoredWhy::Malformed, "a change without an object `value`"));
        return;
    };
    let field = text(change, "field").unwrap_or_default();
    let channel = value.get("metadata").and_then(|metadata| text(metadata, "phone_number_id"));
    let before = events.len();
    match field.as_str() {
        // Old messages, also where they look like new ones.
        "history" => {
            history::read(channel.as_deref(), value, events);
            if events.len() == before {
                events.push(ignored(channel.as_deref(), IgnoredWhy::History, field));
            }
            return;
        }
        "smb_message_echoes" => {
            let Some(channel) = channel.as_deref() else {
                return no_channel(events);
            };
            // One documented and one seen name of the list.
            for key in ["message_echoes", "messages"] {
                events.extend(list(value, key).iter().map(|echo| read_echo(channel, echo)));
            }
        }
        "messages" | "" => {
            let Some(channel) = channel.as_deref() else {
                return no_channel(events);
            };
            let contacts = list(value, "contacts");
            let messages = list(value, "messages").iter();
            events.extend(messages.map(|message| read_message(channel, message, contacts)));
            let statuses = list(value, "statuses").iter();
            events.extend(statuses.map(|status| read_status(channel, status)));
            if events.len() == before {
                let codes = list(value, "errors").iter().filter_map(|error| number(error, "code"));
                let codes: Vec<String> = codes.map(|code| code.to_string()).collect();
                if !codes.is_empty() {
                    let detail = format!("codes {}", codes.join(", "));
                    events.push(ignored(Some(channel), IgnoredWhy::ProviderError, detail));
                }
            }
        }
        _ => {
            let line = channel.as_deref().or(account);
            events.extend(system::read_other_field(&field, line, value));
            return;
        }
    }
    if events.len() == before {
        events.push(ignored(channel.as_deref(), IgnoredWhy::Empty, field));
    }
}

fn no_channel(events: &mut Vec<InboundEvent>) {
    let detail = "no `metadata.phone_number_id`";
    events.push(ignored(None, IgnoredWhy::Malformed, detail));
}

pub(super) fn read_message(channel: &str, message: &Value, contacts: &[Value]) -> InboundEvent {
    let message_id = text(message, "id");
    let known = sender_of(message, contacts);
    let refuse = |why, detail: &str| {
        InboundEvent::Ignored(Ignored {
            channel: Some(channel.to_owned()),
            message_id: message_id.clone(),
            why,
            detail: detail.to_owned(),
            sender: known.as_ref().and_then(|(sender, _)| sender.shown()),
            timestamp: instant(message, "timestamp"),
            text: None,
        })
    };
    if !message.is_object() {
        return refuse(IgnoredWhy::Malformed, "a message that is no object");
    }
    let Some(message_id) = message_id.clone() else {
        return refuse(IgnoredWhy::NoMessageId, "`messages[].id`");
    };
    let Some((sender, contact)) = known.clone() else {
        return refuse(IgnoredWhy::NoSender, "`messages[].from` and `from_user_id`");
    };
    let Some(timestamp) = instant(message, "timestamp") else {
        return refuse(IgnoredWhy::Malformed, "`messages[].timestamp`");
    };
    match text(message, "type").as_deref() {
        Some("system") => {
            return system::read_system(channel, message, message_id, sender, timestamp);
        }
        Some("interactive") if content::is_call_permission(message) => {
            return refuse(IgnoredWhy::OtherField, "call_permission_reply");
        }
        _ => {}
    }
    let Some(content) = content::read(message) else {
        return refuse(IgnoredWhy::Malformed, "content of another shape than its type says");
    };
    InboundEvent::Message(InboundMessage {
        channel: channel.to_owned(),
        message_id,
        sender,
        profile_name: contact.and_then(|contact| text(contact.get("profile")?, "name")),
        timestamp,
        content,
        reply_to: message.get("context").and_then(|context| text(context, "id")),
        referral: message.get("referral").map(read_referral),
        group_id: text(message, "group_id"),
    })
}

/// Who wrote, with the entry of `contacts` that describes them. A message names its sender by
/// phone, by user id, or, when the customer has a username and shares no phone, not at all: then
/// the only contact, who has no phone either, is meant.
fn sender_of<'a>(message: &Value, contacts: &'a [Value]) -> Option<(Sender, Option<&'a Value>)> {
    let from = text(message, "from");
    let user_id = text(message, "from_user_id");
    let named = |contact: &&Value| {
        (from.is_some() && text(contact, "wa_id") == from)
            || (user_id.is_some() && text(contact, "user_id") == user_id)
    };
    let only = || match contacts {
        [contact] => Some(contact),
        _ => None,
    };
    let contact = contacts.iter().find(named).or_else(only);
    let alias = contact.and_then(|contact| text(contact, "user_id"));
    let anonymous = from.is_none() && user_id.is_none();
    if anonymous && contact.is_none_or(|contact| text(contact, "wa_id").is_some()) {
        return None;
    }
    let phone = from.as_deref().and_then(Phone::parse);
    Some((Sender::new(phone, user_id.or(alias), None)?, contact))
}

fn read_referral(referral: &Value) -> Referral {
    Referral {
        source_id: text(referral, "source_id"),
        source_type: text(referral, "source_type"),
        source_url: text(referral, "source_url"),
        headline: text(referral, "headline"),
    }
}

fn read_status(channel: &str, status: &Value) -> InboundEvent {
    let Some(message_id) = text(status, "id") else {
        return ignored(Some(channel), IgnoredWhy::NoMessageId, "`statuses[].id`");
    };
    let word = text(status, "status").unwrap_or_default();
    InboundEvent::Status(DeliveryUpdate {
        channel: channel.to_owned(),
        message_id,
        status: match word.as_str() {
            "sent" => DeliveryStatus::Sent,
            "delivered" => DeliveryStatus::Delivered,
            "read" => DeliveryStatus::Read,
            "played" => DeliveryStatus::Played,
            "failed" => DeliveryStatus::Failed,
            "deleted" => DeliveryStatus::Deleted,
            _ => DeliveryStatus::Unknown,
        },
        recipient: text(status, "recipient_id").or_else(|| text(status, "recipient_user_id")),
        timestamp: instant(status, "timestamp"),
        error_code: list(status, "errors").first().and_then(|error| number(error, "code")),
        callback_data: text(status, "biz_opaque_callback_data"),
        pricing: status.get("pricing").filter(|pricing| pricing.is_object()).cloned(),
    })
}

fn read_echo(channel: &str, echo: &Value) -> InboundEvent {
    let Some(message_id) = text(echo, "id") else {
        return ignored(Some(channel), IgnoredWhy::NoMessageId, "`message_echoes[].id`");
    };
    let phone = text(echo, "to").as_deref().and_then(Phone::parse);
    let Some(recipient) = Sender::new(phone, text(echo, "to_user_id"), None) else {
        return ignored(Some(channel), IgnoredWhy::NoSender, "`message_echoes[].to`");
    };
    let unreadable =
        || Content::Unsupported { what: "echo".to_owned(), code: None, text: String::new() };
    InboundEvent::Echo(Echo {
        channel: channel.to_owned(),
        message_id,
        recipient,
        timestamp: instant(echo, "timestamp"),
        content: content::read(echo).unwrap_or_else(unreadable),
        origin: EchoOrigin::Line,
    })
}
