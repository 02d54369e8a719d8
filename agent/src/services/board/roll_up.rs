//! Gathers what happened into buckets of a quarter of an hour, so that a page adds up a few
//! thousand small rows whatever the number of messages.
//!
//! A bucket is filled a little after its end, from the rows that were written within it, and in
//! place of what it held before: a run that dies or meets another leaves nothing half counted.
//! Time in which nothing happened is passed over at once.

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::DatabaseConnection;

use crate::clock::SharedClock;
use crate::jobs::claim::{ClaimedJob, hold};
use crate::jobs::finish::JobOutcome;
use crate::store::board::stats::{self, Progress};
use crate::store::board::stats_sources::{self as sources, Span};
use crate::store::{StoreError, StoreResult, db};

/// How long a bucket is. Every time zone's midnight is a multiple of it.
pub const WIDTH: TimeDelta = TimeDelta::minutes(15);
/// A bucket is filled so long after its end: what was begun within it is committed by then.
const GRACE: TimeDelta = TimeDelta::seconds(60);
/// Buckets of one run; what is left is another run's, which begins at once.
const STEPS: usize = 96;
/// How often facts are counted.
const COUNT_EVERY: TimeDelta = TimeDelta::minutes(15);
/// How long buckets are kept.
pub const KEPT: TimeDelta = TimeDelta::days(400);

/// The bucket in which an instant lies.
pub fn bucket_of(at: DateTime<Utc>) -> DateTime<Utc> {
    let width = WIDTH.num_seconds();
    let start = at.timestamp().div_euclid(width) * width;
    DateTime::from_timestamp(start, 0).unwrap_or(at)
}

/// Fills the buckets that have ended; `Snooze` when there are more than one run fills.
pub async fn roll_up(db: &DatabaseConnection, job: &ClaimedJob, clock: &SharedClock) -> JobOutcome {
    match try_roll_up(db, job, clock).await {
        Ok(outcome) => outcome,
        // Another worker does it.
        Err(StoreError::LeaseLost) => JobOutcome::Done,
        Err(error) => JobOutcome::retry(error),
    }
}

async fn try_roll_up(
    db: &DatabaseConnection,
    job: &ClaimedJob,
    clock: &SharedClock,
) -> StoreResult<JobOutcome> {
    let now = clock.now();
    let mut progress = look_for_late_ones(db, job, begun(db, now).await?, now).await?;
    // The end of the last bucket that may be filled.
    let closed = bucket_of(now - GRACE);
    for _ in 0..STEPS {
        let Some(next) = step(db, &progress, closed).await? else {
            count_facts(db, now).await?;
            return Ok(JobOutcome::Done);
        };
        let figures = match next.bucket {
            Some(start) => {
                let until = start + WIDTH;
                let span = Span { from: start, until, account_id: None, most: i64::MAX };
                Some((start, sources::figures(db, &span).await?))
            }
            None => None,
        };
        let tx = db::begin(db).await?;
        // A long catching-up outlives the lease that it began with.
        hold(&tx, job, clock.now()).await?;
        if let Some((start, figures)) = &figures {
            stats::write(&tx, *start, figures).await?;
        }
        if !stats::advance(&tx, &progress, &next.progress).await? {
            tx.rollback().await?;
            return Ok(JobOutcome::Done);
        }
        tx.commit().await?;
        progress = next.progress;
    }
    Ok(JobOutcome::Snooze { until: now })
}

/// What is to be done next.
struct Next {
    /// The bucket to fill, if any.
    bucket: Option<DateTime<Utc>>,
    /// Where that leads.
    progress: Progress,
}

/// The next bucket in which something happened; `None` when all that ended are filled.
async fn step(
    db: &DatabaseConnection,
    progress: &Progress,
    closed: DateTime<Utc>,
) -> StoreResult<Option<Next>> {
    let again = progress.redo_from.filter(|redo| *redo < progress.filled_until);
    let (from, until) = match again {
        Some(redo) => (redo, progress.filled_until),
        None if progress.redo_from.is_some() => {
            // It has caught up with itself.
            return Ok(Some(Next {
                bucket: None,
                progress: Progress { redo_from: None, ..*progress },
            }));
        }
        None if progress.filled_until >= closed => return Ok(None),
        None => (progress.filled_until, closed),
    };
    let next = sources::next_event(db, from).await?.map(bucket_of);
    let bucket = next.filter(|start| *start < until);
    let reached = bucket.map_or(until, |start| start + WIDTH);
    let progress = match again {
        Some(_) => Progress { redo_from: Some(reached), ..*progress },
        None => Progress { filled_until: reached, ..*progress },
    };
    Ok(Some(Next { bucket, progress }))
}

/// How far it is; the first time from the first that ever happened, or as far back as is kept.
async fn begun(db: &DatabaseConnection, now: DateTime<Utc>) -> StoreResult<Progress> {
    if let Some(progress) = stats::progress(db).await? {
        return Ok(progress);
    }
    let first = sources::next_event(db, now - KEPT).await?.unwrap_or(now);
    let progress = Progress {
        filled_until: bucket_of(first),
        redo_from: None,
        last_message_id: sources::newest_message(db).await?,
    };
    stats::begin(db, &progress).await?;
    Ok(stats::progress(db).await?.unwrap_or(progress))
}

/// Messages that came into a bucket after it was filled send it back there, and no reader sees less
/// meanwhile than before.
async fn look_for_late_ones(
    db: &DatabaseConnection,
    job: &ClaimedJob,
    progress: Progress,
    now: DateTime<Utc>,
) -> StoreResult<Progress> {
    let newest = sources::newest_message(db).await?;
    if newest == progress.last_message_id {
        return Ok(progress);
    }
    let (after, filled) = (progress.last_message_id, progress.filled_until);
    let late = sources::late_message(db, after, newest, filled).await?;
    let late = late.map(|at| bucket_of(at).max(bucket_of(now - KEPT)));
    let redo_from = [late, progress.redo_from].into_iter().flatten().min();
    let looked = Progress { redo_from, last_message_id: newest, ..progress };
    let tx = db::begin(db).await?;
    hold(&tx, job, now).await?;
    if !stats::advance(&tx, &progress, &looked).await? {
        return Err(StoreError::LeaseLost);
    }
    tx.commit().await?;
    Ok(looked)
}

async fn count_facts(db: &DatabaseConnection, now: DateTime<Utc>) -> StoreResult<()> {
    let counted = stats::measured_at(db).await?;
    if counted.is_some_and(|at| now - at < COUNT_EVERY) {
        return Ok(());
    }
    let facts = sources::facts_of_all(db, now).await?;
    stats::write_gauges(db, &facts, now).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_lies_in_the_quarter_of_an_hour_that_it_began_in() {
        let at = |text: &str| DateTime::parse_from_rfc3339(text).unwrap().to_utc();
        for (instant, start) in [
            ("2026-12-02T12:00:00Z", "2026-12-02T12:00:00Z"),
            ("2026-12-02T12:14:59.999999Z", "2026-12-02T12:00:00Z"),
            ("2026-12-02T12:15:00Z", "2026-12-02T12:15:00Z"),
            ("1969-12-31T23:59:59Z", "1969-12-31T23:45:00Z"),
        ] {
            assert_eq!(bucket_of(at(instant)), at(start), "{instant}");
        }
    }
}
