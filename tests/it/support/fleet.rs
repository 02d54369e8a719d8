//! Several bots and workers of one installation, each of which may be exchanged or killed.

use std::fs::OpenOptions;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use lembra_agent::http::Client;
use tempfile::TempDir;

use super::processes::{Installation, binary, free_port};
use super::until;

/// Settings that the processes share; each has ports of its own.
const SHARED: [&str; 6] =
    ["DATABASE_URL", "REDIS_URL", "REDIS_NAMESPACE", "LEMBRA_KEY", "LLM_BASE_URL", "DEBOUNCE_MS"];
/// Connections of one process.
const CONNECTIONS: &str = "6";

/// One process of the installation.
pub struct Member {
    pub program: &'static str,
    pub port: u16,
    child: Child,
}

/// What the processes share.
pub struct Fleet {
    settings: Vec<(&'static str, String)>,
    folder: TempDir,
    pub http: Client,
}

impl Fleet {
    pub fn of(installation: &Installation) -> Self {
        let settings = SHARED.map(|name| {
            let value = installation.setting(name).expect("a setting of the installation");
            (name, value.to_owned())
        });
        let http = lembra_agent::http::client(Duration::from_secs(20)).expect("a client");
        Self { settings: settings.to_vec(), folder: tempfile::tempdir().expect("a folder"), http }
    }

    fn spawn(&self, program: &'static str, port: u16) -> Child {
        let mut command = Command::new(binary(program).expect("checked at the start"));
        command.env_clear().envs(self.settings.iter().map(|(name, value)| (*name, value)));
        // What one writes down when it dies is read by the others.
        command.env("DATA_DIR", self.folder.path().join("data")).current_dir(self.folder.path());
        command.env("DATABASE_MAX_CONNECTIONS", CONNECTIONS);
        command.env("PORT", port.to_string()).env("WORKER_PORT", port.to_string());
        let log = self.folder.path().join(format!("{program}-{port}.log"));
        let log = OpenOptions::new().create(true).append(true).open(log).expect("a log");
        command.stdout(Stdio::null()).stderr(log).spawn().expect("starts")
    }

    /// Starts one more process and waits until it is ready.
    pub async fn start(&self, program: &'static str) -> Member {
        let port = free_port();
        let member = Member { program, port, child: self.spawn(program, port) };
        self.ready(&member).await;
        member
    }

    async fn ready(&self, member: &Member) {
        let url = format!("http://127.0.0.1:{}/readyz", member.port);
        until(60, "the process is ready", || async {
            let answer = self.http.get(&url).send().await;
            answer.is_ok_and(|answer| answer.status().is_success())
        })
        .await;
    }

    /// Asks the process to stop, waits until it has, and starts it again at its port.
    pub async fn exchange(&self, member: &mut Member) {
        let pid = member.child.id().to_string();
        Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs");
        let mut ended = None;
        until(45, "the process has ended", || {
            ended = member.child.try_wait().expect("can be asked");
            let gone = ended.is_some();
            async move { gone }
        })
        .await;
        assert!(ended.is_some_and(|status| status.success()), "{} ended badly", member.program);
        member.child = self.spawn(member.program, member.port);
        self.ready(member).await;
    }

    /// Starts the process again at its port, if it has ended; it may need others to become ready.
    pub fn revive(&self, member: &mut Member) {
        if member.child.try_wait().expect("can be asked").is_some() {
            member.child = self.spawn(member.program, member.port);
        }
    }

    /// What the processes logged.
    fn logs(&self) -> String {
        let mut logs = String::new();
        for entry in std::fs::read_dir(self.folder.path()).expect("can be read").flatten() {
            if entry.path().extension().is_some_and(|extension| extension == "log") {
                logs.push_str(&std::fs::read_to_string(entry.path()).expect("can be read"));
            }
        }
        logs
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.logs());
        }
    }
}

impl Member {
    /// `kill -9`.
    pub fn kill(&mut self) {
        // It may be dead already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.kill();
    }
}
