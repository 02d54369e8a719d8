//! A database per test: on PostgreSQL a copy of one that was migrated once.

use lembra_migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection};
use url::Url;
use uuid::Uuid;

use super::setting;

/// Numbers the lock under which the template is made; any number will do.
const TEMPLATE_LOCK: i64 = 0x1e_3b7a;

/// The address of a fresh migrated PostgreSQL database; `None` when no server was given.
pub async fn fresh_postgres() -> Option<String> {
    let server = setting("TEST_DATABASE_URL")?;
    let admin = Database::connect(&server).await.expect("TEST_DATABASE_URL answers");
    let template = ensure_template(&admin, &server).await;
    let name = format!("lembra_test_{}", Uuid::now_v7().simple());
    execute(&admin, &format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
    admin.close().await.expect("closes");
    Some(named(&server, &name))
}

/// An empty PostgreSQL database, not migrated.
pub async fn empty_postgres() -> Option<String> {
    let server = setting("TEST_DATABASE_URL")?;
    let admin = Database::connect(&server).await.expect("TEST_DATABASE_URL answers");
    let name = format!("lembra_empty_{}", Uuid::now_v7().simple());
    execute(&admin, &format!("CREATE DATABASE {name}")).await;
    admin.close().await.expect("closes");
    Some(named(&server, &name))
}

fn named(server: &str, name: &str) -> String {
    let mut url = Url::parse(server).expect("TEST_DATABASE_URL is an address");
    url.set_path(name);
    url.to_string()
}

async fn execute(db: &DatabaseConnection, sql: &str) {
    db.execute_unprepared(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// Makes the template unless it is there. Tests run in processes of their own, so the lock is the
/// database's.
async fn ensure_template(admin: &DatabaseConnection, server: &str) -> String {
    let migrations = Migrator::migrations();
    let last = migrations.last().map(|migration| migration.name().to_owned()).unwrap_or_default();
    // A run of the test command is one day at most; its sources may change between runs.
    let build = std::fs::metadata(std::env::current_exe().expect("a path"))
        .and_then(|file| file.modified())
        .ok()
        .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok())
        .map_or(0, |age| age.as_secs());
    let template = format!("lembra_template_{last}_{build}");
    let tx_lock = format!("SELECT pg_advisory_lock({TEMPLATE_LOCK})");
    execute(admin, &tx_lock).await;
    let exists = format!("SELECT 1 AS one FROM pg_database WHERE datname = '{template}'");
    let statement = sea_orm::Statement::from_string(sea_orm::DbBackend::Postgres, exists);
    if admin.query_one_raw(statement).await.expect("answers").is_none() {
        let making = format!("{template}_making");
        execute(admin, &format!("DROP DATABASE IF EXISTS {making}")).await;
        execute(admin, &format!("CREATE DATABASE {making}")).await;
        let db = Database::connect(named(server, &making)).await.expect("connects");
        Migrator::up(&db, None).await.expect("migrates");
        db.close().await.expect("closes");
        execute(admin, &format!("ALTER DATABASE {making} RENAME TO {template}")).await;
    }
    execute(admin, &format!("SELECT pg_advisory_unlock({TEMPLATE_LOCK})")).await;
    template
}
