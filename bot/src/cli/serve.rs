//! `bot serve`.

use std::net::TcpListener;
use std::sync::Arc;

use clap::Args;
use lembra_agent::clock::SystemClock;
use lembra_agent::config::{Config, Env, Mode};
use lembra_worker::runtime::Runtime;
use lembra_worker::{host, relaying, telemetry};
use secrecy::ExposeSecret;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::Output;
use crate::app::Application;
use crate::standalone;

#[derive(Args, Clone, Default)]
pub struct Serve {
    /// Port to listen on (PORT, 8080)
    #[arg(long)]
    port: Option<u16>,
    /// Address to listen on (HOST, 127.0.0.1)
    #[arg(long)]
    host: Option<String>,
}

impl Serve {
    pub async fn run(self, env: &Env, output: Output) -> anyhow::Result<()> {
        let mut config = Config::from_env(env)?;
        config.web.port = self.port.unwrap_or(config.web.port);
        config.web.host = self.host.unwrap_or(config.web.host);
        let metrics = telemetry::metrics();
        let runtime = Runtime::open(config, Arc::new(SystemClock)).await?;
        let web = &runtime.config.web;
        let listener = TcpListener::bind((web.host.as_str(), web.port)).map_err(|error| {
            anyhow::anyhow!("cannot listen on {}:{}: {error}", web.host, web.port)
        })?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let standalone = runtime.config.mode == Mode::Standalone;
        let (demo, first) = match standalone {
            true => {
                let (demo, first) = standalone::prepare(&runtime, address).await?;
                (Some(demo), first)
            }
            false => (None, None),
        };
        let application = Application::build(&runtime, metrics, demo, listener)?;
        if let Some(first) = first {
            greet(&first, output);
        }
        announce(&runtime, address, output);

        let stop = CancellationToken::new();
        let pages = application.handle();
        let mut server = tokio::spawn(application.server);
        let jobs_stop = stop.clone();
        let mut jobs = tokio::spawn(async move {
            match standalone {
                true => host::run(runtime, jobs_stop).await.map_err(anyhow::Error::from),
                false => {
                    relaying::push_when_rung(runtime.relay, jobs_stop).await;
                    Ok(())
                }
            }
        });
        let ended = tokio::select! {
            signal = host::asked_to_stop() => {
                signal?;
                tracing::info!("asked to stop");
                None
            }
            ended = &mut server => Some(ended.map_or_else(|error| error.to_string(), |result| {
                result.err().map_or_else(|| "returned".to_owned(), |error| error.to_string())
            })),
            ended = &mut jobs => Some(ended.map_or_else(|error| error.to_string(), |result| {
                result.err().map_or_else(|| "returned".to_owned(), |error| error.to_string())
            })),
        };
        // First no new requests, then no new jobs.
        pages.stop(true).await;
        stop.cancel();
        match ended {
            Some(reason) => anyhow::bail!("ended unasked: {reason}"),
            None => {
                jobs.await??;
                tracing::info!("stopped");
                Ok(())
            }
        }
    }
}

fn greet(first: &standalone::FirstStart, output: Output) {
    let password = first.password.expose_secret();
    let lines = [
        "Demo account made. To sign in from another device (shown only this once):".to_owned(),
        format!("  e-mail    {}", first.email),
        format!("  password  {password}"),
        String::new(),
    ];
    output.print(&json!({ "email": first.email, "password": password }), &lines);
}

fn announce(runtime: &Runtime, address: std::net::SocketAddr, output: Output) {
    let url = format!("http://{address}");
    let line = match runtime.config.mode {
        Mode::Standalone => format!("Lembra runs on {url}  (simulator: {url}/simulator)"),
        Mode::Production => format!("Lembra receives webhooks on {url}"),
    };
    output.print(&json!({ "listening": url }), &[line]);
    tracing::info!(port = address.port(), "bot started");
}
