//! Accounts.

use chrono::{DateTime, Utc};
use lembra_entities::account;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ConnectionTrait, EntityTrait, QueryOrder};

use super::error::StoreResult;

/// Makes an account with the defaults of a Brazilian business.
pub async fn add(
    db: &impl ConnectionTrait,
    name: &str,
    now: DateTime<Utc>,
) -> StoreResult<account::Model> {
    let row = account::ActiveModel {
        name: Set(name.to_owned()),
        locale: Set("pt-BR".to_owned()),
        timezone: Set("America/Sao_Paulo".to_owned()),
        assistant_name: Set("mel".to_owned()),
        bot_paused: Set(false),
        debounce_ms: Set(None),
        created_at: Set(now),
        updated_at: Set(now),
        ..Default::default()
    };
    Ok(row.insert(db).await?)
}

pub async fn find(db: &impl ConnectionTrait, id: i64) -> StoreResult<Option<account::Model>> {
    Ok(account::Entity::find_by_id(id).one(db).await?)
}

pub async fn list(db: &impl ConnectionTrait) -> StoreResult<Vec<account::Model>> {
    Ok(account::Entity::find().order_by_asc(account::Column::Id).all(db).await?)
}
