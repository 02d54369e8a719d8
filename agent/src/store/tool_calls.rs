//! The journal of calls: what a turn did, also one that never came to its end.

use chrono::{DateTime, Utc};
use lembra_entities::tool_call;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    QueryOrder, Statement,
};
use serde_json::Value as Json;

use super::error::StoreResult;
use super::rowset::execute;

/// Results of a conversation that its answers may lean on.
const RESULTS: i64 = 40;

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
    pub call_key: String,
    pub tool: String,
    pub arguments: Json,
    pub has_effect: bool,
    pub state: State,
    pub code: Option<String>,
    pub result: Option<String>,
    pub begun_at: DateTime<Utc>,
    pub finished_at: Option<DateTime<Utc>>,
    pub settled_at: Option<DateTime<Utc>>,
}

/// Writes a call and answers its id.
pub async fn insert(db: &impl ConnectionTrait, call: NewCall) -> StoreResult<i64> {
    let row = tool_call::ActiveModel {
        account_id: Set(call.account_id),
        conversation_id: Set(call.conversation_id),
        turn_id: Set(call.turn_id),
        call_key: Set(call.call_key),
        tool: Set(call.tool),
        arguments: Set(call.arguments),
        has_effect: Set(call.has_effect),
        state: Set(call.state.as_str().to_owned()),
        code: Set(call.code),
        result: Set(call.result),
        begun_at: Set(call.begun_at),
        finished_at: Set(call.finished_at),
        settled_at: Set(call.settled_at),
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

/// The calls with effects of attempts at a turn that is not written yet, in order. A conversation
/// has one turn at a time, so they all belong to it.
pub async fn unsettled(
    db: &impl ConnectionTrait,
    conversation_id: i64,
) -> StoreResult<Vec<tool_call::Model>> {
    Ok(tool_call::Entity::find()
        .filter(tool_call::Column::ConversationId.eq(conversation_id))
        .filter(tool_call::Column::SettledAt.is_null())
        .filter(tool_call::Column::HasEffect.eq(true))
        .order_by_asc(tool_call::Column::Id)
        .all(db)
        .await?)
}

/// The call belongs to this turn, which is written, or to none that ever will be; its arguments are
/// kept in this form.
pub async fn settle(
    tx: &impl ConnectionTrait,
    id: i64,
    turn_id: Option<i64>,
    arguments: Json,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    tool_call::Entity::update_many()
        .col_expr(tool_call::Column::TurnId, Expr::value(turn_id))
        .col_expr(tool_call::Column::Arguments, Expr::value(arguments))
        .col_expr(tool_call::Column::SettledAt, Expr::value(now))
        .filter(tool_call::Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(())
}

/// What tools gave before to this contact, latest first: everything of this conversation, and what
/// was done with an effect in others.
pub async fn results_of(
    db: &impl ConnectionTrait,
    conversation_id: i64,
    contact_id: i64,
) -> StoreResult<Vec<tool_call::Model>> {
    let backend = db.get_database_backend();
    let sql = "SELECT tool_calls.* FROM tool_calls \
               JOIN conversations ON conversations.id = tool_calls.conversation_id \
               WHERE tool_calls.state = 'done' AND conversations.contact_id = $1 \
               AND (tool_calls.conversation_id = $2 OR tool_calls.has_effect) \
               ORDER BY tool_calls.id DESC LIMIT $3";
    let values = [contact_id.into(), conversation_id.into(), RESULTS.into()];
    let statement = Statement::from_sql_and_values(backend, sql, values);
    Ok(tool_call::Entity::find().from_raw_sql(statement).all(db).await?)
}

/// Takes away what a tool told of the contact.
pub async fn blank(tx: &impl ConnectionTrait, contact_id: i64, tool: &str) -> StoreResult<()> {
    let sql = "UPDATE tool_calls SET result = NULL WHERE tool = $1 AND conversation_id IN \
               (SELECT id FROM conversations WHERE contact_id = $2)";
    execute(tx, sql.to_owned(), vec![tool.into(), contact_id.into()]).await?;
    Ok(())
}
