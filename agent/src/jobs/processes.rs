//! Processes that run jobs: each writes a sign of life every [`BEAT_EVERY`], with what its workers
//! went through. What it runs right now is in the ledger.

use std::collections::HashMap;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::worker_process;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, DatabaseConnection, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::journal::ProcessJournal;
use crate::store::error::StoreResult;
use crate::store::rowset::query;

/// How often a process says that it lives.
pub const BEAT_EVERY: Duration = Duration::from_secs(10);
/// Without a sign for that long it is late, and for that long it is taken for gone.
const LATE_AFTER: TimeDelta = TimeDelta::seconds(25);
const GONE_AFTER: TimeDelta = TimeDelta::seconds(60);
/// Processes without a sign of life for longer are forgotten.
pub const KEPT: TimeDelta = TimeDelta::hours(24);
/// Processes that are listed, and running jobs that are counted.
const MOST: u64 = 100;
const MOST_RUNNING: u64 = 10_000;

/// The worker of one queue in a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QueueWorker {
    pub queue: String,
    /// Jobs at a time.
    pub concurrency: usize,
    /// How often it died and was started again.
    #[serde(default)]
    pub restarts: u64,
    #[serde(default)]
    pub last_restart_at: Option<DateTime<Utc>>,
    /// What it died of.
    #[serde(default)]
    pub last_restart_why: Option<String>,
    /// Jobs that it runs now.
    #[serde(default)]
    pub running: i64,
}

/// How sure it is that a process lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    Alive,
    /// A sign of life is missing.
    Late,
    /// It died, or cannot reach the database.
    Gone,
    /// It was asked to stop, and did.
    Stopped,
}

impl Health {
    pub fn as_str(self) -> &'static str {
        match self {
            Health::Alive => "alive",
            Health::Late => "late",
            Health::Gone => "gone",
            Health::Stopped => "stopped",
        }
    }
}

/// A process with workers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct WorkerProcess {
    /// The name under which it claims jobs.
    pub name: String,
    pub host: String,
    /// `standalone` or `production`.
    pub mode: String,
    pub version: String,
    pub health: Health,
    pub queues: Vec<QueueWorker>,
    /// Jobs that it runs now, in all queues.
    pub running: i64,
    /// Workers that died and were started again, in all queues.
    pub restarts: u64,
    pub started_at: DateTime<Utc>,
    pub seen_at: DateTime<Utc>,
    pub stopped_at: Option<DateTime<Utc>>,
}

/// What a process says of itself.
#[derive(Debug, Clone)]
pub struct Beat {
    pub name: String,
    pub host: String,
    pub mode: &'static str,
    pub version: &'static str,
    pub queues: Vec<QueueWorker>,
    pub started_at: DateTime<Utc>,
    /// It stops now.
    pub stopped: bool,
}

/// Writes a sign of life.
pub async fn beat(db: &DatabaseConnection, beat: Beat, now: DateTime<Utc>) -> StoreResult<()> {
    use worker_process::Column;
    let row = worker_process::ActiveModel {
        name: Set(beat.name),
        host: Set(beat.host),
        mode: Set(beat.mode.to_owned()),
        version: Set(beat.version.to_owned()),
        queues: Set(serde_json::to_value(beat.queues).unwrap_or_default()),
        started_at: Set(beat.started_at),
        seen_at: Set(now),
        stopped_at: Set(beat.stopped.then_some(now)),
    };
    let again = OnConflict::column(Column::Name)
        .update_columns([Column::Queues, Column::SeenAt, Column::StoppedAt])
        .to_owned();
    worker_process::Entity::insert(row).on_conflict(again).exec_without_returning(db).await?;
    Ok(())
}

/// Processes of the last day, those seen last first. Of one on this machine the journal may know
/// that it is dead before its signs are missed.
pub async fn list(
    db: &DatabaseConnection,
    journal: &ProcessJournal,
    now: DateTime<Utc>,
) -> StoreResult<Vec<WorkerProcess>> {
    let rows = worker_process::Entity::find()
        .filter(worker_process::Column::SeenAt.gte(now - KEPT))
        .order_by_desc(worker_process::Column::SeenAt)
        .order_by_desc(worker_process::Column::Name)
        .limit(MOST)
        .all(db)
        .await?;
    let running = running(db).await?;
    let process = |row: worker_process::Model| {
        let mut queues: Vec<QueueWorker> = serde_json::from_value(row.queues).unwrap_or_default();
        for of_queue in &mut queues {
            let key = (row.name.clone(), of_queue.queue.clone());
            of_queue.running = running.get(&key).copied().unwrap_or_default();
        }
        let dead = row.stopped_at.is_none() && journal.has_ended(&row.name);
        WorkerProcess {
            health: health(row.stopped_at.is_some(), dead, now - row.seen_at),
            running: queues.iter().map(|of_queue| of_queue.running).sum(),
            restarts: queues.iter().map(|of_queue| of_queue.restarts).sum(),
            name: row.name,
            host: row.host,
            mode: row.mode,
            version: row.version,
            queues,
            started_at: row.started_at,
            seen_at: row.seen_at,
            stopped_at: row.stopped_at,
        }
    };
    Ok(rows.into_iter().map(process).collect())
}

fn health(stopped: bool, dead: bool, silence: TimeDelta) -> Health {
    match silence {
        _ if stopped => Health::Stopped,
        _ if dead => Health::Gone,
        silence if silence <= LATE_AFTER => Health::Alive,
        silence if silence <= GONE_AFTER => Health::Late,
        _ => Health::Gone,
    }
}

/// Running jobs by process and queue.
async fn running(db: &DatabaseConnection) -> StoreResult<HashMap<(String, String), i64>> {
    let sql = format!(
        "SELECT worker, queue, count(*) AS n FROM (SELECT worker, queue FROM jobs \
         WHERE state = 'running' AND worker IS NOT NULL ORDER BY lease_until LIMIT {MOST_RUNNING}) \
         AS part GROUP BY worker, queue"
    );
    let mut counts = HashMap::new();
    for row in query(db, sql, Vec::new()).await? {
        let key = (row.try_get("", "worker")?, row.try_get("", "queue")?);
        counts.insert(key, row.try_get("", "n")?);
    }
    Ok(counts)
}

/// Forgets processes whose last sign of life is older.
pub async fn forget_before(db: &DatabaseConnection, before: DateTime<Utc>) -> StoreResult<u64> {
    let deleted = worker_process::Entity::delete_many()
        .filter(worker_process::Column::SeenAt.lt(before))
        .exec(db)
        .await?;
    Ok(deleted.rows_affected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_process_is_late_and_then_gone() {
        let seconds = TimeDelta::seconds;
        assert_eq!(health(false, false, seconds(12)), Health::Alive);
        assert_eq!(health(false, false, seconds(30)), Health::Late);
        assert_eq!(health(false, false, seconds(61)), Health::Gone);
        assert_eq!(health(false, true, seconds(1)), Health::Gone);
        assert_eq!(health(true, false, seconds(900)), Health::Stopped);
    }
}
