//! The offline model and what the account knows: it says the entry that fits best, word for word.

use crate::domain::chat::Role;
use crate::domain::knowledge::block::{ELEMENT, ENTRY};
use crate::llm::ChatRequest;

use super::memory::plain;

/// The answer of the first entry in the prompt.
pub fn known(request: &ChatRequest) -> Option<String> {
    let system = request.messages.iter().find(|message| message.role == Role::System)?;
    let (_, rest) = system.content.split_once(&format!("<{ELEMENT}>\n"))?;
    let (_, entry) = rest.split_once(&format!("<{ENTRY} "))?;
    let (_, entry) = entry.split_once('>')?;
    let (answer, _) = entry.split_once(&format!("</{ENTRY}>"))?;
    Some(plain(answer.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::chat::ChatMessage;
    use crate::domain::knowledge::block::{Told, render};

    #[test]
    fn the_entry_that_fits_best_is_said_as_it_was_written() {
        let entry = |answer| Told { question: "Quanto > custa?", answer, category: None };
        let block = render([entry("R$ 350,00 & mais nada"), entry("outra")]);
        let messages = vec![ChatMessage::system(format!("Regras.\n\n{block}"))];
        let request = ChatRequest { messages, ..ChatRequest::default() };
        assert_eq!(known(&request).as_deref(), Some("R$ 350,00 & mais nada"));
        assert_eq!(known(&ChatRequest::default()), None);
    }
}
