//! Inboxes, as rows; `services::inboxes` opens their credentials.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use lembra_entities::inbox;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait,
    QueryFilter, QueryOrder,
};

use super::error::StoreResult;

/// An inbox to be written; `credentials` are encrypted already.
#[derive(Debug, Clone)]
pub struct NewInbox {
    pub account_id: i64,
    pub channel: &'static str,
    pub inbox_key: String,
    pub external_id: String,
    pub base_url: Option<String>,
    /// Of `base_url`: the account chose it.
    pub public_only: bool,
    pub unit_id: Option<i64>,
    pub credentials: String,
    pub simulated: bool,
}

pub async fn add(
    db: &impl ConnectionTrait,
    new: NewInbox,
    now: DateTime<Utc>,
) -> StoreResult<inbox::Model> {
    let row = inbox::ActiveModel {
        account_id: Set(new.account_id),
        channel: Set(new.channel.to_owned()),
        inbox_key: Set(new.inbox_key),
        external_id: Set(new.external_id),
        base_url: Set(new.base_url),
        public_only: Set(new.public_only),
        unit_id: Set(new.unit_id),
        credentials: Set(new.credentials),
        simulated: Set(new.simulated),
        created_at: Set(now),
        updated_at: Set(now),
        ..Default::default()
    };
    Ok(row.insert(db).await?)
}

pub async fn list(db: &impl ConnectionTrait) -> StoreResult<Vec<inbox::Model>> {
    Ok(inbox::Entity::find().order_by_asc(inbox::Column::Id).all(db).await?)
}

/// The inboxes of an account.
pub async fn of_account(
    db: &impl ConnectionTrait,
    account_id: i64,
) -> StoreResult<Vec<inbox::Model>> {
    Ok(inbox::Entity::find()
        .filter(inbox::Column::AccountId.eq(account_id))
        .order_by_asc(inbox::Column::Id)
        .all(db)
        .await?)
}

/// An inbox of an account.
pub async fn find(
    db: &impl ConnectionTrait,
    account_id: i64,
    id: i64,
) -> StoreResult<Option<inbox::Model>> {
    Ok(inbox::Entity::find_by_id(id)
        .filter(inbox::Column::AccountId.eq(account_id))
        .one(db)
        .await?)
}

/// The address of the provider's API changed.
pub async fn set_base_url(db: &impl ConnectionTrait, id: i64, url: &str) -> StoreResult<()> {
    inbox::Entity::update_many()
        .col_expr(inbox::Column::BaseUrl, Expr::value(url))
        .filter(inbox::Column::Id.eq(id))
        .exec(db)
        .await?;
    Ok(())
}

/// Events, and statuses among them, arrived on these inboxes.
pub async fn saw(
    tx: &impl ConnectionTrait,
    column: inbox::Column,
    ids: BTreeSet<i64>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let older = Condition::any().add(column.is_null()).add(column.lt(now));
    inbox::Entity::update_many()
        .col_expr(column, Expr::value(now))
        .filter(inbox::Column::Id.is_in(ids))
        .filter(older)
        .exec(tx)
        .await?;
    Ok(())
}

/// When a delivery status last arrived on the inbox.
pub async fn last_status_at(
    db: &impl ConnectionTrait,
    id: i64,
) -> StoreResult<Option<DateTime<Utc>>> {
    Ok(inbox::Entity::find_by_id(id).one(db).await?.and_then(|row| row.last_status_at))
}

/// Nothing is sent through the inbox any more; false when it was stopped already.
pub async fn stop(
    tx: &impl ConnectionTrait,
    id: i64,
    why: &str,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let stopped = inbox::Entity::update_many()
        .col_expr(inbox::Column::StoppedAt, Expr::value(now))
        .col_expr(inbox::Column::StoppedWhy, Expr::value(why))
        .filter(inbox::Column::Id.eq(id))
        .filter(inbox::Column::StoppedAt.is_null())
        .exec(tx)
        .await?;
    Ok(stopped.rows_affected > 0)
}

/// Sends through the inbox again; false when there is no such inbox.
pub async fn resume(tx: &impl ConnectionTrait, id: i64) -> StoreResult<bool> {
    let resumed = inbox::Entity::update_many()
        .col_expr(inbox::Column::StoppedAt, Expr::value(Option::<DateTime<Utc>>::None))
        .col_expr(inbox::Column::StoppedWhy, Expr::value(Option::<String>::None))
        .filter(inbox::Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(resumed.rows_affected > 0)
}

/// Replaces the encrypted credentials, with the address that they are sent to.
pub async fn replace(
    tx: &impl ConnectionTrait,
    id: i64,
    sealed: &str,
    (base_url, public_only): (Option<String>, bool),
    now: DateTime<Utc>,
) -> StoreResult<()> {
    inbox::Entity::update_many()
        .col_expr(inbox::Column::Credentials, Expr::value(sealed))
        .col_expr(inbox::Column::BaseUrl, Expr::value(base_url))
        .col_expr(inbox::Column::PublicOnly, Expr::value(public_only))
        .col_expr(inbox::Column::UpdatedAt, Expr::value(now))
        .filter(inbox::Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(())
}

/// Why the inbox is stopped; `None` when it is not.
pub async fn stopped_why(db: &impl ConnectionTrait, id: i64) -> StoreResult<Option<String>> {
    let row = inbox::Entity::find_by_id(id).one(db).await?;
    Ok(row.filter(|row| row.stopped_at.is_some()).map(|row| row.stopped_why.unwrap_or_default()))
}
