//! Messages of an account that have been without an outcome for too long.

use chrono::{DateTime, Utc};
use sea_orm::ConnectionTrait;
use serde::Serialize;

use crate::store::error::StoreResult;
use crate::store::rowset::query;
use crate::store::watch::LONGEST_WITHOUT_OUTCOME;

/// A conversation in which messages have been without an outcome for more than 15 minutes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = UnansweredConversation)]
pub struct Unanswered {
    pub conversation_id: i64,
    pub contact_name: Option<String>,
    pub messages: i64,
    /// When the first of them came.
    pub waiting_since: DateTime<Utc>,
}

/// Waiting messages that are looked at for the list.
const MOST: i64 = 1_000;

/// Those conversations, longest first. What waits is an index of its own, and a small one; asking
/// in its order keeps planners from reading the table, whose outbound rows have no outcome either.
pub async fn of_account(
    db: &impl ConnectionTrait,
    account_id: i64,
    now: DateTime<Utc>,
    limit: i64,
) -> StoreResult<Vec<Unanswered>> {
    let sql = "SELECT waiting.conversation_id, waiting.n, waiting.since, contacts.name \
               FROM (SELECT conversation_id, count(*) AS n, min(created_at) AS since \
                     FROM (SELECT conversation_id, created_at FROM messages \
                           WHERE direction = 'in' AND outcome IS NULL \
                             AND created_at < $1 AND account_id = $2 \
                           ORDER BY conversation_id, created_at LIMIT $4) AS late \
                     GROUP BY conversation_id ORDER BY min(created_at) LIMIT $3) AS waiting \
               JOIN conversations ON conversations.id = waiting.conversation_id \
               JOIN contacts ON contacts.id = conversations.contact_id \
               ORDER BY waiting.since";
    let before = now - LONGEST_WITHOUT_OUTCOME;
    let values = vec![before.into(), account_id.into(), limit.into(), MOST.into()];
    let rows = query(db, sql.to_owned(), values).await?;
    let read = |row: &sea_orm::QueryResult| {
        Ok(Unanswered {
            conversation_id: row.try_get("", "conversation_id")?,
            contact_name: row.try_get("", "name")?,
            messages: row.try_get("", "n")?,
            waiting_since: row.try_get("", "since")?,
        })
    };
    rows.iter().map(read).collect()
}

/// How many messages of the account have waited too long, counted up to `most`.
pub async fn count(
    db: &impl ConnectionTrait,
    account_id: i64,
    now: DateTime<Utc>,
    most: i64,
) -> StoreResult<i64> {
    let sql = "SELECT count(*) AS n FROM (SELECT id FROM messages \
               WHERE direction = 'in' AND outcome IS NULL AND created_at < $1 \
                 AND account_id = $2 ORDER BY conversation_id, created_at LIMIT $3) AS waiting";
    let before = now - LONGEST_WITHOUT_OUTCOME;
    let values = vec![before.into(), account_id.into(), most.into()];
    match query(db, sql.to_owned(), values).await?.first() {
        Some(row) => Ok(row.try_get("", "n")?),
        None => Ok(0),
    }
}
