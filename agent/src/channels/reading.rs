//! What Lembra reads in a webhook body, told in a few fixed words: an engineer's first look at a
//! webhook that behaves oddly (`bot normalize`).

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::{evolution, meta};
use crate::domain::message::{
    Content, DeliveryStatus, EchoOrigin, InboundEvent, InboundMessage, SystemNotice,
};

/// Whose body it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    Meta,
    Evolution,
}

/// One event. What is absent is `null` in JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Reading {
    pub file: String,
    /// `message`, `status`, `echo`, `system` or `ignored`.
    pub outcome: &'static str,
    /// Of a message its content, of a status its word, of the others what they are about.
    pub kind: String,
    /// The number, instance or account that it is for.
    pub channel: Option<String>,
    /// The customer: phone, else bsuid, else lid; of groups and lists their address.
    pub sender: Option<String>,
    pub message_id: Option<String>,
    /// Seconds since 1970.
    pub timestamp: Option<i64>,
    pub text: Option<String>,
    /// The message that is quoted, reacted to, edited or deleted.
    pub reply_to: Option<String>,
    /// Why it was ignored, or what it is beside its kind.
    pub why: Option<String>,
}

/// Stands for the time that a body does not say.
const UNKNOWN_TIME: DateTime<Utc> = DateTime::UNIX_EPOCH;

/// All events of a body; `file` is only repeated.
pub fn read(provider: Provider, file: &str, body: &[u8]) -> Vec<Reading> {
    let arrival = evolution::Arrival { path_event: None, received_at: UNKNOWN_TIME };
    let events = match provider {
        Provider::Meta => meta::normalize(body),
        Provider::Evolution => evolution::normalize(body, &arrival),
    };
    let told = events.iter().map(|event| Reading { file: file.to_owned(), ..tell(event) });
    told.collect()
}

fn seconds(at: Option<DateTime<Utc>>) -> Option<i64> {
    at.filter(|at| *at != UNKNOWN_TIME).map(|at| at.timestamp())
}

fn filled(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// The message that a content is about.
fn target(content: &Content) -> Option<String> {
    match content {
        Content::Reaction { target_id, .. }
        | Content::Edit { target_id, .. }
        | Content::Revoke { target_id } => Some(target_id.clone()),
        _ => None,
    }
}

/// What a content is beside its kind.
fn remark(content: &Content) -> Option<String> {
    match content {
        Content::Unsupported { what, code: Some(code), .. } => {
            Some(format!("{what} (code {code})"))
        }
        Content::Unsupported { what, code: None, .. } => Some(what.clone()),
        Content::Reaction { emoji: None, .. } => Some("removed".to_owned()),
        _ => None,
    }
}

/// The message's own id; of a change that has none, the id of the message that it changes.
fn id(message_id: &str, content: &Content) -> Option<String> {
    match target(content) {
        Some(target) if evolution::is_made(message_id) => Some(target),
        _ => filled(message_id),
    }
}

fn tell(event: &InboundEvent) -> Reading {
    match event {
        InboundEvent::Message(message) => Reading {
            outcome: "message",
            why: message.group_id.as_ref().map(|_| "group".to_owned()).or(remark(&message.content)),
            ..tell_message(message)
        },
        InboundEvent::History(past) => Reading {
            outcome: "ignored",
            why: Some("history".to_owned()),
            ..tell_message(&past.message)
        },
        InboundEvent::Status(status) => Reading {
            outcome: "status",
            kind: status_word(status.status).to_owned(),
            channel: filled(&status.channel),
            sender: status.recipient.clone(),
            message_id: Some(status.message_id.clone()),
            timestamp: seconds(status.timestamp),
            why: status.error_code.map(|code| format!("error {code}")),
            ..Reading::default()
        },
        InboundEvent::Echo(echo) => Reading {
            outcome: "echo",
            kind: echo.content.kind().to_owned(),
            channel: filled(&echo.channel),
            sender: echo.recipient.shown(),
            message_id: id(&echo.message_id, &echo.content),
            timestamp: seconds(echo.timestamp),
            text: Some(match &echo.content {
                // The words of an edit are those of another message.
                Content::Edit { .. } => String::new(),
                content => content.text().to_owned(),
            }),
            reply_to: target(&echo.content),
            why: match echo.origin {
                EchoOrigin::Api => Some("api".to_owned()),
                EchoOrigin::Line => remark(&echo.content),
            },
            ..Reading::default()
        },
        InboundEvent::System(notice) => tell_notice(notice),
        InboundEvent::Presence(presence) => Reading {
            outcome: "system",
            kind: "presence".to_owned(),
            channel: filled(&presence.channel),
            sender: presence.sender.shown(),
            why: Some(presence.state.as_str().to_owned()),
            ..Reading::default()
        },
        InboundEvent::Ignored(ignored) => Reading {
            outcome: "ignored",
            kind: ignored.detail.clone(),
            channel: ignored.channel.clone(),
            sender: ignored.sender.clone(),
            message_id: ignored.message_id.clone(),
            timestamp: seconds(ignored.timestamp),
            text: ignored.text.clone(),
            why: Some(ignored.why.as_str().to_owned()),
            ..Reading::default()
        },
    }
}

fn tell_message(message: &InboundMessage) -> Reading {
    Reading {
        kind: message.content.kind().to_owned(),
        channel: filled(&message.channel),
        sender: message.sender.shown(),
        message_id: id(&message.message_id, &message.content),
        timestamp: seconds(Some(message.timestamp)),
        text: Some(message.text().to_owned()),
        reply_to: message.reply_to.clone().or_else(|| target(&message.content)),
        ..Reading::default()
    }
}

/// A notice about the account as a whole concerns operators and not the bot: it is kept, and may
/// raise an alert.
fn tell_notice(notice: &SystemNotice) -> Reading {
    let for_operators = notice.sender.is_none() && notice.connection.is_none();
    let connection = notice.connection.as_ref().map(|connection| match connection.status_code {
        Some(code) => format!("{} (code {code})", connection.state.as_str()),
        None => connection.state.as_str().to_owned(),
    });
    Reading {
        outcome: if for_operators { "ignored" } else { "system" },
        kind: notice.kind.clone(),
        channel: filled(&notice.channel),
        sender: notice.sender.as_ref().and_then(crate::domain::identity::Sender::shown),
        message_id: notice.message_id.clone(),
        timestamp: seconds(notice.timestamp),
        why: connection.or_else(|| for_operators.then(|| "about_the_account".to_owned())),
        ..Reading::default()
    }
}

fn status_word(status: DeliveryStatus) -> &'static str {
    match status {
        DeliveryStatus::Pending => "pending",
        DeliveryStatus::Sent => "sent",
        DeliveryStatus::Delivered => "delivered",
        DeliveryStatus::Read => "read",
        DeliveryStatus::Played => "played",
        DeliveryStatus::Failed => "failed",
        DeliveryStatus::Deleted => "deleted",
        DeliveryStatus::Unknown => "unknown",
    }
}
