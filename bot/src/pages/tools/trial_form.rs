//! A form made of a tool's schema: one control for each property, and what is typed read back into
//! arguments.

use std::collections::HashMap;

use lembra_agent::services::tools::http::shown::ToolView;
use serde_json::{Map, Value};

use crate::pages::forms::Errors;
use crate::pages::words;

/// What a property is typed into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Whole,
    Number,
    YesOrNo,
    Choice,
    /// Lists and objects.
    Json,
}

/// A control of the form.
#[derive(Debug, Clone)]
pub(super) struct Control {
    /// The property.
    pub name: String,
    pub hint: String,
    pub kind: Kind,
    /// Of a choice, as JSON, with what is shown.
    pub choices: Vec<(String, String)>,
    pub required: bool,
    /// Where the argument goes: `path`, `query`, `body` or `not sent`.
    pub place: String,
    pub value: String,
}

impl Control {
    /// Its name in the form: a property may be called anything.
    pub fn field(&self) -> String {
        format!("arg.{}", self.name)
    }

    pub fn is(&self, kind: &str) -> bool {
        kind == match self.kind {
            Kind::Text => "text",
            Kind::Whole => "whole",
            Kind::Number => "number",
            Kind::YesOrNo => "boolean",
            Kind::Choice => "choice",
            Kind::Json => "json",
        }
    }
}

/// The controls of a tool, filled with what was typed before.
pub(super) fn controls(tool: &ToolView, typed: &HashMap<String, String>) -> Vec<Control> {
    let properties = tool.parameters.get("properties").and_then(Value::as_object);
    let required = tool.parameters.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|one| one == name));
    let control = |(name, schema): (&String, &Value)| {
        let text = |key: &str| schema.get(key).and_then(Value::as_str).map(str::to_owned);
        let choices = choices(schema);
        Control {
            hint: text("description").or_else(|| text("title")).unwrap_or_default(),
            kind: if choices.is_empty() { kind(schema) } else { Kind::Choice },
            choices,
            required: is_required(name),
            place: tool.arguments.get(name).cloned().unwrap_or_default(),
            value: typed.get(&format!("arg.{name}")).cloned().unwrap_or_default(),
            name: name.clone(),
        }
    };
    properties.into_iter().flatten().map(control).collect()
}

fn choices(schema: &Value) -> Vec<(String, String)> {
    let values = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let shown = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    values.map(|value| (value.to_string(), shown(value))).collect()
}

/// The first type that is not null; without one anything may be meant, so a text is.
fn kind(schema: &Value) -> Kind {
    let named = match schema.get("type") {
        Some(Value::String(name)) => Some(name.as_str()),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).find(|n| *n != "null"),
        _ => None,
    };
    match named {
        Some("integer") => Kind::Whole,
        Some("number") => Kind::Number,
        Some("boolean") => Kind::YesOrNo,
        Some("array" | "object") => Kind::Json,
        None if schema.get("properties").is_some() || schema.get("items").is_some() => Kind::Json,
        _ => Kind::Text,
    }
}

/// What was typed, as arguments. An empty field is no argument.
pub(super) fn arguments(controls: &[Control]) -> Result<Map<String, Value>, Errors> {
    let mut arguments = Map::new();
    for control in controls.iter().filter(|control| !control.value.trim().is_empty()) {
        let Some(value) = value(control) else {
            let why = words::of(
                "argument",
                match control.kind {
                    Kind::Whole => "no_whole",
                    Kind::Number => "no_number",
                    _ => "no_json",
                },
            );
            return Err(Errors::one(&control.field(), why));
        };
        arguments.insert(control.name.clone(), value);
    }
    Ok(arguments)
}

fn value(control: &Control) -> Option<Value> {
    let text = control.value.trim();
    match control.kind {
        Kind::Text => Some(Value::String(control.value.clone())),
        Kind::Whole => text.parse::<i64>().ok().map(Value::from),
        Kind::Number => {
            let number = text.replace(',', ".").parse::<f64>().ok()?;
            serde_json::Number::from_f64(number).map(Value::Number)
        }
        Kind::YesOrNo => text.parse::<bool>().ok().map(Value::Bool),
        Kind::Choice | Kind::Json => serde_json::from_str(text).ok(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(properties: &Value) -> ToolView {
        let now = chrono::DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        ToolView {
            id: 1,
            name: "t".into(),
            description: "d".into(),
            parameters: json!({ "type": "object", "properties": properties, "required": ["a"] }),
            method: "GET".into(),
            url: "https://a.br".into(),
            headers: Vec::new(),
            arguments: [("a".to_owned(), "path".to_owned())].into(),
            timeout_ms: 5_000,
            result_path: None,
            has_effect: false,
            enabled: true,
            created_at: now,
            updated_at: now,
        }
    }

    fn read(properties: &Value, typed: &[(&str, &str)]) -> Result<Value, String> {
        let typed = typed.iter().map(|(name, value)| (format!("arg.{name}"), (*value).to_owned()));
        let controls = controls(&tool(properties), &typed.collect());
        let read = arguments(&controls).map(Value::Object);
        read.map_err(|errors| errors.first().to_owned())
    }

    #[test]
    fn what_is_typed_becomes_what_the_schema_asks_for() {
        let properties = json!({
            "a": { "type": "string" },
            "b": { "type": ["null", "integer"] },
            "c": { "type": "number" },
            "d": { "type": "boolean" },
            "e": { "enum": ["x", 2] },
            "f": { "type": "array", "items": { "type": "string" } },
            "g": {},
        });
        let typed = [
            ("a", "água 5"),
            ("b", "7"),
            ("c", "1,5"),
            ("d", "false"),
            ("e", "2"),
            ("f", "[\"s\"]"),
            ("g", " "),
        ];
        let expected = json!({ "a": "água 5", "b": 7, "c": 1.5, "d": false, "e": 2, "f": ["s"] });
        assert_eq!(read(&properties, &typed), Ok(expected));
        for wrong in [("b", "1,5"), ("c", "um"), ("f", "s")] {
            assert!(read(&properties, &[wrong]).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_control_says_what_the_schema_says() {
        let properties = json!({ "a": { "enum": ["x"], "description": "Qual?" }, "b": {} });
        let made = controls(&tool(&properties), &HashMap::new());
        assert_eq!((made[0].kind, made[0].required), (Kind::Choice, true));
        assert_eq!((made[0].hint.as_str(), made[0].place.as_str()), ("Qual?", "path"));
        assert_eq!(made[0].choices, [("\"x\"".to_owned(), "x".to_owned())]);
        assert_eq!((made[1].kind, made[1].required), (Kind::Text, false));
    }
}
