//! Deleting what the installation does not keep: raw webhook bodies, transcripts of turns, calls of
//! tools, failures, browsers that nobody uses any more, and finished jobs.

use chrono::{DateTime, Utc};
use sea_orm::ConnectionTrait;
use sea_orm::{DatabaseConnection, Statement};

use super::error::StoreResult;
use super::rowset::{execute, query};

/// Rows per statement: short locks.
const PAGE: i64 = 1_000;

/// What one pass removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Removed {
    pub webhook_events: u64,
    pub transcripts: u64,
    pub tool_calls: u64,
    pub jobs: u64,
}

/// Removes buckets of figures from before that instant; answers how many.
pub async fn remove_buckets(db: &DatabaseConnection, before: DateTime<Utc>) -> StoreResult<u64> {
    let sql = "DELETE FROM stats_buckets WHERE bucket_start < $1";
    let values = [before.into()];
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    Ok(db.execute_raw(statement).await?.rows_affected())
}

/// Removes what is older than `before`, page by page.
pub async fn remove_older(db: &DatabaseConnection, before: DateTime<Utc>) -> StoreResult<Removed> {
    let events = "DELETE FROM webhook_events WHERE id IN \
                  (SELECT id FROM webhook_events WHERE created_at < $1 LIMIT $2)";
    let transcripts = "UPDATE turns SET transcript = NULL, record = NULL WHERE id IN \
                       (SELECT id FROM turns WHERE (transcript IS NOT NULL OR record IS NOT NULL) \
                        AND finished_at < $1 LIMIT $2)";
    let calls = "DELETE FROM tool_calls WHERE id IN \
                 (SELECT id FROM tool_calls WHERE begun_at < $1 AND settled_at IS NOT NULL LIMIT $2)";
    let details = "UPDATE handoffs SET detail = NULL WHERE id IN \
                   (SELECT id FROM handoffs WHERE detail IS NOT NULL AND closed_at < $1 LIMIT $2)";
    let failures = "DELETE FROM dashboard_errors WHERE id IN \
                    (SELECT id FROM dashboard_errors WHERE created_at < $1 LIMIT $2)";
    let sessions = "DELETE FROM operator_sessions WHERE id IN \
                    (SELECT id FROM operator_sessions WHERE last_seen_at < $1 LIMIT $2)";
    in_pages(db, sessions, before).await?;
    in_pages(db, details, before).await?;
    in_pages(db, failures, before).await?;
    Ok(Removed {
        webhook_events: in_pages(db, events, before).await?,
        transcripts: in_pages(db, transcripts, before).await?,
        tool_calls: in_pages(db, calls, before).await?,
        jobs: finished_jobs(db, before).await?,
    })
}

/// Done jobs and those that were laid aside. Dead ones stay until a person has seen them.
async fn finished_jobs(db: &DatabaseConnection, before: DateTime<Utc>) -> StoreResult<u64> {
    let mut total = 0;
    for state in ["done", "cancelled"] {
        // Their index begins with the queue: from one that there is to the next.
        let next =
            format!("SELECT min(queue) AS queue FROM jobs WHERE state = '{state}' AND queue > $1");
        let delete = format!(
            "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE state = '{state}' \
             AND queue = $3 AND finished_at < $1 ORDER BY finished_at LIMIT $2)"
        );
        let mut last = String::new();
        loop {
            let found = query(db, next.clone(), vec![last.as_str().into()]).await?;
            let Some(row) = found.first() else { break };
            let Some(queue) = row.try_get::<Option<String>>("", "queue")? else { break };
            loop {
                let values = vec![before.into(), PAGE.into(), queue.as_str().into()];
                let changed = execute(db, delete.clone(), values).await?;
                total += changed;
                if changed < PAGE.unsigned_abs() {
                    break;
                }
            }
            last = queue;
        }
    }
    Ok(total)
}

async fn in_pages(db: &DatabaseConnection, sql: &str, before: DateTime<Utc>) -> StoreResult<u64> {
    let mut total = 0;
    loop {
        let values = [before.into(), PAGE.into()];
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
        let changed = db.execute_raw(statement).await?.rows_affected();
        total += changed;
        if changed < PAGE.unsigned_abs() {
            return Ok(total);
        }
    }
}
