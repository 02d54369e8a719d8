//! A headless Chromium of a test's own, driven through chromedriver.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tempfile::TempDir;
use url::{ParseError, Url};

use crate::support::{setting, skip};

/// Chromium runs as root in CI's container, and asks nobody on the network for anything.
const ARGUMENTS: [&str; 11] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--accept-lang=pt-BR",
    "--window-size=1440,900",
];

/// How large the window is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// 390 × 844, a phone held upright.
    Phone,
    /// 1440 × 900, a laptop.
    Desktop,
}

impl Screen {
    pub const BOTH: [Screen; 2] = [Screen::Phone, Screen::Desktop];

    /// Width and height in CSS pixels.
    pub fn size(self) -> (u32, u32) {
        match self {
            Screen::Phone => (390, 844),
            Screen::Desktop => (1440, 900),
        }
    }
}

/// The processes of one browser; what it has shown is gone with it.
pub struct Driver {
    pub client: Client,
    child: Child,
    /// Held open: chromedriver goes on writing to it.
    _stdout: BufReader<ChildStdout>,
    port: u16,
    session: String,
    chromium: Option<u64>,
    profile: TempDir,
}

impl Driver {
    /// `None` when no browser was given.
    pub async fn start() -> Option<Self> {
        let (chromium, chromedriver) = (setting("LEMBRA_CHROMIUM"), setting("LEMBRA_CHROMEDRIVER"));
        let (Some(chromium), Some(chromedriver)) = (chromium, chromedriver) else {
            skip("no LEMBRA_CHROMIUM and LEMBRA_CHROMEDRIVER");
            return None;
        };
        let mut child = Command::new(chromedriver)
            .arg("--port=0")
            .env("TZ", "America/Sao_Paulo")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (stdout, port) = port_of(stdout).await;
        let profile = tempfile::tempdir().expect("a folder");
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let Value::Object(capabilities) = capabilities(&chromium, profile.path()) else {
            unreachable!("written as an object");
        };
        builder.capabilities(capabilities);
        let client = builder.connect(&format!("http://127.0.0.1:{port}")).await;
        let client = client.unwrap_or_else(|error| {
            let _ = child.kill();
            panic!("chromium does not start: {error}")
        });
        let session = client.session_id().await.expect("answers").expect("a session");
        let opened = client.capabilities();
        let chromium = opened.and_then(|opened| opened.get("goog:processID")?.as_u64());
        let _stdout = stdout;
        Some(Self { client, child, _stdout, port, session, chromium, profile })
    }

    /// Sends one command of the DevTools protocol.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        let body = json!({ "cmd": command, "params": parameters });
        let sent = self.client.issue_cmd(Extension { path: "goog/cdp/execute", body }).await;
        sent.unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// What the console has said since the last time: level, source and text of each line.
    pub async fn console(&self) -> Vec<(String, String, String)> {
        let body = json!({ "type": "browser" });
        let lines = self.client.issue_cmd(Extension { path: "se/log", body }).await;
        let lines = lines.expect("chromedriver keeps the console's lines");
        let word = |line: &Value, name: &str| line[name].as_str().unwrap_or_default().to_owned();
        let lines = lines.as_array().cloned().unwrap_or_default();
        lines
            .iter()
            .map(|line| (word(line, "level"), word(line, "source"), word(line, "message")))
            .collect()
    }

    /// Makes the window that large. `scale` is how many pixels of a picture make one of the page.
    pub async fn resize(&self, screen: Screen, scale: u32) {
        let (width, height) = screen.size();
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
    }

    /// What the person has asked their system for: a dark or a light screen.
    pub async fn prefer(&self, scheme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            // What moves is not where it seems to be.
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }
}

/// Reads where chromedriver listens; it chooses a free port itself.
async fn port_of(mut stdout: BufReader<ChildStdout>) -> (BufReader<ChildStdout>, u16) {
    let reading = tokio::task::spawn_blocking(move || {
        let mut line = String::new();
        while stdout.read_line(&mut line).is_ok_and(|length| length > 0) {
            let port = line.split("successfully on port ").nth(1);
            let port = port.and_then(|rest| rest.trim().trim_end_matches('.').parse().ok());
            if let Some(port) = port {
                return Some((stdout, port));
            }
            line.clear();
        }
        None
    });
    let read = tokio::time::timeout(Duration::from_secs(30), reading).await;
    read.expect("chromedriver says its port").expect("is read").expect("chromedriver stays")
}

fn capabilities(chromium: &str, profile: &Path) -> Value {
    let mut arguments: Vec<String> = ARGUMENTS.map(str::to_owned).to_vec();
    arguments.push(format!("--user-data-dir={}", profile.display()));
    json!({
        "browserName": "chrome",
        "unhandledPromptBehavior": "ignore",
        "goog:loggingPrefs": { "browser": "ALL" },
        "goog:chromeOptions": { "binary": chromium, "args": arguments },
    })
}

/// A command of chromedriver that the standard does not know.
#[derive(Debug)]
struct Extension {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Extension {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (reqwest::Method, Option<String>) {
        (reqwest::Method::POST, Some(self.body.to_string()))
    }
}

impl Drop for Driver {
    /// A killed chromedriver leaves its browser behind, so the session is ended first.
    fn drop(&mut self) {
        let _ = self.end_session();
        let _ = self.child.kill();
        let _ = self.child.wait();
        let Some(chromium) = self.chromium else { return };
        let deadline = Instant::now() + Duration::from_secs(5);
        let profile = self.profile.path().display().to_string();
        while std::fs::read_to_string(format!("/proc/{chromium}/cmdline"))
            .is_ok_and(|command| command.contains(&profile))
        {
            if Instant::now() > deadline {
                let _ = Command::new("kill").args(["-KILL", &chromium.to_string()]).status();
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Driver {
    /// Over a bare connection, since a drop cannot wait for a future.
    fn end_session(&self) -> std::io::Result<()> {
        let mut wire = TcpStream::connect(("127.0.0.1", self.port))?;
        wire.set_read_timeout(Some(Duration::from_secs(5)))?;
        let head = format!("DELETE /session/{} HTTP/1.1", self.session);
        write!(wire, "{head}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")?;
        wire.read_to_end(&mut Vec::new()).map(|_| ())
    }
}
