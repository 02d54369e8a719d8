//! The transport: a list of ticket numbers per queue, in Redis or in a SQLite file. It may lose,
//! double or delay them; the ledger decides what runs. This is the one file outside `worker` that
//! knows apalis, and it uses it as measured: tickets under a fresh task id and without
//! idempotency key, one at a time, without apalis' locks, events or retries.

use std::path::Path;
use std::time::Duration;

use apalis_core::backend::TaskSink;
use apalis_redis::{Config as RedisConfig, RedisStorage};
use apalis_sqlite::{Config as SqliteConfig, SqliteStorage};
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use uuid::Uuid;

use super::bells::Bells;
use super::queue::Queue;
use crate::config::TransportConfig;

/// What travels: the id of a ledger row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ticket(pub Uuid);

/// The transport did not answer, or refused. The ledger keeps the job; it is pushed again.
#[derive(Debug, thiserror::Error)]
#[error("job transport: {0}")]
pub struct TransportError(String);

fn failed(error: impl std::fmt::Display) -> TransportError {
    TransportError(error.to_string())
}

/// How full a queue of the transport is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Depth {
    /// Tickets that no worker has taken.
    pub waiting: usize,
    /// Workers that gave a sign of life within half a minute or so.
    pub workers: usize,
}

/// A worker's sign of life to the transport, and how many may be missed.
const HEARTBEAT: Duration = Duration::from_secs(5);
const MISSED_HEARTBEATS: usize = 6;
/// A stalled Redis must not kill a worker in mid-handler; the default of 500 ms does.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);
/// Finished tickets removed at a time.
const PRUNE: usize = 1_000;

/// The transport of this installation. Clones share connections.
#[derive(Clone)]
pub enum Transport {
    Redis { connection: ConnectionManager, namespace: String, bells: Bells },
    Sqlite { pool: SqlitePool, bells: Bells },
}

impl Transport {
    /// Opens it. Redis need not be up: the connection is made when first used, and again.
    pub async fn open(config: &TransportConfig) -> Result<Self, TransportError> {
        match config {
            TransportConfig::Redis { url, namespace } => {
                let client = redis::Client::open(url.expose_secret()).map_err(failed)?;
                let settings = ConnectionManagerConfig::new()
                    .set_response_timeout(Some(RESPONSE_TIMEOUT))
                    .set_connection_timeout(Some(Duration::from_secs(3)))
                    .set_number_of_retries(2)
                    .set_max_delay(Duration::from_secs(1));
                let bells = Bells::over(client.clone(), namespace);
                let connection =
                    ConnectionManager::new_lazy_with_config(client, settings).map_err(failed)?;
                Ok(Self::Redis { connection, namespace: namespace.clone(), bells })
            }
            TransportConfig::Sqlite { file } => {
                Ok(Self::Sqlite { pool: open_file(file).await?, bells: Bells::default() })
            }
        }
    }

    /// apalis' storage of a queue on Redis.
    pub fn redis_storage(
        connection: &ConnectionManager,
        namespace: &str,
        queue: Queue,
    ) -> RedisStorage<Ticket> {
        RedisStorage::new(connection.clone()).with_config(redis_config(namespace, queue))
    }

    /// apalis' storage of a queue in the SQLite file.
    pub fn sqlite_storage(pool: &SqlitePool, queue: Queue) -> SqliteStorage<Ticket> {
        let config = SqliteConfig::default()
            .queue(queue.as_str())
            .batch_size(1)
            .lock_tasks(false)
            .heartbeat_interval(HEARTBEAT)
            .missed_heartbeats(MISSED_HEARTBEATS);
        SqliteStorage::new(pool).with_config(config)
    }

    /// Puts tickets into a queue.
    pub async fn push(&self, queue: Queue, ids: &[Uuid]) -> Result<(), TransportError> {
        if ids.is_empty() {
            return Ok(());
        }
        let tickets = ids.iter().copied().map(Ticket).collect();
        match self {
            Self::Redis { connection, namespace, bells } => {
                let mut storage = Self::redis_storage(connection, namespace, queue);
                storage.push_bulk(tickets).await.map_err(failed)?;
                bells.ring_everywhere(queue, &mut connection.clone()).await;
            }
            Self::Sqlite { pool, bells } => {
                let mut storage = Self::sqlite_storage(pool, queue);
                storage.push_bulk(tickets).await.map_err(failed)?;
                bells.ring(queue);
            }
        }
        Ok(())
    }

    /// What rings when tickets come.
    pub fn bells(&self) -> &Bells {
        match self {
            Self::Redis { bells, .. } | Self::Sqlite { bells, .. } => bells,
        }
    }

