//! Facts about contacts (seed 002 §7.1), as rows.

use chrono::{DateTime, Utc};
use lembra_entities::contact_memory as memory;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait,
    QueryFilter, QueryOrder, QuerySelect, Select, Value,
};
use serde_json::{Value as Json, json};

use super::error::StoreResult;
use super::rowset::{execute, merged_json};
use crate::domain::memory::{Expiry, Fact, MemoryKind};

/// Where a fact was learnt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    pub account_id: i64,
    pub contact_id: i64,
    pub conversation_id: i64,
    pub inbox_id: i64,
    pub unit_id: Option<i64>,
}

/// Writes a fact without its embedding; answers its id.
pub async fn insert(
    tx: &impl ConnectionTrait,
    origin: Origin,
    fact: &Fact,
    now: DateTime<Utc>,
) -> StoreResult<i64> {
    let row = memory::ActiveModel {
        account_id: Set(origin.account_id),
        contact_id: Set(origin.contact_id),
        memory_type: Set(fact.kind.as_str().to_owned()),
        content: Set(fact.content.clone()),
        evidence: Set(fact.evidence.clone()),
        confidence: Set(fact.confidence),
        scope: Set(fact.scope().as_str().to_owned()),
        source_conversation_id: Set(Some(origin.conversation_id)),
        source_unit_id: Set(origin.unit_id),
        source_inbox_id: Set(Some(origin.inbox_id)),
        expires_at: Set(fact.kind.expires_at(now)),
        last_verified_at: Set(now),
        metadata: Set(json!({})),
        created_at: Set(now),
        updated_at: Set(now),
        ..Default::default()
    };
    Ok(row.insert(tx).await?.id)
}

/// The condition of a fact that is neither deleted nor superseded.
fn standing() -> Expr {
    Expr::cust("deleted_at IS NULL AND superseded_at IS NULL")
}

/// The condition of an active fact (DESIGN §7).
pub fn active(now: DateTime<Utc>) -> Condition {
    let current = Condition::any()
        .add(memory::Column::ExpiresAt.is_null())
        .add(memory::Column::ExpiresAt.gt(now))
        .add(memory::Column::MemoryType.is_in(MemoryKind::names_of(Expiry::WeighsLess)));
    Condition::all().add(standing()).add(current)
}

fn of_contact(account_id: i64, contact_id: i64) -> Select<memory::Entity> {
    memory::Entity::find()
        .filter(memory::Column::AccountId.eq(account_id))
        .filter(memory::Column::ContactId.eq(contact_id))
}

/// The contact's active facts, oldest first.
pub async fn active_of(
    db: &impl ConnectionTrait,
    account_id: i64,
    contact_id: i64,
    now: DateTime<Utc>,
) -> StoreResult<Vec<memory::Model>> {
    let rows = of_contact(account_id, contact_id).filter(active(now));
    Ok(rows.order_by_asc(memory::Column::Id).all(db).await?)
}

/// Any fact, whatever its state.
pub async fn find(db: &impl ConnectionTrait, id: i64) -> StoreResult<Option<memory::Model>> {
    Ok(memory::Entity::find_by_id(id).one(db).await?)
}

/// A fact of this contact of this account, whatever its state.
pub async fn find_of(
    db: &impl ConnectionTrait,
    account_id: i64,
    contact_id: i64,
    id: i64,
) -> StoreResult<Option<memory::Model>> {
    Ok(of_contact(account_id, contact_id).filter(memory::Column::Id.eq(id)).one(db).await?)
}

/// Which facts a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    Active,
    /// Superseded, expired and deleted ones.
    History,
    All,
}

/// A page of a contact's facts, newest first.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    pub shown: Shown,
    pub kind: Option<MemoryKind>,
    /// Only those with a smaller id.
    pub before: Option<i64>,
    pub limit: u64,
}

pub async fn list(
    db: &impl ConnectionTrait,
    account_id: i64,
    contact_id: i64,
    page: Page,
    now: DateTime<Utc>,
) -> StoreResult<Vec<memory::Model>> {
    let mut rows = of_contact(account_id, contact_id);
    match page.shown {
        Shown::Active => rows = rows.filter(active(now)),
        Shown::History => rows = rows.filter(active(now).not()),
        Shown::All => {}
    }
    if let Some(kind) = page.kind {
        rows = rows.filter(memory::Column::MemoryType.eq(kind.as_str()));
    }
    if let Some(before) = page.before {
        rows = rows.filter(memory::Column::Id.lt(before));
    }
    Ok(rows.order_by_desc(memory::Column::Id).limit(page.limit).all(db).await?)
}

