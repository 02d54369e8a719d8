//! The loops around the relay: due jobs to the transport, lost tickets again, dead workers' jobs
//! back, and the transport's leftovers away.

use std::time::Duration;

use lembra_agent::jobs::Queue;
use lembra_agent::jobs::reap::reap;
use lembra_agent::jobs::relay::{Relay, RelayError};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::runtime::Runtime;

/// How often due jobs are looked for (DESIGN §4).
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// How often lost tickets and dead workers' jobs are looked for.
const REPAIR_EVERY: Duration = Duration::from_secs(2);
/// How often finished tickets are removed.
const PRUNE_EVERY: Duration = Duration::from_secs(15);
/// Pause after the transport or the database failed.
const PAUSE: Duration = Duration::from_secs(1);

fn every(period: Duration) -> tokio::time::Interval {
    let mut interval = tokio::time::interval(period);
    interval.set_missed_tick_behavior(MissedTickBehavior::Skip);
    interval
}

/// Pushes what is due whenever somebody rings. This is all that a process without workers does.
pub async fn push_when_rung(relay: Relay, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = relay.rung() => report(relay.push_rung().await).await,
            () = stop.cancelled() => return,
        }
    }
}

/// Pushes what is due, and repairs, until `stop`.
pub async fn keep(runtime: Runtime, stop: CancellationToken) {
    let mut look = every(LOOK_EVERY);
    let mut repairs = every(REPAIR_EVERY);
    let mut prunes = every(PRUNE_EVERY);
    loop {
        tokio::select! {
            () = runtime.relay.rung() => report(runtime.relay.push_rung().await).await,
            _ = look.tick() => report(runtime.relay.push_due().await).await,
            _ = repairs.tick() => repair(&runtime).await,
            _ = prunes.tick() => prune(&runtime.relay).await,
            () = stop.cancelled() => return,
        }
    }
}

async fn report(pushed: Result<usize, RelayError>) {
    if let Err(error) = pushed {
        tracing::warn!(%error, "due jobs not pushed");
        metrics::counter!("lembra_relay_errors_total").increment(1);
        tokio::time::sleep(PAUSE).await;
    }
}

async fn repair(runtime: &Runtime) {
    match reap(&runtime.db, &runtime.journal, runtime.clock.now()).await {
        Ok(0) => {}
        Ok(jobs) => {
            metrics::counter!("lembra_jobs_reaped_total").increment(jobs as u64);
            tracing::warn!(jobs, "jobs of stopped workers taken back");
        }
        Err(error) => tracing::warn!(%error, "stopped workers' jobs not looked for"),
    }
    match runtime.relay.replace_lost().await {
        Ok(0) => {}
        Ok(tickets) => tracing::warn!(tickets, "lost tickets written again"),
        Err(error) => tracing::warn!(%error, "lost tickets not looked for"),
    }
}

async fn prune(relay: &Relay) {
    for queue in Queue::ALL {
        if let Err(error) = relay.transport().prune(queue).await {
            tracing::warn!(queue = queue.as_str(), %error, "finished tickets not removed");
        }
    }
}
