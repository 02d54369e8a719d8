//! The first layer of what is known of a customer (seed 002 §4): a name and pairs of key and value,
//! as their account keeps them. They go into the prompt, so they are short and on one line.

use serde_json::{Map, Value};

/// Longest name, key and text value, in characters.
pub const MOST_NAME_CHARS: usize = 100;
pub const MOST_KEY_CHARS: usize = 60;
pub const MOST_VALUE_CHARS: usize = 500;
/// Attributes of one contact.
pub const MOST_ATTRIBUTES: usize = 50;

/// Why attributes or a name are refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("a key is empty")]
    EmptyKey,
    #[error("the key {0:?} is longer than {MOST_KEY_CHARS} characters")]
    KeyTooLong(String),
    #[error("the value of {0:?} is longer than {MOST_VALUE_CHARS} characters")]
    ValueTooLong(String),
    #[error("the value of {0:?} is neither text, a number, true nor false")]
    NoPlainValue(String),
    #[error("a contact has at most {MOST_ATTRIBUTES} attributes")]
    TooMany,
    #[error("the name is longer than {MOST_NAME_CHARS} characters")]
    NameTooLong,
}

impl Refusal {
    /// A stable word for programs and for the words of pages.
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::EmptyKey => "empty_key",
            Refusal::KeyTooLong(_) => "key_too_long",
            Refusal::ValueTooLong(_) => "value_too_long",
            Refusal::NoPlainValue(_) => "no_plain_value",
            Refusal::TooMany => "too_many",
            Refusal::NameTooLong => "name_too_long",
        }
    }
}

/// One line without invisible characters.
fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A name as it is kept; `None` when nothing is left of it.
pub fn name(text: &str) -> Result<Option<String>, Refusal> {
    let name = one_line(text);
    if name.chars().count() > MOST_NAME_CHARS {
        return Err(Refusal::NameTooLong);
    }
    Ok((!name.is_empty()).then_some(name))
}

/// The attributes after a change: a value of null, or an empty text, takes a key away; keys that the
/// change does not name stay.
pub fn changed(
    attributes: &Map<String, Value>,
    change: &Map<String, Value>,
) -> Result<Map<String, Value>, Refusal> {
    let mut after = attributes.clone();
    for (key, value) in change {
        let key = one_line(key);
        if key.is_empty() {
            return Err(Refusal::EmptyKey);
        }
        if key.chars().count() > MOST_KEY_CHARS {
            return Err(Refusal::KeyTooLong(key));
        }
        let value = match value {
            Value::Null => None,
            Value::String(text) => {
                let text = one_line(text);
                if text.chars().count() > MOST_VALUE_CHARS {
                    return Err(Refusal::ValueTooLong(key));
                }
                (!text.is_empty()).then_some(Value::String(text))
            }
            Value::Bool(_) | Value::Number(_) => Some(value.clone()),
            Value::Array(_) | Value::Object(_) => return Err(Refusal::NoPlainValue(key)),
        };
        match value {
            Some(value) => after.insert(key, value),
            None => after.remove(&key),
        };
    }
    // A contact that came with more may lose some, and gets none on top.
    if after.len() > MOST_ATTRIBUTES && after.len() > attributes.len() {
        return Err(Refusal::TooMany);
    }
    Ok(after)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn map(value: &Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn a_change_names_what_it_changes_and_leaves_the_rest() {
        let before = map(&json!({ "cpf": "123", "total_reservas": 4, "cidade": "Goiânia" }));
        let change = map(&json!({
            " ultima_suite ": "Stilo\n 204 ", "cpf": null, "cidade": "  ", "vip": true
        }));
        let after = changed(&before, &change).unwrap();
        let expected = json!({ "total_reservas": 4, "ultima_suite": "Stilo 204", "vip": true });
        assert_eq!(Value::Object(after), expected);
    }

    #[test]
    fn what_does_not_fit_on_a_line_of_the_prompt_is_refused() {
        let none = Map::new();
        for (change, code) in [
            (json!({ " ": "x" }), "empty_key"),
            (json!({ "a".repeat(61): "x" }), "key_too_long"),
            (json!({ "a": "á".repeat(501) }), "value_too_long"),
            (json!({ "a": ["x"] }), "no_plain_value"),
            (json!({ "a": { "b": 1 } }), "no_plain_value"),
        ] {
            assert_eq!(changed(&none, &map(&change)).unwrap_err().code(), code, "{change}");
        }
        let full: Map<String, Value> =
            (0..MOST_ATTRIBUTES).map(|number| (format!("k{number}"), json!(number))).collect();
        let one_more = map(&json!({ "x": 1 }));
        assert_eq!(changed(&full, &one_more), Err(Refusal::TooMany));
        assert!(changed(&full, &map(&json!({ "k0": 7 }))).is_ok());
        assert!(changed(&full, &map(&json!({ "k0": null, "x": 1 }))).is_ok());
    }

    #[test]
    fn a_name_is_one_line_or_none() {
        assert_eq!(name(" Ana\n Souza ").unwrap().as_deref(), Some("Ana Souza"));
        assert_eq!(name("  ").unwrap(), None);
        assert_eq!(name(&"a".repeat(101)), Err(Refusal::NameTooLong));
    }
}
