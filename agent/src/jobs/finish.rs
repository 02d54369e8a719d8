//! Recording what came of a try.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::job;
use sea_orm::sea_query::{Expr, ExprTrait, Query, UpdateStatement};
use sea_orm::{ConnectionTrait, Value};

use super::claim::ClaimedJob;
use super::state;
use crate::store::error::{StoreError, StoreResult};

/// What a handler says at the end of a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobOutcome {
    Done,
    /// Try again: after the given time, or after the kind's own backoff.
    Retry {
        after: Option<Duration>,
        error: String,
    },
    /// Trying again would not help.
    Dead {
        error: String,
    },
    /// Not now; this try does not count.
    Snooze {
        until: DateTime<Utc>,
    },
}

impl JobOutcome {
    pub fn retry(error: impl std::fmt::Display) -> Self {
        Self::Retry { after: None, error: error.to_string() }
    }

    pub fn dead(error: impl std::fmt::Display) -> Self {
        Self::Dead { error: error.to_string() }
    }

    /// For labels.
    pub fn as_str(&self) -> &'static str {
        match self {
            JobOutcome::Done => "done",
            JobOutcome::Retry { .. } => "retry",
            JobOutcome::Dead { .. } => "dead",
            JobOutcome::Snooze { .. } => "snooze",
        }
    }
}

/// Longest error text that a row keeps.
const ERROR_CHARS: usize = 500;

/// Writes the outcome, unless the lease was lost. `wait` is how long a retry waits.
pub async fn finish(
    db: &impl ConnectionTrait,
    job: &ClaimedJob,
    outcome: &JobOutcome,
    wait: Duration,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    match outcome {
        JobOutcome::Done => end(db, job, state::DONE, None, now).await,
        JobOutcome::Dead { error } => end(db, job, state::DEAD, Some(error), now).await,
        JobOutcome::Retry { error, .. } => {
            let wait = TimeDelta::from_std(wait).unwrap_or(TimeDelta::minutes(1));
            put_back(db, job, now + wait, job.attempt, Some(error), None, now).await
        }
        JobOutcome::Snooze { until } => {
            put_back(db, job, *until, job.attempt - 1, None, None, now).await
        }
    }
}

/// Returns another worker's job, whose lease was seen to end at `lease_until`, to the waiting
/// ones; [`StoreError::LeaseLost`] when it was renewed or finished in the meantime.
pub(super) async fn take_back(
    db: &impl ConnectionTrait,
    job: &ClaimedJob,
    lease_until: DateTime<Utc>,
    error: &String,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    put_back(db, job, now, job.attempt, Some(error), Some(lease_until), now).await
}

/// The update of a row that is still this claim's.
fn held(job: &ClaimedJob) -> UpdateStatement {
    Query::update()
        .table(job::Entity)
        .and_where(Expr::col(job::Column::Id).eq(job.id))
        .and_where(Expr::col(job::Column::Attempts).eq(job.attempt))
        .and_where(Expr::cust("state = 'running'"))
        .to_owned()
}

fn error_value(error: Option<&String>) -> Value {
    error.map(|text| text.chars().take(ERROR_CHARS).collect::<String>()).into()
}

async fn one_row(db: &impl ConnectionTrait, update: &UpdateStatement) -> StoreResult<()> {
    match db.execute(update).await?.rows_affected() {
        1 => Ok(()),
        _ => Err(StoreError::LeaseLost),
    }
}

async fn end(
    db: &impl ConnectionTrait,
    job: &ClaimedJob,
    state: &str,
    error: Option<&String>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let update = held(job)
        .value(job::Column::State, state)
        .value(job::Column::FinishedAt, now)
        .value(job::Column::LeaseUntil, Value::ChronoDateTimeUtc(None))
        .value(job::Column::LastError, error_value(error))
        .to_owned();
    one_row(db, &update).await
}

/// Returns a claimed row to the waiting ones. When another row of its key waits already, that one
/// takes over: it inherits the wait and the count of tries, so that new requests neither hurry a
/// provider that asked for patience nor renew tries for ever.
async fn put_back(
    db: &impl ConnectionTrait,
    job: &ClaimedJob,
    run_at: DateTime<Utc>,
    attempts: i32,
    error: Option<&String>,
    seen_until: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let mut row = held(job);
    if let Some(seen_until) = seen_until {
        row.and_where(Expr::col(job::Column::LeaseUntil).lte(seen_until));
    }
    let update = row
        .value(job::Column::State, state::PENDING)
        .value(job::Column::RunAt, run_at)
        .value(job::Column::Attempts, attempts)
        .value(job::Column::LeaseUntil, Value::ChronoDateTimeUtc(None))
        .value(job::Column::LastError, error_value(error))
        .to_owned();
    match one_row(db, &update).await {
        Err(StoreError::Conflict) => {}
        other => return other,
    }
    let merged = "merged into the waiting job of its key".to_owned();
    end(db, job, state::CANCELLED, Some(error.unwrap_or(&merged)), now).await?;
    let later = |column: job::Column, value: Value| {
        Expr::case(Expr::col(column).lt(Expr::val(value.clone())), Expr::val(value))
            .finally(Expr::col(column))
    };
    let key = job::Column::DedupKey;
    let own_key = Query::select()
        .column(key)
        .from(job::Entity)
        .and_where(Expr::col(job::Column::Id).eq(job.id))
        .to_owned();
    let inherit = Query::update()
        .table(job::Entity)
        .value(job::Column::RunAt, later(job::Column::RunAt, run_at.into()))
        .value(job::Column::Attempts, later(job::Column::Attempts, attempts.into()))
        .and_where(Expr::cust("state IN ('pending', 'queued')"))
        .and_where(Expr::col(key).in_subquery(own_key))
        .to_owned();
    db.execute(&inherit).await?;
    Ok(())
}
