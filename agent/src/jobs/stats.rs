//! How the ledger stands, for metrics, `doctor` and operators.

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};

use super::queue::Queue;
use crate::store::error::StoreResult;

/// One queue of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueStats {
    pub queue: &'static str,
    pub pending: i64,
    pub queued: i64,
    pub running: i64,
    pub dead: i64,
    /// Seconds since the oldest waiting job became due.
    pub oldest_due_secs: i64,
}

/// All queues. The counts are of unfinished and dead rows only, which indexes hold apart.
pub async fn read(db: &DatabaseConnection, now: DateTime<Utc>) -> StoreResult<Vec<QueueStats>> {
    let backend = db.get_database_backend();
    let mut stats = Vec::new();
    for queue in Queue::ALL {
        let mut counts = [0_i64; 4];
        let states = ["pending", "queued", "running", "dead"];
        for (count, state) in counts.iter_mut().zip(states) {
            let sql =
                format!("SELECT count(*) AS n FROM jobs WHERE state = '{state}' AND queue = $1");
            let values = [queue.as_str().into()];
            let statement = Statement::from_sql_and_values(backend, sql, values);
            if let Some(row) = db.query_one_raw(statement).await? {
                *count = row.try_get("", "n")?;
            }
        }
        let sql = "SELECT run_at FROM jobs WHERE state IN ('pending', 'queued') AND queue = $1 ORDER BY run_at LIMIT 1";
        let statement = Statement::from_sql_and_values(backend, sql, [queue.as_str().into()]);
        let oldest: Option<DateTime<Utc>> = match db.query_one_raw(statement).await? {
            Some(row) => Some(row.try_get("", "run_at")?),
            None => None,
        };
        let oldest_due_secs = oldest.map_or(0, |due| (now - due).num_seconds().max(0));
        let [pending, queued, running, dead] = counts;
        let queue = queue.as_str();
        stats.push(QueueStats { queue, pending, queued, running, dead, oldest_due_secs });
    }
    Ok(stats)
}
