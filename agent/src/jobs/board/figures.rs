//! How each queue stands and how it went lately: counts up to [`COUNTED`], times of the newest
//! [`SAMPLE`] jobs, and what ended in each five minutes of three hours.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::{DatabaseConnection, DbBackend, QueryResult};
use serde::Serialize;
use utoipa::ToSchema;

use super::minutes::{self, Ended, Minutes};
use super::{JobStatus, Scope, Values};
use crate::jobs::pauses::{self, Pause};
use crate::jobs::queue::Queue;
use crate::store::error::StoreResult;
use crate::store::rowset::query;

/// Nothing is counted further: this many or more.
pub const COUNTED: i64 = 2_000;
/// Jobs of which times are taken.
pub const SAMPLE: u32 = 1_000;
/// Rows in which an account's own are looked for.
const SAMPLE_OF_ACCOUNT: u32 = 3_000;
/// Time of one point of a series, in seconds, and how many points there are.
pub const POINT_SECS: i64 = 300;
const POINTS: i64 = 36;
/// Times and rates are of the last hour.
const LATELY: TimeDelta = TimeDelta::hours(1);

/// One queue. Counts are exact below `counted_to`; a count of that size says "at least".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct QueueFigures {
    pub queue: String,
    /// Absent where the queue runs.
    pub paused: Option<Pause>,
    /// May run, and has no ticket yet.
    pub due: i64,
    /// Its time has not come.
    pub waiting: i64,
    /// About to be taken by a worker.
    pub queued: i64,
    pub running: i64,
    pub dead: i64,
    pub counted_to: i64,
    /// When the job that has waited longest became due.
    pub oldest_due_at: Option<DateTime<Utc>>,
    /// Ended within the last 60 minutes, to the minute.
    pub done_last_hour: i64,
    pub dead_last_hour: i64,
    /// From its instant to the beginning of the try that succeeded.
    pub wait: Times,
    /// From the beginning of that try to its end.
    pub run: Times,
    /// Finished jobs of the last hour of which the times were taken: the newest 1,000 at most.
    pub sampled: usize,
    /// Three hours in steps of five minutes, oldest first.
    pub series: Vec<Point>,
}

/// The middle, and what all but one in twenty stay below; absent where nothing ran.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Times {
    pub p50_ms: Option<i64>,
    pub p95_ms: Option<i64>,
}

/// What ended in the five minutes from `at`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Point {
    pub at: DateTime<Utc>,
    pub done: i64,
    pub dead: i64,
}

/// All queues, in their order.
pub async fn read(
    db: &DatabaseConnection,
    scope: Scope,
    now: DateTime<Utc>,
) -> StoreResult<Vec<QueueFigures>> {
    let pauses = pauses::all(db).await?;
    let counts = counts(db, scope, now).await?;
    let samples = samples(db, scope, now).await?;
    let minutes = minutes::read(db, scope.account(), series_start(now), now).await?;
    let figures = Queue::ALL.into_iter().map(|queue| {
        let name = queue.as_str();
        let count = |status: JobStatus| counts.get(&(name.to_owned(), status)).copied();
        let number = |status| count(status).unwrap_or_default().n;
        let oldest = [JobStatus::Due, JobStatus::Queued].into_iter().filter_map(count);
        let (mut waits, mut runs) = samples.get(name).cloned().unwrap_or_default();
        let lately = lately(&minutes, name, now);
        QueueFigures {
            queue: name.to_owned(),
            paused: pauses.iter().find(|pause| pause.queue == name).cloned(),
            due: number(JobStatus::Due),
            waiting: number(JobStatus::Waiting),
            queued: number(JobStatus::Queued),
            running: number(JobStatus::Running),
            dead: number(JobStatus::Dead),
            counted_to: COUNTED,
            oldest_due_at: oldest.filter_map(|count| count.oldest).min(),
            done_last_hour: lately.done,
            dead_last_hour: lately.dead,
            sampled: waits.len(),
            wait: times(&mut waits),
            run: times(&mut runs),
            series: series(&minutes, name, now),
        }
    });
    Ok(figures.collect())
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    n: i64,
    oldest: Option<DateTime<Utc>>,
}

