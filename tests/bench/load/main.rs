//! Webhooks under load, from the first byte to the answer. `tests/load` runs it.
//!
//! Real processes: `bot` (and `worker`) in release builds, a PostgreSQL that waits for its disk and
//! a Redis of their own, Meta and a model without delay as HTTP servers in this process.
//!
//!     load [standalone|production|both] [SECONDS]

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark that panics has failed, and it prints its figures"
)]

#[expect(dead_code, unused_macros, unused_imports, reason = "tests use what this does not")]
#[path = "../../it/support/mod.rs"]
mod support;

mod figures;
mod generator;
mod process;

use std::time::Duration;

use figures::{Latencies, percentile};
use generator::{Target, closed, open};
use lembra_migration::{Migrator, MigratorTrait};
use process::Usage;
use support::postgres_server::PostgresServer;
use support::processes::Installation;
use support::redis_server::RedisServer;

/// Connections of the closed loop.
const CONNECTIONS: usize = 32;
/// Messages a second of the open loop, and the connections that carry them.
const RATE: u32 = 200;
const OPEN_CONNECTIONS: usize = 64;
/// How long answers may still come after the last message.
const LAST_ANSWERS: u64 = 30;

#[tokio::main]
async fn main() {
    // cargo bench passes it on.
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|each| each != "--bench").collect();
    let mode = arguments.first().map_or("both", String::as_str);
    let seconds = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(8);
    if mode != "production" {
        let installation =
            Installation::standalone().expect("LEMBRA_BOT_BIN and LEMBRA_WORKER_BIN");
        measure("standalone", installation, seconds).await;
    }
    if mode != "standalone" {
        let postgres = PostgresServer::start().await.expect("TEST_POSTGRES_BIN");
        let redis = RedisServer::start().await.expect("TEST_REDIS_SERVER");
        let url = postgres.url(postgres.port, "postgres");
        let db = sea_orm::Database::connect(&url).await.expect("connects");
        Migrator::up(&db, None).await.expect("migrates");
        db.close().await.expect("closes");
        let installation = Installation::production_on(url, redis.url()).expect("binaries");
        measure("production", installation, seconds).await;
    }
}

async fn measure(mode: &str, mut installation: Installation, seconds: u64) {
    let time = Duration::from_secs(seconds);
    installation.up().await;
    let target = Target::of(&installation);
    let pid = installation.pid("bot").expect("bot runs");
    closed(&target, CONNECTIONS, Duration::from_secs(2)).await;
    drain(&installation).await;

    let before = Usage::of(pid);
    let latencies = open(&target, OPEN_CONNECTIONS, RATE, time).await;
    let answers = answers(&installation, &latencies).await;
    let spent = Usage::of(pid).since(before);
    println!(
        "{mode}: {RATE}/s for {seconds} s: acknowledged in p50 {:.1} ms, p99 {:.1} ms; answered in p50 {:.0} ms, p99 {:.0} ms, {} of {} missing; bot {:.0} us CPU a message, {} MB at most",
        percentile(&latencies.times(), 0.5),
        percentile(&latencies.times(), 0.99),
        percentile(&answers, 0.5),
        percentile(&answers, 0.99),
        latencies.len() - answers.len(),
        latencies.len(),
        spent.cpu_us / latencies.len().max(1) as f64,
        spent.peak_mb,
    );

    let before = Usage::of(pid);
    let latencies = closed(&target, CONNECTIONS, time).await;
    let spent = Usage::of(pid).since(before);
    println!(
        "{mode}: {CONNECTIONS} connections for {seconds} s: {:.0} durable acknowledgements/s, p50 {:.1} ms, p99 {:.1} ms; bot {:.0} us CPU each, {} MB at most",
        latencies.len() as f64 / seconds as f64,
        percentile(&latencies.times(), 0.5),
        percentile(&latencies.times(), 0.99),
        spent.cpu_us / latencies.len().max(1) as f64,
        spent.peak_mb,
    );
}

/// Waits until nobody waits for an answer, or for the time that answers may take.
async fn drain(installation: &Installation) {
    let mut seen = 0;
    for _ in 0..LAST_ANSWERS * 2 {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let sends = installation.meta.sends().len();
        if sends == seen {
            return;
        }
        seen = sends;
    }
}

/// Milliseconds from the moment at which each message was to be sent to its answer's arrival.
async fn answers(installation: &Installation, latencies: &Latencies) -> Vec<f64> {
    for _ in 0..LAST_ANSWERS * 10 {
        let counts = installation.meta.counts();
        if latencies.customers().all(|customer| counts.contains_key(customer)) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let sends = installation.meta.sends();
    let took = sends.iter().filter_map(|send| {
        let intended = latencies.intended(&send.to)?;
        Some(send.at.duration_since(intended).as_secs_f64() * 1_000.0)
    });
    took.collect()
}
