//! Reading JSON that may have any shape: every accessor answers `None` where the value is absent,
//! of another type, or empty.

use chrono::{DateTime, Utc};
use serde_json::Value;

/// Reads JSON. Half of a surrogate pair, which a provider leaves where it cuts a text inside an
/// emoji, is no reason to refuse the rest: it is read as U+FFFD.
pub fn parse(body: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice(body).or_else(|error| match without_half_surrogates(body) {
        Some(mended) => serde_json::from_slice(&mended),
        None => Err(error),
    })
}

/// The body with unpaired `\uD8xx` escapes replaced; `None` when there is none.
fn without_half_surrogates(body: &[u8]) -> Option<Vec<u8>> {
    let unit = |at: usize| {
        let escape = body.get(at..at + 6)?;
        let digits = std::str::from_utf8(escape.strip_prefix(b"\\u")?).ok()?;
        u32::from_str_radix(digits, 16).ok()
    };
    let mut mended = Vec::with_capacity(body.len());
    let (mut at, mut changed) = (0, false);
    while let Some(byte) = body.get(at) {
        let length = match (byte, unit(at), unit(at + 6)) {
            (b'\\', Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (b'\\', Some(0xd800..=0xdfff), _) => {
                mended.extend_from_slice(b"\\ufffd");
                (at, changed) = (at + 6, true);
                continue;
            }
            // An escaped backslash begins nothing.
            (b'\\', ..) => 2,
            _ => 1,
        };
        mended.extend_from_slice(&body[at..(at + length).min(body.len())]);
        at += length;
    }
    changed.then_some(mended)
}

/// A text that is not blank, without NUL, which no database text holds.
pub fn text(value: &Value, key: &str) -> Option<String> {
    let text = value.get(key)?.as_str()?;
    let text = if text.contains('\0') { text.replace('\0', "") } else { text.to_owned() };
    (!text.trim().is_empty()).then_some(text)
}

/// Words that a person wrote: kept as they are, even when blank.
pub fn words(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(|text| text.replace('\0', ""))
}

/// A number, or a text that is one: Meta writes the same field both ways.
pub fn number(value: &Value, key: &str) -> Option<i64> {
    let value = value.get(key)?;
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// Seconds since 1970 (WhatsApp facts 11: a text in messages and statuses, a number elsewhere).
pub fn instant(value: &Value, key: &str) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(number(value, key)?, 0)
}

/// The elements of a list; nothing when it is no list.
pub fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}