/// One statement; each part walks through one partial index and stops at [`COUNTED`].
async fn counts(
    db: &DatabaseConnection,
    scope: Scope,
    now: DateTime<Utc>,
) -> StoreResult<HashMap<(String, JobStatus), Count>> {
    let mut values = Values::default();
    let now = values.bind(now);
    let (account, own) = match scope.account() {
        Some(id) => (", account_id", format!("WHERE account_id = {}", values.bind(id))),
        None => ("", String::new()),
    };
    let mut parts = Vec::new();
    for queue in Queue::ALL {
        let queue = values.bind(queue.as_str());
        // The order names the index.
        let states = [
            (JobStatus::Due, format!("state = 'pending' AND run_at <= {now}"), "run_at"),
            (JobStatus::Waiting, format!("state = 'pending' AND run_at > {now}"), "run_at"),
            (JobStatus::Queued, "state = 'queued'".to_owned(), "queued_at"),
            (JobStatus::Running, "state = 'running'".to_owned(), "lease_until"),
            (JobStatus::Dead, "state = 'dead'".to_owned(), "finished_at"),
        ];
        for (status, condition, order) in states {
            // Reading the instant of a dead job would cost a look at its row.
            let since = if status == JobStatus::Dead { "finished_at AS run_at" } else { "run_at" };
            parts.push(format!(
                "SELECT {queue} AS queue, '{}' AS status, count(*) AS n, min(run_at) AS oldest \
                 FROM (SELECT {since}{account} FROM jobs WHERE {condition} AND queue = {queue} \
                       ORDER BY {order} LIMIT {COUNTED}) AS part {own}",
                status.as_str(),
            ));
        }
    }
    let mut counts = HashMap::new();
    for row in query(db, parts.join(" UNION ALL "), values.0).await? {
        let status: String = row.try_get("", "status")?;
        let Some(status) = JobStatus::named(&status) else {
            continue;
        };
        let count = Count { n: row.try_get("", "n")?, oldest: row.try_get("", "oldest")? };
        counts.insert((row.try_get("", "queue")?, status), count);
    }
    Ok(counts)
}

/// Milliseconds: how long jobs waited, and how long they ran.
type Sample = (Vec<i64>, Vec<i64>);

/// The newest finished jobs of each queue; the times of one queue come as one text.
async fn samples(
    db: &DatabaseConnection,
    scope: Scope,
    now: DateTime<Utc>,
) -> StoreResult<HashMap<String, Sample>> {
    let mut values = Values::default();
    let since = values.bind(now - LATELY);
    let (rows, own) = match scope.account() {
        Some(id) => (SAMPLE_OF_ACCOUNT, format!("WHERE account_id = {}", values.bind(id))),
        None => (SAMPLE, String::new()),
    };
    let backend = db.get_database_backend();
    let wait = span_ms(backend, "run_at", "started_at");
    let run = span_ms(backend, "started_at", "finished_at");
    let mut parts = Vec::new();
    for queue in Queue::ALL {
        let queue = values.bind(queue.as_str());
        parts.push(format!(
            "SELECT {queue} AS queue, string_agg(CAST(wait AS text), ',') AS waits, \
             string_agg(CAST(run AS text), ',') AS runs FROM \
             (SELECT {wait} AS wait, {run} AS run, account_id FROM jobs \
              WHERE state = 'done' AND queue = {queue} AND finished_at >= {since} \
              ORDER BY finished_at DESC LIMIT {rows}) AS part {own}"
        ));
    }
    let mut samples = HashMap::new();
    for row in query(db, parts.join(" UNION ALL "), values.0).await? {
        let sample = (numbers(&row, "waits")?, numbers(&row, "runs")?);
        samples.insert(row.try_get("", "queue")?, sample);
    }
    Ok(samples)
}

