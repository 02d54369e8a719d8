//! Outbound messages that failed or stayed unclear, and what operators made of them.

use chrono::{DateTime, Utc};
use lembra_entities::message;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};

use crate::domain::conversation::Delivery;
use crate::store::StoreResult;
use crate::store::rowset::query;

/// The later parts of the message's answer that were not sent because of it.
pub async fn cancelled_behind(
    tx: &impl ConnectionTrait,
    row: &message::Model,
) -> StoreResult<Vec<message::Model>> {
    let Some(turn_id) = row.turn_id else {
        return Ok(Vec::new());
    };
    Ok(message::Entity::find()
        .filter(message::Column::ConversationId.eq(row.conversation_id))
        .filter(message::Column::TurnId.eq(turn_id))
        .filter(message::Column::Id.gt(row.id))
        .filter(message::Column::Delivery.eq(Delivery::Cancelled.as_str()))
        .filter(message::Column::AttendedAt.is_null())
        .order_by_asc(message::Column::Id)
        .all(tx)
        .await?)
}

/// Somebody dealt with these: `resent`, `not_sent` or `seen`.
pub async fn attend(
    tx: &impl ConnectionTrait,
    ids: &[i64],
    how: &str,
    by: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    message::Entity::update_many()
        .col_expr(message::Column::AttendedAs, Expr::value(how))
        .col_expr(message::Column::AttendedBy, Expr::value(by))
        .col_expr(message::Column::AttendedAt, Expr::value(now))
        .col_expr(message::Column::UpdatedAt, Expr::value(now))
        .filter(message::Column::Id.is_in(ids.iter().copied()))
        .exec(tx)
        .await?;
    Ok(())
}

/// An unclear message was not sent; a status that comes late is not believed any more.
pub async fn mark_not_sent(
    tx: &impl ConnectionTrait,
    id: i64,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    message::Entity::update_many()
        .col_expr(message::Column::Delivery, Expr::value(Delivery::Failed.as_str()))
        .col_expr(message::Column::UpdatedAt, Expr::value(now))
        .filter(message::Column::Id.eq(id))
        .filter(message::Column::Delivery.eq(Delivery::Unknown.as_str()))
        .exec(tx)
        .await?;
    Ok(())
}

/// Whether a message of the conversation still needs somebody.
pub async fn any_left(
    tx: &impl ConnectionTrait,
    account_id: i64,
    conversation_id: i64,
) -> StoreResult<bool> {
    let sql = "SELECT 1 FROM messages WHERE account_id = $1 AND conversation_id = $2 \
               AND delivery IN ('failed', 'unknown') AND attended_at IS NULL LIMIT 1";
    let values = vec![account_id.into(), conversation_id.into()];
    Ok(!query(tx, sql.to_owned(), values).await?.is_empty())
}
