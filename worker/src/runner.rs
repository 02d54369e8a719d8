//! Runs one job: claim, handler under a deadline and a renewed lease, outcome. Whatever carried
//! the job here, this is the only way that a handler runs.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use chrono::TimeDelta;
use futures::FutureExt;
use lembra_agent::jobs::claim::{self, RENEW_EVERY};
use lembra_agent::jobs::finish::finish;
use lembra_agent::jobs::{Claim, ClaimedJob, JobOutcome};
use lembra_agent::store::{StoreError, StoreResult};
use lembra_agent::trace;
use tracing::Instrument;
use uuid::Uuid;

use crate::runtime::Runtime;
use crate::table::{self, Entry};

/// How long a job of a kind that this build does not know is left alone.
const UNKNOWN_KIND_WAIT: TimeDelta = TimeDelta::seconds(30);

/// Runs jobs under the name of one process.
#[derive(Clone)]
pub struct Runner {
    runtime: Runtime,
}

/// What came of a ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ran {
    /// Nothing to do, or not yet.
    Nothing,
    /// The handler ended so.
    Ended(JobOutcome),
    /// The lease was lost; another worker has the job.
    Lost,
}

impl Runner {
    pub fn new(runtime: Runtime) -> Self {
        if let Err(error) = runtime.journal.keep() {
            tracing::warn!(%error, "no journal of this process: DATA_DIR cannot be written");
        }
        Self { runtime }
    }

    /// Runs the job if it is due and free. An error means that the ledger did not answer; the
    /// ticket is then worth nothing and the relay writes another.
    pub async fn run(&self, id: Uuid) -> StoreResult<Ran> {
        let now = self.runtime.clock.now();
        match claim::claim(&self.runtime.db, id, self.runtime.journal.process(), now).await? {
            Claim::Taken(job) => {
                let span = tracing::info_span!(
                    "job", otel.name = %job.kind, otel.kind = "consumer", job.id = %job.id, job.kind = %job.kind,
                );
                trace::go_on(&span, job.trace_context.as_deref());
                self.execute(*job).instrument(span).await
            }
            Claim::Nothing | Claim::Busy => Ok(Ran::Nothing),
        }
    }

    async fn execute(&self, job: ClaimedJob) -> StoreResult<Ran> {
        let started = tokio::time::Instant::now();
        let Some(entry) = table::find(&job.kind) else {
            // A newer worker knows it, or will when it is deployed.
            let until = self.runtime.clock.now() + UNKNOWN_KIND_WAIT;
            let outcome = JobOutcome::Snooze { until };
            return self.record(&job, None, outcome, started.elapsed()).await;
        };
        if job.is_past_last_attempt() {
            let outcome = JobOutcome::dead("its workers stopped without an outcome");
            return self.record(&job, Some(entry), outcome, started.elapsed()).await;
        }
        let handler = AssertUnwindSafe((entry.run)(&self.runtime, &job)).catch_unwind();
        let handler = tokio::time::timeout(entry.deadline, handler);
        // Both are polled all the time: a renewal may have to wait for a lock that the handler's
        // own transaction holds.
        let ended = tokio::select! {
            ended = handler => ended,
            // Whatever it goes on to write would be refused.
            () = self.renew_until_lost(&job) => return Ok(Ran::Lost),
        };
        let outcome = match ended {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => JobOutcome::retry("the handler panicked"),
            Err(_) => JobOutcome::retry("the handler passed its deadline"),
        };
        self.record(&job, Some(entry), outcome, started.elapsed()).await
    }

    /// Renews the lease; returns when it is lost.
    async fn renew_until_lost(&self, job: &ClaimedJob) {
        let mut renewal = tokio::time::interval(RENEW_EVERY);
        renewal.tick().await;
        loop {
            renewal.tick().await;
            match claim::hold(&self.runtime.db, job, self.runtime.clock.now()).await {
                Ok(()) => {}
                Err(StoreError::LeaseLost) => return,
                Err(error) => tracing::warn!(job.id = %job.id, %error, "lease not renewed"),
            }
        }
    }

    /// Writes the outcome. Where it is the end without success, what the kind owes to customers
    /// and operators is written first.
    async fn record(
        &self,
        job: &ClaimedJob,
        entry: Option<&Entry>,
        outcome: JobOutcome,
        took: Duration,
    ) -> StoreResult<Ran> {
        let outcome = match outcome {
            JobOutcome::Retry { error, .. } if job.is_last_attempt() => JobOutcome::Dead { error },
            other => other,
        };
        if let (JobOutcome::Dead { error }, Some(entry)) = (&outcome, entry) {
            match (entry.give_up)(&self.runtime, job, error).await {
                Ok(()) => {}
                Err(StoreError::LeaseLost) => return Ok(Ran::Lost),
                // The lease runs out, and the next claim gives up again.
                Err(error) => return Err(error),
            }
        }
        let wait = match (&outcome, entry) {
            (JobOutcome::Retry { after: Some(after), .. }, _) => *after,
            (_, Some(entry)) => entry.backoff.after(job.attempt.unsigned_abs(), jitter(job.id)),
            (_, None) => Duration::ZERO,
        };
        let now = self.runtime.clock.now();
        match finish(&self.runtime.db, job, &outcome, wait, now).await {
            Ok(()) => {}
            Err(StoreError::LeaseLost) => return Ok(Ran::Lost),
            Err(error) => return Err(error),
        }
        observe(job, &outcome, took);
        Ok(Ran::Ended(outcome))
    }
}

/// 0 to 1, from the random part of the job's id.
fn jitter(id: Uuid) -> f64 {
    f64::from(id.as_bytes()[15]) / 255.0
}

fn observe(job: &ClaimedJob, outcome: &JobOutcome, took: Duration) {
    let kind = table::find(&job.kind).map_or("unknown", |entry| entry.name);
    metrics::counter!("lembra_jobs_total", "kind" => kind, "outcome" => outcome.as_str())
        .increment(1);
    metrics::histogram!("lembra_job_seconds", "kind" => kind).record(took.as_secs_f64());
    let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    match outcome {
        JobOutcome::Done | JobOutcome::Snooze { .. } => {
            tracing::debug!(job.id = %job.id, job.kind = kind, duration_ms, "job");
        }
        JobOutcome::Retry { error, .. } => {
            tracing::warn!(job.id = %job.id, job.kind = kind, job.attempt = job.attempt, duration_ms, error, "job will be tried again");
        }
        JobOutcome::Dead { error } => {
            tracing::error!(job.id = %job.id, job.kind = kind, job.attempt = job.attempt, duration_ms, error, "job is dead");
        }
    }
}
