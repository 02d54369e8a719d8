//! A conversation in a list, with what its row says.

use chrono::{DateTime, Utc};
use lembra_agent::services::board::conversations::FoundMessage;
use lembra_agent::store::board::conversation_rows::{ConversationRow, OpenHandoff};

use super::tick;
use crate::pages::{text, words};

/// A row of a list.
#[derive(Debug, Clone)]
pub struct RowView {
    pub row: ConversationRow,
    pub found: Option<FoundMessage>,
    pub href: String,
    pub is_current: bool,
}

impl RowView {
    /// `query` is kept in the address, so that the list stays as it is.
    pub fn new(
        row: ConversationRow,
        found: Option<FoundMessage>,
        query: &str,
        current: Option<i64>,
    ) -> Self {
        let message = found.as_ref().map(|found| format!("message={}", found.id));
        let query: Vec<&str> = [message.as_deref().unwrap_or_default(), query]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect();
        let mark = if query.is_empty() { "" } else { "?" };
        let href = format!("/conversations/{}{mark}{}", row.id, query.join("&"));
        let is_current = current == Some(row.id);
        Self { row, found, href, is_current }
    }

    pub fn name(&self) -> String {
        name(&self.row)
    }

    pub fn initials(&self) -> String {
        initials(self.row.contact_name.as_deref().unwrap_or_default())
    }

    /// What was said last, in words.
    pub fn preview(&self) -> String {
        let Some(last) = &self.row.last_message else {
            return String::new();
        };
        if last.is_revoked {
            return words::word("message_kind.revoked");
        }
        match last.text.is_empty() {
            true => words::of("message_kind", &last.kind),
            false => last.text.clone(),
        }
    }

    /// The last message is the business's own.
    pub fn is_ours(&self) -> bool {
        self.row.last_message.as_ref().is_some_and(|last| last.direction == "out")
    }

    pub fn tick(&self) -> String {
        let last = self.row.last_message.as_ref();
        tick::html(last.and_then(|last| last.delivery.as_deref()))
    }

    /// What is worth a badge of what triage said.
    pub fn verdict(&self) -> Option<&str> {
        self.row.verdict.as_deref().filter(|verdict| *verdict != "proceed")
    }

    pub fn is_crisis(&self) -> bool {
        self.row.verdict.as_deref() == Some("crisis")
    }

    pub fn waiting(&self) -> Option<&OpenHandoff> {
        self.row.handoff.as_ref().filter(|handoff| handoff.state == "waiting")
    }

    /// For how long it waits, or waited.
    pub fn waited(&self, now: &DateTime<Utc>) -> String {
        self.row.handoff.as_ref().map(|handoff| waited(handoff, *now)).unwrap_or_default()
    }

    /// Who has the conversation, where a person has it.
    pub fn holder(&self) -> Option<String> {
        let handoff = self.row.handoff.as_ref().filter(|handoff| handoff.state == "taken")?;
        Some(holder(handoff))
    }
}

/// What the contact is called: a name, a number, or that there is none.
pub fn name(row: &ConversationRow) -> String {
    let name = row.contact_name.clone().filter(|name| !name.trim().is_empty());
    name.or_else(|| row.phone_text.clone()).unwrap_or_else(|| words::word("conversations.nameless"))
}

/// First letters of the first and the last word.
pub fn initials(name: &str) -> String {
    let mut words = name.split_whitespace().filter_map(|word| word.chars().next());
    let first = words.next();
    let letters: String = first.into_iter().chain(words.next_back()).collect();
    if letters.is_empty() { "?".to_owned() } else { letters.to_uppercase() }
}

/// Who has taken it, as people call them.
pub fn holder(handoff: &OpenHandoff) -> String {
    let by = handoff.taken_by.as_deref().unwrap_or_default();
    handoff.taken_by_name.clone().unwrap_or_else(|| actor(by))
}

/// Those who are no operators have a word; of others nobody knows the name any more.
pub fn actor(by: &str) -> String {
    match by {
        "phone" | "operator" => words::of("holder", by),
        _ => words::word("holder.somebody"),
    }
}

/// For how long it has waited, or waited until it was taken.
pub fn waited(handoff: &OpenHandoff, now: DateTime<Utc>) -> String {
    text::span(handoff.taken_at.unwrap_or(now) - handoff.waiting_since)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_are_of_the_first_and_last_word() {
        for (name, expected) in
            [("Ana Maria Souza", "AS"), ("joão", "J"), ("", "?"), ("  érica  lima ", "ÉL")]
        {
            assert_eq!(initials(name), expected);
        }
    }
}
