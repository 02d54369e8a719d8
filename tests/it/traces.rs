//! One trace leads from the webhook to the send, through both processes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use actix_web::{App, HttpResponse, HttpServer, web};
use lembra_entities::job;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;
use sea_orm::EntityTrait;

use crate::support::bodies::{ACCESS_TOKEN, APP_SECRET};
use crate::support::processes::Installation;
use crate::support::until;

/// A span that reached the collector: of which trace, of which program, and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    trace: Vec<u8>,
    program: String,
    name: String,
}

/// An OTLP endpoint that remembers.
#[derive(Clone, Default)]
struct Collector {
    seen: Arc<Mutex<Vec<Seen>>>,
    /// Everything that came, as it came.
    bytes: Arc<Mutex<Vec<u8>>>,
    url: String,
}

impl Collector {
    fn start() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let collector = Self { url, ..Self::default() };
        let state = web::Data::new(collector.clone());
        let server = HttpServer::new(move || {
            App::new().app_data(state.clone()).route("/v1/traces", web::post().to(collect))
        });
        let server = server.workers(1).disable_signals().listen(listener).expect("listens").run();
        tokio::spawn(server);
        collector
    }

    /// The spans of each trace, as `program name`.
    fn traces(&self) -> Vec<Vec<String>> {
        let mut traces: BTreeMap<Vec<u8>, Vec<String>> = BTreeMap::new();
        for seen in self.seen.lock().unwrap().iter() {
            let span = format!("{} {}", seen.program, seen.name);
            traces.entry(seen.trace.clone()).or_default().push(span);
        }
        traces.into_values().collect()
    }
}

async fn collect(collector: web::Data<Collector>, body: web::Bytes) -> HttpResponse {
    collector.bytes.lock().unwrap().extend_from_slice(&body);
    let request = ExportTraceServiceRequest::decode(body).expect("OTLP");
    for group in request.resource_spans {
        let attributes = group.resource.map(|resource| resource.attributes).unwrap_or_default();
        let name = attributes.into_iter().find(|each| each.key == "service.name");
        let program = name.and_then(|name| name.value).map(|value| format!("{value:?}"));
        let program = program.unwrap_or_default();
        let program =
            ["lembra-bot", "lembra-worker"].into_iter().find(|name| program.contains(name));
        for span in group.scope_spans.into_iter().flat_map(|scope| scope.spans) {
            collector.seen.lock().unwrap().push(Seen {
                trace: span.trace_id,
                program: program.unwrap_or_default().to_owned(),
                name: span.name,
            });
        }
    }
    HttpResponse::Ok().finish()
}

/// The steps of one answer, in the programs that take them.
const STEPS: [&str; 5] = [
    "lembra-bot webhook",
    "lembra-worker respond",
    "lembra-worker model",
    "lembra-worker deliver",
    "lembra-worker send",
];

#[tokio::test(flavor = "multi_thread")]
async fn one_trace_leads_from_the_webhook_to_the_send_through_both_processes() {
    let Some(mut installation) = Installation::production(None).await else {
        return;
    };
    let collector = Collector::start();
    installation.set("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url);
    // What waits for a batch comes within a moment.
    installation.set("OTEL_BSP_SCHEDULE_DELAY", "200");
    installation.up().await;
    let customers = installation.write_at_once(1).await;
    until(20, "a trace holds every step", || async {
        let traces = collector.traces();
        traces.iter().any(|spans| STEPS.iter().all(|step| spans.iter().any(|span| span == step)))
    })
    .await;
    let told = String::from_utf8_lossy(&collector.bytes.lock().unwrap()).into_owned();
    for secret in [&*customers[0], "wamid", "diária", "Resposta", ACCESS_TOKEN, APP_SECRET] {
        assert!(!told.contains(secret), "spans tell {secret}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_collector_no_job_carries_a_trace() {
    let Some(mut installation) = Installation::production(None).await else {
        return;
    };
    installation.up().await;
    let customers = installation.write_at_once(1).await;
    until(20, "there is an answer", || async {
        installation.meta.counts().contains_key(&customers[0])
    })
    .await;
    let url = installation.setting("DATABASE_URL").expect("is set");
    let db = sea_orm::Database::connect(url).await.expect("connects");
    let jobs = job::Entity::find().all(&db).await.expect("jobs");
    assert!(!jobs.is_empty());
    assert!(jobs.iter().all(|job| job.trace_context.is_none()));
}
