//! `bot health`: what container platforms ask a process of this machine.

use std::time::Duration;

use clap::Args;
use lembra_agent::config::{Env, WebConfig};
use serde_json::json;

use super::Output;

const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Args)]
pub struct Health {
    /// Ask the worker in place of bot
    #[arg(long)]
    worker: bool,
    /// The port, when it is not that of the settings
    #[arg(long)]
    port: Option<u16>,
}

impl Health {
    /// Asks `/readyz`; fails when it is not answered well. Reads no other settings than addresses.
    pub async fn run(self, env: &Env, output: Output) -> anyhow::Result<()> {
        let web = WebConfig::from_env(env)?;
        let (host, port) = match self.worker {
            true => (web.worker_host, web.worker_port),
            false => (web.host, web.port),
        };
        let url = address(&host, self.port.unwrap_or(port));
        lembra_agent::http::install_tls_provider();
        let http = lembra_agent::http::client(PATIENCE)?;
        let answer = http.get(&url).send().await;
        let status = answer.map_err(|error| anyhow::anyhow!("{url}: {}", error.without_url()))?;
        let status = status.status();
        anyhow::ensure!(status.is_success(), "{url}: {status}");
        output.print(&json!({ "url": url, "status": status.as_u16() }), &["ready".to_owned()]);
        Ok(())
    }
}

/// Where a process that listens on `host` is reached from its own machine.
fn address(host: &str, port: u16) -> String {
    let host = match host {
        "0.0.0.0" => "127.0.0.1".to_owned(),
        "::" | "[::]" => "[::1]".to_owned(),
        host if host.contains(':') && !host.starts_with('[') => format!("[{host}]"),
        host => host.to_owned(),
    };
    format!("http://{host}:{port}/readyz")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_listens_on_every_address_is_asked_on_the_machines_own() {
        for (host, expected) in [
            ("0.0.0.0", "http://127.0.0.1:8080/readyz"),
            ("::", "http://[::1]:8080/readyz"),
            ("::1", "http://[::1]:8080/readyz"),
            ("10.0.0.7", "http://10.0.0.7:8080/readyz"),
            ("localhost", "http://localhost:8080/readyz"),
        ] {
            assert_eq!(address(host, 8080), expected);
        }
    }
}
