//! The journal of calls: what a turn did, also one that never came to its end.

use chrono::{DateTime, Utc};
use lembra_entities::tool_call;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect,
};
use serde_json::Value as Json;

use super::error::StoreResult;

/// Results of a conversation that its answers may lean on.
const RESULTS: u64 = 40;

/// How a call stands. The names are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Begun,
    Done,
    Failed,
    Uncontrolled,
}

impl State {
    pub fn as_str(self) -> &'static str {
        match self {
            State::Begun => "begun",
            State::Done => "done",
            State::Failed => "failed",
            State::Uncontrolled => "uncontrolled",
        }
    }
}

/// A call to be written.
#[derive(Debug, Clone)]
pub struct NewCall {
    pub account_id: i64,
    pub conversation_id: i64,
    pub turn_id: Option<i64>,
    pub turn_key: String,
    pub call_key: String,
    pub tool: String,
    pub arguments: Json,
    pub has_effect: bool,
    pub state: State,
    pub code: Option<String>,
    pub result: Option<String>,
    pub begun_at: DateTime<Utc>,
    pub finished_at: Option<DateTime<Utc>>,
}

/// Writes a call and answers its id.
pub async fn insert(db: &impl ConnectionTrait, call: NewCall) -> StoreResult<i64> {
    let row = tool_call::ActiveModel {
        account_id: Set(call.account_id),
        conversation_id: Set(call.conversation_id),
        turn_id: Set(call.turn_id),
        turn_key: Set(call.turn_key),
        call_key: Set(call.call_key),
        tool: Set(call.tool),
        arguments: Set(call.arguments),
        has_effect: Set(call.has_effect),
        state: Set(call.state.as_str().to_owned()),
        code: Set(call.code),
        result: Set(call.result),
        begun_at: Set(call.begun_at),
        finished_at: Set(call.finished_at),
        ..Default::default()
    };
    Ok(row.insert(db).await?.id)
}

/// What a call with an effect came to.
pub async fn finish(
    db: &impl ConnectionTrait,
    id: i64,
    state: State,
    code: Option<&str>,
    result: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    tool_call::Entity::update_many()
        .col_expr(tool_call::Column::State, Expr::value(state.as_str()))
        .col_expr(tool_call::Column::Code, Expr::value(code.map(str::to_owned)))
        .col_expr(tool_call::Column::Result, Expr::value(result))
        .col_expr(tool_call::Column::FinishedAt, Expr::value(now))
        .filter(tool_call::Column::Id.eq(id))
        .exec(db)
        .await?;
    Ok(())
}

/// The calls with effects that earlier attempts at a turn made, in order.
pub async fn of_turn(
    db: &impl ConnectionTrait,
    conversation_id: i64,
    turn_key: &str,
) -> StoreResult<Vec<tool_call::Model>> {
    Ok(tool_call::Entity::find()
        .filter(tool_call::Column::TurnKey.eq(turn_key))
        .filter(tool_call::Column::ConversationId.eq(conversation_id))
        .filter(tool_call::Column::TurnId.is_null())
        .order_by_asc(tool_call::Column::Id)
        .all(db)
        .await?)
}

/// The call belongs to this turn, which is written; its arguments are kept in this form.
pub async fn settle(
    tx: &impl ConnectionTrait,
    id: i64,
    turn_id: i64,
    arguments: Json,
) -> StoreResult<()> {
    tool_call::Entity::update_many()
        .col_expr(tool_call::Column::TurnId, Expr::value(turn_id))
        .col_expr(tool_call::Column::Arguments, Expr::value(arguments))
        .filter(tool_call::Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(())
}

/// What tools gave in this conversation, latest first: tool and result.
pub async fn results_of(
    db: &impl ConnectionTrait,
    conversation_id: i64,
) -> StoreResult<Vec<tool_call::Model>> {
    Ok(tool_call::Entity::find()
        .filter(tool_call::Column::ConversationId.eq(conversation_id))
        .filter(tool_call::Column::State.eq(State::Done.as_str()))
        .order_by_desc(tool_call::Column::Id)
        .limit(RESULTS)
        .all(db)
        .await?)
}

/// The calls of a turn, in order.
pub async fn list_of_turn(
    db: &impl ConnectionTrait,
    turn_id: i64,
) -> StoreResult<Vec<tool_call::Model>> {
    Ok(tool_call::Entity::find()
        .filter(tool_call::Column::TurnId.eq(turn_id))
        .order_by_asc(tool_call::Column::Id)
        .all(db)
        .await?)
}
