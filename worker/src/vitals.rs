//! What this process says of itself to the others: that it lives, what it runs, and how often its
//! workers died. It also counts the minutes that are over, for the operators' pages.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use lembra_agent::config::Mode;
use lembra_agent::jobs::Queue;
use lembra_agent::jobs::board::minutes;
use lembra_agent::jobs::processes::{self, BEAT_EVERY, Beat, QueueWorker};
use lembra_agent::store::StoreResult;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::runtime::Runtime;

/// Characters that are kept of what a worker died of.
const WHY_CHARS: usize = 200;
/// How often minutes that are over are looked for.
const COUNT_EVERY: Duration = Duration::from_secs(15);
/// How far back they are counted: all that pages show at the start and once in a while, and
/// otherwise the last few, for commits that came late.
const COUNT_ALL: TimeDelta = TimeDelta::hours(3);
const COUNT_LAST: TimeDelta = TimeDelta::minutes(5);
/// Of so many rounds one counts everything.
const ROUNDS: u32 = 20;

/// How the workers of this process do. Clones share it.
#[derive(Clone, Default)]
pub struct Vitals {
    /// In the order of [`Queue::ALL`].
    queues: Arc<[Mutex<Restarts>; Queue::ALL.len()]>,
}

#[derive(Clone, Default)]
struct Restarts {
    count: u64,
    last: Option<(DateTime<Utc>, String)>,
}

impl Vitals {
    /// A worker died and is started again.
    pub fn restarted(&self, queue: Queue, why: &str, now: DateTime<Utc>) {
        for (each, restarts) in Queue::ALL.into_iter().zip(self.queues.iter()) {
            if each == queue {
                let mut restarts = locked(restarts);
                restarts.count += 1;
                restarts.last = Some((now, why.chars().take(WHY_CHARS).collect()));
            }
        }
    }

    fn workers(&self) -> Vec<QueueWorker> {
        let each = |(queue, restarts): (Queue, &Mutex<Restarts>)| {
            let Restarts { count, last } = locked(restarts).clone();
            let (last_restart_at, last_restart_why) = last.unzip();
            QueueWorker {
                queue: queue.as_str().to_owned(),
                concurrency: queue.concurrency(),
                restarts: count,
                last_restart_at,
                last_restart_why,
                running: 0,
            }
        };
        Queue::ALL.into_iter().zip(self.queues.iter()).map(each).collect()
    }
}

fn locked(restarts: &Mutex<Restarts>) -> MutexGuard<'_, Restarts> {
    restarts.lock().unwrap_or_else(PoisonError::into_inner)
}

fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "unknown".to_owned() } else { name.to_owned() }
}

fn every(period: Duration) -> tokio::time::Interval {
    let mut interval = tokio::time::interval(period);
    interval.set_missed_tick_behavior(MissedTickBehavior::Skip);
    interval
}

/// Writes signs of life until `stop`, and then that the process stopped.
pub async fn beat(runtime: Runtime, vitals: Vitals, stop: CancellationToken) {
    let (started_at, host) = (runtime.clock.now(), host());
    let sign = |stopped: bool| Beat {
        name: runtime.journal.process().to_owned(),
        host: host.clone(),
        mode: match runtime.config.mode {
            Mode::Standalone => "standalone",
            Mode::Production => "production",
        },
        version: env!("CARGO_PKG_VERSION"),
        queues: vitals.workers(),
        started_at,
        stopped,
    };
    let mut beats = every(BEAT_EVERY);
    loop {
        let stopped = tokio::select! {
            _ = beats.tick() => false,
            () = stop.cancelled() => true,
        };
        let now = runtime.clock.now();
        if let Err(error) = processes::beat(&runtime.db, sign(stopped), now).await {
            tracing::warn!(%error, "no sign of life written");
        }
        if stopped {
            return;
        }
    }
}

/// Counts minutes that are over, until `stop`.
pub async fn count_minutes(runtime: Runtime, stop: CancellationToken) {
    let mut looks = every(COUNT_EVERY);
    let mut round = 0_u32;
    loop {
        tokio::select! {
            _ = looks.tick() => {}
            () = stop.cancelled() => return,
        }
        let all = round.is_multiple_of(ROUNDS);
        round = round.wrapping_add(1);
        if let Err(error) = count(&runtime, all).await {
            tracing::warn!(%error, "finished jobs not counted");
        }
    }
}

/// One look: everything that pages show, or the last minutes where no process counted them yet.
pub async fn count(runtime: &Runtime, all: bool) -> StoreResult<()> {
    let now = runtime.clock.now();
    if all {
        return minutes::roll_up(&runtime.db, COUNT_ALL, now).await;
    }
    let counted_to = minutes::counted_to(&runtime.db).await?;
    if !minutes::is_behind(counted_to, now) {
        return Ok(());
    }
    // After a time without anybody who counted, from there on.
    let behind = counted_to.map_or(COUNT_ALL, |counted_to| now - counted_to);
    minutes::roll_up(&runtime.db, behind.clamp(COUNT_LAST, COUNT_ALL), now).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restarts_are_counted_by_queue_with_the_last_reason() {
        let vitals = Vitals::default();
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        vitals.restarted(Queue::Media, "first", now);
        vitals.restarted(Queue::Media, &"x".repeat(999), now);
        let workers = vitals.workers();
        assert_eq!(workers.len(), Queue::ALL.len());
        let media = workers.iter().find(|worker| worker.queue == "media").unwrap();
        assert_eq!((media.restarts, media.last_restart_at), (2, Some(now)));
        assert_eq!(media.last_restart_why.as_ref().map(String::len), Some(WHY_CHARS));
        assert_eq!(workers.iter().map(|worker| worker.restarts).sum::<u64>(), 2);
    }
}
