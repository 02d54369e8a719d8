//! Everything dies again and again while customers write: what was acknowledged is answered, or
//! handed to people, once and in order. `tests/chaos` runs the long form.

mod customers;
mod faults;
mod verdict;

use std::time::Duration;

use fastrand::Rng;
use lembra_migration::{Migrator, MigratorTrait};
use sea_orm::Database;

use crate::support::fleet::Fleet;
use crate::support::postgres_server::PostgresServer;
use crate::support::processes::Installation;
use crate::support::proxy::Proxy;
use crate::support::redis_server::RedisServer;
use crate::support::{setting, skip};

use customers::Platform;
use faults::World;

/// Conversations of the short form.
const CONVERSATIONS: usize = 40;
/// Conversations begun a second, unless the long form says otherwise.
const PER_SECOND: f64 = 2.0;
/// Model calls of which one fails, and sends of which one is refused and one answered wrongly.
const FAILURES: usize = 25;
const MODEL_TIME: Duration = Duration::from_millis(120);
const SEND_TIME: Duration = Duration::from_millis(40);

fn number<T: std::str::FromStr>(name: &str, otherwise: T) -> T {
    setting(name).and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

async fn migrate(database: &str) {
    let db = Database::connect(database).await.expect("connects");
    Migrator::up(&db, None).await.expect("migrates");
    db.close().await.expect("closes");
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_dies_each_message_is_answered_once_and_in_order() {
    let (Some(postgres), Some(redis)) = (PostgresServer::start().await, RedisServer::start().await)
    else {
        return skip("no TEST_POSTGRES_BIN or no TEST_REDIS_SERVER");
    };
    let conversations = number("LEMBRA_CHAOS_CONVERSATIONS", CONVERSATIONS);
    let per_second = number("LEMBRA_CHAOS_PER_SECOND", PER_SECOND);
    let seed = number("LEMBRA_CHAOS_SEED", 7);
    eprintln!("chaos: {conversations} conversations, {per_second}/s, seed {seed}");

    let database_wire = Proxy::to(format!("127.0.0.1:{}", postgres.port)).await;
    let redis_wire = Proxy::to(redis.address()).await;
    let database = postgres.url(postgres.port, "postgres");
    migrate(&database).await;
    let installation = Installation::production_on(
        postgres.url(database_wire.port, "postgres"),
        format!("redis://127.0.0.1:{}", redis_wire.port),
    );
    let Some(installation) = installation else {
        return;
    };
    installation.model.delay(MODEL_TIME);
    installation.model.fail_every(FAILURES);
    installation.meta.delay(SEND_TIME);
    installation.meta.fail_every(FAILURES);

    let fleet = Fleet::of(&installation);
    let mut members = Vec::new();
    for program in ["bot", "bot", "worker", "worker"] {
        members.push(fleet.start(program).await);
    }
    let ports = [members[0].port, members[1].port];
    let platform = Platform::new(&installation, ports, Rng::with_seed(seed));
    let mut world = World {
        fleet: &fleet,
        members,
        postgres,
        redis,
        database_wire,
        redis_wire,
        dice: Rng::with_seed(seed + 1),
        faults: Vec::new(),
    };
    let everything = async {
        tokio::join!(platform.everybody_writes(conversations, per_second), world.rage(&platform));
        verdict::wait_until_settled(&database).await;
        verdict::reach(&database, &installation.meta, &platform).await
    };
    let verdict = tokio::select! {
        never = platform.report_deliveries(&installation.meta) => match never {},
        verdict = everything => verdict,
    };
    eprintln!("chaos: {}\n{verdict}", world.told());
    if let Err(wrong) = verdict.judge(conversations * customers::EACH) {
        panic!("{wrong}");
    }
}
