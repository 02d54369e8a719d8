//! Edits and deletions, which WhatsApp sends as notes about an earlier message.

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::super::payload::text;
use super::content::{self, Found};
use super::payload::whole;
use crate::domain::message::{Content, IgnoredWhy};

/// Reads a `protocolMessage`; `type` is a word or WhatsApp's number for it. Without a type it is an
/// edit when it holds a new text.
pub fn read(note: &Value) -> Found {
    let target = note.get("key").and_then(|key| text(key, "id"));
    let edited = ["editedMessage", "message"]
        .iter()
        .find_map(|key| note.get(key).filter(|value| value.is_object()));
    let word = match note.get("type") {
        Some(Value::String(word)) => word.to_uppercase(),
        Some(number) => match whole(number) {
            Some(0) => "REVOKE".to_owned(),
            Some(14) => "MESSAGE_EDIT".to_owned(),
            number => format!("type {}", number.unwrap_or(-1)),
        },
        None if edited.is_some() => "MESSAGE_EDIT".to_owned(),
        None => "no type".to_owned(),
    };
    match (word.as_str(), target) {
        ("MESSAGE_EDIT", Some(target_id)) => match edited.map(content::read) {
            Some(Found::Content(changed)) => {
                let text = changed.text().to_owned();
                Found::Content(Content::Edit { target_id, text })
            }
            Some(nothing) => nothing,
            None => Found::Nothing(IgnoredWhy::Encrypted, "edit without content".to_owned()),
        },
        ("REVOKE", Some(target_id)) => Found::Content(Content::Revoke { target_id }),
        ("MESSAGE_EDIT" | "REVOKE", None) => {
            Found::Nothing(IgnoredWhy::Malformed, "an edit or deletion of nothing".to_owned())
        }
        _ => Found::Nothing(IgnoredWhy::Protocol, word),
    }
}

/// An id for a change that has none of its own, the same at every delivery. A message may be edited
/// more than once, so what it was changed to counts.
pub fn id_of(content: &Content, at: Option<i64>) -> Option<String> {
    match content {
        Content::Edit { target_id, text } => {
            let digest = hex::encode(Sha256::digest(format!("{at:?} {text}")));
            Some(format!("{EDIT}{target_id}:{}", digest.get(..16).unwrap_or_default()))
        }
        Content::Revoke { target_id } => Some(format!("{REVOKE}{target_id}")),
        _ => None,
    }
}

const EDIT: &str = "edit:";
const REVOKE: &str = "revoke:";

/// Whether an id was made by [`id_of`].
pub fn is_made(id: &str) -> bool {
    id.starts_with(EDIT) || id.starts_with(REVOKE)
}
