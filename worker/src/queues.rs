//! apalis workers: each takes tickets of one queue and hands them to the runner.
//!
//! apalis decides when to take a ticket and how many at a time, and nothing else: a handler runs
//! in a task of its own, so a worker that dies of a transport error does not cancel what it runs;
//! a supervisor starts it again under a new name.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use apalis::prelude::{Data, Monitor, WorkerBuilder, WorkerBuilderExt};
use apalis_codec::json::JsonCodec;
use apalis_core::backend::ext::BackendExt;
use apalis_core::backend::ext::poll_strategy::{PollSnapshot, PollStrategy};
use apalis_core::backend::finalize::Durable;
use apalis_core::backend::persistence::TaskPersistLayer;
use apalis_core::backend::{Backend, BackendConfig, TaskSink, WireFormatBackend};
use apalis_core::task::Task;
use lembra_agent::clock::SharedClock;
use lembra_agent::jobs::Queue;
use lembra_agent::jobs::kinds::LONGEST_DEADLINE;
use lembra_agent::jobs::transport::{Ticket, Transport};
use serde_json::Value;
use tokio::sync::Notify;
use tokio::sync::futures::OwnedNotified;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::runner::Runner;
use crate::vitals::Vitals;

/// How often a queue is looked at where no bell rings.
const POLL: Duration = Duration::from_millis(100);
/// Running handlers get this long when the process is asked to stop.
pub const SHUTDOWN: Duration = Duration::from_secs(30);
/// Wait before a worker that died is started again, doubled each time in a row, up to the second.
const RESTART_WAIT: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(5)];
/// A worker that lived this long has recovered.
const RECOVERED: Duration = Duration::from_secs(30);

/// What both transports' storages are to a worker.
trait TicketQueue: Backend<Task = Task<Vec<u8>>, Error: Send>
    + BackendConfig<Args = Ticket, Kind = Durable, Layer = TaskPersistLayer<JsonCodec<Value>, Value>>
    + WireFormatBackend<Codec = JsonCodec<Vec<u8>>, Compact = Vec<u8>>
    + TaskSink<Ticket, Durable>
    + Clone
    + Send
    + Sync
    + Unpin
    + 'static
{
}

impl<Q> TicketQueue for Q where
    Q: Backend<Task = Task<Vec<u8>>, Error: Send>
        + BackendConfig<
            Args = Ticket,
            Kind = Durable,
            Layer = TaskPersistLayer<JsonCodec<Value>, Value>,
        > + WireFormatBackend<Codec = JsonCodec<Vec<u8>>, Compact = Vec<u8>>
        + TaskSink<Ticket, Durable>
        + Clone
        + Send
        + Sync
        + Unpin
        + 'static
{
}

/// Looks when the bell rings, and at a fixed pace; never says that it is ready without having
/// registered a waker: the built-in interval lost wake-ups, and jobs with them.
struct Pace {
    looks: tokio::time::Interval,
    bell: Arc<Notify>,
    rung: Pin<Box<OwnedNotified>>,
}

impl Pace {
    fn of(period: Duration, bell: Arc<Notify>) -> Self {
        let mut looks = tokio::time::interval(period);
        looks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let rung = Box::pin(bell.clone().notified_owned());
        Self { looks, bell, rung }
    }
}

impl PollStrategy for Pace {
    fn poll_drive(&mut self, cx: &mut Context<'_>, _: &PollSnapshot) -> Poll<Option<()>> {
        let mut fired = false;
        while self.looks.poll_tick(cx).is_ready() {
            fired = true;
        }
        while self.rung.as_mut().poll(cx).is_ready() {
            fired = true;
            self.rung = Box::pin(self.bell.clone().notified_owned());
            // A look that is under way may have begun before the ticket was there.
            cx.waker().wake_by_ref();
        }
        if fired { Poll::Ready(Some(())) } else { Poll::Pending }
    }
}

/// What a handler is given besides the ticket.
#[derive(Clone)]
struct Hands {
    runner: Runner,
    tasks: TaskTracker,
}

async fn handle(ticket: Ticket, hands: Data<Hands>) {
    let runner = hands.runner.clone();
    // Of its own, so that a dying worker does not cancel it in the middle of a send.
    let task = hands.tasks.spawn(async move { runner.run(ticket.0).await });
    match task.await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => tracing::warn!(job.id = %ticket.0, %error, "ledger did not answer"),
        Err(ended) => {
            tracing::error!(job.id = %ticket.0, panicked = ended.is_panic(), "runner ended");
        }
    }
}

