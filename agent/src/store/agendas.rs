//! Agendas, as rows; `services::agenda` opens their tokens.

use chrono::{DateTime, Utc};
use lembra_entities::agenda;
use sea_orm::{ConnectionTrait, EntityTrait, QueryOrder};

use super::error::StoreResult;
use super::rowset::execute;

/// The account's agenda is here from now on; `token` is encrypted already.
pub async fn set(
    db: &impl ConnectionTrait,
    account_id: i64,
    base_url: &str,
    token: Option<String>,
    public_only: bool,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let sql = "INSERT INTO agendas \
               (account_id, base_url, token, public_only, created_at, updated_at) \
               VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (account_id) DO UPDATE SET \
               base_url = excluded.base_url, token = excluded.token, \
               public_only = excluded.public_only, updated_at = excluded.updated_at";
    let values =
        vec![account_id.into(), base_url.into(), token.into(), public_only.into(), now.into()];
    execute(db, sql.to_owned(), values).await?;
    Ok(())
}

pub async fn find(
    db: &impl ConnectionTrait,
    account_id: i64,
) -> StoreResult<Option<agenda::Model>> {
    Ok(agenda::Entity::find_by_id(account_id).one(db).await?)
}

pub async fn list(db: &impl ConnectionTrait) -> StoreResult<Vec<agenda::Model>> {
    Ok(agenda::Entity::find().order_by_asc(agenda::Column::AccountId).all(db).await?)
}

/// The account has no agenda any more; false when it had none.
pub async fn remove(db: &impl ConnectionTrait, account_id: i64) -> StoreResult<bool> {
    Ok(agenda::Entity::delete_by_id(account_id).exec(db).await?.rows_affected > 0)
}
