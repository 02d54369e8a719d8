//! The application under test: the real web server on a real database, with a clock that the test
//! moves and jobs that run when the test says so.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use lembra_agent::clock::Clock;
use lembra_agent::config::{Config, Env};
use lembra_agent::http::Client;
use lembra_agent::services::inboxes::{MetaCredentials, NewMetaInbox};
use lembra_agent::store::accounts;
use lembra_bot::app::Application;
use lembra_entities::{
    contact_memory, conversation, dashboard_error, handoff, job, message, tool_call, turn,
    webhook_event,
};
use lembra_worker::runner::Runner;
use lembra_worker::runtime::Runtime;
use sea_orm::{ColumnTrait, DatabaseConnection, EntityTrait, QueryFilter, QueryOrder};
use serde_json::Value;
use tempfile::TempDir;
use uuid::Uuid;

use super::bodies::{self, ACCESS_TOKEN, APP_SECRET, PHONE_NUMBER_ID, VERIFY_TOKEN};
use super::clock::ManualClock;
use super::database::fresh_postgres;
use super::fake_api::FakeApi;
use super::fake_meta::FakeMeta;
use super::fake_model::FakeModel;
use super::{setting, skip};

/// 32 bytes in base64.
pub const KEY: &str = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

pub struct TestApp {
    pub runtime: Runtime,
    pub clock: Arc<ManualClock>,
    pub meta: FakeMeta,
    pub model: FakeModel,
    /// What tools of the account call; the only private host that they may, unless the test has
    /// other settings.
    pub api: FakeApi,
    /// Another model, which hears, where a test has one.
    pub model_of_audio: Option<FakeModel>,
    pub url: String,
    pub webhook: String,
    pub http: Client,
    runner: Runner,
    counter: AtomicU64,
    _folder: TempDir,
}

impl TestApp {
    pub async fn on_sqlite() -> Self {
        Self::start(Env::default(), Duration::from_secs(30)).await
    }

    /// The same with settings of the test's own.
    pub async fn on_sqlite_with(settings: &[(&str, &str)]) -> Self {
        let env = settings.iter().fold(Env::default(), |env, (name, value)| env.with(name, *value));
        Self::start(env, Duration::from_secs(30)).await
    }

    /// `None` when there is no PostgreSQL or no Redis to test with.
    pub async fn on_postgres() -> Option<Self> {
        let (Some(database), Some(redis)) = (fresh_postgres().await, setting("TEST_REDIS_URL"))
        else {
            skip("no TEST_DATABASE_URL or TEST_REDIS_URL");
            return None;
        };
        let env = Env::default()
            .with("DATABASE_URL", database)
            .with("DATABASE_MAX_CONNECTIONS", "6")
            .with("REDIS_URL", redis)
            .with("REDIS_NAMESPACE", format!("test-{}", Uuid::now_v7().simple()));
        Some(Self::start(env, Duration::from_secs(30)).await)
    }

    async fn start(env: Env, timeout: Duration) -> Self {
        lembra_agent::http::install_tls_provider();
        let folder = tempfile::tempdir().expect("a folder");
        let (meta, model, api) = (FakeMeta::start(), FakeModel::start(), FakeApi::start());
        let allowed = env.text("TOOLS_ALLOWED_HOSTS").unwrap_or_else(|| api.address.clone());
        // Tests are quicker than people; those of the limit set their own.
        let rate = env.text("API_RATE_PER_SECOND").unwrap_or_else(|| "0".to_owned());
        let env = env
            .with("TOOLS_ALLOWED_HOSTS", allowed)
            .with("API_RATE_PER_SECOND", rate)
            .with("DATA_DIR", folder.path().to_string_lossy())
            .with("LEMBRA_KEY", KEY)
            .with("LLM_BASE_URL", &model.url)
            .with("LLM_TIMEOUT_SECS", "2");
        let clock = Arc::new(ManualClock::at_noon());
        let config = Config::from_env(&env).expect("a configuration");
        let runtime = Runtime::open(config, clock.clone()).await.expect("opens");
        let account = accounts::add(&runtime.db, "Pousada", clock.now()).await.expect("an account");
        let inbox = NewMetaInbox {
            account_id: account.id,
            phone_number_id: PHONE_NUMBER_ID.to_owned(),
            credentials: MetaCredentials {
                app_secret: APP_SECRET.into(),
                verify_token: VERIFY_TOKEN.into(),
                access_token: ACCESS_TOKEN.into(),
            },
            graph_url: Some(meta.url.clone()),
            simulated: false,
        };
        let inbox = runtime.inboxes.add_meta(inbox).await.expect("an inbox");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let application = Application::build(&runtime, None, None, listener).expect("a server");
        let url = format!("http://{}", application.address);
        tokio::spawn(application.server);
        Self {
            runner: Runner::new(runtime.clone()),
            clock,
            meta,
            model,
            api,
            model_of_audio: None,
            webhook: format!("{url}/webhooks/meta/{}", inbox.inbox_key),
            url,
            http: lembra_agent::http::client(timeout).expect("a client"),
            counter: AtomicU64::new(0),
            runtime,
            _folder: folder,
        }
    }

