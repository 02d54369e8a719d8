//! The tools of a clinic's agenda: free times, registering, booking and cancelling.
//!
//! Each answers JSON with `situacao`, which says what came of the call: only `agendado`,
//! `cancelado` and `cadastrado` say that something was done. [`QUESTION`] is a success that did
//! nothing: the customer must be asked first.

mod book;
mod cancel;
mod consult;
mod failure;
mod names;
mod register;
mod window;

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::Tool;
use crate::domain::scheduling;
use crate::domain::tool::ToolSpec;
use crate::services::agenda::AgendaClient;
use lembra_entities::tool_call;

pub use book::Book;
pub use cancel::Cancel;
pub use consult::Consult;
pub use register::Register;

/// `situacao` of an answer that asks for something and did nothing.
pub const QUESTION: &str = "pergunta";

/// Ids of the agenda, as the model passes them back.
const ID_PATTERN: &str = "^[^\\s/?#.][^\\s/?#]{0,199}$";

/// The scheduling tools of an account; none when it has no agenda.
pub fn tools(agenda: Option<AgendaClient>) -> Vec<Arc<dyn Tool>> {
    tools_for(agenda, None)
}

/// The ids of the appointments that these results of tools speak of.
pub fn appointments_in(results: &[tool_call::Model]) -> Vec<String> {
    let booked = results.iter().filter(|call| call.tool == scheduling::BOOK);
    let ids = booked.filter_map(|call| {
        let result: Value = serde_json::from_str(call.result.as_deref()?).ok()?;
        Some(result["agendamento_id"].as_str()?.to_owned())
    });
    ids.collect()
}

/// The same for one customer, who may cancel `own` appointments and nobody else's.
pub fn tools_for(agenda: Option<AgendaClient>, own: Option<Vec<String>>) -> Vec<Arc<dyn Tool>> {
    let Some(agenda) = agenda else {
        return Vec::new();
    };
    vec![
        Arc::new(Consult::new(agenda.clone())),
        Arc::new(Register::new(agenda.clone())),
        Arc::new(Book::new(agenda.clone())),
        Arc::new(Cancel::new(agenda, own)),
    ]
}

/// Whether a tool's answer only asks for something.
pub fn is_question(answer: &str) -> bool {
    serde_json::from_str::<Value>(answer)
        .is_ok_and(|answer| answer.get("situacao").is_some_and(|state| state == QUESTION))
}

fn spec(name: &str, description: &str, properties: &Value, required: &[&str]) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters: json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        }),
    }
}

/// An argument that says something.
fn argument<'a>(arguments: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    let text = arguments.get(name).and_then(Value::as_str).map(str::trim);
    text.filter(|text| !text.is_empty())
}

/// An answer that asks the customer, through the model.
fn question(text: &str, options: &[String]) -> String {
    let mut answer = json!({ "situacao": QUESTION, "pergunta": text });
    if !options.is_empty() {
        answer["opcoes"] = json!(options);
    }
    answer.to_string()
}

#[cfg(test)]
mod tests;
