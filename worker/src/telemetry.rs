//! Logs as JSON lines, metrics in Prometheus' text form, and traces for a collector.

use std::sync::OnceLock;

use lembra_agent::config::Env;
use lembra_agent::services::alerts::Kind;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{ExporterBuildError, SpanExporter};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

/// Seconds, for everything that is timed.
const SECONDS: &[f64] =
    &[0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];
/// Events of one intake transaction.
const EVENTS: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// What is traced, whatever is logged.
const TRACED: &str = "off,lembra_agent=info,lembra_bot=info,lembra_worker=info";

/// Where spans go, once there is a collector.
static TRACES: OnceLock<SdkTracerProvider> = OnceLock::new();

/// Sends spans under the name of this program to the collector at `OTEL_EXPORTER_OTLP_ENDPOINT`;
/// `None` without one. The other variables of the OpenTelemetry exporter are obeyed as well.
fn traces(
    env: &Env,
    program: &'static str,
) -> Result<Option<SdkTracerProvider>, ExporterBuildError> {
    if env.text("OTEL_EXPORTER_OTLP_ENDPOINT").is_none() {
        return Ok(None);
    }
    lembra_agent::http::install_tls_provider();
    let exporter = SpanExporter::builder().with_http().build()?;
    let name = Resource::builder().with_service_name(format!("lembra-{program}")).build();
    let provider = SdkTracerProvider::builder().with_resource(name).with_batch_exporter(exporter);
    Ok(Some(provider.build()))
}

/// Sends the spans that wait. Called where the process ends.
pub fn flush() {
    if let Some(Err(error)) = TRACES.get().map(SdkTracerProvider::shutdown) {
        tracing::warn!(%error, "the last spans were not sent");
    }
}

/// Logs to standard error, filtered by `RUST_LOG`, and traces what `program` does where there is a
/// collector. A second call changes nothing.
pub fn log(env: &Env, program: &'static str) {
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
    let lines = tracing_subscriber::fmt::layer()
        .json()
        .flatten_event(true)
        .with_span_list(false)
        .with_writer(std::io::stderr)
        .with_filter(filter);
    let (provider, failure) = match traces(env, program) {
        Ok(provider) => (provider, None),
        Err(error) => (None, Some(error)),
    };
    let traces = provider.map(|provider| {
        let tracer = TRACES.get_or_init(|| provider).tracer("lembra");
        tracing_opentelemetry::layer().with_tracer(tracer).with_filter(EnvFilter::new(TRACED))
    });
    // Set already: by a test, or by the process that hosts this one.
    let _ = tracing_subscriber::registry().with(lines).with(traces).try_init();
    // Nothing could be logged before.
    if let Some(error) = failure {
        tracing::error!(%error, "traces are not exported");
    }
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
