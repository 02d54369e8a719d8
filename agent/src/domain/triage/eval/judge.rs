//! One labelled message and what triage says of it.

use super::Judged;
use crate::domain::chat::ChatMessage;
use crate::domain::triage::guard::{ConversationGuard, GuardInput, GuardVerdict};
use crate::domain::triage::safety::SafetyCheck;
use crate::domain::triage::scope::{Domain, Profile, ScopeClassifier, ScopeDecision};

/// The label of a message that nothing stops.
const NONE: &str = "none";
const IN_SCOPE: &str = "in-scope";
const CRISIS: &str = "crisis";

/// What is judged, and by what.
pub enum Asked {
    Guard(String),
    Scope(String),
    /// Three messages of a customer, oldest first, and the turns without a useful tool call.
    Loop([String; 3], Option<u32>),
}

/// Whether a label belongs to the scope classifier.
pub fn is_scope_label(label: &str) -> bool {
    label.starts_with("reject:")
        || label.starts_with("domain:")
        || label == "general"
        || label == IN_SCOPE
}

/// The verdict on `asked`, beside its label.
pub fn judged(asked: &Asked, label: &str) -> Judged {
    let (text, (verdict, rule)) = match asked {
        Asked::Guard(text) => (text.clone(), guard(text)),
        Asked::Scope(text) => (text.clone(), scope(text)),
        Asked::Loop(said, turns) => (said.join(" | "), looped(said, *turns)),
    };
    Judged { text, label: label.to_owned(), verdict, rule }
}

type Said = (String, Option<&'static str>);

fn guard(text: &str) -> Said {
    if let Some(rule) = SafetyCheck::evaluate(text) {
        return (CRISIS.to_owned(), Some(rule));
    }
    evaluate(&[ChatMessage::user(text)], None)
}

fn looped(said: &[String; 3], turns: Option<u32>) -> Said {
    let messages: Vec<ChatMessage> = said.iter().map(ChatMessage::user).collect();
    evaluate(&messages, turns)
}

fn evaluate(messages: &[ChatMessage], turns: Option<u32>) -> Said {
    let input = GuardInput { messages, past_turns_without_tool_call: turns };
    match ConversationGuard::evaluate(&input) {
        GuardVerdict::Proceed => (NONE.to_owned(), None),
        GuardVerdict::Preempt { kind, rule, .. } => (kind.as_str().to_owned(), Some(rule)),
    }
}

fn scope(text: &str) -> Said {
    let classifier = ScopeClassifier::of(Profile::MedicationAdherence);
    let decision = classifier.map_or(ScopeDecision::IN_SCOPE, |rules| rules.classify(text));
    let verdict = match (decision.rejected, decision.detected_category) {
        (Some(category), _) => format!("reject:{}", category.as_str()),
        (None, Some(Domain::General)) => Domain::General.as_str().to_owned(),
        (None, Some(domain)) => format!("domain:{}", domain.as_str()),
        (None, None) => IN_SCOPE.to_owned(),
    };
    (verdict, decision.rule)
}

/// The cases of one row of policy: several texts may stand in it, and several labels be right.
pub fn policy(area: &str, text: &str, recommended: &str) -> Vec<Judged> {
    let crisis = recommended.contains(CRISIS);
    let labels: Vec<&str> = recommended.split(" or ").map(str::trim).collect();
    let first = labels.first().copied().unwrap_or_default();
    let right = |verdict: &str| {
        let bare = verdict.split(':').next_back().unwrap_or(verdict);
        labels.iter().any(|label| *label == verdict || *label == bare)
    };
    let settle = |mut row: Judged| {
        if right(&row.verdict) {
            row.label.clone_from(&row.verdict);
        }
        row
    };
    match area {
        "loop" => text
            .split(" , ")
            .filter_map(|case| {
                let said: Vec<String> = case.split('|').map(|m| m.trim().to_owned()).collect();
                let said: [String; 3] = said.try_into().ok()?;
                Some(judged(&Asked::Loop(said, Some(2)), first))
            })
            .collect(),
        "scope" if crisis => vec![judged(&Asked::Guard(text.to_owned()), CRISIS)],
        "scope" => vec![settle(judged(&Asked::Scope(text.to_owned()), first))],
        _ => text
            .split(" / ")
            .map(|case| {
                let label = if crisis { CRISIS } else { first };
                settle(judged(&Asked::Guard(case.trim().to_owned()), label))
            })
            .collect(),
    }
}
