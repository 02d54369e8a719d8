//! Knowledge entries (seed 002 §4, layer 4), as rows. Every statement is fenced by its account.

use chrono::{DateTime, Utc};
use lembra_entities::assistant_response as entry;
use sea_orm::sea_query::{Expr, ExprTrait, LikeExpr};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select,
};
use serde_json::json;

use super::error::StoreResult;
use super::rowset::{
    Columns, Kind, any_number, any_text, execute, insert_sql, parameter, query, time,
};
use crate::domain::knowledge::Entry;
use crate::domain::triage::fold::fold;

/// Whether an entry is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Enabled,
    /// Kept and not told.
    Disabled,
}

impl Status {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Enabled => "enabled",
            Self::Disabled => "disabled",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        [Self::Enabled, Self::Disabled].into_iter().find(|status| status.as_str() == name)
    }
}

fn of_account(account_id: i64) -> Select<entry::Entity> {
    entry::Entity::find().filter(entry::Column::AccountId.eq(account_id))
}

pub async fn find(
    db: &impl ConnectionTrait,
    account_id: i64,
    id: i64,
) -> StoreResult<Option<entry::Model>> {
    Ok(of_account(account_id).filter(entry::Column::Id.eq(id)).one(db).await?)
}

/// Any account's entry, for its own job.
pub async fn find_any(db: &impl ConnectionTrait, id: i64) -> StoreResult<Option<entry::Model>> {
    Ok(entry::Entity::find_by_id(id).one(db).await?)
}

/// The account's entries with one of these ids, in no order.
pub async fn with_ids(
    db: &impl ConnectionTrait,
    account_id: i64,
    ids: &[i64],
) -> StoreResult<Vec<entry::Model>> {
    let rows = of_account(account_id).filter(entry::Column::Id.is_in(ids.iter().copied()));
    Ok(rows.all(db).await?)
}

/// The account's entries with one of these question keys.
pub async fn with_keys(
    db: &impl ConnectionTrait,
    account_id: i64,
    keys: &[String],
) -> StoreResult<Vec<entry::Model>> {
    let known = any_text(db.get_database_backend(), "question_key", 2);
    let keys = parameter(keys.iter().map(|key| json!(key)));
    let sql =
        format!("SELECT id FROM captain_assistant_responses WHERE account_id = $1 AND {known}");
    let rows = query(db, sql, vec![account_id.into(), keys]).await?;
    let ids: Vec<i64> =
        rows.iter().map(|row| row.try_get("", "id")).collect::<Result<_, sea_orm::DbErr>>()?;
    let mut found = Vec::with_capacity(ids.len());
    // Few enough for one statement's parameters.
    for ids in ids.chunks(1_000) {
        found.extend(with_ids(db, account_id, ids).await?);
    }
    Ok(found)
}

/// Enabled and disabled ones.
pub async fn count(db: &impl ConnectionTrait, account_id: i64) -> StoreResult<u64> {
    Ok(of_account(account_id).count(db).await?)
}

/// A page of an account's entries, newest first.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    pub status: Option<Status>,
    /// One of these categories, as they are written.
    pub categories: Option<&'a [String]>,
    /// A part of question or answer, whatever its accents and case.
    pub holds: Option<&'a str>,
    /// Only those with a smaller id.
    pub before: Option<i64>,
    pub limit: u64,
}

pub async fn list(
    db: &impl ConnectionTrait,
    account_id: i64,
    page: Page<'_>,
) -> StoreResult<Vec<entry::Model>> {
    let mut rows = of_account(account_id);
    if let Some(status) = page.status {
        rows = rows.filter(entry::Column::Status.eq(status.as_str()));
    }
    if let Some(categories) = page.categories {
        rows = rows.filter(entry::Column::Category.is_in(categories.iter().map(String::as_str)));
    }
    if let Some(part) = page.holds {
        let escaped =
            fold(part.trim()).replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        let like = LikeExpr::new(format!("%{escaped}%")).escape('\\');
        rows = rows.filter(Expr::col(entry::Column::Folded).like(like));
    }
    if let Some(before) = page.before {
        rows = rows.filter(entry::Column::Id.lt(before));
    }
    Ok(rows.order_by_desc(entry::Column::Id).limit(page.limit).all(db).await?)
}

const ROW: Columns = &[
    ("account_id", Kind::BigInt),
    ("question", Kind::Text),
    ("answer", Kind::Text),
    ("category", Kind::Text),
    ("status", Kind::Text),
    ("question_key", Kind::Text),
    ("folded", Kind::Text),
    ("source", Kind::Text),
    ("created_at", Kind::Time),
    ("updated_at", Kind::Time),
];

/// Writes entries whose questions are new to the account, enabled and without embeddings; answers
/// their ids. [`StoreError::Conflict`](super::StoreError::Conflict) when one is not new.
pub async fn insert(
    tx: &impl ConnectionTrait,
    account_id: i64,
    entries: &[&Entry],
    source: &str,
    now: DateTime<Utc>,
) -> StoreResult<Vec<i64>> {
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let row = |entry: &&Entry| {
        json!({
            "account_id": account_id,
            "question": entry.question,
            "answer": entry.answer,
            "category": entry.category,
            "status": Status::Enabled.as_str(),
            "question_key": entry.key(),
            "folded": entry.folded(),
            "source": source,
            "created_at": time(now),
            "updated_at": time(now),
        })
    };
    let insert = insert_sql(tx.get_database_backend(), "captain_assistant_responses", ROW, 1);
    let rows = vec![parameter(entries.iter().map(row))];
    let rows = query(tx, format!("{insert} RETURNING id"), rows).await?;
    let mut ids: Vec<i64> =
        rows.iter().map(|row| row.try_get("", "id")).collect::<Result<_, sea_orm::DbErr>>()?;
    ids.sort_unstable();
    Ok(ids)
}

/// Writes an entry's texts. Its embedding goes when `embed_again`.
pub async fn rewrite(
    tx: &impl ConnectionTrait,
    row: &entry::Model,
    entry: &Entry,
    (status, source): (Status, &str),
    embed_again: bool,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let forget = if embed_again { ", embedding = NULL, embedding_model = NULL" } else { "" };
    let sql = format!(
        "UPDATE captain_assistant_responses SET question = $1, answer = $2, category = $3, \
         status = $4, question_key = $5, folded = $6, source = $7, updated_at = $8{forget} \
         WHERE id = $9 AND account_id = $10"
    );
    let values = vec![
        entry.question.as_str().into(),
        entry.answer.as_str().into(),
        entry.category.as_deref().into(),
        status.as_str().into(),
        entry.key().into(),
        entry.folded().into(),
        source.into(),
        now.into(),
        row.id.into(),
        row.account_id.into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

/// Removes entries; answers how many there were.
pub async fn delete(tx: &impl ConnectionTrait, account_id: i64, ids: &[i64]) -> StoreResult<u64> {
    let those = any_number(tx.get_database_backend(), "id", 2);
    let sql = format!("DELETE FROM captain_assistant_responses WHERE account_id = $1 AND {those}");
    let ids = parameter(ids.iter().map(|id| json!(id)));
    execute(tx, sql, vec![account_id.into(), ids]).await
}
