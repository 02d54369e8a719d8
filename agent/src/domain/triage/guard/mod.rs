//! The conversation guard: frustration, a request for a person, and a conversation that turns in
//! circles are answered with a fixed text, before any model is called.
//!
//! Pure: messages in, verdict out. Only the last user message is judged; earlier ones serve to
//! see a repetition and to know who always writes in capitals.

mod caps;
mod cheer;
mod complaint;
mod content_words;
mod disguise;
mod evaluative;
mod group;
mod human_governor;
mod human_request;
mod loop_detector;
mod profanity;
mod reading;
mod words;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::domain::chat::{ChatMessage, Role};
use crate::domain::triage::fold::{self, Folded};
use reading::Reading;

pub use content_words::{canonical, says_nothing};

/// Answer to a frustrated customer.
pub const GUARD_RESPONSE_FRUSTRATED: &str =
    include_str!("../../../../../templates/responses/pt-BR/guard-frustrated.txt");
/// Answer to a customer who asked the same thing three times.
pub const GUARD_RESPONSE_LOOP: &str =
    include_str!("../../../../../templates/responses/pt-BR/guard-loop.txt");
/// Answer to a customer who asked for a person.
pub const GUARD_RESPONSE_HUMAN_REQUEST: &str =
    include_str!("../../../../../templates/responses/pt-BR/guard-human-request.txt");

/// Turns without a useful tool call from which on a repetition counts as a loop.
const LOOP_TURNS: u32 = 2;

/// What the guard looks at.
#[derive(Debug, Clone, Copy)]
pub struct GuardInput<'a> {
    /// The conversation, oldest first.
    pub messages: &'a [ChatMessage],
    /// How many past turns ended without a useful tool call, when the caller knows.
    pub past_turns_without_tool_call: Option<u32>,
}

/// Why the guard answers in place of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GuardKind {
    /// The customer is angry.
    Frustrated,
    /// The customer wants a person.
    HumanRequest,
    /// The customer repeats a question that was not answered.
    Loop,
}

impl GuardKind {
    /// Name used in metrics, logs and the serialised verdict.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Frustrated => "frustrated",
            Self::HumanRequest => "human-request",
            Self::Loop => "loop",
        }
    }

    /// The fixed answer to this kind.
    pub fn response(self) -> &'static str {
        match self {
            Self::Frustrated => GUARD_RESPONSE_FRUSTRATED,
            Self::HumanRequest => GUARD_RESPONSE_HUMAN_REQUEST,
            Self::Loop => GUARD_RESPONSE_LOOP,
        }
    }
}

/// What the guard decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuardVerdict {
    /// The model answers as usual.
    Proceed,
    /// The model is not called.
    Preempt {
        /// Which detector fired.
        kind: GuardKind,
        /// The text to send.
        response: &'static str,
        /// Stable name of the rule that fired, for the curation list; never sent to anybody.
        rule: &'static str,
    },
}

impl GuardVerdict {
    fn preempt(kind: GuardKind, rule: &'static str) -> Self {
        Self::Preempt { kind, response: kind.response(), rule }
    }

    /// The kind, when the guard answers.
    pub fn kind(&self) -> Option<GuardKind> {
        match self {
            Self::Proceed => None,
            Self::Preempt { kind, .. } => Some(*kind),
        }
    }
}

/// `{"preempt":false}` or `{"preempt":true,"kind":…,"response":…}`.
impl Serialize for GuardVerdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Proceed => {
                let mut out = serializer.serialize_struct("GuardVerdict", 1)?;
                out.serialize_field("preempt", &false)?;
                out.end()
            }
            Self::Preempt { kind, response, .. } => {
                let mut out = serializer.serialize_struct("GuardVerdict", 3)?;
                out.serialize_field("preempt", &true)?;
                out.serialize_field("kind", kind)?;
                out.serialize_field("response", response)?;
                out.end()
            }
        }
    }
}

/// Decides, before the model is called, whether a fixed answer serves better.
#[derive(Debug, Clone, Copy)]
pub struct ConversationGuard;

impl ConversationGuard {
    /// Judges the last user message: frustration first, then a request for a person, then a loop.
    pub fn evaluate(input: &GuardInput<'_>) -> GuardVerdict {
        let Some(last) = input.messages.iter().rev().find(|m| m.role == Role::User) else {
            return GuardVerdict::Proceed;
        };
        Self::judge(input, fold::tokenize(&last.content))
    }

    /// As [`Self::evaluate`], with the last user message folded already.
    pub(super) fn judge(input: &GuardInput<'_>, text: Folded) -> GuardVerdict {
        let mut said = input.messages.iter().rev().filter(|m| m.role == Role::User);
        let Some(last) = said.next() else {
            return GuardVerdict::Proceed;
        };
        let reading = Reading::of_folded(&last.content, text);
        if let Some(rule) = frustration(&reading, said.clone().map(|m| m.content.as_str())) {
            return GuardVerdict::preempt(GuardKind::Frustrated, rule);
        }
        if let Some(rule) = human_request::detect(&reading) {
            return GuardVerdict::preempt(GuardKind::HumanRequest, rule);
        }
        if input.past_turns_without_tool_call.is_some_and(|turns| turns >= LOOP_TURNS)
            && let (Some(second), Some(first)) = (said.next(), said.next())
            && loop_detector::detect(&first.content, &second.content, &last.content)
        {
            return GuardVerdict::preempt(GuardKind::Loop, loop_detector::RULE);
        }
        GuardVerdict::Proceed
    }
}

/// The first rule by which the message is frustrated. `earlier` is newest first.
fn frustration<'a>(
    reading: &Reading,
    earlier: impl Iterator<Item = &'a str>,
) -> Option<&'static str> {
    profanity::detect(reading)
        .or_else(|| evaluative::detect(reading))
        .or_else(|| complaint::detect(reading))
        .or_else(|| caps::detect(reading, earlier))
}

#[cfg(test)]
mod sentences;
#[cfg(test)]
mod tests;
