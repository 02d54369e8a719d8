//! Switches of accounts, each with who turned it and when.

use chrono::{DateTime, Utc};
use lembra_entities::account_feature;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};

use super::error::StoreResult;
use super::rowset::execute;

/// The account's switches that were ever turned.
pub async fn of_account(
    db: &impl ConnectionTrait,
    account_id: i64,
) -> StoreResult<Vec<account_feature::Model>> {
    Ok(account_feature::Entity::find()
        .filter(account_feature::Column::AccountId.eq(account_id))
        .order_by_asc(account_feature::Column::Name)
        .all(db)
        .await?)
}

/// The accounts in which a switch is on.
pub async fn accounts_with(db: &impl ConnectionTrait, name: &str) -> StoreResult<Vec<i64>> {
    let rows = account_feature::Entity::find()
        .filter(account_feature::Column::Name.eq(name))
        .filter(account_feature::Column::Enabled.eq(true))
        .order_by_asc(account_feature::Column::AccountId)
        .all(db)
        .await?;
    Ok(rows.into_iter().map(|row| row.account_id).collect())
}

/// Turns a switch.
pub async fn set(
    db: &impl ConnectionTrait,
    account_id: i64,
    name: &str,
    enabled: bool,
    by: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let sql = "INSERT INTO account_features (account_id, name, enabled, changed_by, changed_at) \
               VALUES ($1, $2, $3, $4, $5) ON CONFLICT (account_id, name) DO UPDATE SET \
               enabled = excluded.enabled, changed_by = excluded.changed_by, \
               changed_at = excluded.changed_at";
    let values = vec![account_id.into(), name.into(), enabled.into(), by.into(), now.into()];
    execute(db, sql.to_owned(), values).await?;
    Ok(())
}