    pub async fn depth(&self, queue: Queue) -> Result<Depth, TransportError> {
        match self {
            Self::Redis { connection, namespace, .. } => {
                let config = redis_config(namespace, queue);
                let (listed, scheduled, workers): (usize, usize, usize) = redis::pipe()
                    .cmd("LLEN")
                    .arg(config.active_jobs_list())
                    .cmd("ZCARD")
                    .arg(config.scheduled_jobs_set())
                    // Workers remove the dead ones among themselves.
                    .cmd("ZCARD")
                    .arg(config.workers_set())
                    .query_async(&mut connection.clone())
                    .await
                    .map_err(failed)?;
                Ok(Depth { waiting: listed + scheduled, workers })
            }
            Self::Sqlite { pool, .. } => {
                let sql = "SELECT count(*) FROM Jobs WHERE job_type = ? AND status = 'Pending'";
                let waiting: i64 = sqlx::query_scalar(sql)
                    .bind(queue.as_str())
                    .fetch_one(pool)
                    .await
                    .map_err(failed)?;
                Ok(Depth { waiting: usize::try_from(waiting).unwrap_or_default(), workers: 1 })
            }
        }
    }

    /// Removes what apalis keeps of finished tickets, a page at a time: it keeps them for ever,
    /// and its own clean-up loses tickets that wait.
    pub async fn prune(&self, queue: Queue) -> Result<usize, TransportError> {
        match self {
            Self::Redis { connection, namespace, .. } => {
                prune_redis(&mut connection.clone(), &redis_config(namespace, queue)).await
            }
            Self::Sqlite { pool, .. } => {
                let sql = "DELETE FROM Jobs WHERE job_type = ? AND status IN ('Done', 'Killed')";
                let deleted = sqlx::query(sql).bind(queue.as_str()).execute(pool).await;
                Ok(usize::try_from(deleted.map_err(failed)?.rows_affected()).unwrap_or(PRUNE))
            }
        }
    }

    /// What is wrong with it, for `doctor`: nothing, or a reason for each doubt.
    pub async fn doubts(&self) -> Result<Vec<String>, TransportError> {
        let Self::Redis { connection, .. } = self else {
            return Ok(Vec::new());
        };
        let info: String =
            redis::cmd("INFO").query_async(&mut connection.clone()).await.map_err(failed)?;
        let value = |name: &str| {
            let found = info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            found.unwrap_or_default().trim().to_owned()
        };
        let mut doubts = Vec::new();
        if value("aof_enabled") != "1" {
            doubts.push("append-only file is off: set `appendonly yes`".to_owned());
        }
        let version = value("redis_version");
        let numbers: Vec<u32> = version.split('.').filter_map(|part| part.parse().ok()).collect();
        if numbers < vec![6, 2] {
            doubts.push(format!("version {version} is older than 6.2"));
        }
        Ok(doubts)
    }

    /// Whether it answers.
    pub async fn ping(&self) -> Result<(), TransportError> {
        match self {
            Self::Redis { connection, .. } => redis::cmd("PING")
                .query_async::<String>(&mut connection.clone())
                .await
                .map(|_| ())
                .map_err(failed),
            Self::Sqlite { pool, .. } => {
                sqlx::query("SELECT 1").execute(pool).await.map(|_| ()).map_err(failed)
            }
        }
    }
}

fn redis_config(namespace: &str, queue: Queue) -> RedisConfig {
    RedisConfig::default()
        .queue(format!("{namespace}:{}", queue.as_str()))
        .batch_size(1)
        .lock_tasks(false)
        .emit_events(false)
        .persist_results(false)
        .heartbeat_interval(HEARTBEAT)
        .missed_heartbeats(MISSED_HEARTBEATS)
        .idempotency_ttl(Some(Duration::from_secs(60)))
}

async fn open_file(file: &Path) -> Result<SqlitePool, TransportError> {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // Tickets may be lost: the ledger has the jobs.
        .synchronous(SqliteSynchronous::Normal)
        .busy_timeout(Duration::from_secs(5));
    let pool = SqlitePoolOptions::new().max_connections(4).connect_with(options).await;
    let pool = pool.map_err(failed)?;
    // `SqliteStorage::setup` would switch syncing off; its migrations alone do not.
    SqliteStorage::migrations().run(&pool).await.map_err(failed)?;
    Ok(pool)
}

async fn prune_redis(
    connection: &mut ConnectionManager,
    config: &RedisConfig,
) -> Result<usize, TransportError> {
    let mut pruned = 0;
    for set in [config.done_jobs_set(), config.dead_jobs_set()] {
        let ids: Vec<String> =
            redis::cmd("SPOP").arg(set).arg(PRUNE).query_async(connection).await.map_err(failed)?;
        if ids.is_empty() {
            continue;
        }
        pruned += ids.len();
        let mut pipe = redis::pipe();
        pipe.cmd("HDEL").arg(config.job_data_hash()).arg(&ids).ignore();
        let meta = config.job_meta_hash();
        let keys: Vec<String> = ids.iter().map(|id| format!("{meta}:{id}")).collect();
        pipe.cmd("UNLINK").arg(keys).ignore();
        pipe.query_async::<()>(connection).await.map_err(failed)?;
    }
    Ok(pruned)
}
