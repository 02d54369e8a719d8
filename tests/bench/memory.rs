//! Recall and the silence detector on a PostgreSQL of their own, with many rows.
//!
//!     cargo bench -p lembra-tests --bench memory -- FACTS CONVERSATIONS
//!
//! It makes a database on TEST_DATABASE_URL, fills it with 50 facts per contact, prints p50 and p99
//! of the recall query over random contacts, recall@5 against brute force under several planner
//! settings, and the time of one pass of the silence detector with 1 % of conversations to find;
//! then it drops the database. Without TEST_DATABASE_URL it says so and ends.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a measurement that cannot be made ends, and its figures are printed"
)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use lembra_agent::clock::{Clock, SystemClock};
use lembra_agent::config::{Config, DatabaseConfig, Env};
use lembra_agent::domain::memory::recall::{Scored, TOP, best};
use lembra_agent::services::memory::Memories;
use lembra_agent::services::memory::flags::{self, Flag};
use lembra_agent::store::nearest::{self, Asked};
use lembra_agent::store::{accounts, db};
use lembra_migration::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, Statement};
use url::Url;

const PER_CONTACT: u64 = 50;
const ROUNDS: u64 = 2_000;
const CHECKED_CONTACTS: u64 = 200;
const MODEL: &str = "bench";

#[tokio::main]
async fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let facts = numbers.first().copied().unwrap_or(100_000);
    let conversations = numbers.get(1).copied().unwrap_or(100_000);
    #[expect(clippy::disallowed_methods, reason = "benchmarks are configured by the test command")]
    let Ok(server) = std::env::var("TEST_DATABASE_URL") else {
        println!("skipped: no TEST_DATABASE_URL");
        return;
    };
    let admin = Database::connect(&server).await.expect("TEST_DATABASE_URL answers");
    let name = format!("lembra_bench_{}", std::process::id());
    run(&admin, &format!("CREATE DATABASE {name}")).await;
    let mut url = Url::parse(&server).expect("an address");
    url.set_path(&name);
    measure(url.as_str(), facts, conversations).await;
    run(&admin, &format!("DROP DATABASE {name} WITH (FORCE)")).await;
}

