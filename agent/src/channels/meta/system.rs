//! Notices about a customer's identity, the account or its templates.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::super::payload::{instant, list, text};
use super::normalize::ignored;
use crate::domain::identity::{Phone, Sender};
use crate::domain::message::{IgnoredWhy, InboundEvent, SystemNotice};

/// A message of type `system`: a customer's number or user id changed.
pub fn read_system(
    channel: &str,
    message: &Value,
    message_id: String,
    sender: Sender,
    timestamp: DateTime<Utc>,
) -> InboundEvent {
    let system = message.get("system").cloned().unwrap_or_default();
    let kind = text(&system, "type").unwrap_or_else(|| "system".to_owned());
    // A changed security code is the same customer under the same names.
    let renamed = kind.contains("changed_number") || kind.contains("changed_user_id");
    let new_identity = renamed.then(|| {
        let phone = ["wa_id", "new_wa_id"].iter().find_map(|key| text(&system, key));
        let user_id = ["user_id", "new_user_id"].iter().find_map(|key| text(&system, key));
        Sender::new(phone.as_deref().and_then(Phone::parse), user_id, None)
    });
    InboundEvent::System(SystemNotice {
        channel: channel.to_owned(),
        kind,
        message_id: Some(message_id),
        sender: Some(sender),
        new_identity: new_identity.flatten(),
        timestamp: Some(timestamp),
        connection: None,
    })
}

/// Fields that say something of the account or the line, and not of one message.
const ABOUT_THE_ACCOUNT: [&str; 4] =
    ["account_update", "account_alerts", "phone_number_quality_update", "security"];

/// A change of a field other than messages, echoes and history. `line` is the number that it is
/// about, or the account.
pub fn read_other_field(field: &str, line: Option<&str>, value: &Value) -> Vec<InboundEvent> {
    if field == "user_preferences" {
        let preferences = list(value, "user_preferences").iter();
        let notices = preferences.map(|preference| preferred(line, preference));
        let notices: Vec<InboundEvent> = notices.collect();
        if !notices.is_empty() {
            return notices;
        }
    }
    if ABOUT_THE_ACCOUNT.contains(&field) {
        let kind = match text(value, "event") {
            Some(event) => format!("{field}:{event}"),
            None => field.to_owned(),
        };
        return vec![notice(line, kind)];
    }
    vec![ignored(line, IgnoredWhy::OtherField, field)]
}

fn notice(line: Option<&str>, kind: String) -> InboundEvent {
    InboundEvent::System(SystemNotice {
        channel: line.unwrap_or_default().to_owned(),
        kind,
        message_id: None,
        sender: None,
        new_identity: None,
        timestamp: None,
        connection: None,
    })
}

/// What a customer wants of marketing: `user_preferences:marketing_messages:stop`.
fn preferred(line: Option<&str>, preference: &Value) -> InboundEvent {
    let word = |key| text(preference, key).unwrap_or_else(|| "unknown".to_owned());
    let phone = text(preference, "wa_id").as_deref().and_then(Phone::parse);
    InboundEvent::System(SystemNotice {
        channel: line.unwrap_or_default().to_owned(),
        kind: format!("user_preferences:{}:{}", word("category"), word("value")),
        message_id: None,
        sender: Sender::new(phone, text(preference, "user_id"), None),
        new_identity: None,
        timestamp: instant(preference, "timestamp"),
        connection: None,
    })
}
