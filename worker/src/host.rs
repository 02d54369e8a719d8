//! A set of workers with their loops, as one thing that starts and stops.

use lembra_agent::jobs::Queue;
use lembra_agent::jobs::bells::Bells;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::queues::{SHUTDOWN, supervise};
use crate::runner::Runner;
use crate::runtime::Runtime;
use crate::vitals::{self, Vitals};
use crate::{relaying, schedule};

/// A part of the host ended while nobody had asked it to.
#[derive(Debug, thiserror::Error)]
#[error("a worker loop ended unasked: {0}")]
pub struct EndedUnasked(&'static str);

/// Runs all queues, the relay and the schedules until `stop`; then waits for running handlers,
/// half a minute at most. Any other end is an error: a process without workers must not look
/// alive.
pub async fn run(runtime: Runtime, stop: CancellationToken) -> Result<(), EndedUnasked> {
    let runner = Runner::new(runtime.clone());
    let tasks = TaskTracker::new();
    let vitals = Vitals::default();
    let mut loops = JoinSet::new();
    for queue in Queue::ALL {
        let transport = runtime.relay.transport().clone();
        let hands = (runner.clone(), tasks.clone(), vitals.clone());
        loops.spawn(supervise(queue, transport, hands, runtime.clock.clone(), stop.clone()));
    }
    loops.spawn(relaying::keep(runtime.clone(), stop.clone()));
    loops.spawn(listen(runtime.relay.transport().bells().clone(), stop.clone()));
    loops.spawn(vitals::beat(runtime.clone(), vitals, stop.clone()));
    loops.spawn(vitals::count_minutes(runtime.clone(), stop.clone()));
    loops.spawn(schedule::keep(runtime, stop.clone()));
    while let Some(ended) = loops.join_next().await {
        if stop.is_cancelled() {
            continue;
        }
        stop.cancel();
        let reason = ended
            .err()
            .map_or("returned", |error| if error.is_panic() { "panicked" } else { "cancelled" });
        return Err(EndedUnasked(reason));
    }
    tasks.close();
    if tokio::time::timeout(SHUTDOWN, tasks.wait()).await.is_err() {
        tracing::warn!(jobs = tasks.len(), "stopped with jobs running; their leases will run out");
    }
    Ok(())
}

/// Hears what other processes announce, until `stop`.
async fn listen(bells: Bells, stop: CancellationToken) {
    tokio::select! {
        () = bells.listen() => {}
        () = stop.cancelled() => {}
    }
}

/// Waits for SIGTERM or Ctrl-C.
pub async fn asked_to_stop() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            _ = terminate.recv() => Ok(()),
            result = tokio::signal::ctrl_c() => result,
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
