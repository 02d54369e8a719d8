//! From the ledger to the transport: due rows become tickets, within bounds; tickets that got lost
//! are written again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use tokio::sync::Notify;
use uuid::Uuid;

use super::pauses::NOT_PAUSED;
use super::queue::Queue;
use super::transport::{Transport, TransportError};
use crate::clock::SharedClock;
use crate::store::db::skip_locked;
use crate::store::error::{StoreError, StoreResult};

/// Tickets in the transport per unit of live concurrency.
const TICKETS_PER_SLOT: usize = 4;
/// apalis' Redis script fails for good at 8,000 due tickets (measured: 7,900 works).
const MOST_TICKETS: usize = 1_000;
/// A ticket that was not taken for this long, and for which there is no place left in the
/// transport where it could still be waiting, is lost.
const LOST_AFTER: TimeDelta = TimeDelta::seconds(10);

/// Pushes due jobs. Clones share the bell that announces work.
#[derive(Clone)]
pub struct Relay {
    db: DatabaseConnection,
    transport: Transport,
    clock: SharedClock,
    bell: Arc<Bell>,
}

/// Says in which queues there is work.
#[derive(Default)]
struct Bell {
    notify: Notify,
    /// One flag per queue, in the order of [`Queue::ALL`].
    rung: [AtomicBool; Queue::ALL.len()],
}

/// A relay pass failed halfway; the jobs are still in the ledger.
#[derive(Debug, thiserror::Error)]
pub enum RelayError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Transport(#[from] TransportError),
}

impl Relay {
    pub fn new(db: DatabaseConnection, transport: Transport, clock: SharedClock) -> Self {
        Self { db, transport, clock, bell: Arc::default() }
    }

    pub fn transport(&self) -> &Transport {
        &self.transport
    }

    /// Says that jobs of the queue were committed which are due at once.
    pub fn ring(&self, queue: Queue) {
        for (flag, each) in self.bell.rung.iter().zip(Queue::ALL) {
            if each == queue {
                flag.store(true, Ordering::Release);
            }
        }
        self.bell.notify.notify_one();
    }

    /// Rings for each of these.
    pub fn ring_all(&self, queues: impl IntoIterator<Item = Queue>) {
        queues.into_iter().for_each(|queue| self.ring(queue));
    }

    /// Waits until somebody rings.
    pub async fn rung(&self) {
        self.bell.notify.notified().await;
    }

    /// Pushes what is due in the queues that were rung for, as far as there is room.
    pub async fn push_rung(&self) -> Result<usize, RelayError> {
        let mut pushed = 0;
        for (flag, queue) in self.bell.rung.iter().zip(Queue::ALL) {
            if flag.swap(false, Ordering::AcqRel) {
                pushed += self.push_queue(queue).await?;
            }
        }
        Ok(pushed)
    }

    /// Pushes what is due, in every queue, as far as there is room. Answers how many.
    pub async fn push_due(&self) -> Result<usize, RelayError> {
        let mut pushed = 0;
        for queue in queues_with_due_jobs(&self.db, self.clock.now()).await? {
            pushed += self.push_queue(queue).await?;
        }
        Ok(pushed)
    }

    async fn push_queue(&self, queue: Queue) -> Result<usize, RelayError> {
        let now = self.clock.now();
        let depth = self.transport.depth(queue).await?;
        let slots = queue.concurrency() * depth.workers.max(1);
        let room = (slots * TICKETS_PER_SLOT).min(MOST_TICKETS).saturating_sub(depth.waiting);
        let ids = take_due(&self.db, queue, room, now).await?;
        if let Err(error) = self.transport.push(queue, &ids).await {
            put_back(&self.db, &ids).await?;
            return Err(error.into());
        }
        Ok(ids.len())
    }

    /// Writes lost tickets again. Answers how many. A ticket too many runs nothing, since the
    /// claim decides; a ticket too few would leave a customer waiting.
    pub async fn replace_lost(&self) -> Result<usize, RelayError> {
        let mut replaced = 0;
        for queue in Queue::ALL {
            let now = self.clock.now();
            let queued = count_queued(&self.db, queue).await?;
            if queued == 0 {
                continue;
            }
            let depth = self.transport.depth(queue).await?;
            let lost = queued.saturating_sub(depth.waiting).min(MOST_TICKETS);
            let ids = take_lost(&self.db, queue, lost, now).await?;
            self.transport.push(queue, &ids).await?;
            replaced += ids.len();
        }
        Ok(replaced)
    }
}

