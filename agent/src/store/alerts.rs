//! What an operator must look at. One alert per kind and subject is open at a time; what happens
//! again counts it up.

use chrono::{DateTime, Utc};
use lembra_entities::alert;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};

use super::error::StoreResult;

/// An alert to be raised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAlert {
    pub account_id: Option<i64>,
    pub inbox_id: Option<i64>,
    pub conversation_id: Option<i64>,
    /// A stable word; see [`crate::services::alerts::Kind`].
    pub kind: &'static str,
    /// What it is about, within the kind.
    pub subject: String,
    /// For a person; never message text.
    pub detail: String,
}

/// Raises the alert, or counts up the one that is open.
pub async fn raise(
    tx: &impl ConnectionTrait,
    new: NewAlert,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let row = alert::ActiveModel {
        account_id: Set(new.account_id),
        inbox_id: Set(new.inbox_id),
        conversation_id: Set(new.conversation_id),
        kind: Set(new.kind.to_owned()),
        subject: Set(new.subject),
        detail: Set(new.detail),
        times: Set(1),
        raised_at: Set(now),
        last_raised_at: Set(now),
        ..Default::default()
    };
    let again = OnConflict::columns([alert::Column::Kind, alert::Column::Subject])
        .target_and_where(Expr::cust("resolved_at IS NULL"))
        .value(alert::Column::Times, Expr::col((alert::Entity, alert::Column::Times)).add(1))
        .value(alert::Column::LastRaisedAt, Expr::value(now))
        .to_owned();
    alert::Entity::insert(row).on_conflict(again).exec_without_returning(tx).await?;
    Ok(())
}

/// Whether this was ever raised, open or closed.
pub async fn was_raised(db: &impl ConnectionTrait, kind: &str, subject: &str) -> StoreResult<bool> {
    let found = alert::Entity::find()
        .filter(alert::Column::Kind.eq(kind))
        .filter(alert::Column::Subject.eq(subject))
        .one(db)
        .await?;
    Ok(found.is_some())
}

/// Closes what is open of a kind about a subject; false when nothing was.
pub async fn resolve_subject(
    tx: &impl ConnectionTrait,
    kind: &str,
    subject: &str,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let closed = alert::Entity::update_many()
        .col_expr(alert::Column::ResolvedAt, Expr::value(now))
        .filter(alert::Column::Kind.eq(kind))
        .filter(alert::Column::Subject.eq(subject))
        .filter(alert::Column::ResolvedAt.is_null())
        .exec(tx)
        .await?;
    Ok(closed.rows_affected > 0)
}

/// Closes one; false when it was not open.
pub async fn resolve(tx: &impl ConnectionTrait, id: i64, now: DateTime<Utc>) -> StoreResult<bool> {
    let closed = alert::Entity::update_many()
        .col_expr(alert::Column::ResolvedAt, Expr::value(now))
        .filter(alert::Column::Id.eq(id))
        .filter(alert::Column::ResolvedAt.is_null())
        .exec(tx)
        .await?;
    Ok(closed.rows_affected > 0)
}

/// What the open alerts of a kind are about.
pub async fn open_subjects(db: &impl ConnectionTrait, kind: &str) -> StoreResult<Vec<String>> {
    Ok(alert::Entity::find()
        .select_only()
        .column(alert::Column::Subject)
        .filter(alert::Column::Kind.eq(kind))
        .filter(Expr::cust("resolved_at IS NULL"))
        .into_tuple()
        .all(db)
        .await?)
}

/// The open ones, of one account or of all, longest first.
pub async fn open(
    db: &impl ConnectionTrait,
    account_id: Option<i64>,
) -> StoreResult<Vec<alert::Model>> {
    let mut open = alert::Entity::find()
        .filter(alert::Column::ResolvedAt.is_null())
        .order_by_asc(alert::Column::RaisedAt)
        .limit(500);
    if let Some(account_id) = account_id {
        open = open.filter(alert::Column::AccountId.eq(account_id));
    }
    Ok(open.all(db).await?)
}
