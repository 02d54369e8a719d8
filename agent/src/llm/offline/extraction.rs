//! The offline model as a reader of conversations: what customers say of themselves in plain words
//! becomes facts, each with the words that say it.

use serde_json::{Value, json};

use super::patterns;
use crate::domain::memory::aging::MOST_PER_CONVERSATION;
use crate::llm::ChatRequest;

/// How certain a plain sentence in the first person is.
const CONFIDENCE: f64 = 0.9;

/// The answer to an extraction prompt, whose last message is the conversation as JSON.
pub fn facts(request: &ChatRequest) -> String {
    let given = request.messages.last().map(|message| message.content.as_str());
    let given: Value = serde_json::from_str(given.unwrap_or_default()).unwrap_or_default();
    let messages = given.get("mensagens").and_then(Value::as_array);
    let fresh = messages
        .into_iter()
        .flatten()
        .filter(|message| message["autor"] == "cliente" && message["novo"] == Value::Bool(true));
    let texts = fresh.filter_map(|message| message["texto"].as_str());
    let facts = texts.flat_map(patterns::facts).take(MOST_PER_CONVERSATION).map(|found| {
        json!({
            "memory_type": found.kind.as_str(),
            "content": found.content,
            "evidence": found.evidence,
            "confidence": CONFIDENCE,
        })
    });
    json!({ "facts": facts.collect::<Vec<_>>() }).to_string()
}