/// One question for all queues: it is asked several times a second.
async fn queues_with_due_jobs(
    db: &DatabaseConnection,
    now: DateTime<Utc>,
) -> StoreResult<Vec<Queue>> {
    let names = Queue::ALL.map(|queue| format!("('{}')", queue.as_str())).join(", ");
    let sql = format!(
        "WITH queues(queue) AS (VALUES {names}) SELECT queue FROM queues WHERE EXISTS \
         (SELECT 1 FROM jobs WHERE state = 'pending' AND jobs.queue = queues.queue AND run_at <= $1) \
         AND NOT EXISTS (SELECT 1 FROM queue_pauses WHERE queue_pauses.queue = queues.queue)"
    );
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [now.into()]);
    let mut due = Vec::new();
    for row in db.query_all_raw(statement).await? {
        let name: String = row.try_get("", "queue")?;
        due.extend(Queue::ALL.into_iter().find(|queue| queue.as_str() == name));
    }
    Ok(due)
}

async fn take_due(
    db: &DatabaseConnection,
    queue: Queue,
    most: usize,
    now: DateTime<Utc>,
) -> StoreResult<Vec<Uuid>> {
    let condition = "state = 'pending' AND queue = $1 AND run_at <= $2 ORDER BY run_at, id";
    let change = "state = 'queued', queued_at = $4";
    take(db, condition, change, queue, [now, now], most).await
}

async fn take_lost(
    db: &DatabaseConnection,
    queue: Queue,
    most: usize,
    now: DateTime<Utc>,
) -> StoreResult<Vec<Uuid>> {
    let condition = "state = 'queued' AND queue = $1 AND queued_at <= $2 ORDER BY queued_at";
    take(db, condition, "queued_at = $4", queue, [now - LOST_AFTER, now], most).await
}

/// Marks up to `most` rows and answers their ids; `times` are the parameters `$2` and `$4`.
async fn take(
    db: &DatabaseConnection,
    condition: &str,
    change: &str,
    queue: Queue,
    times: [DateTime<Utc>; 2],
    most: usize,
) -> StoreResult<Vec<Uuid>> {
    if most == 0 {
        return Ok(Vec::new());
    }
    let lock = skip_locked(db);
    let sql = format!(
        "WITH due AS MATERIALIZED (SELECT id FROM jobs WHERE {NOT_PAUSED} AND {condition} \
           LIMIT $3 {lock}) \
         UPDATE jobs SET {change} WHERE id IN (SELECT id FROM due) RETURNING id"
    );
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let values = [queue.as_str().into(), times[0].into(), most.into(), times[1].into()];
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    let rows = db.query_all_raw(statement).await?;
    let mut ids = Vec::with_capacity(rows.len());
    for row in rows {
        ids.push(row.try_get("", "id")?);
    }
    // RETURNING has no order; ids are sorted by the time they were made.
    ids.sort_unstable();
    Ok(ids)
}

async fn put_back(db: &DatabaseConnection, ids: &[Uuid]) -> StoreResult<()> {
    use lembra_entities::job;
    use sea_orm::sea_query::Expr;
    use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
    if ids.is_empty() {
        return Ok(());
    }
    job::Entity::update_many()
        .col_expr(job::Column::State, Expr::value(super::state::PENDING))
        .filter(job::Column::Id.is_in(ids.iter().copied()))
        .filter(job::Column::State.eq(super::state::QUEUED))
        .exec(db)
        .await?;
    Ok(())
}

async fn count_queued(db: &DatabaseConnection, queue: Queue) -> StoreResult<usize> {
    let backend = db.get_database_backend();
    let sql = "SELECT count(*) AS n FROM jobs WHERE state = 'queued' AND queue = $1";
    let statement = Statement::from_sql_and_values(backend, sql, [queue.as_str().into()]);
    let count: i64 = match db.query_one_raw(statement).await? {
        Some(row) => row.try_get("", "n")?,
        None => 0,
    };
    Ok(usize::try_from(count).unwrap_or_default())
}
