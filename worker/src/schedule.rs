//! All schedules, in one table. A tick is a ledger row that is written once, whatever the number
//! of replicas; a tick missed while everything was down runs once at start.

use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use chrono_tz::{America::Sao_Paulo, Tz};
use lembra_agent::jobs::NewJob;
use lembra_agent::jobs::enqueue::enqueue_once;
use lembra_agent::jobs::kinds::{Retention, Watch};
use lembra_agent::jobs::memory_kinds::{
    Aging, AutoResolve, HardDeleteExpired, Reembed, SilenceDetector,
};
use lembra_agent::store::{StoreError, StoreResult};
use tokio_util::sync::CancellationToken;

use crate::runtime::Runtime;

/// How often the clock is compared with the table.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// A schedule: seconds, minutes, hours, days, months, weekdays, in São Paulo's time.
struct Schedule {
    name: &'static str,
    cron: &'static str,
    job: fn(DateTime<Utc>) -> NewJob,
}

const TABLE: &[Schedule] = &[
    Schedule {
        // After midnight, when few write.
        name: "retention",
        cron: "0 45 3 * * *",
        job: |tick| NewJob::of(&Retention {}, None, tick),
    },
    Schedule { name: "watch", cron: "0 * * * * *", job: |tick| NewJob::of(&Watch {}, None, tick) },
    Schedule {
        name: "silence_detector",
        cron: "0 */10 * * * *",
        job: |tick| NewJob::of(&SilenceDetector {}, None, tick),
    },
    Schedule {
        // Between two ticks of the detector.
        name: "auto_resolve",
        cron: "0 5/10 * * * *",
        job: |tick| NewJob::of(&AutoResolve {}, None, tick),
    },
    Schedule {
        name: "aging",
        cron: "0 0 3 * * SUN",
        job: |tick| NewJob::of(&Aging {}, None, tick),
    },
    Schedule {
        name: "hard_delete_expired",
        cron: "0 30 3 * * *",
        job: |tick| NewJob::of(&HardDeleteExpired {}, None, tick),
    },
    Schedule {
        name: "reembed",
        cron: "0 15 4 * * *",
        job: |tick| NewJob::of(&Reembed {}, None, tick),
    },
];

/// The latest instant at which the schedule should have ticked.
fn latest_tick(cron: &str, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let schedule = cron::Schedule::from_str(cron).ok()?;
    let local: DateTime<Tz> = now.with_timezone(&Sao_Paulo);
    Some(schedule.after(&local).next_back()?.with_timezone(&Utc))
}

/// Writes the jobs of ticks that have no row yet; answers how many.
pub async fn tick(runtime: &Runtime) -> StoreResult<usize> {
    let now = runtime.clock.now();
    let mut written = 0;
    for schedule in TABLE {
        let Some(tick) = latest_tick(schedule.cron, now) else {
            return Err(StoreError::Inconsistent(format!("schedule {}", schedule.name)));
        };
        let key = format!("{}:{}", schedule.name, tick.to_rfc3339());
        if enqueue_once(&runtime.db, &(schedule.job)(tick).once(key), now).await? {
            written += 1;
        }
    }
    Ok(written)
}

/// A process that starts with another embedding model than the last one does not wait for the
/// night: once per model and day.
async fn reembed_for_new_model(runtime: &Runtime) -> StoreResult<()> {
    let now = runtime.clock.now();
    let model = runtime.memories.embedder.model();
    let key = format!("reembed:{model}:{}", now.date_naive());
    let job = NewJob::of(&Reembed {}, None, now).once(key);
    enqueue_once(&runtime.db, &job, now).await?;
    Ok(())
}

/// Ticks until `stop`.
pub async fn keep(runtime: Runtime, stop: CancellationToken) {
    if let Err(error) = reembed_for_new_model(&runtime).await {
        tracing::warn!(%error, "embedding model not compared with the last one");
    }
    let mut look = tokio::time::interval(LOOK_EVERY);
    loop {
        tokio::select! {
            _ = look.tick() => {
                if let Err(error) = tick(&runtime).await {
                    tracing::warn!(%error, "schedules not looked at");
                }
            }
            () = stop.cancelled() => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_tick_is_in_the_past_and_within_a_day_for_a_daily_schedule() {
        let now = DateTime::parse_from_rfc3339("2026-11-29T12:00:00Z").unwrap().to_utc();
        let tick = latest_tick("0 45 3 * * *", now).unwrap();
        assert_eq!(tick.to_rfc3339(), "2026-11-29T06:45:00+00:00");
        let before = DateTime::parse_from_rfc3339("2026-11-29T06:44:59Z").unwrap().to_utc();
        let tick = latest_tick("0 45 3 * * *", before).unwrap();
        assert_eq!(tick.to_rfc3339(), "2026-11-28T06:45:00+00:00");
    }

    #[test]
    fn every_schedule_can_be_read() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        for schedule in TABLE {
            assert!(latest_tick(schedule.cron, now).is_some(), "{}", schedule.name);
        }
    }
}