/// A known fact was said again.
pub async fn refresh(
    tx: &impl ConnectionTrait,
    id: i64,
    kind: MemoryKind,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    memory::Entity::update_many()
        .col_expr(memory::Column::LastVerifiedAt, Expr::value(now))
        .col_expr(memory::Column::ExpiresAt, Expr::value(kind.expires_at(now)))
        .col_expr(memory::Column::UpdatedAt, Expr::value(now))
        .filter(memory::Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(())
}

/// Another content, written by a person: it proves itself, and counts as verified now.
pub async fn rewrite(
    tx: &impl ConnectionTrait,
    row: &memory::Model,
    content: &str,
    note: &Json,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let kind = MemoryKind::parse(&row.memory_type);
    let expires_at = kind.map_or(row.expires_at, |kind| kind.expires_at(now));
    let sql = format!(
        "UPDATE captain_contact_memories SET content = $1, embedding = NULL, \
         embedding_model = NULL, last_verified_at = $2, expires_at = $3, updated_at = $2, \
         metadata = {} WHERE id = $5 AND deleted_at IS NULL AND superseded_at IS NULL",
        merged_json(tx.get_database_backend(), "metadata", 4)
    );
    let values =
        vec![content.into(), now.into(), expires_at.into(), note.to_string().into(), row.id.into()];
    Ok(execute(tx, sql, values).await? == 1)
}

/// Marks a fact as deleted, with a note of who or why; false when it was not standing.
pub async fn soft_delete(
    tx: &impl ConnectionTrait,
    id: i64,
    note: &Json,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let sql = format!(
        "UPDATE captain_contact_memories SET deleted_at = $1, updated_at = $1, metadata = {} \
         WHERE id = $3 AND deleted_at IS NULL",
        merged_json(tx.get_database_backend(), "metadata", 2)
    );
    Ok(execute(tx, sql, vec![now.into(), note.to_string().into(), id.into()]).await? == 1)
}

/// Marks all facts of a contact as deleted, also superseded ones; answers how many.
pub async fn soft_delete_all(
    tx: &impl ConnectionTrait,
    account_id: i64,
    contact_id: i64,
    note: &Json,
    now: DateTime<Utc>,
) -> StoreResult<u64> {
    let sql = format!(
        "UPDATE captain_contact_memories SET deleted_at = $1, updated_at = $1, metadata = {} \
         WHERE account_id = $3 AND contact_id = $4 AND deleted_at IS NULL",
        merged_json(tx.get_database_backend(), "metadata", 2)
    );
    let values = vec![now.into(), note.to_string().into(), account_id.into(), contact_id.into()];
    execute(tx, sql, values).await
}

/// Takes a deletion back; false when the fact was not deleted.
pub async fn restore(
    tx: &impl ConnectionTrait,
    id: i64,
    note: &Json,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let sql = format!(
        "UPDATE captain_contact_memories SET deleted_at = NULL, updated_at = $1, metadata = {} \
         WHERE id = $3 AND deleted_at IS NOT NULL",
        merged_json(tx.get_database_backend(), "metadata", 2)
    );
    Ok(execute(tx, sql, vec![now.into(), note.to_string().into(), id.into()]).await? == 1)
}

/// `old` no longer holds since `new` does; false when one of them does not stand any more.
pub async fn supersede(
    tx: &impl ConnectionTrait,
    old: i64,
    new: i64,
    note: &Json,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let sql = format!(
        "UPDATE captain_contact_memories SET superseded_at = $1, superseded_by_id = $3, \
         updated_at = $1, metadata = {} \
         WHERE id = $4 AND deleted_at IS NULL AND superseded_at IS NULL AND EXISTS \
         (SELECT 1 FROM captain_contact_memories AS newer WHERE newer.id = $3 \
          AND newer.deleted_at IS NULL AND newer.superseded_at IS NULL)",
        merged_json(tx.get_database_backend(), "metadata", 2)
    );
    let values: Vec<Value> = vec![now.into(), note.to_string().into(), new.into(), old.into()];
    Ok(execute(tx, sql, values).await? == 1)
}
