//! Units: the places of a business.

use chrono::{DateTime, Utc};
use lembra_entities::{inbox, unit};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    QueryOrder,
};

use super::error::StoreResult;
use super::rowset::query;

pub async fn add(
    db: &impl ConnectionTrait,
    account_id: i64,
    name: &str,
    now: DateTime<Utc>,
) -> StoreResult<unit::Model> {
    let row = unit::ActiveModel {
        account_id: Set(account_id),
        name: Set(name.to_owned()),
        created_at: Set(now),
        updated_at: Set(now),
        ..Default::default()
    };
    Ok(row.insert(db).await?)
}

pub async fn list(db: &impl ConnectionTrait, account_id: i64) -> StoreResult<Vec<unit::Model>> {
    Ok(unit::Entity::find()
        .filter(unit::Column::AccountId.eq(account_id))
        .order_by_asc(unit::Column::Id)
        .all(db)
        .await?)
}

/// A unit of an account.
pub async fn find(
    db: &impl ConnectionTrait,
    account_id: i64,
    id: i64,
) -> StoreResult<Option<unit::Model>> {
    Ok(unit::Entity::find_by_id(id).filter(unit::Column::AccountId.eq(account_id)).one(db).await?)
}

/// Gives a unit another name; false when the account has no such unit.
pub async fn rename(
    db: &impl ConnectionTrait,
    account_id: i64,
    id: i64,
    name: &str,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let renamed = unit::Entity::update_many()
        .col_expr(unit::Column::Name, Expr::value(name))
        .col_expr(unit::Column::UpdatedAt, Expr::value(now))
        .filter(unit::Column::AccountId.eq(account_id))
        .filter(unit::Column::Id.eq(id))
        .exec(db)
        .await?;
    Ok(renamed.rows_affected == 1)
}

/// Puts an inbox into a unit of its own account, or out of any; false when they do not fit.
pub async fn assign(
    db: &impl ConnectionTrait,
    inbox_id: i64,
    unit_id: Option<i64>,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let mut change = inbox::Entity::update_many()
        .col_expr(inbox::Column::UnitId, Expr::value(unit_id))
        .col_expr(inbox::Column::UpdatedAt, Expr::value(now))
        .filter(inbox::Column::Id.eq(inbox_id));
    if let Some(id) = unit_id {
        let Some(unit) = unit::Entity::find_by_id(id).one(db).await? else {
            return Ok(false);
        };
        change = change.filter(inbox::Column::AccountId.eq(unit.account_id));
    }
    Ok(change.exec(db).await?.rows_affected == 1)
}

/// The unit of a conversation: its own, or that of its inbox.
pub async fn of_conversation(
    db: &impl ConnectionTrait,
    conversation_id: i64,
) -> StoreResult<Option<i64>> {
    let sql = "SELECT COALESCE(conversations.captain_unit_id, inboxes.unit_id) AS unit_id \
               FROM conversations LEFT JOIN inboxes ON inboxes.id = conversations.inbox_id \
               WHERE conversations.id = $1";
    let rows = query(db, sql.to_owned(), vec![conversation_id.into()]).await?;
    match rows.first() {
        Some(row) => Ok(row.try_get("", "unit_id")?),
        None => Ok(None),
    }
}