    pub fn db(&self) -> &DatabaseConnection {
        &self.runtime.db
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// An id that no message had.
    pub fn wamid(&self) -> String {
        format!("wamid.T{}", self.counter.fetch_add(1, Ordering::Relaxed))
    }

    /// Posts bytes with the right signature; answers the status.
    pub async fn post(&self, body: impl Into<Vec<u8>>) -> u16 {
        let body = body.into();
        let signature = bodies::signature(&body);
        self.post_signed_as(body, Some(&signature)).await
    }

    pub async fn post_signed_as(&self, body: Vec<u8>, signature: Option<&str>) -> u16 {
        let mut request = self.http.post(&self.webhook).header("content-type", "application/json");
        if let Some(signature) = signature {
            request = request.header("X-Hub-Signature-256", signature);
        }
        request.body(body).send().await.expect("an answer").status().as_u16()
    }

    /// Delivers changes in one entry.
    pub async fn deliver(&self, changes: Vec<Value>) -> u16 {
        self.post(bodies::envelope(&[changes]).to_string()).await
    }

    /// A customer writes now; answers the message's id at Meta.
    pub async fn say(&self, from: &str, text: &str) -> String {
        self.say_at(from, text, self.now()).await
    }

    pub async fn say_at(&self, from: &str, text: &str, at: DateTime<Utc>) -> String {
        let id = self.wamid();
        let message = bodies::text_message(from, &id, text, at.timestamp());
        assert_eq!(self.deliver(vec![bodies::messages(&[message])]).await, 200);
        id
    }

    /// A customer sends something other than text; answers the message's id at Meta.
    pub async fn send_kind(&self, from: &str, kind: &str, holds: Value) -> String {
        let id = self.wamid();
        let message = bodies::other_message(from, &id, kind, &holds, self.now().timestamp());
        assert_eq!(self.deliver(vec![bodies::messages(&[message])]).await, 200);
        id
    }

    /// A person of the business writes from the phone.
    pub async fn person_writes(&self, to: &str, text: &str) -> String {
        let id = self.wamid();
        let echo = bodies::echo(to, &id, text, self.now().timestamp());
        assert_eq!(self.deliver(vec![echo]).await, 200);
        id
    }

    /// The open alerts: kind and subject.
    pub async fn alerts(&self) -> Vec<(String, String)> {
        let open = lembra_agent::store::alerts::open(self.db(), None).await.expect("answers");
        open.into_iter().map(|alert| (alert.kind, alert.subject)).collect()
    }

    /// The account under test, with learning and recall on.
    pub async fn with_memory(self) -> Self {
        use lembra_agent::services::memory::flags::Flag;
        self.turn(Flag::Extraction, true).await;
        self.turn(Flag::Recall, true).await;
        self
    }

    pub async fn turn(&self, flag: lembra_agent::services::memory::flags::Flag, on: bool) {
        let account = self.account().await;
        let turned = lembra_agent::services::memory::flags::set(
            self.db(),
            account,
            flag,
            on,
            "test",
            self.now(),
        );
        turned.await.expect("is written");
    }

    pub async fn account(&self) -> i64 {
        accounts::list(self.db()).await.expect("answers")[0].id
    }

    /// Everything known of anybody, oldest first, whatever its state.
    pub async fn memories(&self) -> Vec<contact_memory::Model> {
        let rows = contact_memory::Entity::find().order_by_asc(contact_memory::Column::Id);
        rows.all(self.db()).await.expect("answers")
    }

    /// The contents of the facts that stand.
    pub async fn known(&self) -> Vec<String> {
        let standing = self
            .memories()
            .await
            .into_iter()
            .filter(|row| row.deleted_at.is_none() && row.superseded_at.is_none());
        standing.map(|row| row.content).collect()
    }

    /// The conversation that is open; ids do not tell which is the latest.
    pub async fn open_conversation(&self) -> conversation::Model {
        let rows = self.conversations().await.into_iter().filter(|row| row.state == "open");
        rows.max_by_key(|row| row.last_message_at).expect("an open conversation")
    }

    /// Resolves the open conversation and runs what follows.
    pub async fn resolve(&self) -> i64 {
        let id = self.open_conversation().await.id;
        let clock = &self.runtime.clock;
        let resolved = lembra_agent::services::conversations::resolve(self.db(), clock, id).await;
        assert!(resolved.expect("answers"), "conversation {id} was not open");
        self.settle().await;
        id
    }

    /// Asks for a job, as a schedule or another job would, and runs what follows.
    pub async fn run_now<K: lembra_agent::jobs::JobKind>(&self, payload: &K) {
        let job = lembra_agent::jobs::NewJob::of(payload, None, self.now());
        lembra_agent::jobs::enqueue::enqueue(self.db(), vec![job], self.now())
            .await
            .expect("is written");
        self.settle().await;
    }

    /// Runs the jobs that are due, and those that they make due, one after the other.
    pub async fn drain(&self) {
        for _ in 0..1_000 {
            let due = job::Entity::find()
                .filter(job::Column::State.is_in(["pending", "queued"]))
                .filter(job::Column::RunAt.lte(self.now()))
                .order_by_asc(job::Column::RunAt)
                .one(self.db())
                .await
                .expect("answers");
            let Some(due) = due else { return };
            self.runner.run(due.id).await.expect("the ledger answers");
        }
        panic!("jobs without end");
    }

    /// Runs jobs until none is left, moving the clock to each; up to ten minutes ahead.
    pub async fn settle(&self) {
        let limit = self.now() + TimeDelta::minutes(10);
        loop {
            self.drain().await;
            match self.next_due().await {
                Some(next) if next <= limit => self.clock.set(next),
                _ => return,
            }
        }
    }

    async fn next_due(&self) -> Option<DateTime<Utc>> {
        let next = job::Entity::find()
            .filter(job::Column::State.is_in(["pending", "queued"]))
            .order_by_asc(job::Column::RunAt)
            .one(self.db())
            .await;
        next.expect("answers").map(|row| row.run_at)
    }

    /// Runs one job, as a ticket of it would.
    pub async fn run_job(&self, id: Uuid) -> lembra_worker::runner::Ran {
        self.runner.run(id).await.expect("the ledger answers")
    }

    pub async fn jobs(&self) -> Vec<job::Model> {
        job::Entity::find().order_by_asc(job::Column::Id).all(self.db()).await.expect("answers")
    }

    pub async fn messages(&self) -> Vec<message::Model> {
        let rows = message::Entity::find().order_by_asc(message::Column::Id);
        rows.all(self.db()).await.expect("answers")
    }

    /// The message with this id at Meta.
    pub async fn message(&self, wamid: &str) -> message::Model {
        let found = self
            .messages()
            .await
            .into_iter()
            .find(|message| message.provider_message_id.as_deref() == Some(wamid));
        found.unwrap_or_else(|| panic!("no message {wamid}"))
    }

    pub async fn conversations(&self) -> Vec<conversation::Model> {
        let rows = conversation::Entity::find().order_by_asc(conversation::Column::Id);
        rows.all(self.db()).await.expect("answers")
    }

    pub async fn turns(&self) -> Vec<turn::Model> {
        turn::Entity::find().order_by_asc(turn::Column::Id).all(self.db()).await.expect("answers")
    }

    /// What was called, oldest first.
    pub async fn tool_calls(&self) -> Vec<tool_call::Model> {
        let rows = tool_call::Entity::find().order_by_asc(tool_call::Column::Id);
        rows.all(self.db()).await.expect("answers")
    }

    /// The queue of people, oldest first, whatever its state.
    pub async fn handoffs(&self) -> Vec<handoff::Model> {
        let rows = handoff::Entity::find().order_by_asc(handoff::Column::Id);
        rows.all(self.db()).await.expect("answers")
    }

    /// Failures that operators see: type, code and detail.
    pub async fn failures(&self) -> Vec<(String, String, String)> {
        let rows = dashboard_error::Entity::find().order_by_asc(dashboard_error::Column::Id);
        let rows = rows.all(self.db()).await.expect("answers");
        rows.into_iter().map(|row| (row.error_type, row.code, row.detail)).collect()
    }

    /// Changes the account under test.
    pub async fn set(&self, changes: accounts::Changes<'_>) {
        let id = self.account().await;
        let changed = accounts::change(self.db(), id, &changes, self.now()).await;
        assert!(changed.expect("is written").is_some());
    }

    pub async fn events(&self) -> Vec<webhook_event::Model> {
        let rows = webhook_event::Entity::find().order_by_asc(webhook_event::Column::Id);
        rows.all(self.db()).await.expect("answers")
    }

    /// What each inbound message came to, oldest first.
    pub async fn outcomes(&self) -> Vec<Option<String>> {
        let inbound = self.messages().await.into_iter().filter(|row| row.direction == "in");
        inbound.map(|row| row.outcome).collect()
    }
}
