//! Statuses that came before the message that they are about was known by its provider's id. They
//! wait here until it is, or until they are too old to be anybody's.

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::{early_status, message};
use sea_orm::sea_query::{Expr, ExprTrait, Query};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};

use super::error::StoreResult;
use crate::domain::message::DeliveryUpdate;

/// Other programs may send through the same number; what nobody claims for so long is theirs.
pub const LONGEST_WAIT: TimeDelta = TimeDelta::hours(1);
/// Rows per pass.
const PAGE: u64 = 500;

/// Keeps a status that no message has.
pub async fn keep(
    tx: &impl ConnectionTrait,
    inbox_id: i64,
    status: &DeliveryUpdate,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let row = early_status::ActiveModel {
        inbox_id: Set(inbox_id),
        provider_message_id: Set(status.message_id.clone()),
        status: Set(serde_json::to_value(status).unwrap_or_default()),
        created_at: Set(now),
        ..Default::default()
    };
    early_status::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// A status that waits.
#[derive(Debug, Clone)]
pub struct Early {
    pub id: i64,
    pub inbox_id: i64,
    /// `None` for a row of another version that cannot be read.
    pub status: Option<DeliveryUpdate>,
}

impl From<early_status::Model> for Early {
    fn from(row: early_status::Model) -> Self {
        let status = serde_json::from_value(row.status).ok();
        Self { id: row.id, inbox_id: row.inbox_id, status }
    }
}

/// What waits for one message, in the order in which it came.
pub async fn of_message(
    tx: &impl ConnectionTrait,
    inbox_id: i64,
    provider_message_id: &str,
) -> StoreResult<Vec<Early>> {
    let rows = early_status::Entity::find()
        .filter(early_status::Column::InboxId.eq(inbox_id))
        .filter(early_status::Column::ProviderMessageId.eq(provider_message_id))
        .order_by_asc(early_status::Column::Id)
        .all(tx)
        .await?;
    Ok(rows.into_iter().map(Early::from).collect())
}

/// What waits for messages that are known by now.
pub async fn of_known_messages(db: &impl ConnectionTrait) -> StoreResult<Vec<Early>> {
    // Correlated on both columns of the unique index: one look per waiting status.
    let same =
        |theirs, own| Expr::col((message::Entity, theirs)).equals((early_status::Entity, own));
    let known = Query::select()
        .expr(Expr::val(1))
        .from(message::Entity)
        .and_where(same(message::Column::InboxId, early_status::Column::InboxId))
        .and_where(same(
            message::Column::ProviderMessageId,
            early_status::Column::ProviderMessageId,
        ))
        .to_owned();
    let rows = early_status::Entity::find()
        .filter(Expr::exists(known))
        .order_by_asc(early_status::Column::Id)
        .limit(PAGE)
        .all(db)
        .await?;
    Ok(rows.into_iter().map(Early::from).collect())
}

pub async fn remove(tx: &impl ConnectionTrait, id: i64) -> StoreResult<()> {
    early_status::Entity::delete_by_id(id).exec(tx).await?;
    Ok(())
}

/// Removes those that nobody claimed in time.
pub async fn remove_unclaimed(db: &impl ConnectionTrait, now: DateTime<Utc>) -> StoreResult<u64> {
    let removed = early_status::Entity::delete_many()
        .filter(early_status::Column::CreatedAt.lt(now - LONGEST_WAIT))
        .exec(db)
        .await?;
    Ok(removed.rows_affected)
}
