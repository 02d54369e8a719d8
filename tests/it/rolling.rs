//! A release is rolled out: two bots and two workers are exchanged one after the other while
//! customers write.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use lembra_agent::http::Client;
use tempfile::TempDir;

use crate::support::bodies;
use crate::support::processes::{Installation, binary, free_port};
use crate::support::until;

/// Settings that the processes share; each has ports of its own.
const SHARED: [&str; 6] =
    ["DATABASE_URL", "REDIS_URL", "REDIS_NAMESPACE", "LEMBRA_KEY", "LLM_BASE_URL", "DEBOUNCE_MS"];

/// Customers who write at the same time.
const AT_ONCE: usize = 4;
/// They go on until everything has been exchanged, and each at least so often.
const LEAST_EACH: usize = 15;

/// One process of the installation, which may be exchanged.
struct Member {
    program: &'static str,
    port: u16,
    child: Child,
}

struct Fleet {
    settings: Vec<(&'static str, String)>,
    folder: TempDir,
    http: Client,
}

impl Fleet {
    fn of(installation: &Installation) -> Self {
        let settings = SHARED.map(|name| {
            let value = installation.setting(name).expect("a setting of the installation");
            (name, value.to_owned())
        });
        let http = lembra_agent::http::client(Duration::from_secs(20)).expect("a client");
        Self { settings: settings.to_vec(), folder: tempfile::tempdir().expect("a folder"), http }
    }

    fn spawn(&self, program: &'static str, port: u16) -> Child {
        let path: PathBuf = binary(program).expect("checked at the start");
        let mut command = Command::new(path);
        command.env_clear().envs(self.settings.iter().map(|(name, value)| (*name, value)));
        // What one writes down when it dies is read by the others.
        command.env("DATA_DIR", self.folder.path().join("data")).current_dir(self.folder.path());
        command.env("DATABASE_MAX_CONNECTIONS", "6");
        command.env("PORT", port.to_string()).env("WORKER_PORT", port.to_string());
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts")
    }

    async fn start(&self, program: &'static str) -> Member {
        let port = free_port();
        let member = Member { program, port, child: self.spawn(program, port) };
        self.ready(port).await;
        member
    }

    async fn ready(&self, port: u16) {
        let url = format!("http://127.0.0.1:{port}/readyz");
        until(30, "the process is ready", || async {
            let answer = self.http.get(&url).send().await;
            answer.is_ok_and(|answer| answer.status().is_success())
        })
        .await;
    }

    /// Asks the process to stop, waits until it has, and starts it again at its port.
    async fn exchange(&self, member: &mut Member) {
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
        self.ready(member.port).await;
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Delivers as a platform behind a load balancer does: to whoever takes it.
async fn deliver(http: &Client, ports: [u16; 2], path: &str, number: usize, now: i64) {
    let customer = customer(number);
    let message = bodies::text_message(&customer, &format!("wamid.R{number}"), "oi", now);
    let body = bodies::envelope(&[vec![bodies::messages(&[message])]]).to_string().into_bytes();
    let signature = bodies::signature(&body);
    for attempt in 0..200 {
        let port = ports[(number + attempt) % 2];
        let request = http.post(format!("http://127.0.0.1:{port}{path}"));
        let request = request.header("X-Hub-Signature-256", &signature).body(body.clone());
        if request.send().await.is_ok_and(|answer| answer.status() == 200) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("nobody takes the message of {customer}");
}

fn customer(number: usize) -> String {
    format!("55119871{number:05}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_restart_of_two_bots_and_two_workers_loses_and_doubles_nothing() {
    let Some(installation) = Installation::production(None).await else {
        return;
    };
    let fleet = Fleet::of(&installation);
    let path = installation.webhook.split_once("/webhooks").expect("a path").1;
    let path = format!("/webhooks{path}");
    let mut members = Vec::new();
    for program in ["bot", "bot", "worker", "worker"] {
        members.push(fleet.start(program).await);
    }
    let ports = [members[0].port, members[1].port];
    let (done, next) = (AtomicBool::new(false), AtomicUsize::new(0));
    let now = installation.seconds();
    let write = || async {
        let mut written = Vec::new();
        while written.len() < LEAST_EACH || !done.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            deliver(&fleet.http, ports, &path, number, now).await;
            written.push(number);
        }
        written
    };
    let writing = futures::future::join_all((0..AT_ONCE).map(|_| write()));
    let exchanging = async {
        for member in &mut members {
            fleet.exchange(member).await;
        }
        done.store(true, Ordering::Relaxed);
    };
    let (written, ()) = tokio::join!(writing, exchanging);
    let expected: BTreeMap<String, usize> =
        written.into_iter().flatten().map(|number| (customer(number), 1)).collect();
    until(60, "everybody is answered", || async {
        installation.meta.sends().len() >= expected.len()
    })
    .await;
    let mut answers: BTreeMap<String, usize> = BTreeMap::new();
    for send in installation.meta.sends() {
        *answers.entry(send.to).or_default() += 1;
    }
    assert_eq!(answers, expected);
}