/// The milliseconds between two instants of a row.
fn span_ms(backend: DbBackend, from: &str, to: &str) -> String {
    if backend == DbBackend::Postgres {
        format!("CAST(extract(epoch FROM {to} - {from}) * 1000 AS BIGINT)")
    } else {
        format!("CAST(round((julianday({to}) - julianday({from})) * 86400000) AS INTEGER)")
    }
}

fn numbers(row: &QueryResult, column: &str) -> StoreResult<Vec<i64>> {
    let text: Option<String> = row.try_get("", column)?;
    let numbers = text.iter().flat_map(|text| text.split(',')).filter_map(|n| n.parse().ok());
    Ok(numbers.map(|n: i64| n.max(0)).collect())
}

/// By nearest rank.
fn times(sample: &mut [i64]) -> Times {
    sample.sort_unstable();
    let rank = |percent: usize| {
        let place = (sample.len() * percent).div_ceil(100).saturating_sub(1);
        sample.get(place).copied()
    };
    Times { p50_ms: rank(50), p95_ms: rank(95) }
}

/// The beginning of the first point.
fn series_start(now: DateTime<Utc>) -> DateTime<Utc> {
    let newest = now.timestamp().div_euclid(POINT_SECS) * POINT_SECS;
    DateTime::from_timestamp(newest - (POINTS - 1) * POINT_SECS, 0).unwrap_or(now)
}

fn series(minutes: &Minutes, queue: &str, now: DateTime<Utc>) -> Vec<Point> {
    let start = series_start(now);
    let points = (0..POINTS).map(|place| start + TimeDelta::seconds(place * POINT_SECS));
    let sum = |at: DateTime<Utc>| {
        let ended = between(minutes, queue, at, at + TimeDelta::seconds(POINT_SECS));
        Point { at, done: ended.done, dead: ended.dead }
    };
    points.map(sum).collect()
}

/// The last 60 minutes that have begun.
fn lately(minutes: &Minutes, queue: &str, now: DateTime<Utc>) -> Ended {
    let from = now - LATELY + TimeDelta::nanoseconds(1);
    between(minutes, queue, from, now + TimeDelta::nanoseconds(1))
}

/// The sum of the minutes that begin in `from..until`.
fn between(minutes: &Minutes, queue: &str, from: DateTime<Utc>, until: DateTime<Utc>) -> Ended {
    let all = minutes.get(queue).into_iter().flat_map(|of_queue| of_queue.range(from..until));
    all.fold(Ended::default(), |sum, (_, ended)| Ended {
        done: sum.done + ended.done,
        dead: sum.dead + ended.dead,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        assert_eq!(times(&mut []), Times::default());
        assert_eq!(times(&mut [7]), Times { p50_ms: Some(7), p95_ms: Some(7) });
        let mut hundred: Vec<i64> = (1..=100).rev().collect();
        assert_eq!(times(&mut hundred), Times { p50_ms: Some(50), p95_ms: Some(95) });
    }

    #[test]
    fn a_series_has_three_hours_and_loses_no_minute() {
        let now = DateTime::from_timestamp(1_800_000_123, 0).unwrap();
        let mut minutes = Minutes::new();
        let of_queue = minutes.entry("replies".to_owned()).or_default();
        for ago in 0..200 {
            let minute = now.timestamp().div_euclid(60) * 60 - ago * 60;
            let minute = DateTime::from_timestamp(minute, 0).unwrap();
            of_queue.insert(minute, Ended { done: 1, dead: 0 });
        }
        let points = series(&minutes, "replies", now);
        assert_eq!(points.len(), 36);
        assert!(points.iter().take(35).all(|point| point.done == 5), "{points:?}");
        assert!(points[35].at <= now && now < points[35].at + TimeDelta::seconds(POINT_SECS));
        assert_eq!(lately(&minutes, "replies", now).done, 60);
        assert_eq!(lately(&minutes, "media", now), Ended::default());
    }
}
