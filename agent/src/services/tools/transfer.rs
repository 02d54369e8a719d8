//! `transferir_atendimento`: the conversation goes to a person when the turn is written.

use std::sync::LazyLock;

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::{Invocation, Tool, ToolError};
use crate::domain::tool::ToolSpec;

/// The tool's name (seed 004).
pub const NAME: &str = "transferir_atendimento";

/// Longest reason that is kept, in characters.
const MOTIVE_CHARS: usize = 300;

static SPEC: LazyLock<ToolSpec> = LazyLock::new(|| ToolSpec {
    name: NAME.to_owned(),
    description: "Passa a conversa para um atendente humano. Use depois de uma FALHA_CONSULTA, \
                  quando o cliente pedir uma pessoa, ou quando você não puder resolver."
        .to_owned(),
    parameters: json!({
        "type": "object",
        "properties": {
            "motivo": {
                "type": "string",
                "minLength": 1,
                "description": "Por que transferir. Depois de uma falha: FALHA_CONSULTA + detalhe.",
            },
        },
        "required": ["motivo"],
    }),
});

/// Hands the conversation over; the turn does it in the transaction that writes the answer.
#[derive(Debug, Clone, Copy)]
pub struct Transfer;

#[async_trait]
impl Tool for Transfer {
    fn spec(&self) -> &ToolSpec {
        &SPEC
    }

    fn has_effect(&self) -> bool {
        true
    }

    async fn call(&self, _: &Invocation<'_>) -> Result<String, ToolError> {
        Ok("OK: o atendimento será transferido assim que sua resposta for enviada. Avise o \
            cliente em uma frase."
            .to_owned())
    }
}

/// The reason that a call gives.
pub fn motive(arguments: &Map<String, Value>) -> String {
    let motive = arguments.get("motivo").and_then(Value::as_str).unwrap_or_default();
    let line = motive.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MOTIVE_CHARS).collect()
}
