//! Browsers in which operators are signed in, by the hash of their tokens.

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::{operator, operator_session as session};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait,
    QueryFilter, QueryOrder,
};

use super::error::StoreResult;

/// How exactly the last sight is kept: not every request writes.
const SEEN_EVERY: TimeDelta = TimeDelta::minutes(1);
/// A session that nobody used for that long is over.
pub const IDLE: TimeDelta = TimeDelta::days(7);

pub async fn add(
    db: &impl ConnectionTrait,
    operator_id: i64,
    token_hash: String,
    device: String,
    address: String,
    now: DateTime<Utc>,
) -> StoreResult<session::Model> {
    let row = session::ActiveModel {
        operator_id: Set(operator_id),
        token_hash: Set(token_hash),
        device: Set(device),
        address: Set(address),
        created_at: Set(now),
        last_seen_at: Set(now),
        ..Default::default()
    };
    Ok(row.insert(db).await?)
}

fn standing(now: DateTime<Utc>) -> Condition {
    Condition::all()
        .add(session::Column::EndedAt.is_null())
        .add(session::Column::LastSeenAt.gt(now - IDLE))
}

/// The session with this hash and its operator, while both stand.
pub async fn find(
    db: &impl ConnectionTrait,
    token_hash: &str,
    now: DateTime<Utc>,
) -> StoreResult<Option<(session::Model, operator::Model)>> {
    let filter = standing(now).add(session::Column::TokenHash.eq(token_hash));
    let Some(row) = session::Entity::find().filter(filter).one(db).await? else {
        return Ok(None);
    };
    let operator = operator::Entity::find_by_id(row.operator_id)
        .filter(operator::Column::DisabledAt.is_null())
        .one(db)
        .await?;
    Ok(operator.map(|operator| (row, operator)))
}

/// The session was used.
pub async fn seen(db: &impl ConnectionTrait, id: i64, now: DateTime<Utc>) -> StoreResult<()> {
    session::Entity::update_many()
        .col_expr(session::Column::LastSeenAt, Expr::value(now))
        .filter(session::Column::Id.eq(id))
        .filter(session::Column::LastSeenAt.lt(now - SEEN_EVERY))
        .exec(db)
        .await?;
    Ok(())
}

/// An operator's standing sessions, the last used first.
pub async fn list(
    db: &impl ConnectionTrait,
    operator_id: i64,
    now: DateTime<Utc>,
) -> StoreResult<Vec<session::Model>> {
    let filter = standing(now).add(session::Column::OperatorId.eq(operator_id));
    Ok(session::Entity::find()
        .filter(filter)
        .order_by_desc(session::Column::LastSeenAt)
        .all(db)
        .await?)
}

/// Ends one session of an operator; false when there is none that stands.
pub async fn end(
    db: &impl ConnectionTrait,
    operator_id: i64,
    id: i64,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let filter = standing(now)
        .add(session::Column::OperatorId.eq(operator_id))
        .add(session::Column::Id.eq(id));
    Ok(end_where(db, filter, now).await? == 1)
}

/// Ends all sessions of an operator but `kept`; answers how many.
pub async fn end_all(
    db: &impl ConnectionTrait,
    operator_id: i64,
    kept: Option<i64>,
    now: DateTime<Utc>,
) -> StoreResult<u64> {
    let mut filter = standing(now).add(session::Column::OperatorId.eq(operator_id));
    if let Some(kept) = kept {
        filter = filter.add(session::Column::Id.ne(kept));
    }
    end_where(db, filter, now).await
}

async fn end_where(
    db: &impl ConnectionTrait,
    filter: Condition,
    now: DateTime<Utc>,
) -> StoreResult<u64> {
    let ended = session::Entity::update_many()
        .col_expr(session::Column::EndedAt, Expr::value(now))
        .filter(filter)
        .exec(db)
        .await?;
    Ok(ended.rows_affected)
}
