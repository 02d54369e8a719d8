//! Looking for our own message in an answer to `findMessages`.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;

use super::super::payload::text;
use super::content::{self, Found};
use super::payload::{moment, truth};

/// Clocks of the server and of WhatsApp may be behind ours.
const SKEW: TimeDelta = TimeDelta::seconds(30);

/// The id of the message of ours with this text that was sent since then. Version 2 answers pages
/// (`messages.records`), version 1 a list.
pub fn id_of(answer: &Value, wanted: &str, since: DateTime<Utc>) -> Option<String> {
    let records = answer.pointer("/messages/records").unwrap_or(answer).as_array()?;
    records.iter().find_map(|record| {
        let key = record.get("key")?;
        let at = moment(record.get("messageTimestamp")?)?;
        let is_ours = truth(key, "fromMe") && at >= since - SKEW;
        let Found::Content(content) = content::read(record.get("message")?) else {
            return None;
        };
        (is_ours && content.text().trim() == wanted.trim()).then(|| text(key, "id")).flatten()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn our_message_is_found_by_its_words_and_time_in_both_versions() {
        let since = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        let record = |id: &str, from_me: bool, text: &str, at: i64| {
            json!({
                "key": { "id": id, "fromMe": from_me, "remoteJid": "5511987650001@s.whatsapp.net" },
                "message": { "conversation": text },
                "messageTimestamp": at,
            })
        };
        let records = json!([
            record("OLD", true, "Tem vaga sim.", 1_799_990_000),
            record("THEIRS", false, "Tem vaga sim.", 1_800_000_001),
            record("OTHER", true, "Outra coisa", 1_800_000_001),
            record("OURS", true, "Tem vaga sim.", 1_800_000_002),
        ]);
        let page = json!({ "messages": { "total": 4, "records": records } });
        for answer in [records, page] {
            assert_eq!(id_of(&answer, "Tem vaga sim.", since).as_deref(), Some("OURS"));
            assert_eq!(id_of(&answer, "Nunca dito", since), None);
        }
        assert_eq!(id_of(&json!({ "error": true }), "x", since), None);
    }
}
