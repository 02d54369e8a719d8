//! The layers of a prompt, told apart again for whoever reads it.

use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::chat::{ChatMessage, Role};
use crate::domain::knowledge::block as knowledge;
use crate::domain::memory::block as memory;

/// How the layer of earlier results begins; see `services::turn::earlier`.
const EARLIER: &str = "O que as ferramentas devolveram antes a este cliente";
/// The element around what the register knows of the contact.
const IDENTITY: &str = "cadastro";

/// What the model was given before the first round.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Layers {
    /// Instructions: who the assistant is, the rules, the account's facts.
    pub system: String,
    /// Layer 1: what the register knows of the contact.
    pub identity: Option<String>,
    /// Layer 2: what was said before, oldest first.
    pub working_memory: Vec<SaidLine>,
    /// Layer 3: the facts that came to mind.
    pub memory: Option<String>,
    /// Layer 4: the entries of knowledge that fit.
    pub knowledge: Option<String>,
    /// What tools had given before to this contact.
    pub earlier_results: Option<String>,
    /// The messages that were to be answered.
    pub asked: Vec<SaidLine>,
}

/// A line of the conversation as the model read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SaidLine {
    /// `user` is the customer, `assistant` the bot or a person.
    pub role: String,
    pub text: String,
}

/// Takes a prompt apart. The last `asked` messages are the ones that were to be answered.
pub fn split(prompt: &[ChatMessage], asked: usize) -> Layers {
    let (instructions, conversation) = match prompt.split_first() {
        Some((first, rest)) if first.role == Role::System => (first.content.as_str(), rest),
        _ => ("", prompt),
    };
    // The layers stand in a known order, the last one behind; what an account or a customer wrote
    // cannot stand behind its own layer.
    let (rest, memory) = last_element(instructions, memory::ELEMENT);
    let (rest, knowledge) = last_element(rest, knowledge::ELEMENT);
    let (rest, earlier_results) = match rest.rfind(&format!("\n\n{EARLIER}")) {
        Some(at) => (&rest[..at], Some(rest[at..].trim().to_owned())),
        None => (rest, None),
    };
    let (system, identity) = last_element(rest, IDENTITY);
    let line = |message: &ChatMessage| SaidLine {
        role: match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::System => "system",
            Role::Tool => "tool",
        }
        .to_owned(),
        text: message.content.clone(),
    };
    let before = conversation.len().saturating_sub(asked);
    let (said, asked) = conversation.split_at(before);
    Layers {
        system: system.trim().to_owned(),
        identity,
        working_memory: said.iter().map(line).collect(),
        memory,
        knowledge,
        earlier_results,
        asked: asked.iter().map(line).collect(),
    }
}

/// The text before an element that ends it, and the element's lines; all of the text where there
/// is none.
fn last_element<'a>(text: &'a str, name: &str) -> (&'a str, Option<String>) {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let whole = text.trim_end();
    let Some(inside) = whole.strip_suffix(&close) else {
        return (text, None);
    };
    match inside.rfind(&open) {
        Some(at) => (&text[..at], Some(inside[at + open.len()..].trim_matches('\n').to_owned())),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYSTEM: &str = "Você é mel.\n\nRegras:\n- Não invente.\n\n\
        <cadastro>\napresenta-se como: Ana\nreservas: 4\n</cadastro>\n\n\
        O que as ferramentas devolveram antes a este cliente (o que foi feito vem primeiro):\n\
        Há 5 min:\n<resultado>ok</resultado>\n\n\
        <conhecimento>\n  <entrada pergunta=\"Café?\">Das 7h às 10h</entrada>\n</conhecimento>\n\n\
        <memoria_cliente>\n  <preferencia>Quarto alto</preferencia>\n</memoria_cliente>";

    #[test]
    fn every_layer_is_found_again() {
        let prompt = [
            ChatMessage::system(SYSTEM),
            ChatMessage::user("oi"),
            ChatMessage::assistant("Olá!"),
            ChatMessage::user("tem café?"),
        ];
        let layers = split(&prompt, 1);
        assert_eq!(layers.system, "Você é mel.\n\nRegras:\n- Não invente.");
        assert_eq!(layers.identity.as_deref(), Some("apresenta-se como: Ana\nreservas: 4"));
        assert!(layers.earlier_results.is_some_and(|text| text.contains("Há 5 min")));
        assert!(layers.knowledge.is_some_and(|text| text.contains("Das 7h")));
        assert_eq!(layers.memory.as_deref(), Some("  <preferencia>Quarto alto</preferencia>"),);
        assert_eq!(layers.working_memory.len(), 2);
        assert_eq!(layers.asked, [SaidLine { role: "user".into(), text: "tem café?".into() }]);
    }

    #[test]
    fn a_prompt_of_instructions_alone_has_no_layers() {
        let layers = split(&[ChatMessage::system("Você é mel."), ChatMessage::user("oi")], 1);
        assert_eq!(layers.system, "Você é mel.");
        assert_eq!((layers.identity, layers.memory, layers.knowledge), (None, None, None));
        assert_eq!(split(&[], 3), Layers::default());
    }
}
