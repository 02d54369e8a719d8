//! A turn for whoever wants to know why the bot said what it said: what came, what the model was
//! given, what it called, and what became of the answer.

mod layers;
mod timeline;

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::{dashboard_error, message, tool_call};
use sea_orm::DatabaseConnection;
use serde::Serialize;
use serde_json::Value as Json;
use utoipa::ToSchema;
use uuid::Uuid;

pub use self::layers::{Layers, SaidLine};
pub use self::timeline::Moment;

use crate::domain::chat::ChatMessage;
use crate::services::agent_chat::Round;
use crate::services::agent_chat::record::{CallRecord, Ended};
use crate::store::StoreResult;
use crate::store::board::turns::{self, TurnRows};

/// For so long prompts and records are kept (DESIGN §7).
pub const KEPT: TimeDelta = TimeDelta::days(30);

/// All that is known of a turn.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TurnRecord {
    pub id: i64,
    pub conversation_id: i64,
    pub job_id: Option<Uuid>,
    /// The model's own name; `triage` and `template` for fixed answers, `none` where none was made.
    pub model: String,
    pub prompt_tokens: Option<i64>,
    pub completion_tokens: Option<i64>,
    /// What its model calls cost.
    pub brl: Option<f64>,
    pub reply: String,
    pub started_at: DateTime<Utc>,
    pub finished_at: DateTime<Utc>,
    pub duration_ms: i64,
    /// What recall took, and how many facts it brought; absent where it was not wanted.
    pub recall_ms: Option<i64>,
    pub recalled: Option<i64>,
    /// Until when prompt and rounds are kept.
    pub kept_until: DateTime<Utc>,
    /// They were kept once, and are deleted.
    pub is_gone: bool,
    /// In the order in which it happened.
    pub timeline: Vec<Moment>,
    /// What the model was given; absent where no model was asked, and when it is gone.
    pub layers: Option<Layers>,
    pub rounds: Vec<RoundLine>,
    /// Calls in the journal; those with effects are there also when the record is gone.
    pub journal: Vec<JournalLine>,
    pub failures: Vec<FailureLine>,
    /// What it read, and what it wrote.
    pub read: Vec<MessageLine>,
    pub written: Vec<MessageLine>,
}

/// One call of the model.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RoundLine {
    pub number: usize,
    pub model: String,
    pub prompt_tokens: i64,
    pub completion_tokens: i64,
    pub duration_ms: u64,
    /// What it said, where that is not the answer.
    pub text: Option<String>,
    /// Its draft was not sent: these stood in it, and nothing held them.
    pub objections: Vec<String>,
    /// The draft before it was not sent; this round wrote it anew.
    pub is_rewriting: bool,
    pub calls: Vec<CallLine>,
}

/// One call of a tool.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CallLine {
    pub tool: String,
    /// Secrets and personal data masked.
    pub arguments: Json,
    /// `done`, `replayed`, `failed`, `corrected`, `withheld`, `unknown` or `uncontrolled`.
    pub ended: String,
    pub code: Option<String>,
    /// What the model was told.
    pub result: String,
    pub duration_ms: u64,
    pub has_effect: bool,
}

/// A call as the journal has it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct JournalLine {
    pub tool: String,
    pub has_effect: bool,
    /// `begun`, `done`, `failed` or `uncontrolled`.
    pub state: String,
    pub code: Option<String>,
    pub begun_at: DateTime<Utc>,
    pub finished_at: Option<DateTime<Utc>>,
}

/// A failure that the turn left for operators.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FailureLine {
    /// `falha_consulta`, `uncontrolled` or `ungrounded`.
    pub error_type: String,
    pub tool: Option<String>,
    pub code: String,
    pub detail: String,
    pub created_at: DateTime<Utc>,
}

/// A message that the turn read or wrote.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MessageLine {
    pub id: i64,
    pub kind: String,
    pub text: String,
    pub created_at: DateTime<Utc>,
    pub verdict: Option<String>,
    pub rule: Option<String>,
    pub outcome: Option<String>,
    pub outcome_detail: Option<String>,
    pub delivery: Option<String>,
}

