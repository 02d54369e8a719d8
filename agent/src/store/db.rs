//! Opening the database and beginning transactions: the first of the places where the two
//! databases differ.

use std::time::Duration;

use sea_orm::{
    ConnectOptions, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr,
    SqliteTransactionMode, TransactionOptions, TransactionTrait,
};
use secrecy::ExposeSecret;
use sqlx::Executor;
use sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous};

use super::error::StoreResult;
use crate::config::DatabaseConfig;

/// How many statements one connection keeps prepared: more than there are, so that none is
/// prepared again and again.
const PREPARED_STATEMENTS: usize = 300;

/// Connections for recall: a query takes a millisecond.
const RECALL_CONNECTIONS: u32 = 4;

/// A transaction of ours is over in milliseconds. One that waits on us, or on a lock, for that long
/// is stuck, and would hold up others.
const PATIENCE: &str = "SET idle_in_transaction_session_timeout = '30s'; SET lock_timeout = '20s'";

/// Opens the few connections on which webhooks are written, when they are first needed. They are
/// apart from the others, so that no handler keeps a webhook waiting. Their statements look up a
/// few rows by key: on PostgreSQL they always use the index, also while a young database has no
/// statistics that would tell the planner to.
pub async fn connect_for_intake(
    config: &DatabaseConfig,
    connections: u32,
) -> Result<DatabaseConnection, DbErr> {
    let mut options = options(config, connections);
    options.connect_lazy(true).map_sqlx_postgres_opts(|postgres| {
        postgres.statement_cache_capacity(PREPARED_STATEMENTS).application_name("lembra-intake")
    });
    options.map_sqlx_postgres_pool_opts(|pool| {
        pool.after_connect(|connection, _| {
            let setting = format!("{PATIENCE}; SET enable_seqscan = off");
            Box::pin(
                async move { connection.execute(sqlx::AssertSqlSafe(setting)).await.map(|_| ()) },
            )
        })
    });
    sea_orm::Database::connect(options).await
}

/// Opens the few connections on which facts are looked up by likeness, when they are first needed.
/// PostgreSQL plans that query anew each time, which takes as long as running it; there is one way
/// to run it, so here it is planned once. SQLite has no such plans and needs no further pool.
pub async fn connect_for_recall(
    config: &DatabaseConfig,
    db: &DatabaseConnection,
) -> Result<DatabaseConnection, DbErr> {
    if !is_postgres(db) {
        return Ok(db.clone());
    }
    let mut options = options(config, RECALL_CONNECTIONS.min(config.max_connections));
    options.connect_lazy(true).map_sqlx_postgres_opts(|postgres| {
        let plans = [("plan_cache_mode", "force_generic_plan")];
        postgres
            .statement_cache_capacity(PREPARED_STATEMENTS)
            .application_name("lembra-recall")
            .options(plans)
    });
    sea_orm::Database::connect(options).await
}

/// Opens a pool. Every acknowledged write is on disk: PostgreSQL by its own default, SQLite by
/// WAL with `synchronous=FULL`.
pub async fn connect(config: &DatabaseConfig) -> Result<DatabaseConnection, DbErr> {
    sea_orm::Database::connect(options(config, config.max_connections)).await
}

fn options(config: &DatabaseConfig, connections: u32) -> ConnectOptions {
    let mut options = ConnectOptions::new(config.url.expose_secret());
    options
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(5))
        .connect_timeout(Duration::from_secs(5))
        .test_before_acquire_if_idle_for(Duration::from_secs(5))
        .sqlx_logging(false);
    options.map_sqlx_postgres_opts(|postgres| {
        postgres.statement_cache_capacity(PREPARED_STATEMENTS).application_name("lembra")
    });
    options.map_sqlx_postgres_pool_opts(|pool| {
        pool.after_connect(|connection, _| {
            Box::pin(async move { connection.execute(PATIENCE).await.map(|_| ()) })
        })
    });
    options.map_sqlx_sqlite_opts(|sqlite| {
        sqlite
            .statement_cache_capacity(PREPARED_STATEMENTS)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(10))
    });
    options
}

/// Begins a transaction that will write. On SQLite it takes the write lock at once: a transaction
/// that reads first and wants the lock later is refused when another wrote in between.
pub async fn begin(db: &DatabaseConnection) -> StoreResult<DatabaseTransaction> {
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..Default::default()
    };
    Ok(db.begin_with_options(options).await?)
}

pub fn is_postgres(db: &impl ConnectionTrait) -> bool {
    db.get_database_backend() == DbBackend::Postgres
}

/// `FOR UPDATE SKIP LOCKED` where rows have locks; SQLite has one writer at a time anyway.
pub fn skip_locked(db: &impl ConnectionTrait) -> &'static str {
    if is_postgres(db) { "FOR UPDATE SKIP LOCKED" } else { "" }
}

/// Whether every migration of this build has been applied. One that a newer build brought may be
/// there as well: while releases are exchanged, the older one still starts.
pub async fn is_migrated(db: &DatabaseConnection) -> Result<bool, DbErr> {
    Ok(missing_migrations(db).await?.is_empty())
}

/// The migrations of this build that have not been applied, oldest first.
pub async fn missing_migrations(db: &DatabaseConnection) -> Result<Vec<String>, DbErr> {
    use lembra_migration::MigratorTrait;
    let rows = |sql: &str| {
        db.query_all_raw(sea_orm::Statement::from_string(db.get_database_backend(), sql))
    };
    let begun = if is_postgres(db) {
        "SELECT 1 WHERE to_regclass('seaql_migrations') IS NOT NULL"
    } else {
        "SELECT 1 FROM sqlite_master WHERE name = 'seaql_migrations'"
    };
    let mut applied: Vec<String> = Vec::new();
    if !rows(begun).await?.is_empty() {
        for row in rows("SELECT version FROM seaql_migrations").await? {
            applied.push(row.try_get("", "version")?);
        }
    }
    let all = lembra_migration::Migrator::migrations();
    let names = all.iter().map(|migration| migration.name().to_owned());
    Ok(names.filter(|name| !applied.contains(name)).collect())
}
