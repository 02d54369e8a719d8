//! What an operator does with jobs.

use chrono::{DateTime, Utc};
use lembra_entities::job;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, DatabaseConnection, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value,
};
use uuid::Uuid;

use super::state;
use crate::store::error::StoreResult;

/// The newest jobs in a state.
pub async fn list(db: &DatabaseConnection, state: &str, most: u64) -> StoreResult<Vec<job::Model>> {
    Ok(job::Entity::find()
        .filter(job::Column::State.eq(state))
        .order_by_desc(job::Column::Id)
        .limit(most)
        .all(db)
        .await?)
}

/// Gives a dead job new tries; false when it is not dead.
pub async fn retry(db: &DatabaseConnection, id: Uuid, now: DateTime<Utc>) -> StoreResult<bool> {
    let changed = job::Entity::update_many()
        .col_expr(job::Column::State, Expr::value(state::PENDING))
        .col_expr(job::Column::Attempts, Expr::value(0))
        .col_expr(job::Column::RunAt, Expr::value(now))
        .col_expr(job::Column::FinishedAt, Expr::value(Value::ChronoDateTimeUtc(None)))
        .filter(job::Column::Id.eq(id))
        .filter(job::Column::State.eq(state::DEAD))
        .exec(db)
        .await?;
    Ok(changed.rows_affected == 1)
}

/// Lays a dead job aside; false when it is not dead.
pub async fn discard(db: &DatabaseConnection, id: Uuid) -> StoreResult<bool> {
    let changed = job::Entity::update_many()
        .col_expr(job::Column::State, Expr::value(state::CANCELLED))
        .filter(job::Column::Id.eq(id))
        .filter(job::Column::State.eq(state::DEAD))
        .exec(db)
        .await?;
    Ok(changed.rows_affected == 1)
}
