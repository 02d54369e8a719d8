//! Keys to the API, by their hashes.

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::api_token;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait,
    QueryFilter, QueryOrder,
};

use super::error::StoreResult;

/// How exactly the last use is kept: not every request writes.
const USE_EVERY: TimeDelta = TimeDelta::minutes(1);

pub async fn add(
    db: &impl ConnectionTrait,
    account_id: i64,
    name: &str,
    token_hash: String,
    scopes: String,
    now: DateTime<Utc>,
) -> StoreResult<api_token::Model> {
    let row = api_token::ActiveModel {
        account_id: Set(account_id),
        name: Set(name.to_owned()),
        token_hash: Set(token_hash),
        scopes: Set(scopes),
        created_at: Set(now),
        ..Default::default()
    };
    Ok(row.insert(db).await?)
}

/// The token with this hash, unless it was revoked.
pub async fn by_hash(
    db: &impl ConnectionTrait,
    token_hash: &str,
) -> StoreResult<Option<api_token::Model>> {
    Ok(api_token::Entity::find()
        .filter(api_token::Column::TokenHash.eq(token_hash))
        .filter(api_token::Column::RevokedAt.is_null())
        .one(db)
        .await?)
}

/// The token was used.
pub async fn used(db: &impl ConnectionTrait, id: i64, now: DateTime<Utc>) -> StoreResult<()> {
    let column = api_token::Column::LastUsedAt;
    let older = Condition::any().add(column.is_null()).add(column.lt(now - USE_EVERY));
    api_token::Entity::update_many()
        .col_expr(column, Expr::value(now))
        .filter(api_token::Column::Id.eq(id))
        .filter(older)
        .exec(db)
        .await?;
    Ok(())
}

/// The account's tokens, revoked ones too.
pub async fn list(
    db: &impl ConnectionTrait,
    account_id: i64,
) -> StoreResult<Vec<api_token::Model>> {
    Ok(api_token::Entity::find()
        .filter(api_token::Column::AccountId.eq(account_id))
        .order_by_asc(api_token::Column::Id)
        .all(db)
        .await?)
}

/// Ends a token of an account, or of any when none is named; false when there is none that is
/// valid.
pub async fn revoke(
    db: &impl ConnectionTrait,
    account_id: Option<i64>,
    id: i64,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let of = account_id.map(|account_id| api_token::Column::AccountId.eq(account_id));
    let changed = api_token::Entity::update_many()
        .col_expr(api_token::Column::RevokedAt, Expr::value(now))
        .filter(api_token::Column::Id.eq(id))
        .filter(api_token::Column::RevokedAt.is_null())
        .filter(Condition::all().add_option(of))
        .exec(db)
        .await?;
    Ok(changed.rows_affected == 1)
}
