//! Reading JSON that may have any shape: every accessor answers `None` where the value is absent,
//! of another type, or empty.

use chrono::{DateTime, Utc};
use serde_json::Value;

/// A text that is not blank, without NUL, which no database text holds.
pub fn text(value: &Value, key: &str) -> Option<String> {
    let text = value.get(key)?.as_str()?;
    let text = if text.contains('\0') {
        text.replace('\0', "")
    } else {
        text.to_owned()
    };
    (!text.trim().is_empty()).then_some(text)
}

/// Words that a person wrote: kept as they are, even when blank.
pub fn words(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(|text| text.replace('\0', ""))
}

/// A number, or a text that is one: Meta writes the same field both ways.
pub fn number(value: &Value, key: &str) -> Option<i64> {
    let value = value.get(key)?;
    value
        .as_i64()
        .or_else(|| value.as_str()?.trim().parse().ok())
}

/// Seconds since 1970 (WhatsApp facts 11: a text in messages and statuses, a number elsewhere).
pub fn instant(value: &Value, key: &str) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(number(value, key)?, 0)
}

/// The elements of a list; nothing when it is no list.
pub fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default()
}