async fn run(db: &DatabaseConnection, sql: &str) {
    db.execute_unprepared(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

async fn measure(url: &str, facts: u64, conversations: u64) {
    let env = Env::default().with("DATABASE_URL", url).with("DATABASE_MAX_CONNECTIONS", "2");
    let folder = tempfile::tempdir().expect("a folder");
    let config = DatabaseConfig::from_env(&env, folder.path()).expect("a configuration");
    let db = db::connect(&config).await.expect("connects");
    Migrator::up(&db, None).await.expect("migrates");
    let account = accounts::add(&db, "bench", SystemClock.now()).await.expect("an account").id;
    let contacts = facts.div_ceil(PER_CONTACT);
    let began = Instant::now();
    fill_facts(&db, account, contacts, facts).await;
    println!("{facts} facts of {contacts} contacts, filled in {:.0?}", began.elapsed());
    let recall_db = db::connect_for_recall(&config, &db).await.expect("connects");
    time_recall(&recall_db, account, contacts).await;
    for setting in [
        "",
        "SET enable_seqscan = off",
        "SET enable_indexscan = off",
        "SET enable_bitmapscan = off",
        "SET random_page_cost = 1.1",
    ] {
        check_recall(url, account, contacts, setting).await;
    }
    time_detector(&db, &env, account, contacts, conversations).await;
}

async fn fill_facts(db: &DatabaseConnection, account: i64, contacts: u64, facts: u64) {
    run(
        db,
        &format!(
            "INSERT INTO contacts (account_id, name, custom_attributes, created_at, updated_at) \
             SELECT {account}, 'c', '{{}}', now(), now() FROM generate_series(1, {contacts})"
        ),
    )
    .await;
    // Sums of two of 1,000 random directions: a million different ones without a billion dice.
    run(
        db,
        "CREATE TABLE directions AS SELECT n / 1536 AS i, array_agg(random() - 0.5)::vector AS v \
         FROM generate_series(0, 1536 * 1000 - 1) AS n GROUP BY 1",
    )
    .await;
    run(db, "ALTER TABLE directions ADD PRIMARY KEY (i)").await;
    let page = 20_000;
    let mut from = 0;
    while from < facts {
        let until = facts.min(from + page);
        run(
            db,
            &format!(
                "INSERT INTO captain_contact_memories (account_id, contact_id, memory_type, content, \
                 evidence, confidence, scope, embedding, embedding_model, last_verified_at, created_at, \
                 updated_at) SELECT {account}, 1 + n % {contacts}, 'preferencia', \
                 'Prefere a suíte número ' || n || ' com hidromassagem', 'trecho', 0.9, 'global', \
                 one.v + other.v, '{MODEL}', now(), now(), now() \
                 FROM generate_series({from}, {until} - 1) AS n \
                 JOIN directions AS one ON one.i = (hashint8(n) & 2147483647) % 1000 \
                 JOIN directions AS other ON other.i = (hashint8(n + 1000003) & 2147483647) % 1000"
            ),
        )
        .await;
        from = until;
    }
    run(db, "DROP TABLE directions").await;
    run(db, "VACUUM ANALYZE captain_contact_memories").await;
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn vector(&mut self) -> Vec<f32> {
        (0..1536).map(|_| (self.next() % 2_001) as f32 / 1_000.0 - 1.0).collect()
    }
}

async fn recall(db: &DatabaseConnection, account: i64, contact: i64, vector: &[f32]) -> Vec<i64> {
    let asked = Asked {
        account_id: account,
        contact_id: contact,
        unit_id: None,
        model: MODEL,
        vector,
        now: SystemClock.now(),
    };
    let near = nearest::of_contact(db, &asked).await.expect("answers");
    let scored = near.into_iter().map(|near| Scored { score: near.similarity, fact: near.id });
    best(scored, TOP).into_iter().map(|hit| hit.fact).collect()
}

async fn time_recall(db: &DatabaseConnection, account: i64, contacts: u64) {
    let mut dice = Dice(11);
    let mut times = Vec::new();
    for round in 0..ROUNDS + 200 {
        let contact = i64::try_from(1 + dice.next() % contacts).unwrap();
        let vector = dice.vector();
        let began = Instant::now();
        let found = recall(db, account, contact, &vector).await;
        // The first ones fill caches.
        if round >= 200 {
            times.push(began.elapsed());
        }
        assert!(!found.is_empty());
    }
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let mean: Duration = times.iter().sum::<Duration>() / u32::try_from(times.len()).unwrap();
    println!(
        "recall query over {ROUNDS} random contacts: p50 {:.2?}  p95 {:.2?}  p99 {:.2?}  mean {mean:.2?}",
        at(0.5),
        at(0.95),
        at(0.99)
    );
}

/// Recall@5 against distances computed row by row without any index.
async fn check_recall(url: &str, account: i64, contacts: u64, setting: &str) {
    let env = Env::default().with("DATABASE_URL", url).with("DATABASE_MAX_CONNECTIONS", "1");
    let folder = tempfile::tempdir().expect("a folder");
    let config = DatabaseConfig::from_env(&env, folder.path()).expect("a configuration");
    let db = db::connect(&config).await.expect("connects");
    if !setting.is_empty() {
        run(&db, setting).await;
    }
    let mut dice = Dice(23);
    let (mut hits, mut all) = (0, 0);
    for _ in 0..CHECKED_CONTACTS {
        let contact = i64::try_from(1 + dice.next() % contacts).unwrap();
        let vector = dice.vector();
        let found = recall(&db, account, contact, &vector).await;
        let expected = brute_force(&db, account, contact, &vector).await;
        all += expected.len();
        hits += expected.iter().filter(|id| found.contains(id)).count();
    }
    let setting = if setting.is_empty() { "default settings" } else { setting };
    println!(
        "recall@5 over {CHECKED_CONTACTS} contacts, {setting}: {:.3}",
        hits as f64 / all as f64
    );
}

async fn brute_force(
    db: &DatabaseConnection,
    account: i64,
    contact: i64,
    vector: &[f32],
) -> Vec<i64> {
    let sql = "SELECT id, embedding::text AS v FROM captain_contact_memories \
               WHERE account_id = $1 AND contact_id = $2 AND deleted_at IS NULL \
               AND superseded_at IS NULL";
    let statement = Statement::from_sql_and_values(
        db.get_database_backend(),
        sql,
        [account.into(), contact.into()],
    );
    let rows = db.query_all_raw(statement).await.expect("answers");
    let mut scored: Vec<(f64, i64)> = rows
        .iter()
        .map(|row| {
            let text: String = row.try_get("", "v").unwrap();
            let other: Vec<f64> =
                text.trim_matches(['[', ']']).split(',').map(|n| n.parse().unwrap()).collect();
            let dot: f64 = other.iter().zip(vector).map(|(a, b)| a * f64::from(*b)).sum();
            let length = other.iter().map(|a| a * a).sum::<f64>().sqrt();
            (dot / length, row.try_get("", "id").unwrap())
        })
        .filter(|(score, _)| *score > 0.0)
        .collect();
    scored.sort_by(|left, right| right.0.total_cmp(&left.0));
    scored.into_iter().take(TOP).map(|(_, id)| id).collect()
}

async fn time_detector(
    db: &DatabaseConnection,
    env: &Env,
    account: i64,
    contacts: u64,
    conversations: u64,
) {
    // One open conversation per contact; one in a hundred fell silent and was not learnt from.
    run(
        db,
        &format!(
            "INSERT INTO contacts (account_id, name, custom_attributes, created_at, updated_at) \
             SELECT {account}, 'c', '{{}}', now(), now() \
             FROM generate_series({contacts} + 1, {conversations})"
        ),
    )
    .await;
    run(
        db,
        &format!(
            "INSERT INTO conversations (account_id, inbox_id, contact_id, state, handler, \
             last_message_at, learned_until, created_at, updated_at) \
             SELECT {account}, 1, 1 + n, 'open', 'bot', \
             now() - interval '2 hours', \
             CASE WHEN n % 100 = 0 THEN NULL ELSE now() - interval '2 hours' END, now(), now() \
             FROM generate_series(0, {conversations} - 1) AS n"
        ),
    )
    .await;
    run(db, "VACUUM ANALYZE conversations").await;
    flags::set(db, account, Flag::Extraction, true, "bench", SystemClock.now())
        .await
        .expect("is written");
    let folder = tempfile::tempdir().expect("a folder");
    let env = env
        .clone()
        .with("DATA_DIR", folder.path().to_string_lossy())
        .with("LEMBRA_KEY", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=");
    let config = Config::from_env(&env).expect("a configuration");
    let memories = Memories {
        db: db.clone(),
        recall_db: db.clone(),
        clock: Arc::new(SystemClock),
        model: lembra_agent::llm::from_config(&config.llm).expect("a model"),
        embedder: lembra_agent::llm::embedder::from_config(&config.llm, &config.memory)
            .expect("an embedder"),
        config: Arc::new(config.memory),
    };
    for pass in ["first", "second"] {
        let began = Instant::now();
        memories.detect_silence().await;
        let took = began.elapsed();
        let jobs = "SELECT count(*) AS n, count(DISTINCT dedup_key) AS keys FROM jobs \
                    WHERE kind = 'extract_from_conversation'";
        let statement = Statement::from_string(db.get_database_backend(), jobs);
        let row = db.query_one_raw(statement).await.expect("answers").expect("a row");
        let (jobs, keys): (i64, i64) =
            (row.try_get("", "n").unwrap(), row.try_get("", "keys").unwrap());
        println!(
            "silence detector, {pass} pass over {conversations} open conversations: {took:.2?}, {jobs} jobs, {keys} conversations"
        );
    }
}
