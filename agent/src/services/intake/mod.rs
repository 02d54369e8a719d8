//! From a webhook to durable rows: nothing is acknowledged before it is committed.
//!
//! Events are gathered into transactions of at most [`BATCH`] events by a few committers. A
//! committer takes what has gathered, so an idle system adds no wait, and a busy one writes many
//! events for the price of one commit. Events that name a customer in the same way go to one
//! committer, in order; where they name them differently, unique indexes settle it.

mod batch;
mod context;
mod decide;
mod echoes;
mod incoming;
mod item;
mod later;
mod notices;
mod plain;
mod received;
mod reports;
mod settle;
mod takeover;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use chrono::TimeDelta;
use futures::FutureExt;
use sea_orm::DatabaseConnection;
use tokio::sync::{mpsc, oneshot};

pub use item::Item;
pub use later::answer_later;

use crate::clock::SharedClock;
use crate::config::{AnsweringConfig, MediaConfig};
use crate::domain::message::IgnoredWhy;
use crate::jobs::relay::Relay;
use crate::store::{StoreError, StoreResult, db, events};
use crate::trace;

/// Most events of one transaction.
const BATCH: usize = 64;
/// A batch of so many says that events come faster than they are written one by one.
const BUSY: usize = 4;
/// Then the next batch waits this long for the events that are on their way: one commit costs as
/// much for sixteen events as for four. An idle system never waits.
const GATHER: Duration = Duration::from_millis(1);
/// Events that may wait for a committer; beyond that, webhooks wait.
const WAITING: usize = 1_024;
/// Tries of an event that keeps being overtaken by other writers.
const TRIES: usize = 5;

/// What intake goes by.
#[derive(Debug, Clone)]
pub struct Settings {
    pub debounce: TimeDelta,
    pub max_answer_age: TimeDelta,
    /// Silence of the bot after a person wrote.
    pub human_pause: TimeDelta,
    /// Voices are heard before they are answered.
    pub hears: bool,
}

impl Settings {
    pub fn of(answering: &AnsweringConfig, media: &MediaConfig) -> Self {
        Self {
            debounce: answering.debounce,
            max_answer_age: answering.max_answer_age,
            human_pause: answering.human_pause,
            hears: media.transcription.is_some(),
        }
    }
}

/// The event is not on disk; the provider must deliver it again.
#[derive(Debug, thiserror::Error)]
#[error("not stored: {0}")]
pub struct NotStored(String);

struct Work {
    item: Item,
    /// Of the webhook that brought it.
    trace: Option<String>,
    done: oneshot::Sender<Result<(), NotStored>>,
}

impl Work {
    /// The message with its trace, where it has one.
    fn traced(&self) -> Option<(String, String)> {
        Some((self.item.message_id()?.to_owned(), self.trace.clone()?))
    }
}

/// Writes events. Clones share the committers, which end when the last clone is dropped.
#[derive(Clone)]
pub struct Intake {
    committers: Vec<mpsc::Sender<Work>>,
}

impl Intake {
    /// Committers on PostgreSQL, each of which uses one connection.
    pub fn committers() -> u32 {
        let cores = std::thread::available_parallelism().map_or(2, NonZeroUsize::get);
        u32::try_from(cores).unwrap_or(2).clamp(2, 8)
    }

    /// Starts the committers: one per core, since fewer leave the database idle and more make small
    /// batches; SQLite has one writer.
    pub fn start(
        db: &DatabaseConnection,
        clock: &SharedClock,
        relay: &Relay,
        settings: &Settings,
    ) -> Self {
        let count = if db::is_postgres(db) { Self::committers() } else { 1 };
        let start = |_| {
            let (sender, receiver) = mpsc::channel(WAITING);
            let committer = Committer {
                db: db.clone(),
                clock: clock.clone(),
                relay: relay.clone(),
                settings: settings.clone(),
                memory: batch::Memory::default(),
            };
            tokio::spawn(committer.run(receiver));
            sender
        };
        Self { committers: (0..count).map(start).collect() }
    }

