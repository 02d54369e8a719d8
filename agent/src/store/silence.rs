//! Conversations that fell silent, found by walking through the open ones in pages. The index of
//! open conversations is the only one that this needs: an index by last message would be written
//! with every webhook.

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection};
use serde_json::Value as Json;

use super::error::StoreResult;
use super::rowset::{any_number, parameter, query};

/// Conversations that one statement answers at most.
pub const PAGE: usize = 1_000;

/// Where the walk stands: the contact and inbox of the last conversation seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cursor {
    contact_id: i64,
    inbox_id: i64,
}

/// A silent conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Silent {
    pub conversation_id: i64,
    pub account_id: i64,
}

/// The next open conversations of these accounts in which nobody wrote since `since` and that hold
/// what has not been learnt; with where to go on, or `None` at the end.
pub async fn unlearned(
    db: &DatabaseConnection,
    accounts: &[i64],
    since: DateTime<Utc>,
    after: Cursor,
) -> StoreResult<(Vec<Silent>, Option<Cursor>)> {
    let any = any_number(db.get_database_backend(), "account_id", 4);
    let more = format!("AND (learned_until IS NULL OR learned_until < last_message_at) AND {any}");
    let accounts = parameter(accounts.iter().copied().map(Json::from));
    page(db, &more, Some(accounts), since, after).await
}

/// The next open conversations in which nobody wrote since `since`.
pub async fn open(
    db: &DatabaseConnection,
    since: DateTime<Utc>,
    after: Cursor,
) -> StoreResult<(Vec<Silent>, Option<Cursor>)> {
    page(db, "", None, since, after).await
}

async fn page(
    db: &DatabaseConnection,
    more: &str,
    parameter: Option<sea_orm::Value>,
    since: DateTime<Utc>,
    after: Cursor,
) -> StoreResult<(Vec<Silent>, Option<Cursor>)> {
    let sql = format!(
        "SELECT id, account_id, contact_id, inbox_id FROM conversations \
         WHERE state = 'open' AND (contact_id, inbox_id) > ($1, $2) \
         AND last_message_at <= $3 {more} ORDER BY contact_id, inbox_id LIMIT {PAGE}"
    );
    let mut values = vec![after.contact_id.into(), after.inbox_id.into(), since.into()];
    values.extend(parameter);
    let rows = query(db, sql, values).await?;
    let mut silent = Vec::with_capacity(rows.len());
    let mut last = None;
    for row in &rows {
        silent.push(Silent {
            conversation_id: row.try_get("", "id")?,
            account_id: row.try_get("", "account_id")?,
        });
        let (contact_id, inbox_id) = (row.try_get("", "contact_id")?, row.try_get("", "inbox_id")?);
        last = Some(Cursor { contact_id, inbox_id });
    }
    Ok((silent, last.filter(|_| rows.len() == PAGE)))
}

/// Whether nobody wrote in the conversation since `since`; its row is taken for this transaction.
pub async fn is_silent(
    tx: &impl ConnectionTrait,
    conversation_id: i64,
    since: DateTime<Utc>,
) -> StoreResult<bool> {
    let sql = "UPDATE conversations SET updated_at = updated_at \
               WHERE id = $1 AND state = 'open' AND last_message_at <= $2 RETURNING id";
    let values = vec![conversation_id.into(), since.into()];
    Ok(!query(tx, sql.to_owned(), values).await?.is_empty())
}
