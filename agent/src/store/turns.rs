//! Turns: what the model was given and gave, or what triage said in its place.

use chrono::{DateTime, Utc};
use lembra_entities::turn;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ConnectionTrait};
use uuid::Uuid;

use super::error::StoreResult;

/// The `model` of a turn that triage answered.
pub const TRIAGE: &str = "triage";

/// The `model` of a turn that a fixed text answered.
pub const TEMPLATE: &str = "template";

/// A turn to be written.
#[derive(Debug, Clone)]
pub struct NewTurn {
    pub account_id: i64,
    pub conversation_id: i64,
    /// The job that made it; triage makes turns without one.
    pub job_id: Option<Uuid>,
    pub model: String,
    pub prompt_tokens: Option<i64>,
    pub completion_tokens: Option<i64>,
    pub transcript: Option<serde_json::Value>,
    pub reply: String,
    pub started_at: DateTime<Utc>,
    pub finished_at: DateTime<Utc>,
}

/// Writes it and answers its id.
pub async fn insert(tx: &impl ConnectionTrait, turn: NewTurn) -> StoreResult<i64> {
    let row = turn::ActiveModel {
        account_id: Set(turn.account_id),
        conversation_id: Set(turn.conversation_id),
        job_id: Set(turn.job_id),
        model: Set(turn.model),
        prompt_tokens: Set(turn.prompt_tokens),
        completion_tokens: Set(turn.completion_tokens),
        transcript: Set(turn.transcript),
        reply: Set(turn.reply),
        started_at: Set(turn.started_at),
        finished_at: Set(turn.finished_at),
        ..Default::default()
    };
    Ok(row.insert(tx).await?.id)
}
