//! Conversations that wait for people. One row per conversation is open at a time.

use chrono::{DateTime, Utc};
use lembra_entities::handoff;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};

use super::error::StoreResult;

/// A conversation that is to wait for a person.
#[derive(Debug, Clone)]
pub struct NewHandoff {
    pub account_id: i64,
    pub conversation_id: i64,
    pub reason: &'static str,
    pub detail: Option<String>,
    pub priority: i32,
}

/// Puts the conversation into the queue and answers its id; `None` when it is there already, where
/// a graver reason takes the place of the one before.
pub async fn open(
    tx: &impl ConnectionTrait,
    new: NewHandoff,
    now: DateTime<Utc>,
) -> StoreResult<Option<i64>> {
    let row = handoff::ActiveModel {
        account_id: Set(new.account_id),
        conversation_id: Set(new.conversation_id),
        reason: Set(new.reason.to_owned()),
        detail: Set(new.detail),
        priority: Set(new.priority),
        state: Set("waiting".to_owned()),
        created_at: Set(now),
        ..Default::default()
    };
    let graver = handoff::Entity::update_many()
        .col_expr(handoff::Column::Priority, Expr::value(new.priority))
        .col_expr(handoff::Column::Reason, Expr::value(new.reason))
        .filter(handoff::Column::ConversationId.eq(new.conversation_id))
        .filter(handoff::Column::ClosedAt.is_null())
        .filter(handoff::Column::Priority.gt(new.priority));
    graver.exec(tx).await?;
    let there = OnConflict::column(handoff::Column::ConversationId)
        .target_and_where(Expr::cust("closed_at IS NULL"))
        .do_nothing()
        .to_owned();
    let written =
        handoff::Entity::insert_many([row]).on_conflict(there).exec_with_returning(tx).await?;
    Ok(written.into_iter().next().map(|row| row.id))
}

/// Closes the conversation's open row; false when there was none.
pub async fn close(
    tx: &impl ConnectionTrait,
    conversation_id: i64,
    state: &'static str,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let closed = handoff::Entity::update_many()
        .col_expr(handoff::Column::State, Expr::value(state))
        .col_expr(handoff::Column::ClosedAt, Expr::value(now))
        .filter(handoff::Column::ConversationId.eq(conversation_id))
        .filter(handoff::Column::ClosedAt.is_null())
        .exec(tx)
        .await?;
    Ok(closed.rows_affected > 0)
}

/// A person takes the conversation; false when nobody waits there, or another has it.
pub async fn take(
    tx: &impl ConnectionTrait,
    conversation_id: i64,
    by: &str,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let taken = handoff::Entity::update_many()
        .col_expr(handoff::Column::State, Expr::value("taken"))
        .col_expr(handoff::Column::TakenAt, Expr::value(now))
        .col_expr(handoff::Column::TakenBy, Expr::value(by))
        .filter(handoff::Column::ConversationId.eq(conversation_id))
        .filter(handoff::Column::ClosedAt.is_null())
        .filter(handoff::Column::State.eq("waiting"))
        .exec(tx)
        .await?;
    Ok(taken.rows_affected == 1)
}

/// The open row of a conversation.
pub async fn open_of(
    db: &impl ConnectionTrait,
    conversation_id: i64,
) -> StoreResult<Option<handoff::Model>> {
    Ok(handoff::Entity::find()
        .filter(handoff::Column::ConversationId.eq(conversation_id))
        .filter(handoff::Column::ClosedAt.is_null())
        .one(db)
        .await?)
}

pub async fn find(db: &impl ConnectionTrait, id: i64) -> StoreResult<Option<handoff::Model>> {
    Ok(handoff::Entity::find_by_id(id).one(db).await?)
}

/// What is open, of one account or of all: most urgent first, then longest.
pub async fn list_open(
    db: &impl ConnectionTrait,
    account_id: Option<i64>,
) -> StoreResult<Vec<handoff::Model>> {
    let mut open = handoff::Entity::find()
        .filter(handoff::Column::ClosedAt.is_null())
        .order_by_asc(handoff::Column::Priority)
        .order_by_asc(handoff::Column::CreatedAt)
        .limit(500);
    if let Some(account_id) = account_id {
        open = open.filter(handoff::Column::AccountId.eq(account_id));
    }
    Ok(open.all(db).await?)
}

/// What waits and was not yet found to wait for too long, longest first.
pub async fn waiting_unalerted(db: &impl ConnectionTrait) -> StoreResult<Vec<handoff::Model>> {
    Ok(handoff::Entity::find()
        .filter(handoff::Column::ClosedAt.is_null())
        .filter(handoff::Column::State.eq("waiting"))
        .filter(handoff::Column::OverdueAt.is_null())
        // Two bots that are kept apart wait for nobody.
        .filter(Expr::cust("reason NOT IN ('operator', 'bot_loop')"))
        .order_by_asc(handoff::Column::CreatedAt)
        .limit(500)
        .all(db)
        .await?)
}

/// Gives the open row of a conversation to another one, or closes it where that has its own.
pub async fn merge(
    tx: &impl ConnectionTrait,
    from: i64,
    into: i64,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    if open_of(tx, into).await?.is_some() {
        close(tx, from, "merged", now).await?;
        return Ok(());
    }
    handoff::Entity::update_many()
        .col_expr(handoff::Column::ConversationId, Expr::value(into))
        .filter(handoff::Column::ConversationId.eq(from))
        .filter(handoff::Column::ClosedAt.is_null())
        .exec(tx)
        .await?;
    Ok(())
}

/// It waited for too long; false when somebody said so already, or it is taken.
pub async fn mark_overdue(
    tx: &impl ConnectionTrait,
    id: i64,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let marked = handoff::Entity::update_many()
        .col_expr(handoff::Column::OverdueAt, Expr::value(now))
        .filter(handoff::Column::Id.eq(id))
        .filter(handoff::Column::State.eq("waiting"))
        .filter(handoff::Column::OverdueAt.is_null())
        .exec(tx)
        .await?;
    Ok(marked.rows_affected == 1)
}
