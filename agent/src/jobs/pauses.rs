//! Queues that a person stopped. No job of one is taken from the moment that this is written, in
//! whichever process; what runs goes on to its end, and what waits goes on waiting.

use chrono::{DateTime, Utc};
use lembra_entities::queue_pause;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ConnectionTrait, DatabaseConnection, EntityTrait};
use serde::Serialize;
use utoipa::ToSchema;

use super::queue::Queue;
use crate::store::db::{begin, skip_locked};
use crate::store::error::StoreResult;
use crate::store::rowset::execute;

/// Part of the claim and of the relay: the row's queue is not stopped. Tickets of one that was
/// stopped a moment ago lead to no claim. The table has a row per stopped queue, so
/// that mostly there is nothing to look at.
pub(super) const NOT_PAUSED: &str =
    "NOT EXISTS (SELECT 1 FROM queue_pauses WHERE queue_pauses.queue = jobs.queue)";

/// Since when a queue is stopped, and by whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Pause {
    pub queue: String,
    pub paused_at: DateTime<Utc>,
    /// `operator:3`, `token:7` or `cli`.
    pub paused_by: String,
}

/// All stopped queues.
pub async fn all(db: &impl ConnectionTrait) -> StoreResult<Vec<Pause>> {
    let rows = queue_pause::Entity::find().all(db).await?;
    let pause = |row: queue_pause::Model| Pause {
        queue: row.queue,
        paused_at: row.paused_at,
        paused_by: row.paused_by,
    };
    Ok(rows.into_iter().map(pause).collect())
}

/// Stops a queue; false when it was stopped already.
pub async fn pause(
    db: &DatabaseConnection,
    queue: Queue,
    by: &str,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let tx = begin(db).await?;
    let row = queue_pause::ActiveModel {
        queue: Set(queue.as_str().to_owned()),
        paused_at: Set(now),
        paused_by: Set(by.to_owned()),
    };
    let there = OnConflict::column(queue_pause::Column::Queue).do_nothing().to_owned();
    let written = queue_pause::Entity::insert(row).on_conflict(there);
    let written = written.exec_without_returning(&tx).await? == 1;
    take_tickets_back(&tx, queue).await?;
    tx.commit().await?;
    Ok(written)
}

/// Lets a queue go on; false when it was not stopped. The caller rings for it.
pub async fn resume(db: &DatabaseConnection, queue: Queue) -> StoreResult<bool> {
    let tx = begin(db).await?;
    let deleted = queue_pause::Entity::delete_by_id(queue.as_str()).exec(&tx).await?;
    take_tickets_back(&tx, queue).await?;
    tx.commit().await?;
    Ok(deleted.rows_affected == 1)
}

/// Rows whose tickets lead to nothing wait for new ones. Those that somebody holds right now are
/// found when their tickets count as lost.
async fn take_tickets_back(tx: &impl ConnectionTrait, queue: Queue) -> StoreResult<()> {
    let lock = skip_locked(tx);
    let sql = format!(
        "UPDATE jobs SET state = 'pending' WHERE state = 'queued' AND id IN \
         (SELECT id FROM jobs WHERE state = 'queued' AND queue = $1 ORDER BY queued_at {lock})"
    );
    execute(tx, sql, vec![queue.as_str().into()]).await?;
    Ok(())
}
