//! What a turn did, for operators: its rounds, and the calls of each.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::services::tools::masking;

/// Longest text of a model or tool that is kept, in characters.
const KEPT_CHARS: usize = 4_000;

/// One call of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Round {
    pub model: String,
    pub prompt_tokens: i64,
    pub completion_tokens: i64,
    pub duration_ms: u64,
    /// What it said, where that is not the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallRecord>,
    /// The draft before it said what nothing holds; this round writes it anew.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rewriting: bool,
    /// What stood in the draft of this round, and nothing held: it was not sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objections: Vec<String>,
}

/// One call of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    pub tool: String,
    /// Secrets and personal data masked.
    pub arguments: Value,
    pub ended: Ended,
    /// The failure's stable name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What the model was told.
    pub result: String,
    pub duration_ms: u64,
    pub has_effect: bool,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    Done,
    /// An earlier attempt at the turn had done it.
    Replayed,
    /// The contract's failure.
    Failed,
    /// The model was told what was wrong with its arguments.
    Corrected,
    /// Another call had failed, so this one was not made.
    Withheld,
    /// There is no such tool.
    Unknown,
    Uncontrolled,
}

/// The rounds as kept in `turns.record`: what models and tools said is cut.
pub fn to_json(rounds: &[Round]) -> Value {
    let cut = |text: &String| text.chars().take(KEPT_CHARS).collect::<String>();
    let kept = rounds.iter().cloned().map(|mut round| {
        round.text = round.text.as_ref().map(cut);
        for call in &mut round.calls {
            call.result = cut(&masking::masked_text(&call.result));
        }
        round
    });
    serde_json::to_value(kept.collect::<Vec<_>>()).unwrap_or_default()
}
