//! Logs as JSON lines and metrics in Prometheus' text form.

use lembra_agent::config::Env;
use lembra_agent::services::alerts::Kind;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;

/// Seconds, for everything that is timed.
const SECONDS: &[f64] =
    &[0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];
/// Events of one intake transaction.
const EVENTS: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// Logs to standard error, filtered by `RUST_LOG`. A second call changes nothing.
pub fn log(env: &Env) {
    let filter = env.text("RUST_LOG").unwrap_or_else(|| "info".to_owned());
    let filter = EnvFilter::try_new(&filter).unwrap_or_else(|_| EnvFilter::new("info"));
    // actix writes request paths at debug, and paths carry secrets.
    let filter = match "actix_web=info".parse() {
        Ok(quiet) => filter.add_directive(quiet),
        Err(_) => filter,
    };
    // A panic's message may hold the text that it panicked over; where it was is enough.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "panic");
    }));
    let subscriber = tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    // Set already: by a test, or by the process that hosts this one.
    let _ = subscriber.try_init();
}

/// Collects the metrics of this process. `None` when something else does already.
pub fn metrics() -> Option<PrometheusHandle> {
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)
        .and_then(|builder| {
            builder.set_buckets_for_metric(Matcher::Suffix("_events".to_owned()), EVENTS)
        });
    let handle = builder.ok()?.install_recorder().ok()?;
    // Who watches for growth sees the first alert of a kind only where there was a nought before it.
    for kind in Kind::ALL {
        metrics::counter!("lembra_alerts_total", "kind" => kind.as_str()).increment(0);
    }
    Some(handle)
}
