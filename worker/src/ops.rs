//! `/healthz`, `/readyz` and `/metrics`, the same on every process.

use std::time::Duration;

use actix_web::http::header::ContentType;
use actix_web::{HttpResponse, web};
use lembra_agent::jobs::stats;
use lembra_agent::store::{memory_upkeep, watch};
use metrics_exporter_prometheus::PrometheusHandle;
use sea_orm::{ConnectionTrait, Statement};

use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::runtime::Runtime;

/// What the pages answer from.
#[derive(Clone)]
pub struct Ops {
    pub runtime: Runtime,
    pub metrics: Option<PrometheusHandle>,
}

/// Adds the three pages.
pub fn configure(ops: Ops) -> impl FnOnce(&mut web::ServiceConfig) {
    move |config| {
        config
            .app_data(web::Data::new(ops))
            .route("/healthz", web::get().to(healthz))
            .route("/readyz", web::get().to(readyz))
            .route("/metrics", web::get().to(metrics_page));
    }
}

/// The process runs.
pub async fn healthz() -> HttpResponse {
    HttpResponse::Ok().content_type(ContentType::plaintext()).body("ok\n")
}

/// The process can do its work. The transport is not asked for: without it, webhooks are still
/// taken in and jobs wait in the ledger.
pub async fn readyz(ops: web::Data<Ops>) -> HttpResponse {
    let db = &ops.runtime.db;
    let statement = Statement::from_string(db.get_database_backend(), "SELECT 1");
    match db.query_one_raw(statement).await {
        Ok(_) => HttpResponse::Ok().content_type(ContentType::plaintext()).body("ready\n"),
        Err(_) => HttpResponse::ServiceUnavailable()
            .content_type(ContentType::plaintext())
            .body("database unavailable\n"),
    }
}

/// Everything that is counted, in Prometheus' text form.
pub async fn metrics_page(ops: web::Data<Ops>) -> HttpResponse {
    let Some(handle) = &ops.metrics else {
        return HttpResponse::NotFound().finish();
    };
    measure(&ops.runtime).await;
    handle.run_upkeep();
    HttpResponse::Ok().content_type("text/plain; version=0.0.4").body(handle.render())
}

/// Gauges that are read when somebody asks for them.
async fn measure(runtime: &Runtime) {
    let now = runtime.clock.now();
    match stats::read(&runtime.db, now).await {
        Ok(queues) => {
            for stats in queues {
                let states = [
                    ("pending", stats.pending),
                    ("queued", stats.queued),
                    ("running", stats.running),
                    ("dead", stats.dead),
                ];
                for (state, count) in states {
                    metrics::gauge!("lembra_jobs", "queue" => stats.queue, "state" => state)
                        .set(count as f64);
                }
                metrics::gauge!("lembra_oldest_due_job_seconds", "queue" => stats.queue)
                    .set(stats.oldest_due_secs as f64);
            }
        }
        Err(error) => tracing::warn!(%error, "ledger not measured"),
    }
    match watch::unanswered(&runtime.db, now).await {
        Ok(count) => metrics::gauge!("lembra_messages_without_outcome").set(count as f64),
        Err(error) => tracing::warn!(%error, "unanswered messages not counted"),
    }
    measure_memory(runtime).await;
    let up = runtime.relay.transport().ping().await.is_ok();
    metrics::gauge!("lembra_transport_up").set(f64::from(u8::from(up)));
}

/// Counting facts walks through an index of all of them.
const COUNT_EVERY: Duration = Duration::from_secs(60);

async fn measure_memory(runtime: &Runtime) {
    static COUNTED: Mutex<Option<Instant>> = Mutex::const_new(None);
    let mut counted = COUNTED.lock().await;
    if counted.is_some_and(|at| at.elapsed() < COUNT_EVERY) {
        return;
    }
    *counted = Some(Instant::now());
    match memory_upkeep::standing_counts(&runtime.db).await {
        Ok(counts) => {
            for (account, facts) in counts {
                metrics::gauge!("captain_memory_active_facts_count", "account" => account.to_string())
                    .set(facts as f64);
            }
        }
        Err(error) => tracing::warn!(%error, "memories not counted"),
    }
}
