//! Recording what came of a try.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::job;
use sea_orm::sea_query::{Expr, ExprTrait, Query, UpdateStatement};
use sea_orm::{ConnectionTrait, Value};

use super::attempts::{JobEvent, What, shortened};
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
        JobOutcome::Dead { error } => {
            end(db, job, state::DEAD, Some((What::Died, error)), now).await
        }
        JobOutcome::Retry { error, .. } => {
            let wait = TimeDelta::from_std(wait).unwrap_or(TimeDelta::minutes(1));
            let back = Back {
                run_at: now + wait,
                attempts: job.attempt,
                failure: Some((What::Failed, error)),
                seen_until: None,
            };
            put_back(db, job, back, now).await
        }
        JobOutcome::Snooze { until } => {
            let attempts = job.attempt - 1;
            let back = Back { run_at: *until, attempts, failure: None, seen_until: None };
            put_back(db, job, back, now).await
        }
    }
}

/// Returns another worker's job, whose lease was seen to end at `lease_until`, to the waiting
/// ones; [`StoreError::LeaseLost`] when it was renewed or finished in the meantime.
pub(super) async fn take_back(
    db: &impl ConnectionTrait,
    job: &ClaimedJob,
    lease_until: DateTime<Utc>,
    error: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let back = Back {
        run_at: now,
        attempts: job.attempt,
        failure: Some((What::Lost, error)),
        seen_until: Some(lease_until),
    };
    put_back(db, job, back, now).await
}

/// What went wrong in a try, and in what way.
type Failure<'a> = (What, &'a str);

/// How a claimed row returns to the waiting ones.
#[derive(Clone, Copy)]
struct Back<'a> {
    run_at: DateTime<Utc>,
    /// Tries that count as made.
    attempts: i32,
    failure: Option<Failure<'a>>,
    /// The row is another's, whose lease was seen to end then.
    seen_until: Option<DateTime<Utc>>,
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

/// Writes what went wrong, if anything did, as the last error and into the log.
fn note(
    update: &mut UpdateStatement,
    job: &ClaimedJob,
    failure: Option<Failure<'_>>,
    now: DateTime<Utc>,
) {
    update.value(job::Column::LastError, Value::from(failure.map(|(_, error)| shortened(error))));
    let Some((what, error)) = failure else {
        return;
    };
    // Nobody saw when a lost try ended.
    let ended = job.started_at.filter(|_| what != What::Lost);
    let event = JobEvent {
        at: now,
        what,
        attempt: job.attempt,
        by: job.worker.clone(),
        error: Some(error.to_owned()),
        ms: ended.map(|started| (now - started).max(TimeDelta::zero()).num_milliseconds()),
    };
    update.value(job::Column::AttemptsLog, job.log.with(event));
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
    failure: Option<Failure<'_>>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let mut update = held(job)
        .value(job::Column::State, state)
        .value(job::Column::FinishedAt, now)
        .value(job::Column::LeaseUntil, Value::ChronoDateTimeUtc(None))
        .to_owned();
    note(&mut update, job, failure, now);
    one_row(db, &update).await
}

/// Returns a claimed row to the waiting ones. When another row of its key waits already, that one
/// takes over: it inherits the wait and the count of tries, so that new requests neither hurry a
/// provider that asked for patience nor renew tries for ever.
async fn put_back(
    db: &impl ConnectionTrait,
    job: &ClaimedJob,
    back: Back<'_>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let Back { run_at, attempts, failure, seen_until } = back;
    let mut update = held(job)
        .value(job::Column::State, state::PENDING)
        .value(job::Column::RunAt, run_at)
        .value(job::Column::Attempts, attempts)
        .value(job::Column::LeaseUntil, Value::ChronoDateTimeUtc(None))
        .to_owned();
    if let Some(seen_until) = seen_until {
        update.and_where(Expr::col(job::Column::LeaseUntil).lte(seen_until));
    }
    note(&mut update, job, failure, now);
    match one_row(db, &update).await {
        Err(StoreError::Conflict) => {}
        other => return other,
    }
    let merged = (What::Failed, "merged into the waiting job of its key");
    end(db, job, state::CANCELLED, Some(failure.unwrap_or(merged)), now).await?;
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
