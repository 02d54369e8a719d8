//! The offline model where memory meets answers: comparing two facts, and saying what is known.

use serde_json::Value;

use crate::domain::chat::Role;
use crate::domain::memory::contradiction::{Lexical, lexical};
use crate::domain::memory::{MemoryKind, block};
use crate::domain::triage::fold::fold;
use crate::llm::ChatRequest;

/// Whether two facts contradict each other: `sim` where their words say so.
pub fn contradicts(request: &ChatRequest) -> String {
    let given = request.messages.last().map(|message| message.content.as_str());
    let given: Value = serde_json::from_str(given.unwrap_or_default()).unwrap_or_default();
    let text = |name: &str| given[name].as_str().unwrap_or_default();
    let kind = MemoryKind::parse(text("tipo")).unwrap_or(MemoryKind::ContextoPessoal);
    let verdict = lexical(kind, text("fato_1"), text("fato_2"));
    if verdict == Lexical::Contradicts { "sim" } else { "não" }.to_owned()
}

/// The facts of the prompt, when the customer asks what is known about them.
pub fn known(request: &ChatRequest) -> Option<String> {
    let asked = request.messages.iter().rev().find(|message| message.role == Role::User)?;
    let asked = fold(&asked.content);
    let asks =
        ["sabe de mim", "sabem de mim", "sabe sobre mim", "sabem sobre mim", "lembra de mim"];
    if !asks.iter().any(|question| asked.contains(question)) {
        return None;
    }
    let system = request.messages.iter().find(|message| message.role == Role::System)?;
    let open = format!("<{}>\n", block::ELEMENT);
    let close = format!("</{}>", block::ELEMENT);
    let (_, rest) = system.content.split_once(&open)?;
    let (facts, _) = rest.split_once(&close)?;
    let told = facts.lines().filter_map(|line| {
        let (_, rest) = line.split_once('>')?;
        let (content, _) = rest.split_once("</")?;
        Some(format!("- {}", plain(content)))
    });
    let told: Vec<String> = told.collect();
    Some(format!("Do que você já me contou:\n{}", told.join("\n")))
}

/// Escaped text as it was.
pub fn plain(escaped: &str) -> String {
    let marks = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    marks.iter().fold(escaped.to_owned(), |text, (from, to)| text.replace(from, to))
}
