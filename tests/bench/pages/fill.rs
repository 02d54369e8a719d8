//! Rows like those of a busy account, in the words that both databases read.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use lembra_agent::jobs::NewJob;
use lembra_agent::jobs::board_kinds::RollUpStats;
use lembra_agent::jobs::enqueue::enqueue_once;
use lembra_agent::jobs::kinds::JobKind;
use lembra_entities::job;
use lembra_worker::runner::Runner;
use lembra_worker::runtime::Runtime;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DbBackend, EntityTrait, QueryFilter,
};

/// Messages of one conversation, and turns of four messages each.
const PER_CONVERSATION: i64 = 20;
/// Rows of one statement.
const PAGE: i64 = 50_000;
const DAYS: i64 = 30;

async fn run(db: &DatabaseConnection, sql: &str) {
    db.execute_unprepared(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// How each database writes what they write differently.
struct Words {
    postgres: bool,
    from: DateTime<Utc>,
}

impl Words {
    /// The instant `seconds` after the first one.
    fn at(&self, seconds: &str) -> String {
        let from = self.from.to_rfc3339_opts(SecondsFormat::Micros, false);
        if self.postgres {
            format!("('{from}'::timestamptz + ({seconds}) * interval '1 second')")
        } else {
            format!("strftime('%Y-%m-%dT%H:%M:%f000+00:00', '{from}', ({seconds}) || ' seconds')")
        }
    }

    /// An id made of a number.
    fn uuid(&self, number: &str) -> String {
        if self.postgres {
            format!("('01900000-0000-7000-8000-' || lpad(to_hex({number}), 12, '0'))::uuid")
        } else {
            // Sixteen bytes.
            format!("CAST(unhex(printf('0190000000007000%016x', {number})) AS blob)")
        }
    }

    fn series(&self, from: i64, until: i64) -> String {
        if self.postgres {
            format!("generate_series({from}::bigint, {until}) AS n(i)")
        } else {
            format!(
                "(WITH RECURSIVE s(i) AS (SELECT {from} UNION ALL SELECT i + 1 FROM s WHERE i < {until}) SELECT i FROM s) AS n"
            )
        }
    }
}

/// Fills an account: `messages` of the last 30 days in conversations of twenty, and `jobs`.
pub async fn fill(
    db: &DatabaseConnection,
    account: i64,
    messages: i64,
    jobs: i64,
    now: DateTime<Utc>,
) {
    let postgres = db.get_database_backend() == DbBackend::Postgres;
    let words = Words { postgres, from: now - TimeDelta::days(DAYS) };
    let conversations = messages / PER_CONVERSATION;
    let step = (DAYS * 86_400) as f64 / messages as f64;
    inbox(db, account, &words).await;
    let mut from = 1;
    while from <= conversations {
        let until = (from + PAGE - 1).min(conversations);
        let (series, at) = (words.series(from, until), words.at(&format!("i * {}", step * 20.0)));
        run(db, &format!("INSERT INTO contacts (id, account_id, name, custom_attributes, created_at, updated_at) SELECT i, {account}, 'Cliente ' || i, '{{}}', {at}, {at} FROM {series}")).await;
        run(db, &format!("INSERT INTO conversations (id, account_id, inbox_id, contact_id, state, handler, last_message_at, resolved_at, created_at, updated_at) SELECT i, {account}, 1, i, CASE WHEN i % 10 = 0 THEN 'open' ELSE 'resolved' END, CASE WHEN i % 500 = 0 THEN 'human' ELSE 'bot' END, {at}, CASE WHEN i % 10 = 0 THEN NULL ELSE {at} END, {at}, {at} FROM {series}")).await;
        run(db, &format!("INSERT INTO handoffs (account_id, conversation_id, reason, priority, state, created_at, closed_at) SELECT {account}, i, 'asked', 1, CASE WHEN i % 50000 = 0 THEN 'waiting' ELSE 'returned' END, {at}, CASE WHEN i % 50000 = 0 THEN NULL ELSE {at} END FROM {series} WHERE i % 500 = 0")).await;
        from = until + 1;
    }
    let mut from = 1;
    while from <= messages {
        let until = (from + PAGE - 1).min(messages);
        let (series, at) = (words.series(from, until), words.at(&format!("i * {step}")));
        let later = words.at(&format!("i * {step} + 2"));
        run(db, &format!("INSERT INTO turns (id, account_id, conversation_id, model, prompt_tokens, completion_tokens, brl, reply, started_at, finished_at, received_at, answered_at, recall_ms, recalled) SELECT i, {account}, 1 + (i - 1) / 20, 'bench', 1000, 100, 0.01, 'resposta', {at}, {later}, {at}, {later}, i % 40, i % 6 FROM {series} WHERE i % 4 = 1")).await;
        run(db, &format!("INSERT INTO messages (id, account_id, inbox_id, conversation_id, contact_id, direction, author, provider_message_id, kind, text, written_at, verdict, rule, outcome, outcome_at, turn_id, delivery, sent_at, created_at, updated_at) SELECT i, {account}, 1, 1 + (i - 1) / 20, 1 + (i - 1) / 20, CASE WHEN i % 2 = 1 THEN 'in' ELSE 'out' END, CASE WHEN i % 2 = 1 THEN 'customer' ELSE 'bot' END, 'bench.' || i, 'text', 'mensagem número ' || i || ' sobre a diária da suíte', {at}, 'proceed', CASE WHEN i % 200 = 1 THEN 'profanity' END, CASE WHEN i % 200 = 1 THEN 'preempted' WHEN i % 2 = 1 THEN 'answered' END, {at}, CASE WHEN i % 4 < 2 THEN i - i % 4 + 1 END, CASE WHEN i % 2 = 0 THEN 'read' END, {later}, {at}, {later} FROM {series}")).await;
        run(db, &format!("INSERT INTO llm_usage (account_id, conversation_id, purpose, model, prompt_tokens, completion_tokens, brl, created_at) SELECT {account}, 1 + (i - 1) / 20, 'answer', 'bench', 1000, 100, 0.01, {at} FROM {series} WHERE i % 4 = 1")).await;
        from = until + 1;
    }
    fill_jobs(db, account, jobs, &words).await;
    if postgres {
        run(db, "VACUUM ANALYZE").await;
    } else {
        run(db, "ANALYZE").await;
    }
}

async fn inbox(db: &DatabaseConnection, account: i64, words: &Words) {
    let at = words.at("0");
    run(db, &format!("INSERT INTO inboxes (id, account_id, channel, inbox_key, external_id, credentials, simulated, created_at, updated_at) VALUES (1, {account}, 'meta', 'bench', 'bench', '', FALSE, {at}, {at})")).await;
}

async fn fill_jobs(db: &DatabaseConnection, account: i64, jobs: i64, words: &Words) {
    let step = (DAYS * 86_400) as f64 / jobs.max(1) as f64;
    let mut from = 1;
    while from <= jobs {
        let until = (from + PAGE - 1).min(jobs);
        let (series, id) = (words.series(from, until), words.uuid("i"));
        let (at, later) = (words.at(&format!("i * {step}")), words.at(&format!("i * {step} + 1")));
        // One in a thousand is dead, one in ten thousand waits.
        run(db, &format!("INSERT INTO jobs (id, account_id, queue, kind, payload, state, run_at, attempts, max_attempts, last_error, queued_at, started_at, finished_at, worker, created_at) SELECT {id}, {account}, CASE i % 3 WHEN 0 THEN 'replies' WHEN 1 THEN 'outbound' ELSE 'captain_heavy' END, CASE i % 3 WHEN 0 THEN 'respond' WHEN 1 THEN 'deliver' ELSE 'extract' END, '{{}}', CASE WHEN i % 10000 = 7 THEN 'pending' WHEN i % 1000 = 5 THEN 'dead' ELSE 'done' END, {at}, 1, 3, CASE WHEN i % 1000 = 5 THEN 'timeout' END, {at}, {at}, CASE WHEN i % 10000 = 7 THEN NULL ELSE {later} END, 'bench', {at} FROM {series}")).await;
        from = until + 1;
    }
}

/// Most runs of the job that gathers the figures.
const MOST_RUNS: usize = 2_000;

/// Runs the job that gathers the overview's figures until they are up to date.
pub async fn roll_up(runtime: &Runtime) {
    let job = NewJob::of(&RollUpStats {}, None, runtime.clock.now()).once("bench".to_owned());
    enqueue_once(&runtime.db, &job, runtime.clock.now()).await.expect("enqueued");
    let runner = Runner::new(runtime.clone());
    for _ in 0..MOST_RUNS {
        let waiting = job::Entity::find()
            .filter(job::Column::Kind.eq(RollUpStats::NAME))
            .filter(job::Column::State.is_in(["pending", "queued"]))
            .one(&runtime.db);
        let Some(waiting) = waiting.await.expect("answers") else { return };
        runner.run(waiting.id).await.expect("the ledger answers");
    }
    panic!("the figures are never up to date");
}
