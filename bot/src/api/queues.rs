//! Queues of jobs, the schedules that fill them and the processes that empty them.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use lembra_agent::domain::access::Permission;
use lembra_agent::jobs::board::Scope;
use lembra_agent::jobs::board::figures::{self, QueueFigures};
use lembra_agent::jobs::processes::{self, WorkerProcess};
use lembra_agent::jobs::schedules::{Asked, ScheduleState};
use lembra_agent::jobs::{Queue, pauses};
use lembra_worker::schedule;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::job_query::scope;
use super::{failed, not_found, refuse};
use crate::access::{Principal, Routes};
use crate::app::Web;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let run = Permission::InstanceRun;
    routes
        .api(Method::GET, "/queues", Permission::JobsRead, list)
        .about("How each queue stands and how it went lately")
        .answers::<QueueList>(200);
    routes
        .api(Method::POST, "/queues/{queue}/pause", run, pause)
        .about("Stop a queue: what runs ends, nothing new of it is taken")
        .answers::<QueueSet>(200);
    routes
        .api(Method::POST, "/queues/{queue}/resume", run, resume)
        .about("Let a stopped queue go on")
        .answers::<QueueSet>(200);
    routes
        .api(Method::GET, "/schedules", run, schedules)
        .about("Schedules with their last and next runs")
        .answers::<ScheduleList>(200);
    routes
        .api(Method::POST, "/schedules/{schedule}/run", run, run_schedule)
        .about("Run a schedule once more, now; 409 while a run of it waits or is under way")
        .answers::<ScheduleAsked>(202);
    routes
        .api(Method::GET, "/workers", run, workers)
        .about("Processes that run jobs, seen within a day")
        .answers::<WorkerList>(200);
}

/// All queues.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueList {
    /// Counts are of every account's jobs, and not of this account's alone.
    whole_instance: bool,
    queues: Vec<QueueFigures>,
}

/// Whether a queue runs.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueSet {
    queue: &'static str,
    paused: bool,
    /// False where it was so already.
    changed: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ScheduleList {
    schedules: Vec<ScheduleState>,
}

/// The job that does the run.
#[derive(Debug, Serialize, ToSchema)]
pub struct ScheduleAsked {
    job_id: Uuid,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WorkerList {
    workers: Vec<WorkerProcess>,
}

#[derive(Deserialize)]
pub struct QueuePath {
    queue: String,
}

#[derive(Deserialize)]
pub struct SchedulePath {
    schedule: String,
}

async fn list(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    let (scope, now) = (scope(&principal), web.runtime.clock.now());
    match figures::read(&web.runtime.db, scope, now).await {
        Ok(queues) => {
            let whole_instance = scope == Scope::Instance;
            HttpResponse::Ok().json(QueueList { whole_instance, queues })
        }
        Err(error) => failed(&error),
    }
}

async fn pause(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<QueuePath>,
) -> HttpResponse {
    let Some(queue) = Queue::named(&path.queue) else {
        return not_found();
    };
    let now = web.runtime.clock.now();
    match pauses::pause(&web.runtime.db, queue, &principal.name, now).await {
        Ok(changed) => {
            let queue = queue.as_str();
            HttpResponse::Ok().json(QueueSet { queue, paused: true, changed })
        }
        Err(error) => failed(&error),
    }
}

async fn resume(web: web::Data<Web>, path: web::Path<QueuePath>) -> HttpResponse {
    let Some(queue) = Queue::named(&path.queue) else {
        return not_found();
    };
    match pauses::resume(&web.runtime.db, queue).await {
        Ok(changed) => {
            web.runtime.relay.ring(queue);
            let queue = queue.as_str();
            HttpResponse::Ok().json(QueueSet { queue, paused: false, changed })
        }
        Err(error) => failed(&error),
    }
}

async fn schedules(web: web::Data<Web>) -> HttpResponse {
    match schedule::states(&web.runtime).await {
        Ok(schedules) => HttpResponse::Ok().json(ScheduleList { schedules }),
        Err(error) => failed(&error),
    }
}

async fn run_schedule(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<SchedulePath>,
) -> HttpResponse {
    match schedule::run_now(&web.runtime, &path.schedule, &principal.name).await {
        Ok(Some(Asked::Written(job_id))) => HttpResponse::Accepted().json(ScheduleAsked { job_id }),
        Ok(Some(Asked::Open(job_id))) => {
            let why = format!("a run of it waits or is under way already: job {job_id}");
            refuse(StatusCode::CONFLICT, &why)
        }
        Ok(None) => not_found(),
        Err(error) => failed(&error),
    }
}

async fn workers(web: web::Data<Web>) -> HttpResponse {
    let runtime = &web.runtime;
    match processes::list(&runtime.db, &runtime.journal, runtime.clock.now()).await {
        Ok(workers) => HttpResponse::Ok().json(WorkerList { workers }),
        Err(error) => failed(&error),
    }
}
