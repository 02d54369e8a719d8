//! The worker process: answers, deliveries, housekeeping.

use std::process::ExitCode;
use std::sync::Arc;

use actix_web::{App, HttpServer};
use clap::Parser;
use lembra_agent::clock::SystemClock;
use lembra_agent::config::{Config, Env, Mode};
use lembra_worker::ops::{self, Ops};
use lembra_worker::runtime::Runtime;
use lembra_worker::{host, telemetry};
use tokio_util::sync::CancellationToken;

/// Runs Lembra's jobs. Configured by the environment, like bot; needs DATABASE_URL and REDIS_URL.
#[derive(Parser)]
#[command(name = "worker", version)]
struct Arguments {}

#[tokio::main]
async fn main() -> ExitCode {
    Arguments::parse();
    let env = Env::from_process();
    telemetry::log(&env, "worker");
    let ended = Box::pin(run(&env)).await;
    telemetry::flush();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(env: &Env) -> anyhow::Result<()> {
    let config = Config::from_env(env)?;
    if config.mode == Mode::Standalone {
        anyhow::bail!("REDIS_URL is not set: in standalone mode `bot` runs the jobs itself");
    }
    let metrics = telemetry::metrics();
    let runtime = Runtime::open(config, Arc::new(SystemClock)).await?;
    let address = (runtime.config.web.worker_host.clone(), runtime.config.web.worker_port);
    let stop = CancellationToken::new();
    let pages = Ops { runtime: runtime.clone(), metrics };
    let server = HttpServer::new(move || App::new().configure(ops::configure(pages.clone())))
        .workers(1)
        .disable_signals()
        .bind(address)?
        .run();
    let pages = server.handle();
    tokio::spawn(server);
    tokio::spawn(stop_on_signal(stop.clone()));
    tracing::info!("worker started");
    let ended = host::run(runtime, stop).await;
    pages.stop(true).await;
    tracing::info!("worker stopped");
    Ok(ended?)
}

async fn stop_on_signal(stop: CancellationToken) {
    match lembra_worker::host::asked_to_stop().await {
        Ok(()) => tracing::info!("asked to stop"),
        Err(error) => tracing::error!(%error, "no signals; stopping"),
    }
    stop.cancel();
}
