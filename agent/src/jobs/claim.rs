//! Taking a job, keeping it, and proving at commit that it is still one's own.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::job;
use sea_orm::sea_query::{Expr, ExprTrait, Query};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use uuid::Uuid;

use super::attempts::Log;
use super::pauses::NOT_PAUSED;
use super::state;
use crate::store::error::{StoreError, StoreResult};

/// A claim that is not renewed for this long is another worker's to take (DESIGN §4).
pub const LEASE: TimeDelta = TimeDelta::seconds(15);
/// How often a claim is renewed.
pub const RENEW_EVERY: Duration = Duration::from_secs(5);

/// A job that this process holds. `(id, attempt)` is the fence: a later claim has another attempt.
#[derive(Debug, Clone)]
pub struct ClaimedJob {
    pub id: Uuid,
    pub attempt: i32,
    pub max_attempts: i32,
    pub account_id: Option<i64>,
    pub queue: String,
    pub kind: String,
    pub payload: serde_json::Value,
    pub run_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
    /// When this try began, and the process that makes it.
    pub started_at: Option<DateTime<Utc>>,
    pub worker: Option<String>,
    /// The trace of what asked for it, as a W3C traceparent.
    pub trace_context: Option<String>,
    /// What earlier tries came to.
    pub log: Log,
}

impl From<job::Model> for ClaimedJob {
    fn from(row: job::Model) -> Self {
        Self {
            log: Log::of(&row),
            id: row.id,
            attempt: row.attempts,
            max_attempts: row.max_attempts,
            account_id: row.account_id,
            queue: row.queue,
            kind: row.kind,
            payload: row.payload,
            run_at: row.run_at,
            created_at: row.created_at,
            started_at: row.started_at,
            worker: row.worker,
            trace_context: row.trace_context,
        }
    }
}

impl ClaimedJob {
    /// No try is left after this one.
    pub fn is_last_attempt(&self) -> bool {
        self.attempt >= self.max_attempts
    }

    /// Every try was used and none recorded an outcome: its workers died under it.
    pub fn is_past_last_attempt(&self) -> bool {
        self.attempt > self.max_attempts
    }
}

/// What came of an attempt to claim.
#[derive(Debug)]
pub enum Claim {
    Taken(Box<ClaimedJob>),
    /// Done, taken by another, not due, or of a queue that is stopped: nothing to do.
    Nothing,
    /// Another row with the same key is running; this one was put back for a moment.
    Busy,
}

/// How long a row waits for the running one of its key.
const BUSY_WAIT: TimeDelta = TimeDelta::milliseconds(250);

/// Takes the job if it is due, its queue runs and nobody has it.
pub async fn claim(
    db: &impl ConnectionTrait,
    id: Uuid,
    worker: &str,
    now: DateTime<Utc>,
) -> StoreResult<Claim> {
    let waiting = [state::PENDING, state::QUEUED];
    let taken = job::Entity::update_many()
        .col_expr(job::Column::State, Expr::value(state::RUNNING))
        .col_expr(job::Column::Attempts, Expr::col(job::Column::Attempts).add(1))
        .col_expr(job::Column::LeaseUntil, Expr::value(now + LEASE))
        .col_expr(job::Column::StartedAt, Expr::value(now))
        .col_expr(job::Column::Worker, Expr::value(worker))
        .filter(job::Column::Id.eq(id))
        .filter(job::Column::State.is_in(waiting))
        .filter(job::Column::RunAt.lte(now))
        .filter(Expr::cust(NOT_PAUSED))
        .exec_with_returning(db)
        .await
        .map_err(StoreError::from);
    let rows = match taken {
        Ok(rows) => rows,
        Err(StoreError::Conflict) => {
            postpone(db, id, now + BUSY_WAIT).await?;
            return Ok(Claim::Busy);
        }
        Err(error) => return Err(error),
    };
    Ok(match rows.into_iter().next() {
        Some(row) => Claim::Taken(Box::new(row.into())),
        None => Claim::Nothing,
    })
}

async fn postpone(db: &impl ConnectionTrait, id: Uuid, until: DateTime<Utc>) -> StoreResult<()> {
    job::Entity::update_many()
        .col_expr(job::Column::State, Expr::value(state::PENDING))
        .col_expr(job::Column::RunAt, Expr::value(until))
        .filter(job::Column::Id.eq(id))
        .filter(job::Column::State.is_in([state::PENDING, state::QUEUED]))
        .exec(db)
        .await?;
    Ok(())
}

/// Renews the lease. [`StoreError::LeaseLost`] when the job is no longer this worker's; inside a
/// transaction this is the fence that every commit of a handler passes.
pub async fn hold(
    db: &impl ConnectionTrait,
    job: &ClaimedJob,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let update = Query::update()
        .table(job::Entity)
        .value(job::Column::LeaseUntil, now + LEASE)
        .and_where(Expr::col(job::Column::Id).eq(job.id))
        .and_where(Expr::col(job::Column::Attempts).eq(job.attempt))
        .and_where(Expr::cust("state = 'running'"))
        .to_owned();
    match db.execute(&update).await?.rows_affected() {
        1 => Ok(()),
        _ => Err(StoreError::LeaseLost),
    }
}
