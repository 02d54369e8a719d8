//! Operators.

use chrono::{DateTime, Utc};
use lembra_entities::operator;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
};

use super::error::StoreResult;
use crate::domain::access::Role;

/// Somebody who is to work in the browser.
#[derive(Debug, Clone)]
pub struct NewOperator {
    pub account_id: i64,
    /// What they sign in with.
    pub email: String,
    /// What colleagues call them; may be empty.
    pub name: String,
    pub role: Role,
    /// May do what concerns every account.
    pub runs_instance: bool,
}

pub async fn add(
    db: &impl ConnectionTrait,
    new: NewOperator,
    password_hash: String,
    now: DateTime<Utc>,
) -> StoreResult<operator::Model> {
    let row = operator::ActiveModel {
        account_id: Set(new.account_id),
        email: Set(new.email.trim().to_lowercase()),
        name: Set(new.name),
        role: Set(new.role.as_str().to_owned()),
        runs_instance: Set(new.runs_instance),
        password_hash: Set(password_hash),
        created_at: Set(now),
        updated_at: Set(now),
        ..Default::default()
    };
    Ok(row.insert(db).await?)
}

pub async fn by_email(
    db: &impl ConnectionTrait,
    email: &str,
) -> StoreResult<Option<operator::Model>> {
    let filter = operator::Column::Email.eq(email.trim().to_lowercase());
    Ok(operator::Entity::find().filter(filter).one(db).await?)
}

pub async fn set_password(
    db: &impl ConnectionTrait,
    id: i64,
    password_hash: String,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    operator::Entity::update_many()
        .col_expr(operator::Column::PasswordHash, Expr::value(password_hash))
        .col_expr(operator::Column::UpdatedAt, Expr::value(now))
        .filter(operator::Column::Id.eq(id))
        .exec(db)
        .await?;
    Ok(())
}
