//! Notices about a customer's identity, the account or its templates.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::payload::text;
use crate::domain::identity::{Phone, Sender};
use crate::domain::message::{Ignored, IgnoredWhy, InboundEvent, SystemNotice};

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
    })
}

/// Fields that say something of the account or the line, and not of one message.
const ABOUT_THE_ACCOUNT: [&str; 4] =
    ["account_update", "account_alerts", "phone_number_quality_update", "security"];

/// A change of a field other than messages and echoes.
pub fn read_other_field(field: &str, channel: Option<&str>, value: &Value) -> InboundEvent {
    if ABOUT_THE_ACCOUNT.contains(&field) {
        return InboundEvent::System(SystemNotice {
            channel: channel.unwrap_or_default().to_owned(),
            kind: match text(value, "event") {
                Some(event) => format!("{field}:{event}"),
                None => field.to_owned(),
            },
            message_id: None,
            sender: None,
            new_identity: None,
            timestamp: None,
        });
    }
    InboundEvent::Ignored(Ignored {
        channel: channel.map(str::to_owned),
        message_id: None,
        why: IgnoredWhy::OtherField,
        detail: field.to_owned(),
    })
}
