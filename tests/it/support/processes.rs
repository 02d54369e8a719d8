//! The real binaries, started, killed and started again.

use std::fs::File;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use lembra_agent::http::Client;
use serde_json::{Value, json};
use tempfile::TempDir;
use uuid::Uuid;

use super::app::KEY;
use super::bodies::{self, ACCESS_TOKEN, APP_SECRET, PHONE_NUMBER_ID, VERIFY_TOKEN};
use super::database::fresh_postgres;
use super::fake_meta::FakeMeta;
use super::fake_model::FakeModel;
use super::{setting, skip, until};

/// An installation of its own: settings, folder, and the processes that run.
pub struct Installation {
    settings: Vec<(String, String)>,
    folder: TempDir,
    running: Vec<(&'static str, Child)>,
    starts: usize,
    pub meta: FakeMeta,
    pub model: FakeModel,
    pub port: u16,
    pub webhook: String,
    http: Client,
    production: bool,
    evolution: bool,
}

/// The binary that the test command built; `None` outside of it.
pub fn binary(name: &str) -> Option<PathBuf> {
    setting(&format!("LEMBRA_{}_BIN", name.to_uppercase())).map(PathBuf::from)
}

/// A port that nobody listens on.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

impl Installation {
    /// One process on SQLite.
    pub fn standalone() -> Option<Self> {
        Self::with(Vec::new(), false)
    }

    /// The same without a single setting but the port, as somebody starts it who has just found it:
    /// a demo account with the simulator, and the offline model answers. It is up.
    pub async fn newcomer() -> Option<Self> {
        let mut installation = Self::standalone()?;
        installation.set("LLM_BASE_URL", "");
        installation.set("LEMBRA_KEY", "");
        installation.set("DATA_DIR", "./fresh");
        installation.set("DEBOUNCE_MS", "200");
        installation.up().await;
        Some(installation)
    }

    /// `bot` and `worker` on PostgreSQL and Redis; the Redis of the test command unless another
    /// is given.
    pub async fn production(redis_url: Option<String>) -> Option<Self> {
        let redis = redis_url.or_else(|| setting("TEST_REDIS_URL"));
        let (Some(database), Some(redis)) = (fresh_postgres().await, redis) else {
            skip("no TEST_DATABASE_URL or no Redis");
            return None;
        };
        Self::production_on(database, redis)
    }

    /// The same on this PostgreSQL database, which may be empty, and this Redis.
    pub fn production_on(database: String, redis: String) -> Option<Self> {
        let namespace = format!("test-{}", Uuid::now_v7().simple());
        let settings = [
            ("DATABASE_URL", database),
            ("DATABASE_MAX_CONNECTIONS", "8".to_owned()),
            ("REDIS_URL", redis),
            ("REDIS_NAMESPACE", namespace),
            ("WORKER_PORT", free_port().to_string()),
        ];
        let settings = settings.map(|(name, value)| (name.to_owned(), value)).to_vec();
        Self::with(settings, true)
    }

    fn with(mut settings: Vec<(String, String)>, production: bool) -> Option<Self> {
        if binary("bot").is_none() || binary("worker").is_none() {
            skip("no LEMBRA_BOT_BIN and LEMBRA_WORKER_BIN");
            return None;
        }
        lembra_agent::http::install_tls_provider();
        let (meta, model) = (FakeMeta::start(), FakeModel::start());
        let port = free_port();
        let more = [
            ("PORT", port.to_string()),
            ("LEMBRA_KEY", KEY.to_owned()),
            ("LLM_BASE_URL", model.url.clone()),
            ("DEBOUNCE_MS", "0".to_owned()),
            ("RUST_LOG", "info".to_owned()),
        ];
        settings.extend(more.map(|(name, value)| (name.to_owned(), value)));
        let mut installation = Self {
            settings,
            folder: tempfile::tempdir().expect("a folder"),
            running: Vec::new(),
            starts: 0,
            meta,
            model,
            port,
            webhook: String::new(),
            http: lembra_agent::http::client(Duration::from_secs(20)).expect("a client"),
            production,
            evolution: false,
        };
        installation.connect_number();
        Some(installation)
    }

    pub fn setting(&self, name: &str) -> Option<&str> {
        let found = self.settings.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.settings.retain(|(known, _)| known != name);
        self.settings.push((name.to_owned(), value.to_owned()));
    }

    /// The SQLite file of standalone mode.
    pub fn database(&self) -> PathBuf {
        self.folder.path().join(self.setting("DATA_DIR").unwrap_or("./data")).join("lembra.db")
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(binary(name).expect("checked at the start"));
        // The machine's own settings must not reach the process.
        command.env_clear().envs(self.settings.iter().cloned()).current_dir(self.folder.path());
        command
    }

    /// Runs `bot` with these arguments to its end.
    pub fn bot(&self, arguments: &[&str]) -> Output {
        self.command("bot").args(arguments).output().expect("bot runs")
    }

    /// Runs `bot … --json` and reads what it prints.
    pub fn bot_json(&self, arguments: &[&str]) -> Value {
        let output = self.bot(&[arguments, &["--json"]].concat());
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {stdout}{stderr}");
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"))
    }

    fn connect_number(&mut self) {
        let account = self.bot_json(&["account", "add", "Pousada"])["id"].to_string();
        let graph_url = self.meta.url.clone();
        let arguments = [
            ["--account", &account],
            ["--phone-number-id", PHONE_NUMBER_ID],
            ["--app-secret", APP_SECRET],
            ["--verify-token", VERIFY_TOKEN],
            ["--access-token", ACCESS_TOKEN],
            ["--graph-url", &graph_url],
        ];
        let inbox = self.bot_json(&[&["inbox", "add-meta"], arguments.as_flattened()].concat());
        let path = inbox["webhook_path"].as_str().expect("a path").to_owned();
        self.webhook = format!("http://127.0.0.1:{}{path}", self.port);
    }

