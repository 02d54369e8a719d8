//! The envelope of Evolution's webhooks, and numbers as JavaScript leaves them.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::super::payload::text;
use crate::domain::identity::Phone;

/// What a webhook is about. Names come in lower case with dots, in upper case with underscores,
/// and with hyphens in a path; some mix them (WhatsApp facts 37, 42).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    MessagesUpsert,
    SendMessage,
    MessagesSet,
    MessagesEdited,
    MessagesUpdate,
    MessagesDelete,
    PresenceUpdate,
    ConnectionUpdate,
    StatusInstance,
    QrCodeUpdated,
    /// The instance was logged out or removed.
    InstanceRemoved,
    /// Nothing for the bot; its name, with dots.
    Other(String),
}

impl Event {
    pub fn parse(word: &str) -> Self {
        let name = word.trim().to_lowercase().replace(['_', '-', '/'], ".");
        match name.as_str() {
            "messages.upsert" | "message.upsert" => Event::MessagesUpsert,
            "send.message" | "send.message.update" => Event::SendMessage,
            "messages.set" | "messaging.history.set" => Event::MessagesSet,
            "messages.edited" => Event::MessagesEdited,
            "messages.update" => Event::MessagesUpdate,
            "messages.delete" => Event::MessagesDelete,
            "presence.update" => Event::PresenceUpdate,
            "connection.update" => Event::ConnectionUpdate,
            "status.instance" => Event::StatusInstance,
            "qrcode.updated" => Event::QrCodeUpdated,
            "logout.instance" | "remove.instance" | "instance.delete" => Event::InstanceRemoved,
            _ => Event::Other(name),
        }
    }
}

/// One webhook, opened.
pub struct Envelope<'a> {
    pub event: Event,
    /// The event's name as it was written.
    pub name: String,
    /// The instance that it is about; empty where it does not say.
    pub channel: String,
    /// The number of the instance itself, and not of the author (WhatsApp facts 39). Absent before
    /// pairing, and no number in some products.
    pub owner: Option<Phone>,
    pub data: &'a Value,
}

impl<'a> Envelope<'a> {
    /// Opens `root`. `path_event` is the end of the webhook's path, used where the body does not
    /// name its event; `None` when neither does.
    pub fn open(root: &'a Value, path_event: Option<&str>) -> Option<Self> {
        let name = text(root, "event").or_else(|| path_event.map(str::to_owned))?;
        let data = root.get("data").unwrap_or(&Value::Null);
        let instance = root.get("instance").unwrap_or(&Value::Null);
        let named = |value: &Value| {
            let keys = ["instance", "instanceName", "owner"];
            keys.iter().find_map(|key| text(value, key))
        };
        let channel = text(root, "instance")
            .or_else(|| named(instance))
            .or_else(|| text(root, "instanceName"))
            .or_else(|| named(data));
        Some(Self {
            event: Event::parse(&name),
            name,
            channel: channel.unwrap_or_default(),
            owner: text(root, "sender").as_deref().and_then(Phone::parse),
            data,
        })
    }

    /// The things in `data`: one object, a list of them, or a list below `messages` (WhatsApp facts
    /// 46).
    pub fn items(&self) -> Vec<&'a Value> {
        let data = match self.data {
            Value::Object(fields) => fields.get("messages").unwrap_or(self.data),
            data => data,
        };
        match data {
            Value::Array(items) => items.iter().collect(),
            Value::Null => Vec::new(),
            item => vec![item],
        }
    }
}

/// A whole number: as such, as a text, or as the halves `{low, high}` of a 64-bit one, of which the
/// lower is signed (WhatsApp facts 48).
pub fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| float(number.as_f64()?)),
        Value::String(text) => {
            let text = text.trim();
            text.parse().ok().or_else(|| float(text.parse().ok()?))
        }
        Value::Object(halves) => {
            let low = whole_half(halves.get("low")?)?;
            let high = halves.get("high").map_or(Some(0), whole_half)?;
            Some((high << 32) | (low & 0xffff_ffff))
        }
        _ => None,
    }
}

fn whole_half(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

#[expect(clippy::cast_possible_truncation, reason = "bounds are checked before")]
fn float(number: f64) -> Option<i64> {
    (number.is_finite() && number.abs() < 9e18).then_some(number as i64)
}

/// An instant, given in seconds, milliseconds or microseconds since 1970.
pub fn moment(value: &Value) -> Option<DateTime<Utc>> {
    match whole(value)? {
        ..=0 => None,
        seconds @ 1..100_000_000_000 => DateTime::from_timestamp(seconds, 0),
        millis @ 100_000_000_000..100_000_000_000_000 => DateTime::from_timestamp_millis(millis),
        micros => DateTime::from_timestamp_micros(micros),
    }
}

/// `true`, also written as a text.
pub fn truth(value: &Value, key: &str) -> bool {
    match value.get(key) {
        Some(Value::Bool(truth)) => *truth,
        Some(Value::String(text)) => text == "true",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_instant_is_read_in_every_form_that_javascript_leaves_it_in() {
        for value in [
            json!(1_794_312_307),
            json!("1794312307"),
            json!(1_794_312_307.0),
            json!(1_794_312_307_999_i64),
            json!("1794312307000"),
            json!({ "low": 1_794_312_307, "high": 0, "unsigned": true }),
            // 1794312307000 ms in halves, of which the lower is negative.
            json!({ "low": -987_653_000_i64, "high": 417, "unsigned": false }),
        ] {
            let read = moment(&value).map(|at| at.timestamp());
            if value.get("high").and_then(Value::as_i64) == Some(417) {
                let expected = ((417_i64 << 32) + (4_294_967_296 - 987_653_000)) / 1_000;
                assert_eq!(read, Some(expected), "{value}");
            } else {
                assert_eq!(read, Some(1_794_312_307), "{value}");
            }
        }
        for value in [json!(null), json!(0), json!(-5), json!("x"), json!({ "high": 1 }), json!([])]
        {
            assert_eq!(moment(&value), None, "{value}");
        }
    }

    #[test]
    fn events_are_known_by_all_their_spellings() {
        for word in ["messages.upsert", "MESSAGES_UPSERT", "messages-upsert", "Messages.Upsert"] {
            assert_eq!(Event::parse(word), Event::MessagesUpsert, "{word}");
        }
        assert_eq!(Event::parse("LOGOUT_INSTANCE"), Event::InstanceRemoved);
        assert_eq!(
            Event::parse("group-participants.update"),
            Event::Other("group.participants.update".to_owned())
        );
    }
}
