//! Failures that operators see, grouped by code and day (seed 004).

use chrono::{DateTime, Utc};
use lembra_entities::dashboard_error;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
};

use super::error::StoreResult;

/// A failure to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewError {
    pub account_id: i64,
    pub conversation_id: Option<i64>,
    pub turn_id: Option<i64>,
    pub error_type: &'static str,
    pub tool: Option<String>,
    pub code: String,
    pub detail: String,
}

pub async fn insert(
    tx: &impl ConnectionTrait,
    error: NewError,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let row = dashboard_error::ActiveModel {
        account_id: Set(error.account_id),
        conversation_id: Set(error.conversation_id),
        turn_id: Set(error.turn_id),
        error_type: Set(error.error_type.to_owned()),
        tool: Set(error.tool),
        code: Set(error.code),
        detail: Set(error.detail),
        created_at: Set(now),
        ..Default::default()
    };
    row.insert(tx).await?;
    Ok(())
}

/// How often a code came up in an account since then.
pub async fn count_since(
    db: &impl ConnectionTrait,
    account_id: i64,
    code: &str,
    since: DateTime<Utc>,
) -> StoreResult<u64> {
    Ok(dashboard_error::Entity::find()
        .filter(dashboard_error::Column::AccountId.eq(account_id))
        .filter(dashboard_error::Column::CreatedAt.gte(since))
        .filter(dashboard_error::Column::Code.eq(code))
        .count(db)
        .await?)
}

/// The account's failures since then, latest first, at most `limit`.
pub async fn list(
    db: &impl ConnectionTrait,
    account_id: i64,
    since: DateTime<Utc>,
    limit: u64,
) -> StoreResult<Vec<dashboard_error::Model>> {
    Ok(dashboard_error::Entity::find()
        .filter(dashboard_error::Column::AccountId.eq(account_id))
        .filter(dashboard_error::Column::CreatedAt.gte(since))
        .order_by_desc(dashboard_error::Column::CreatedAt)
        .order_by_desc(dashboard_error::Column::Id)
        .limit(limit)
        .all(db)
        .await?)
}
