//! Writing jobs into the ledger, inside the transaction that needs them.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::job;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait, QueryTrait};
use uuid::Uuid;

use super::kinds::JobKind;
use super::state;
use crate::store::error::{StoreError, StoreResult};

/// A job to be written.
#[derive(Debug, Clone)]
pub struct NewJob {
    account_id: Option<i64>,
    queue: &'static str,
    kind: &'static str,
    payload: serde_json::Value,
    dedup_key: Option<String>,
    once_key: Option<String>,
    max_attempts: i32,
    run_at: DateTime<Utc>,
    run_by: Option<DateTime<Utc>>,
}

impl NewJob {
    /// `run_at`: not before that.
    pub fn of<K: JobKind>(payload: &K, account_id: Option<i64>, run_at: DateTime<Utc>) -> Self {
        Self {
            account_id,
            queue: K::QUEUE.as_str(),
            kind: K::NAME,
            payload: serde_json::to_value(payload).unwrap_or_default(),
            dedup_key: payload.dedup_key(),
            once_key: None,
            max_attempts: K::MAX_ATTEMPTS,
            run_at,
            run_by: None,
        }
    }

    /// Later requests with the same key may postpone this job, but at most until then.
    #[must_use]
    pub fn run_by(mut self, instant: DateTime<Utc>) -> Self {
        self.run_by = Some(instant);
        self
    }

    /// Written once for ever under this key; such a job has no other key.
    #[must_use]
    pub fn once(mut self, key: String) -> Self {
        self.once_key = Some(key);
        self.dedup_key = None;
        self
    }

    pub fn run_at(&self) -> DateTime<Utc> {
        self.run_at
    }

    fn into_row(self, now: DateTime<Utc>) -> job::ActiveModel {
        job::ActiveModel {
            id: Set(Uuid::now_v7()),
            account_id: Set(self.account_id),
            queue: Set(self.queue.to_owned()),
            kind: Set(self.kind.to_owned()),
            payload: Set(self.payload),
            dedup_key: Set(self.dedup_key),
            once_key: Set(self.once_key),
            state: Set(state::PENDING.to_owned()),
            run_at: Set(self.run_at),
            run_by: Set(self.run_by),
            attempts: Set(0),
            max_attempts: Set(self.max_attempts),
            last_error: Set(None),
            trace_context: Set(None),
            queued_at: Set(None),
            started_at: Set(None),
            lease_until: Set(None),
            finished_at: Set(None),
            worker: Set(None),
            created_at: Set(now),
        }
    }
}

/// Writes `jobs`. Where a row with the same key waits already, that row does the work; if it has
/// not been tried yet it is moved to the new instant, never past its `run_by`.
pub async fn enqueue(
    tx: &impl ConnectionTrait,
    jobs: Vec<NewJob>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    // One statement must not meet the same key twice; the last request counts, as it would alone.
    let mut keyed: HashMap<String, NewJob> = HashMap::new();
    let mut rows = Vec::new();
    for job in jobs {
        match job.dedup_key.clone() {
            Some(key) => {
                let run_by = keyed.get(&key).and_then(|earlier| earlier.run_by);
                let job = NewJob {
                    run_by: run_by.or(job.run_by),
                    ..job
                };
                keyed.insert(key, job);
            }
            None => rows.push(job.into_row(now)),
        }
    }
    // Locks are taken in the order of the keys, by every writer.
    let mut keyed: Vec<_> = keyed.into_iter().collect();
    keyed.sort_by(|(left, _), (right, _)| left.cmp(right));
    rows.extend(keyed.into_iter().map(|(_, job)| job.into_row(now)));
    if rows.is_empty() {
        return Ok(());
    }
    let waiting = "dedup_key IS NOT NULL AND state IN ('pending', 'queued')";
    let moved = "CASE WHEN jobs.run_by IS NULL OR excluded.run_at < jobs.run_by \
                 THEN excluded.run_at ELSE jobs.run_by END";
    let untried = "jobs.state = 'pending' AND jobs.attempts = 0";
    let on_conflict = OnConflict::column(job::Column::DedupKey)
        .target_and_where(Expr::cust(waiting))
        .value(job::Column::RunAt, Expr::cust(moved))
        .action_and_where(Expr::cust(untried))
        .to_owned();
    let statement = job::Entity::insert_many(rows)
        .on_conflict(on_conflict)
        .build(tx.get_database_backend());
    tx.execute_raw(statement).await?;
    Ok(())
}

/// Writes a job that is written once for ever under its once key; false when it was there.
pub async fn enqueue_once(
    tx: &impl ConnectionTrait,
    job: NewJob,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    if job.once_key.is_none() {
        return Err(StoreError::Inconsistent("a job without once key".into()));
    }
    let on_conflict = OnConflict::column(job::Column::OnceKey)
        .target_and_where(Expr::cust("once_key IS NOT NULL"))
        .do_nothing()
        .to_owned();
    let statement = job::Entity::insert_many([job.into_row(now)])
        .on_conflict(on_conflict)
        .build(tx.get_database_backend());
    Ok(tx.execute_raw(statement).await?.rows_affected() == 1)
}

/// A conversation is answered no later than this after the first message that waits, however
/// often its customer goes on writing (DESIGN §3.5).
pub const LONGEST_WAIT: TimeDelta = TimeDelta::seconds(10);
