//! Messages that nobody answered.

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::message;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, DatabaseConnection, EntityTrait, PaginatorTrait, QueryFilter};

use super::error::StoreResult;

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
