//! The operators' pages on tables with many rows.
//!
//!     cargo bench --workspace --bench pages -- MESSAGES JOBS
//!
//! For each database that there is (SQLite, and PostgreSQL where TEST_DATABASE_URL names one) it
//! fills an account with messages of the last 30 days, their turns, and jobs, brings the figures of
//! the overview up to date, signs in, and prints for every page the median and the slowest of its
//! answers in milliseconds.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a measurement that cannot be made ends, and its figures are printed"
)]

mod fill;

use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lembra_agent::clock::{SharedClock, SystemClock};
use lembra_agent::config::{Config, Env};
use lembra_agent::domain::access::Role;
use lembra_agent::services::operators;
use lembra_agent::store::accounts;
use lembra_agent::store::operators::NewOperator;
use lembra_bot::app::Application;
use lembra_migration::{Migrator, MigratorTrait};
use lembra_worker::runtime::Runtime;
use sea_orm::{ConnectionTrait, Database};
use secrecy::ExposeSecret;
use tempfile::TempDir;
use url::Url;

/// 32 bytes in base64.
const KEY: &str = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const EMAIL: &str = "bench@lembra.local";
const ROUNDS: usize = 15;
const PAGES: [&str; 14] = [
    "/",
    "/?period=30d",
    "/queues",
    "/jobs",
    "/jobs?status=dead",
    "/conversations",
    "/conversations?view=resolved",
    "/conversations/1",
    "/handoffs",
    "/contacts",
    "/failures",
    "/curation",
    "/reports",
    "/settings",
];

#[tokio::main]
async fn main() {
    lembra_agent::http::install_tls_provider();
    let numbers: Vec<i64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let messages = numbers.first().copied().unwrap_or(100_000);
    let jobs = numbers.get(1).copied().unwrap_or(messages);
    println!("SQLite, {messages} messages, {jobs} jobs");
    measure(Env::default(), messages, jobs).await;
    #[expect(clippy::disallowed_methods, reason = "benchmarks are configured by the test command")]
    let (server, redis) = (std::env::var("TEST_DATABASE_URL"), std::env::var("TEST_REDIS_URL"));
    let (Ok(server), Ok(redis)) = (server, redis) else {
        println!("PostgreSQL: skipped, no TEST_DATABASE_URL or no TEST_REDIS_URL");
        return;
    };
    let admin = Database::connect(&server).await.expect("TEST_DATABASE_URL answers");
    let name = format!("lembra_pages_{}", std::process::id());
    admin.execute_unprepared(&format!("CREATE DATABASE {name}")).await.expect("a database");
    let mut url = Url::parse(&server).expect("an address");
    url.set_path(&name);
    println!("PostgreSQL, {messages} messages, {jobs} jobs");
    let env = Env::default()
        .with("DATABASE_URL", url.as_str())
        .with("REDIS_URL", redis)
        .with("REDIS_NAMESPACE", &name);
    measure(env, messages, jobs).await;
    admin.execute_unprepared(&format!("DROP DATABASE {name} WITH (FORCE)")).await.expect("dropped");
}

async fn measure(env: Env, messages: i64, jobs: i64) {
    let folder: TempDir = tempfile::tempdir().expect("a folder");
    let env = env.with("DATA_DIR", folder.path().to_string_lossy()).with("LEMBRA_KEY", KEY);
    let config = Config::from_env(&env).expect("a configuration");
    let migrating = lembra_agent::store::db::connect(&config.database).await.expect("connects");
    Migrator::up(&migrating, None).await.expect("migrates");
    let clock: SharedClock = Arc::new(SystemClock);
    let runtime = Runtime::open(config, clock.clone()).await.expect("opens");
    let account = accounts::add(&runtime.db, "Pousada", clock.now()).await.expect("an account").id;
    let new = NewOperator {
        account_id: account,
        email: EMAIL.to_owned(),
        name: String::new(),
        role: Role::Admin,
        runs_instance: true,
    };
    let (_, password) = operators::add(&runtime.db, &clock, new).await.expect("an operator");
    let began = Instant::now();
    fill::fill(&runtime.db, account, messages, jobs, clock.now()).await;
    println!("  filled in {:.0?}", began.elapsed());
    let began = Instant::now();
    fill::roll_up(&runtime).await;
    println!("  figures brought up to date in {:.1?}", began.elapsed());
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let application = Application::build(&runtime, None, None, listener).expect("a server");
    let url = format!("http://{}", application.address);
    let server = tokio::spawn(application.server);
    let browser = sign_in(&url, password.expose_secret()).await;
    for page in PAGES {
        time(&browser, &url, page).await;
    }
    server.abort();
}

/// A browser that has signed in: its client and its cookie.
struct Browser {
    http: reqwest::Client,
    cookie: String,
}

fn cookie_of(answer: &reqwest::Response) -> String {
    let header = answer.headers().get("set-cookie").expect("a cookie").to_str().expect("a text");
    header.split(';').next().unwrap_or_default().to_owned()
}

async fn sign_in(url: &str, password: &str) -> Browser {
    let http = lembra_agent::http::client(Duration::from_secs(60)).expect("a client");
    let page = http.get(format!("{url}/sign-in")).send().await.unwrap();
    let cookie = cookie_of(&page);
    let page = page.text().await.unwrap();
    let token = page.split("name=\"csrf_token\" value=\"").nth(1).expect("a token");
    let token = token.split('"').next().expect("a token");
    let form = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs([("email", EMAIL), ("password", password), ("csrf_token", token)])
        .finish();
    let answer = http
        .post(format!("{url}/sign-in"))
        .header("cookie", cookie)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(form)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 303, "signed in");
    let cookie = cookie_of(&answer);
    Browser { http, cookie }
}

async fn time(browser: &Browser, url: &str, page: &str) {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let began = Instant::now();
        let request = browser.http.get(format!("{url}{page}")).header("cookie", &browser.cookie);
        let answer = request.send().await.unwrap();
        let status = answer.status();
        let bytes = answer.bytes().await.unwrap().len();
        assert!(status.is_success(), "{page}: {status}, {bytes} bytes");
        times.push(began.elapsed());
    }
    let first = times[0];
    times.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1_000.0;
    println!(
        "  {page:<32} median {:>7.1} ms   slowest {:>7.1} ms   first {:>7.1} ms",
        ms(times[ROUNDS / 2]),
        ms(times[ROUNDS - 1]),
        ms(first)
    );
}