/// The account's turn; `None` when it has no such turn.
pub async fn read(
    db: &DatabaseConnection,
    account_id: i64,
    turn_id: i64,
) -> StoreResult<Option<TurnRecord>> {
    let found = turns::find(db, account_id, turn_id).await?;
    Ok(found.map(told))
}

fn told(rows: TurnRows) -> TurnRecord {
    let TurnRows { turn, read, written, calls, failures } = rows;
    let prompt: Option<Vec<ChatMessage>> = turn.transcript.clone().and_then(parsed);
    let rounds: Option<Vec<Round>> = turn.record.clone().and_then(parsed);
    let layers = prompt.filter(|prompt| !prompt.is_empty());
    let kept_until = turn.finished_at + KEPT;
    let asked_a_model = turn.prompt_tokens.is_some();
    let rounds = rounds.unwrap_or_default();
    TurnRecord {
        timeline: timeline::of(&turn, &read, &written, &calls, &rounds),
        layers: layers.map(|prompt| layers::split(&prompt, read.len())),
        rounds: rounds.into_iter().enumerate().map(|(at, round)| line(at + 1, round)).collect(),
        journal: calls.into_iter().map(journal_line).collect(),
        failures: failures.into_iter().map(failure_line).collect(),
        read: read.into_iter().map(message_line).collect(),
        written: written.into_iter().map(message_line).collect(),
        id: turn.id,
        conversation_id: turn.conversation_id,
        job_id: turn.job_id,
        model: turn.model,
        prompt_tokens: turn.prompt_tokens,
        completion_tokens: turn.completion_tokens,
        brl: turn.brl,
        reply: turn.reply,
        started_at: turn.started_at,
        finished_at: turn.finished_at,
        duration_ms: (turn.finished_at - turn.started_at).num_milliseconds(),
        recall_ms: turn.recall_ms,
        recalled: turn.recalled,
        kept_until,
        is_gone: asked_a_model && turn.transcript.is_none(),
    }
}

/// What a build of another day wrote may not be readable; then it is not shown.
fn parsed<T: serde::de::DeserializeOwned>(json: Json) -> Option<T> {
    serde_json::from_value(json).ok()
}

fn line(number: usize, round: Round) -> RoundLine {
    RoundLine {
        number,
        model: round.model,
        prompt_tokens: round.prompt_tokens,
        completion_tokens: round.completion_tokens,
        duration_ms: round.duration_ms,
        text: round.text,
        objections: round.objections,
        is_rewriting: round.rewriting,
        calls: round.calls.into_iter().map(call_line).collect(),
    }
}

fn call_line(call: CallRecord) -> CallLine {
    let ended = match call.ended {
        Ended::Done => "done",
        Ended::Replayed => "replayed",
        Ended::Failed => "failed",
        Ended::Corrected => "corrected",
        Ended::Withheld => "withheld",
        Ended::Unknown => "unknown",
        Ended::Uncontrolled => "uncontrolled",
    };
    CallLine {
        tool: call.tool,
        arguments: call.arguments,
        ended: ended.to_owned(),
        code: call.code,
        result: call.result,
        duration_ms: call.duration_ms,
        has_effect: call.has_effect,
    }
}

fn journal_line(row: tool_call::Model) -> JournalLine {
    JournalLine {
        tool: row.tool,
        has_effect: row.has_effect,
        state: row.state,
        code: row.code,
        begun_at: row.begun_at,
        finished_at: row.finished_at,
    }
}

fn failure_line(row: dashboard_error::Model) -> FailureLine {
    FailureLine {
        error_type: row.error_type,
        tool: row.tool,
        code: row.code,
        detail: row.detail,
        created_at: row.created_at,
    }
}

fn message_line(row: message::Model) -> MessageLine {
    MessageLine {
        id: row.id,
        kind: row.kind,
        text: row.text,
        created_at: row.created_at,
        verdict: row.verdict,
        rule: row.rule,
        outcome: row.outcome,
        outcome_detail: row.outcome_detail,
        delivery: row.delivery,
    }
}
