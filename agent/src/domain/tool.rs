//! Tools as a model knows them: what it is told of one, and what it asks of one.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tool as a model is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Letters, digits, `_` and `-`, at most 64: what every server accepts.
    pub name: String,
    /// When to call it and what it gives, for the model.
    pub description: String,
    /// JSON schema of its arguments, an object.
    pub parameters: Value,
}

/// What a model asks of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The model's own name for this call; its result carries it.
    pub id: String,
    pub name: String,
    /// JSON text, as the model wrote it: not always valid.
    pub arguments: String,
}

/// Whether every server takes this as the name of a tool.
pub fn is_tool_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_named_as_every_server_takes_it() {
        for (name, fits) in [
            ("consultar_horarios", true),
            ("budgetTotal", true),
            ("", false),
            ("consultar horários", false),
            (&"a".repeat(65), false),
        ] {
            assert_eq!(is_tool_name(name), fits, "{name}");
        }
    }
}
