//! Turns: what the model was given and gave, or what triage said in its place.

use chrono::{DateTime, Utc};
use lembra_entities::turn;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::conversations::Head;
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
    /// Rounds and calls.
    pub record: Option<serde_json::Value>,
    /// What its model calls cost; absent where there were none.
    pub brl: Option<f64>,
    pub reply: String,
    /// When the first message that it answers had come; absent where it answers none.
    pub received_at: Option<DateTime<Utc>>,
    pub recall: Option<Recall>,
    pub started_at: DateTime<Utc>,
    pub finished_at: DateTime<Utc>,
}

/// What a recall took, and how many facts it brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recall {
    pub ms: i64,
    pub facts: i64,
}

impl NewTurn {
    /// A turn that says a fixed text now, whoever asked for it.
    pub fn fixed(head: &Head, model: &str, reply: &str, now: DateTime<Utc>) -> Self {
        Self {
            account_id: head.place.account_id,
            conversation_id: head.id,
            job_id: None,
            model: model.to_owned(),
            prompt_tokens: None,
            completion_tokens: None,
            transcript: None,
            record: None,
            brl: None,
            reply: reply.to_owned(),
            received_at: None,
            recall: None,
            started_at: now,
            finished_at: now,
        }
    }

    /// A turn that says a fixed text of the templates.
    pub fn of_template(head: &Head, reply: &str, now: DateTime<Utc>) -> Self {
        Self::fixed(head, TEMPLATE, reply, now)
    }
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
        record: Set(turn.record),
        brl: Set(turn.brl),
        reply: Set(turn.reply),
        received_at: Set(turn.received_at),
        recall_ms: Set(turn.recall.map(|recall| recall.ms)),
        recalled: Set(turn.recall.map(|recall| recall.facts)),
        started_at: Set(turn.started_at),
        finished_at: Set(turn.finished_at),
        ..Default::default()
    };
    Ok(row.insert(tx).await?.id)
}

/// The first part of its answer was sent.
pub async fn mark_answered(
    db: &impl ConnectionTrait,
    id: i64,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    turn::Entity::update_many()
        .col_expr(turn::Column::AnsweredAt, Expr::value(now))
        .filter(turn::Column::Id.eq(id))
        .filter(turn::Column::ReceivedAt.is_not_null())
        .filter(turn::Column::AnsweredAt.is_null())
        .exec(db)
        .await?;
    Ok(())
}

/// The conversation's turns, oldest first, at most 500.
pub async fn of_conversation(
    db: &impl ConnectionTrait,
    conversation_id: i64,
) -> StoreResult<Vec<turn::Model>> {
    Ok(turn::Entity::find()
        .filter(turn::Column::ConversationId.eq(conversation_id))
        .order_by_asc(turn::Column::Id)
        .limit(500)
        .all(db)
        .await?)
}
