//! One turn with all that was kept of it.

use chrono::{DateTime, Utc};
use lembra_entities::{dashboard_error, message, tool_call, turn};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};

use crate::store::StoreResult;

/// A turn with the rows that name it, each in the order in which it was written.
#[derive(Debug, Clone)]
pub struct TurnRows {
    pub turn: turn::Model,
    /// What it read.
    pub read: Vec<message::Model>,
    /// What it wrote.
    pub written: Vec<message::Model>,
    pub calls: Vec<tool_call::Model>,
    pub failures: Vec<dashboard_error::Model>,
}

/// The account's turn; `None` when it has no such turn.
pub async fn find(
    db: &impl ConnectionTrait,
    account_id: i64,
    id: i64,
) -> StoreResult<Option<TurnRows>> {
    let turn = turn::Entity::find_by_id(id).filter(turn::Column::AccountId.eq(account_id));
    let Some(turn) = turn.one(db).await? else {
        return Ok(None);
    };
    let conversation = turn.conversation_id;
    let messages = message::Entity::find()
        .filter(message::Column::ConversationId.eq(conversation))
        .filter(of_turn(id, turn.finished_at))
        .order_by_asc(message::Column::Id)
        .all(db)
        .await?;
    let (read, written) = messages.into_iter().partition(|row| row.direction == "in");
    let calls = tool_call::Entity::find()
        .filter(tool_call::Column::ConversationId.eq(conversation))
        .filter(tool_call::Column::TurnId.eq(id))
        .order_by_asc(tool_call::Column::Id)
        .all(db)
        .await?;
    let failures = dashboard_error::Entity::find()
        .filter(dashboard_error::Column::ConversationId.eq(conversation))
        .filter(dashboard_error::Column::TurnId.eq(id))
        .order_by_asc(dashboard_error::Column::Id)
        .all(db)
        .await?;
    Ok(Some(TurnRows { turn, read, written, calls, failures }))
}

/// A message for which no answer could be made does not name the turn that said so; both were
/// written at one instant.
fn of_turn(id: i64, finished_at: DateTime<Utc>) -> Condition {
    let failed = Condition::all()
        .add(message::Column::Outcome.eq("failed"))
        .add(message::Column::OutcomeAt.eq(finished_at));
    Condition::any().add(message::Column::TurnId.eq(id)).add(failed)
}
