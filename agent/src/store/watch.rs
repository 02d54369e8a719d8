//! Messages that nobody answered.

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::message;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, DatabaseConnection, EntityTrait, PaginatorTrait, QueryFilter};

use super::error::StoreResult;
use super::rowset::query;

/// A message without an outcome for this long is a failure of ours (DESIGN §3.8).
pub const LONGEST_WITHOUT_OUTCOME: TimeDelta = TimeDelta::minutes(15);

/// How many messages have waited too long.
pub async fn unanswered(db: &DatabaseConnection, now: DateTime<Utc>) -> StoreResult<u64> {
    Ok(message::Entity::find()
        .filter(Expr::cust("direction = 'in' AND outcome IS NULL"))
        .filter(message::Column::CreatedAt.lt(now - LONGEST_WITHOUT_OUTCOME))
        .count(db)
        .await?)
}

/// Most messages that [`unanswered_by_account`] counts, of all accounts together.
pub const MOST_COUNTED: i64 = 10_000;

/// The same, of each account in which there are any; behind [`MOST_COUNTED`] messages nobody looked.
pub async fn unanswered_by_account(
    db: &DatabaseConnection,
    now: DateTime<Utc>,
) -> StoreResult<Vec<(i64, i64)>> {
    // In the order of the index of what waits: outbound rows have no outcome either, and a planner
    // would read them all.
    let sql = "SELECT account_id, count(*) AS n FROM \
                 (SELECT account_id, created_at FROM messages \
                  WHERE direction = 'in' AND outcome IS NULL AND created_at < $1 \
                  ORDER BY conversation_id, created_at LIMIT $2) AS waiting \
               GROUP BY account_id ORDER BY account_id";
    let before = now - LONGEST_WITHOUT_OUTCOME;
    let rows = query(db, sql.to_owned(), vec![before.into(), MOST_COUNTED.into()]).await?;
    rows.iter().map(|row| Ok((row.try_get("", "account_id")?, row.try_get("", "n")?))).collect()
}
