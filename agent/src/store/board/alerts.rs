//! Alerts of an account: what is open, and what was settled.

use chrono::{DateTime, Utc};
use lembra_entities::alert;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use serde::Serialize;

use crate::store::error::StoreResult;

/// Something that an operator must look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Alert {
    pub id: i64,
    /// Such as `crisis`, `inbox_silent` or `tool_failures`.
    pub kind: String,
    /// What it is about, within the kind.
    pub subject: String,
    pub detail: String,
    pub inbox_id: Option<i64>,
    pub conversation_id: Option<i64>,
    /// How often it was raised while open.
    pub times: i32,
    pub raised_at: DateTime<Utc>,
    pub last_raised_at: DateTime<Utc>,
    /// Absent while it is open.
    pub resolved_at: Option<DateTime<Utc>>,
}

impl From<alert::Model> for Alert {
    fn from(row: alert::Model) -> Self {
        Self {
            id: row.id,
            kind: row.kind,
            subject: row.subject,
            detail: row.detail,
            inbox_id: row.inbox_id,
            conversation_id: row.conversation_id,
            times: row.times,
            raised_at: row.raised_at,
            last_raised_at: row.last_raised_at,
            resolved_at: row.resolved_at,
        }
    }
}

/// Whose alerts: those of an account, and for who runs the instance those of no account, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    pub account_id: i64,
    pub runs_instance: bool,
}

impl Owner {
    fn condition(self) -> Condition {
        let own = Condition::any().add(alert::Column::AccountId.eq(self.account_id));
        if self.runs_instance { own.add(alert::Column::AccountId.is_null()) } else { own }
    }
}

/// The open ones, latest raised first.
pub async fn open(db: &impl ConnectionTrait, owner: Owner, limit: u64) -> StoreResult<Vec<Alert>> {
    let rows = alert::Entity::find()
        .filter(owner.condition())
        .filter(Expr::cust("resolved_at IS NULL"))
        .order_by_desc(alert::Column::LastRaisedAt)
        .order_by_desc(alert::Column::Id)
        .limit(limit)
        .all(db)
        .await?;
    Ok(rows.into_iter().map(Alert::from).collect())
}

/// How many are open.
pub async fn count_open(db: &impl ConnectionTrait, owner: Owner) -> StoreResult<u64> {
    let open = alert::Entity::find().filter(owner.condition());
    Ok(open.filter(Expr::cust("resolved_at IS NULL")).count(db).await?)
}

/// The settled ones, latest first, of those with a smaller id than `before`.
pub async fn settled(
    db: &impl ConnectionTrait,
    owner: Owner,
    before: Option<i64>,
    limit: u64,
) -> StoreResult<Vec<Alert>> {
    let mut rows = alert::Entity::find()
        .filter(owner.condition())
        .filter(alert::Column::ResolvedAt.is_not_null());
    if let Some(before) = before {
        rows = rows.filter(alert::Column::Id.lt(before));
    }
    let rows = rows.order_by_desc(alert::Column::Id).limit(limit).all(db).await?;
    Ok(rows.into_iter().map(Alert::from).collect())
}

/// Settles one of the owner's alerts; false when the owner has no such alert. One that is settled
/// already stays as it is.
pub async fn resolve(
    db: &impl ConnectionTrait,
    owner: Owner,
    id: i64,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let found = alert::Entity::find_by_id(id).filter(owner.condition()).one(db).await?;
    if found.is_none() {
        return Ok(false);
    }
    crate::store::alerts::resolve(db, id, now).await?;
    Ok(true)
}