    /// The same with an Evolution instance in place of the number of Meta.
    #[must_use]
    pub fn on_evolution(mut self) -> Self {
        let base_url = self.meta.url.clone();
        let arguments = ["inbox", "add-evolution", "--account", "1", "--instance", "loja"];
        let secrets = ["--api-key", "chave", "--base-url", &base_url];
        let inbox = self.bot_json(&[arguments.as_slice(), secrets.as_slice()].concat());
        let path = inbox["webhook_path"].as_str().expect("a path").to_owned();
        self.webhook = format!("http://127.0.0.1:{}{path}", self.port);
        self.evolution = true;
        self
    }

    /// One text of a customer, as this installation's provider delivers it.
    fn delivery(&self, customer: &str, text: &str, now: i64) -> Value {
        let id = format!("wamid.C{customer}");
        if self.evolution {
            return json!({
                "event": "messages.upsert",
                "instance": "loja",
                "data": {
                    "key": { "remoteJid": format!("{customer}@s.whatsapp.net"), "fromMe": false, "id": id },
                    "message": { "conversation": text },
                    "messageTimestamp": now,
                },
            });
        }
        let message = bodies::text_message(customer, &id, text, now);
        bodies::envelope(&[vec![bodies::messages(&[message])]])
    }

    /// Starts what is not running and waits until it is ready.
    pub async fn up(&mut self) {
        let mut names = vec!["bot"];
        if self.production {
            names.push("worker");
        }
        self.starts += 1;
        for name in names {
            if !self.running.iter().any(|(running, _)| *running == name) {
                let log = self.folder.path().join(format!("{name}-{}.log", self.starts));
                let log = File::create(log).expect("a log");
                let mut command = self.command(name);
                let child = command.stdout(Stdio::null()).stderr(log).spawn().expect("starts");
                self.running.push((name, child));
            }
        }
        let ready = format!("http://127.0.0.1:{}/readyz", self.port);
        until(20, "bot is ready", || async {
            let answer = self.http.get(&ready).send().await;
            answer.is_ok_and(|answer| answer.status().is_success())
        })
        .await;
    }

    /// `kill -9` of every process.
    pub fn kill(&mut self) {
        for (_, mut child) in self.running.drain(..) {
            child.kill().expect("is killed");
            child.wait().expect("is gone");
        }
    }

    /// SIGTERM to every process; answers whether each ended well within the time.
    pub async fn terminate(&mut self, seconds: u64) -> bool {
        for pid in ["bot", "worker"].into_iter().filter_map(|name| self.pid(name)) {
            Command::new("kill").args(["-TERM", &pid.to_string()]).status().expect("kill runs");
        }
        let mut ended_well = true;
        for (_, mut child) in self.running.drain(..) {
            let deadline = tokio::time::Instant::now() + Duration::from_secs(seconds);
            let status = loop {
                match child.try_wait().expect("can be asked") {
                    Some(status) => break Some(status),
                    None if tokio::time::Instant::now() > deadline => break None,
                    None => tokio::time::sleep(Duration::from_millis(50)).await,
                }
            };
            ended_well &= status.is_some_and(|status| status.success());
            if status.is_none() {
                child.kill().expect("is killed");
            }
        }
        ended_well
    }

    /// The process of this program, where it runs.
    pub fn pid(&self, name: &str) -> Option<u32> {
        let found = self.running.iter().find(|(running, _)| *running == name);
        found.map(|(_, child)| child.id())
    }

    /// Everything that the processes logged since the first start.
    pub fn logs(&self) -> String {
        let mut logs = String::new();
        for entry in std::fs::read_dir(self.folder.path()).expect("can be read").flatten() {
            if entry.path().extension().is_some_and(|extension| extension == "log") {
                logs.push_str(&std::fs::read_to_string(entry.path()).expect("can be read"));
            }
        }
        logs
    }

    pub async fn get(&self, path: &str) -> (u16, String) {
        let url = format!("http://127.0.0.1:{}{path}", self.port);
        let answer = self.http.get(url).send().await.expect("an answer");
        (answer.status().as_u16(), answer.text().await.expect("a body"))
    }

    /// Posts a signed body; `None` when there was no answer.
    pub async fn post(&self, body: &Value) -> Option<u16> {
        let body = body.to_string().into_bytes();
        let signature = bodies::signature(&body);
        let request = self.http.post(&self.webhook).header("X-Hub-Signature-256", signature);
        Some(request.body(body).send().await.ok()?.status().as_u16())
    }

    /// One text of each of `count` customers, all at once; every one must be acknowledged.
    pub async fn write_at_once(&self, count: usize) -> Vec<String> {
        let now = self.seconds();
        let customers: Vec<String> = (0..count).map(|i| format!("55119870{i:05}")).collect();
        let deliveries = customers.iter().map(|customer| {
            let body = self.delivery(customer, "quanto custa a diária?", now);
            async move { self.post(&body).await }
        });
        let statuses = futures::future::join_all(deliveries).await;
        assert!(statuses.iter().all(|status| *status == Some(200)), "{statuses:?}");
        customers
    }

    /// The real time, as Meta writes it.
    pub fn seconds(&self) -> i64 {
        use lembra_agent::clock::{Clock, SystemClock};
        SystemClock.now().timestamp()
    }
}

impl Drop for Installation {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            eprintln!("{}", self.logs());
        }
    }
}
