//! Writing jobs into the ledger, inside the transaction that needs them.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::ConnectionTrait;
use serde_json::{Value as Json, json};
use uuid::Uuid;

use super::kinds::JobKind;
use super::queue::Queue;
use super::state;
use crate::store::error::{StoreError, StoreResult};
use crate::store::rowset::{Columns, Kind, execute, insert_sql, parameter, time, uuid};
use crate::trace;

/// A job to be written.
#[derive(Debug, Clone)]
pub struct NewJob {
    account_id: Option<i64>,
    queue: Queue,
    kind: &'static str,
    payload: serde_json::Value,
    dedup_key: Option<String>,
    once_key: Option<String>,
    max_attempts: i32,
    run_at: DateTime<Utc>,
    run_by: Option<DateTime<Utc>>,
    trace_context: Option<String>,
}

impl NewJob {
    /// `run_at`: not before that.
    pub fn of<K: JobKind>(payload: &K, account_id: Option<i64>, run_at: DateTime<Utc>) -> Self {
        Self {
            account_id,
            queue: K::QUEUE,
            kind: K::NAME,
            payload: serde_json::to_value(payload).unwrap_or_default(),
            dedup_key: payload.dedup_key(),
            once_key: None,
            max_attempts: K::MAX_ATTEMPTS,
            run_at,
            run_by: None,
            trace_context: trace::current(),
        }
    }

    /// Later requests with the same key may postpone this job, but at most until then.
    #[must_use]
    pub fn run_by(mut self, instant: DateTime<Utc>) -> Self {
        self.run_by = Some(instant);
        self
    }

    /// A part of this trace, where one is given, and not of what is under way.
    #[must_use]
    pub fn traced_by(mut self, context: Option<&str>) -> Self {
        self.trace_context = context.map(str::to_owned).or(self.trace_context);
        self
    }

    /// Written once for ever under this key; such a job has no other key.
    #[must_use]
    pub fn once(mut self, key: String) -> Self {
        self.once_key = Some(key);
        self.dedup_key = None;
        self
    }

    pub fn queue(&self) -> Queue {
        self.queue
    }

    pub fn run_at(&self) -> DateTime<Utc> {
        self.run_at
    }

    fn row(&self, now: DateTime<Utc>) -> Json {
        json!({
            "id": uuid(Uuid::now_v7()),
            "account_id": self.account_id,
            "queue": self.queue.as_str(),
            "kind": self.kind,
            "payload": self.payload,
            "dedup_key": self.dedup_key,
            "once_key": self.once_key,
            "state": state::PENDING,
            "run_at": time(self.run_at),
            "run_by": self.run_by.map(time),
            "attempts": 0,
            "max_attempts": self.max_attempts,
            "trace_context": self.trace_context,
            "created_at": time(now),
        })
    }
}

pub(crate) const JOB: Columns = &[
    ("id", Kind::Uuid),
    ("account_id", Kind::BigInt),
    ("queue", Kind::Text),
    ("kind", Kind::Text),
    ("payload", Kind::Json),
    ("dedup_key", Kind::Text),
    ("once_key", Kind::Text),
    ("state", Kind::Text),
    ("run_at", Kind::Time),
    ("run_by", Kind::Time),
    ("attempts", Kind::BigInt),
    ("max_attempts", Kind::BigInt),
    ("trace_context", Kind::Text),
    ("created_at", Kind::Time),
];

/// The rows of `jobs`, ready for one statement.
pub(crate) fn rows(jobs: Vec<NewJob>, now: DateTime<Utc>) -> Vec<Json> {
    // One statement must not meet the same key twice; the last request counts, as it would alone.
    let mut keyed: HashMap<String, NewJob> = HashMap::new();
    let mut rows = Vec::new();
    for job in jobs {
        match job.dedup_key.clone() {
            Some(key) => {
                let run_by = keyed.get(&key).and_then(|earlier| earlier.run_by);
                let job = NewJob { run_by: run_by.or(job.run_by), ..job };
                keyed.insert(key, job);
            }
            None => rows.push(job.row(now)),
        }
    }
    // Locks are taken in the order of the keys, by every writer.
    let mut keyed: Vec<_> = keyed.into_iter().collect();
    keyed.sort_by(|(left, _), (right, _)| left.cmp(right));
    rows.extend(keyed.into_iter().map(|(_, job)| job.row(now)));
    rows
}

/// Where a row with the same key waits already, that row does the work; if it has not been tried
/// yet it is moved to the new instant, never past its `run_by`.
pub(crate) const UNLESS_WAITING: &str = "ON CONFLICT (dedup_key) \
     WHERE dedup_key IS NOT NULL AND state IN ('pending', 'queued') \
     DO UPDATE SET run_at = CASE WHEN jobs.run_by IS NULL OR excluded.run_at < jobs.run_by \
       THEN excluded.run_at ELSE jobs.run_by END \
     WHERE jobs.state = 'pending' AND jobs.attempts = 0";

/// Writes `jobs`. Where a row with the same key waits already, that row does the work; if it has
/// not been tried yet it is moved to the new instant, never past its `run_by`.
pub async fn enqueue(
    tx: &impl ConnectionTrait,
    jobs: Vec<NewJob>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let rows = rows(jobs, now);
    if rows.is_empty() {
        return Ok(());
    }
    let insert = insert_sql(tx.get_database_backend(), "jobs", JOB, 1);
    let sql = format!("{insert} {UNLESS_WAITING}");
    execute(tx, sql, vec![parameter(rows)]).await?;
    Ok(())
}

/// Writes a job that is written once for ever under its once key; false when it was there.
pub async fn enqueue_once(
    tx: &impl ConnectionTrait,
    job: &NewJob,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    if job.once_key.is_none() {
        return Err(StoreError::Inconsistent("a job without once key".into()));
    }
    let sql = format!(
        "{} ON CONFLICT (once_key) WHERE once_key IS NOT NULL DO NOTHING",
        insert_sql(tx.get_database_backend(), "jobs", JOB, 1)
    );
    Ok(execute(tx, sql, vec![parameter([job.row(now)])]).await? == 1)
}

/// A conversation is answered no later than this after the first message that waits, however
/// often its customer goes on writing (DESIGN §3.5).
pub const LONGEST_WAIT: TimeDelta = TimeDelta::seconds(10);
