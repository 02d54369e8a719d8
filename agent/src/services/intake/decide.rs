//! What is to be done about a message: gates, then triage. Pure.

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::account;

use crate::domain::chat::{ChatMessage, Role};
use crate::domain::gate::{self, Gate, GateInput};
use crate::domain::message::Content;
use crate::domain::triage::router::Kind;
use crate::services::triage::{self, Finding};
use crate::store::conversations::Head;

pub use crate::services::triage::PROCEED;

/// What a message leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// A turn answers it.
    Answer,
    /// The canonical answer goes out.
    Preempt(Kind),
    /// No answer goes out.
    Closed(Gate),
}

/// What the decision looks at besides the message.
#[derive(Debug)]
pub struct Situation<'a> {
    pub head: &'a Head,
    pub account: &'a account::Model,
    pub max_answer_age: TimeDelta,
    /// The conversation up to and with the message, oldest first; empty for a message without
    /// words.
    pub history: &'a [ChatMessage],
    pub recent_answers: u64,
    pub written_at: DateTime<Utc>,
    pub now: DateTime<Utc>,
}

/// Why there is nothing in a message to answer; `None` when there is. A file, a place or a message
/// that cannot be read has no words, and whoever sent it waits for an answer all the same.
pub fn unanswerable(content: &Content) -> Option<&'static str> {
    match content {
        Content::Edit { .. } | Content::Revoke { .. } | Content::Reaction { .. } => {
            Some(content.kind())
        }
        Content::Text { text } if text.trim().is_empty() => Some("empty_text"),
        _ => None,
    }
}

/// The words that triage reads; those around a message that cannot be read are none.
pub fn words_to_answer(content: &Content) -> &str {
    match content {
        Content::Unsupported { .. } => "",
        _ => content.text(),
    }
}

/// Decides, and says what triage found; it is recorded also where a gate is closed.
pub fn decide(situation: &Situation<'_>) -> (Decision, Finding) {
    let head = situation.head;
    let past_turns = head.past_turns_without_tool_call;
    let found = triage::judge(situation.account, situation.history, past_turns);
    let decision = found.preempt.map_or(Decision::Answer, Decision::Preempt);
    let gate = gate::check(&GateInput {
        now: situation.now,
        written_at: situation.written_at,
        max_answer_age: situation.max_answer_age,
        account_paused: situation.account.bot_paused,
        handler: head.handler,
        paused_until: head.paused_until,
        recent_answers: situation.recent_answers,
        repeats: repeats(situation.history),
    });
    (gate.map_or(decision, Decision::Closed), found)
}

/// How often the customer said the last thing running.
fn repeats(history: &[ChatMessage]) -> usize {
    let mut said = history.iter().rev().filter(|message| message.role == Role::User);
    let Some(last) = said.next() else { return 0 };
    1 + said.take_while(|message| message.content.trim() == last.content.trim()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_unbroken_run_of_the_same_words_counts_as_repetition() {
        for (said, expected) in [
            (vec!["oi"], 1),
            (vec!["oi", "oi ", "oi"], 3),
            (vec!["oi", "tchau", "oi"], 1),
            (vec![], 0),
        ] {
            let mut history = Vec::new();
            for text in said {
                history.push(ChatMessage::user(text));
                history.push(ChatMessage::assistant("olá"));
            }
            assert_eq!(repeats(&history), expected);
        }
    }

    #[test]
    fn reactions_and_blank_texts_are_nothing_to_answer() {
        let text = |text: &str| Content::Text { text: text.to_owned() };
        assert_eq!(unanswerable(&text("👍")), None);
        assert_eq!(unanswerable(&text(" \n")), Some("empty_text"));
        let thumbs_up =
            Content::Reaction { target_id: "a".to_owned(), emoji: Some("👍".to_owned()) };
        assert_eq!(unanswerable(&thumbs_up), Some("reaction"));
    }
}
