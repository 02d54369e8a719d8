//! All schedules, in one table. A tick is a ledger row that is written once, whatever the number
//! of replicas; a tick missed while everything was down runs once at start.

use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use chrono_tz::{America::Sao_Paulo, Tz};
use lembra_agent::jobs::NewJob;
use lembra_agent::jobs::board_kinds::RollUpStats;
use lembra_agent::jobs::enqueue::enqueue_once;
use lembra_agent::jobs::kinds::{Retention, Watch};
use lembra_agent::jobs::memory_kinds::{
    Aging, AutoResolve, HardDeleteExpired, Reembed, SilenceDetector,
};
use lembra_agent::jobs::pauses;
use lembra_agent::jobs::schedules::{self, Asked, ScheduleRun, ScheduleState, Ticks};
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
        // A bucket is filled a minute after its end.
        name: "roll_up_stats",
        cron: "15 * * * * *",
        job: |tick| NewJob::of(&RollUpStats {}, None, tick),
    },
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
    latest_ticks(cron, now, 1).pop()
}

/// The latest ones, last first.
fn latest_ticks(cron: &str, now: DateTime<Utc>, most: usize) -> Vec<DateTime<Utc>> {
    let Ok(schedule) = cron::Schedule::from_str(cron) else {
        return Vec::new();
    };
    let local: DateTime<Tz> = now.with_timezone(&Sao_Paulo);
    let ticks = schedule.after(&local).rev().take(most);
    ticks.map(|tick| tick.with_timezone(&Utc)).collect()
}

fn next_tick(cron: &str, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let schedule = cron::Schedule::from_str(cron).ok()?;
    let local: DateTime<Tz> = now.with_timezone(&Sao_Paulo);
    Some(schedule.after(&local).next()?.with_timezone(&Utc))
}

/// The once key of a tick.
fn tick_key(name: &str, tick: DateTime<Utc>) -> String {
    format!("{name}:{}", tick.to_rfc3339())
}

/// Ticks among which the last run is looked for: the latest one may not be written yet, or wait
/// while the one before it runs.
const LAST_TICKS: usize = 3;

fn last_ticks(schedule: &Schedule, now: DateTime<Utc>) -> Ticks {
    let ticks = latest_ticks(schedule.cron, now, LAST_TICKS).into_iter();
    let keys = ticks.map(|tick| tick_key(schedule.name, tick)).collect();
    Ticks { name: schedule.name, keys }
}

/// All schedules with their last and next runs.
pub async fn states(runtime: &Runtime) -> StoreResult<Vec<ScheduleState>> {
    let now = runtime.clock.now();
    let ticks: Vec<Ticks> = TABLE.iter().map(|schedule| last_ticks(schedule, now)).collect();
    let last = schedules::last_runs(&runtime.db, &ticks, now).await?;
    let state = |(schedule, last): (&Schedule, Option<ScheduleRun>)| ScheduleState {
        name: schedule.name.to_owned(),
        cron: schedule.cron.to_owned(),
        time_zone: Sao_Paulo.name().to_owned(),
        queue: (schedule.job)(now).queue().as_str().to_owned(),
        next_at: next_tick(schedule.cron, now),
        last,
    };
    Ok(TABLE.iter().zip(last).map(state).collect())
}

/// Runs a schedule once more, now, unless a run of it waits or is under way; `None` for a name
/// that is none.
pub async fn run_now(runtime: &Runtime, name: &str, by: &str) -> StoreResult<Option<Asked>> {
    let Some(schedule) = TABLE.iter().find(|schedule| schedule.name == name) else {
        return Ok(None);
    };
    let now = runtime.clock.now();
    let job = (schedule.job)(now);
    let queue = job.queue();
    let ticks = last_ticks(schedule, now);
    let asked = schedules::run_now(&runtime.db, &ticks, job, by, now).await?;
    runtime.relay.ring(queue);
    Ok(Some(asked))
}

/// Writes the jobs of ticks that have no row yet; answers how many.
pub async fn tick(runtime: &Runtime) -> StoreResult<usize> {
    let now = runtime.clock.now();
    let paused = pauses::all(&runtime.db).await?;
    let mut written = 0;
    for schedule in TABLE {
        let Some(tick) = latest_tick(schedule.cron, now) else {
            return Err(StoreError::Inconsistent(format!("schedule {}", schedule.name)));
        };
        let job = (schedule.job)(tick).once(tick_key(schedule.name, tick));
        // While its queue is stopped no ticks pile up; afterwards the latest one counts as missed.
        if paused.iter().any(|pause| pause.queue == job.queue().as_str()) {
            continue;
        }
        if enqueue_once(&runtime.db, &job, now).await? {
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
            let ticks = latest_ticks(schedule.cron, now, LAST_TICKS);
            assert_eq!(ticks.len(), LAST_TICKS, "{}", schedule.name);
            assert!(ticks[1] < ticks[0] && ticks[0] <= now, "{}", schedule.name);
            assert_eq!(latest_tick(schedule.cron, now), Some(ticks[0]));
            assert!(next_tick(schedule.cron, now).is_some_and(|next| now < next));
        }
    }
}
