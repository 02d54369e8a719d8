//! Alerts to operators.

use chrono::{DateTime, Utc};
use lembra_entities::operator_alert;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect,
};

use super::conversations::Place;
use super::error::StoreResult;

/// Writes an alert about a message.
pub async fn add(
    tx: &impl ConnectionTrait,
    place: Place,
    conversation_id: i64,
    message_id: i64,
    kind: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let row = operator_alert::ActiveModel {
        account_id: Set(place.account_id),
        conversation_id: Set(conversation_id),
        message_id: Set(Some(message_id)),
        kind: Set(kind.to_owned()),
        created_at: Set(now),
        seen_at: Set(None),
        ..Default::default()
    };
    row.insert(tx).await?;
    Ok(())
}

/// Alerts that nobody put aside, oldest first, of one account or of all; at most 200.
pub async fn unseen(
    db: &impl ConnectionTrait,
    account_id: Option<i64>,
) -> StoreResult<Vec<operator_alert::Model>> {
    let mut alerts = operator_alert::Entity::find()
        .filter(Expr::cust("seen_at IS NULL"))
        .order_by_asc(operator_alert::Column::Id)
        .limit(200);
    if let Some(account_id) = account_id {
        alerts = alerts.filter(operator_alert::Column::AccountId.eq(account_id));
    }
    Ok(alerts.all(db).await?)
}

/// Puts an alert aside; false when it is not there or was put aside before.
pub async fn see(db: &impl ConnectionTrait, id: i64, now: DateTime<Utc>) -> StoreResult<bool> {
    let seen = operator_alert::Entity::update_many()
        .col_expr(operator_alert::Column::SeenAt, Expr::value(now))
        .filter(operator_alert::Column::Id.eq(id))
        .filter(Expr::cust("seen_at IS NULL"))
        .exec(db)
        .await?;
    Ok(seen.rows_affected == 1)
}
