//! Arguments of a call: the model's text, mended where it only breaks off or is quoted badly, and
//! held against the tool's schema before anything is called.

use jsonschema::Validator;
use serde_json::{Map, Value};

use crate::llm::mended;

/// Longest arguments that are read, in bytes.
const LONGEST: usize = 64 * 1024;
/// Complaints that the model is told of.
const COMPLAINTS: usize = 5;

/// Arguments that cannot be used, with what to tell the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", complaints.join("; "))]
pub struct BadArguments {
    pub complaints: Vec<String>,
}

impl BadArguments {
    fn one(complaint: impl Into<String>) -> Self {
        Self { complaints: vec![complaint.into()] }
    }
}

/// The arguments of a call, fitting `schema`.
pub fn read(text: &str, schema: &Value) -> Result<Map<String, Value>, BadArguments> {
    let value = parse(text)?;
    let Value::Object(arguments) = &value else {
        return Err(BadArguments::one("the arguments must be one JSON object"));
    };
    let validator = validator(schema).map_err(BadArguments::one)?;
    let complaints: Vec<String> = validator
        .iter_errors(&value)
        .take(COMPLAINTS)
        .map(|error| {
            let place = error.instance_path().to_string();
            if place.is_empty() { error.to_string() } else { format!("{place}: {error}") }
        })
        .collect();
    if complaints.is_empty() { Ok(arguments.clone()) } else { Err(BadArguments { complaints }) }
}

/// What checks arguments against a schema; the error says why this is no schema of arguments.
pub fn validator(schema: &Value) -> Result<Validator, String> {
    if !schema.is_object() {
        return Err("the schema must be a JSON object".to_owned());
    }
    jsonschema::validator_for(schema).map_err(|error| format!("no JSON schema: {error}"))
}

fn parse(text: &str) -> Result<Value, BadArguments> {
    let text = text.trim();
    if text.is_empty() || text == "null" {
        return Ok(Value::Object(Map::new()));
    }
    if text.len() > LONGEST {
        return Err(BadArguments::one("the arguments are too long"));
    }
    mended::parse(text).ok_or_else(|| BadArguments::one("the arguments are no JSON"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "medico": { "type": "string", "minLength": 2 },
                "dias": { "type": "integer" },
            },
            "required": ["medico"],
            "additionalProperties": false,
        })
    }

    #[test]
    fn arguments_that_only_break_off_are_mended() {
        for text in [
            r#"{"medico":"Dra. Joana"}"#,
            r#"{"medico":"Dra. Joana""#,
            r#"{'medico': 'Dra. Joana'}"#,
            "```json\n{\"medico\":\"Dra. Joana\"}\n```",
        ] {
            let read = read(text, &schema()).unwrap();
            assert_eq!(read["medico"], "Dra. Joana", "{text}");
        }
    }

    #[test]
    fn arguments_that_do_not_fit_are_complained_of() {
        let deep = "[".repeat(5_000);
        for (text, part) in [
            ("", "medico"),
            ("{}", "medico"),
            (r#"{"medico":"x"}"#, "/medico"),
            (r#"{"medico":"Ana","dias":"dois"}"#, "/dias"),
            (r#"{"medico":"Ana","hora":"14h"}"#, "hora"),
            ("[1]", "one JSON object"),
            (&deep, "no JSON"),
        ] {
            let error = read(text, &schema()).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