    /// Writes all `items`; answers when every one is on disk.
    pub async fn accept(&self, items: Vec<Item>) -> Result<(), NotStored> {
        let mut answers = Vec::with_capacity(items.len());
        let trace = trace::current();
        for item in items {
            let (done, answer) = oneshot::channel();
            let mut hasher = DefaultHasher::new();
            item.shard_key().hash(&mut hasher);
            let shard = usize::try_from(hasher.finish() % self.committers.len().max(1) as u64);
            let committer = self.committers.get(shard.unwrap_or_default());
            let gone = || NotStored("no committer".to_owned());
            committer
                .ok_or_else(gone)?
                .send(Work { item, trace: trace.clone(), done })
                .await
                .map_err(|_| gone())?;
            answers.push(answer);
        }
        for answer in answers {
            answer.await.map_err(|_| NotStored("the committer stopped".to_owned()))??;
        }
        Ok(())
    }
}

struct Committer {
    db: DatabaseConnection,
    clock: SharedClock,
    relay: Relay,
    settings: Settings,
    memory: batch::Memory,
}

impl Committer {
    async fn run(mut self, mut receiver: mpsc::Receiver<Work>) {
        let mut gathered = Vec::with_capacity(BATCH);
        let mut busy = false;
        while receiver.recv_many(&mut gathered, BATCH).await > 0 {
            if busy && gathered.len() < BATCH {
                tokio::time::sleep(GATHER).await;
                while gathered.len() < BATCH {
                    let Ok(work) = receiver.try_recv() else { break };
                    gathered.push(work);
                }
            }
            busy = gathered.len() >= BUSY;
            self.memory.traces = gathered.iter().filter_map(Work::traced).collect();
            let (items, answers): (Vec<Item>, Vec<_>) =
                gathered.drain(..).map(|work| (work.item, work.done)).unzip();
            metrics::histogram!("lembra_intake_batch_events").record(items.len() as f64);
            let results = match self.write(&items).await {
                Ok(()) => items.iter().map(|_| Ok(())).collect(),
                Err(error) if error.is_unavailable() => {
                    items.iter().map(|_| Err(NotStored(error.to_string()))).collect()
                }
                // One poisonous event must not fail the rest: each on its own.
                Err(error) => {
                    tracing::warn!(%error, events = items.len(), "batch failed, one by one");
                    let mut results = Vec::with_capacity(items.len());
                    for item in &items {
                        results.push(self.write_alone(item).await);
                    }
                    results
                }
            };
            for (answer, result) in answers.into_iter().zip(results) {
                // Whoever waited may be gone, with its connection; the event is stored anyway.
                let _ = answer.send(result);
            }
        }
    }

    async fn write(&mut self, items: &[Item]) -> StoreResult<()> {
        let now = self.clock.now();
        let items: Vec<&Item> = items.iter().collect();
        let written = batch::write(&self.db, &self.settings, &items, &mut self.memory, now);
        // A rule that panics over a hostile text must not end the committer, and with it intake.
        let due = match AssertUnwindSafe(written).catch_unwind().await {
            Ok(written) => written?,
            Err(_) => return Err(StoreError::Refused("a rule panicked".to_owned())),
        };
        due.into_iter().for_each(|queue| self.relay.ring(queue));
        Ok(())
    }

    /// Writes one event in its own transaction. What is refused for its content is kept as an
    /// event that led to nothing, with its text, since delivering it again would change nothing.
    /// Every other failure is ours, and the provider must deliver again.
    async fn write_alone(&mut self, item: &Item) -> Result<(), NotStored> {
        let mut result = self.write(std::slice::from_ref(item)).await;
        for _ in 1..TRIES {
            match result {
                Err(StoreError::Conflict) => result = self.write(std::slice::from_ref(item)).await,
                _ => break,
            }
        }
        let error = match result {
            Ok(()) => return Ok(()),
            Err(StoreError::Refused(why)) => why,
            Err(error) => return Err(NotStored(error.to_string())),
        };
        tracing::error!(error, "event refused for its content");
        let kept = item.refused(IgnoredWhy::Malformed, "refused for its content");
        let stored = events::insert(&self.db, vec![kept], self.clock.now()).await;
        stored.map_err(|error| NotStored(error.to_string()))
    }
}