/// Keeps a worker of the queue running until `stop`.
pub async fn supervise(
    queue: Queue,
    transport: Transport,
    (runner, tasks, vitals): (Runner, TaskTracker, Vitals),
    clock: SharedClock,
    stop: CancellationToken,
) {
    let process = Uuid::now_v7().simple();
    let bell = transport.bells().of(queue);
    let mut wait = RESTART_WAIT[0];
    for restarts in 0_u64.. {
        let name = format!("{}-{process}-{restarts}", queue.as_str());
        let hands = Hands { runner: runner.clone(), tasks: tasks.clone() };
        let began = tokio::time::Instant::now();
        let ended = match &transport {
            Transport::Redis { connection, namespace, .. } => {
                let storage = Transport::redis_storage(connection, namespace, queue);
                run(storage, name, (queue, bell.clone()), hands, stop.clone()).await
            }
            Transport::Sqlite { pool, .. } => {
                let storage = Transport::sqlite_storage(pool, queue);
                run(storage, name, (queue, bell.clone()), hands, stop.clone()).await
            }
        };
        if stop.is_cancelled() {
            return;
        }
        let reason = ended.err().unwrap_or_else(|| "ended unasked".to_owned());
        metrics::counter!("lembra_worker_restarts_total", "queue" => queue.as_str()).increment(1);
        tracing::warn!(queue = queue.as_str(), restarts = restarts + 1, reason, "worker died");
        vitals.restarted(queue, &reason, clock.now());
        wait = if began.elapsed() > RECOVERED { RESTART_WAIT[0] } else { wait };
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = stop.cancelled() => return,
        }
        wait = (wait * 2).min(RESTART_WAIT[1]);
    }
}

async fn run<Q: TicketQueue>(
    storage: Q,
    name: String,
    (queue, bell): (Queue, Arc<Notify>),
    hands: Hands,
    stop: CancellationToken,
) -> Result<(), String> {
    let monitor = Monitor::new().shutdown_timeout(SHUTDOWN).register(move |_| {
        WorkerBuilder::new(name.as_str())
            .backend(storage.clone().poll_with_strategy(Pace::of(POLL, bell.clone())))
            .data(hands.clone())
            .concurrency(queue.concurrency())
            // Above every deadline: a handler is ended by the runner, with its outcome recorded.
            .timeout(LONGEST_DEADLINE + Duration::from_secs(15))
            .catch_panic()
            .build(handle)
    });
    let asked: Pin<Box<dyn Future<Output = std::io::Result<()>> + Send>> = Box::pin(async move {
        stop.cancelled().await;
        Ok(())
    });
    monitor.run_with_signal(asked).await.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    #[tokio::test]
    async fn a_ring_is_heard_long_before_the_next_look() {
        let bell = Arc::new(Notify::new());
        let mut pace = Pace::of(Duration::from_secs(3_600), bell.clone());
        let snapshot = PollSnapshot::new();
        // The first look is at once.
        poll_fn(|cx| pace.poll_drive(cx, &snapshot)).await;
        let silent = poll_fn(|cx| pace.poll_drive(cx, &snapshot));
        assert!(tokio::time::timeout(Duration::from_millis(50), silent).await.is_err());
        let rung = bell.clone();
        tokio::spawn(async move { rung.notify_one() });
        let heard = poll_fn(|cx| pace.poll_drive(cx, &snapshot));
        assert!(tokio::time::timeout(Duration::from_secs(5), heard).await.is_ok());
    }

    #[tokio::test]
    async fn a_ring_while_nobody_listens_is_heard_afterwards() {
        let bell = Arc::new(Notify::new());
        let mut pace = Pace::of(Duration::from_secs(3_600), bell.clone());
        let snapshot = PollSnapshot::new();
        poll_fn(|cx| pace.poll_drive(cx, &snapshot)).await;
        bell.notify_one();
        let heard = poll_fn(|cx| pace.poll_drive(cx, &snapshot));
        assert!(tokio::time::timeout(Duration::from_secs(5), heard).await.is_ok());
    }
}
