//! `bot doctor`: one line per part.

mod accounts;

use std::process::ExitCode;
use std::sync::Arc;

use chrono::TimeDelta;
use lembra_agent::clock::{Clock, SystemClock};
use lembra_agent::config::{Config, Env, TransportConfig};
use lembra_agent::jobs::{stats, transport::Transport};
use lembra_agent::llm;
use lembra_agent::services::inboxes::InboxDirectory;
use lembra_agent::store::{db, watch};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use serde_json::json;

use super::Output;

/// How a part is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ok,
    Warning,
    Failed,
}

impl State {
    fn as_str(self) -> &'static str {
        match self {
            State::Ok => "ok",
            State::Warning => "warning",
            State::Failed => "failed",
        }
    }
}

#[derive(Default)]
struct Report(Vec<(String, State, String)>);

impl Report {
    fn add(&mut self, part: impl Into<String>, state: State, detail: impl Into<String>) {
        self.0.push((part.into(), state, detail.into()));
    }
}

/// Checks everything that can be checked, one failure notwithstanding.
pub async fn run(env: &Env, output: Output) -> anyhow::Result<ExitCode> {
    lembra_agent::http::install_tls_provider();
    let config = Config::from_env(env)?;
    let mut report = Report::default();
    let db = match db::connect(&config.database).await {
        Ok(db) => Some(db),
        Err(error) => {
            report.add("database", State::Failed, error.to_string());
            None
        }
    };
    if let Some(db) = &db {
        check_database(db, &mut report).await;
    }
    check_transport(&config, &mut report).await;
    check_model(&config, &mut report).await;
    if let Some(db) = db {
        check_rows(&config, db, &mut report).await;
    }
    let lines: Vec<String> = report
        .0
        .iter()
        .map(|(part, state, detail)| format!("{:<8} {part:<24} {detail}", state.as_str()))
        .collect();
    let checks: Vec<_> = report
        .0
        .iter()
        .map(|(part, state, detail)| json!({ "part": part, "state": state.as_str(), "detail": detail }))
        .collect();
    let failed = report.0.iter().any(|(_, state, _)| *state == State::Failed);
    output.print(&json!({ "ok": !failed, "checks": checks }), &lines);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

async fn check_database(db: &DatabaseConnection, report: &mut Report) {
    match db::is_migrated(db).await {
        Ok(true) => report.add("database", State::Ok, "migrated"),
        Ok(false) => report.add("database", State::Failed, "not migrated: run `bot migrate up`"),
        Err(error) => report.add("database", State::Failed, error.to_string()),
    }
    if !db::is_postgres(db) {
        return;
    }
    let sql = "SELECT extversion FROM pg_extension WHERE extname = 'vector'";
    let statement = Statement::from_string(db.get_database_backend(), sql);
    match db.query_one_raw(statement).await {
        Ok(Some(row)) => {
            let version: String = row.try_get("", "extversion").unwrap_or_default();
            report.add("pgvector", State::Ok, version);
        }
        Ok(None) => report.add("pgvector", State::Failed, "the extension `vector` is not there"),
        Err(error) => report.add("pgvector", State::Failed, error.to_string()),
    }
}

async fn check_transport(config: &Config, report: &mut Report) {
    let name = match config.transport {
        TransportConfig::Redis { .. } => "redis",
        TransportConfig::Sqlite { .. } => "queue file",
    };
    let checked = async {
        let transport = Transport::open(&config.transport).await?;
        transport.ping().await?;
        transport.doubts().await
    };
    match checked.await {
        Ok(doubts) if doubts.is_empty() => report.add(name, State::Ok, "answers"),
        Ok(doubts) => report.add(name, State::Warning, doubts.join("; ")),
        Err(error) => report.add(name, State::Failed, error.to_string()),
    }
}

async fn check_model(config: &Config, report: &mut Report) {
    let model = match llm::from_config(&config.llm) {
        Ok(model) => model,
        Err(error) => return report.add("model", State::Failed, error.to_string()),
    };
    check_embeddings(config, report).await;
    if model.is_offline() {
        return report.add("model", State::Warning, "offline demonstration; set LLM_BASE_URL");
    }
    match model.check().await {
        Ok(()) => report.add("model", State::Ok, config.llm.model.clone()),
        Err(detail) => report.add("model", State::Failed, detail),
    }
}

/// Embeds a word: that tells whether the model is there and gives the dimensions that are stored.
async fn check_embeddings(config: &Config, report: &mut Report) {
    let embedder = match llm::embedder::from_config(&config.llm, &config.memory) {
        Ok(embedder) => embedder,
        Err(error) => return report.add("embeddings", State::Failed, error.to_string()),
    };
    match embedder.embed(llm::Purpose::RecallEmbedding, &["oi".to_owned()]).await {
        Ok(_) => report.add("embeddings", State::Ok, embedder.model()),
        // Answers do without memory; only recall is missing.
        Err(error) => report.add("embeddings", State::Warning, error.to_string()),
    }
}

async fn check_rows(config: &Config, db: DatabaseConnection, report: &mut Report) {
    let clock = Arc::new(SystemClock);
    let now = clock.now();
    let allowed = config.tools.allowed_hosts.clone();
    match InboxDirectory::new(db.clone(), config.vault.clone(), clock, allowed) {
        Ok(directory) => check_inboxes(&directory, &db, report).await,
        Err(error) => report.add("inboxes", State::Failed, error.to_string()),
    }
    accounts::check(config, &db, report).await;
    let sql = "SELECT external_id, count(*) AS n FROM webhook_events \
               WHERE why = 'unknown_channel' AND created_at > $1 GROUP BY external_id";
    let since = (now - TimeDelta::days(7)).into();
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [since]);
    for row in db.query_all_raw(statement).await.unwrap_or_default() {
        let number: Option<String> = row.try_get("", "external_id").unwrap_or_default();
        let count: i64 = row.try_get("", "n").unwrap_or_default();
        let part = format!("number {}", number.unwrap_or_default());
        let detail =
            format!("{count} events in a week, and no inbox has this id: `bot inbox add-meta`");
        report.add(part, State::Warning, detail);
    }
    let dead = stats::read(&db, now).await.map(|stats| stats.iter().map(|one| one.dead).sum());
    match dead {
        Ok(0_i64) => report.add("dead jobs", State::Ok, "none"),
        Ok(count) => report.add("dead jobs", State::Warning, format!("{count}: `bot jobs list`")),
        Err(error) => report.add("dead jobs", State::Failed, error.to_string()),
    }
    match watch::unanswered(&db, now).await {
        Ok(0) => report.add("unanswered messages", State::Ok, "none for over 15 minutes"),
        Ok(count) => {
            let detail = format!("{count} without an outcome for over 15 minutes");
            report.add("unanswered messages", State::Failed, detail);
        }
        Err(error) => report.add("unanswered messages", State::Failed, error.to_string()),
    }
}

async fn check_inboxes(directory: &InboxDirectory, db: &DatabaseConnection, report: &mut Report) {
    let inboxes = match directory.all().await {
        Ok(inboxes) => inboxes,
        Err(error) => return report.add("inboxes", State::Failed, error.to_string()),
    };
    let rows = lembra_agent::store::inboxes::list(db).await.unwrap_or_default();
    for row in &rows {
        if !inboxes.iter().any(|inbox| inbox.id == row.id) {
            let detail = "its credentials do not open with this LEMBRA_KEY";
            report.add(format!("inbox {}", row.id), State::Failed, detail);
        }
    }
    for inbox in inboxes {
        let part = format!("inbox {}", inbox.id);
        if inbox.simulated {
            report.add(part, State::Ok, "simulated");
            continue;
        }
        match directory.channel(&inbox).check().await {
            Ok(()) => report.add(part, State::Ok, "its token is accepted"),
            Err(detail) => report.add(part, State::Failed, detail),
        }
    }
}
