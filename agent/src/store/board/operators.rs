//! The operators of an account, with what is known of their browsers.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use lembra_entities::{operator, operator_session as session};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::domain::access::Role;
use crate::store::StoreResult;
use crate::store::operator_sessions::IDLE;
use crate::store::rowset::execute;

/// The account's operators by e-mail, disabled ones too.
pub async fn list(db: &impl ConnectionTrait, account_id: i64) -> StoreResult<Vec<operator::Model>> {
    Ok(operator::Entity::find()
        .filter(operator::Column::AccountId.eq(account_id))
        .order_by_asc(operator::Column::Email)
        .all(db)
        .await?)
}

/// An operator of the account.
pub async fn find(
    db: &impl ConnectionTrait,
    account_id: i64,
    id: i64,
) -> StoreResult<Option<operator::Model>> {
    Ok(operator::Entity::find_by_id(id)
        .filter(operator::Column::AccountId.eq(account_id))
        .one(db)
        .await?)
}

/// How many browsers each of these operators is signed in with, and when one was last seen.
pub async fn presence(
    db: &impl ConnectionTrait,
    operators: &[i64],
    now: DateTime<Utc>,
) -> StoreResult<HashMap<i64, (i64, DateTime<Utc>)>> {
    let rows: Vec<(i64, i64, DateTime<Utc>)> = session::Entity::find()
        .select_only()
        .column(session::Column::OperatorId)
        .column_as(session::Column::Id.count(), "sessions")
        .column_as(session::Column::LastSeenAt.max(), "last_seen_at")
        .filter(session::Column::OperatorId.is_in(operators.iter().copied()))
        .filter(session::Column::EndedAt.is_null())
        .filter(session::Column::LastSeenAt.gt(now - IDLE))
        .group_by(session::Column::OperatorId)
        .into_tuple()
        .all(db)
        .await?;
    Ok(rows.into_iter().map(|(id, sessions, seen)| (id, (sessions, seen))).collect())
}

/// Takes the account's row, so that changes to who its administrators are follow one another.
pub async fn take_turn(tx: &impl ConnectionTrait, account_id: i64) -> StoreResult<()> {
    let sql = "UPDATE accounts SET updated_at = updated_at WHERE id = $1";
    execute(tx, sql.to_owned(), vec![account_id.into()]).await?;
    Ok(())
}

/// Writes what an operator is.
pub async fn rewrite(
    tx: &impl ConnectionTrait,
    row: &operator::Model,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    operator::Entity::update_many()
        .col_expr(operator::Column::Name, Expr::value(row.name.as_str()))
        .col_expr(operator::Column::Email, Expr::value(row.email.as_str()))
        .col_expr(operator::Column::Role, Expr::value(row.role.as_str()))
        .col_expr(operator::Column::RunsInstance, Expr::value(row.runs_instance))
        .col_expr(operator::Column::DisabledAt, Expr::value(row.disabled_at))
        .col_expr(operator::Column::UpdatedAt, Expr::value(now))
        .filter(operator::Column::AccountId.eq(row.account_id))
        .filter(operator::Column::Id.eq(row.id))
        .exec(tx)
        .await?;
    Ok(())
}

/// Whether somebody can administer the account.
pub async fn has_admin(tx: &impl ConnectionTrait, account_id: i64) -> StoreResult<bool> {
    let admin = operator::Entity::find()
        .filter(operator::Column::AccountId.eq(account_id))
        .filter(operator::Column::Role.eq(Role::Admin.as_str()))
        .filter(operator::Column::DisabledAt.is_null())
        .one(tx)
        .await?;
    Ok(admin.is_some())
}
