//! What operators see of the ledger: queues, jobs, one job, schedules and workers.

mod act;
mod detail;
mod list;
mod queues;

use std::collections::HashMap;

use actix_web::http::Method;
use lembra_agent::domain::access::Permission;
use lembra_agent::jobs::board::{JobStatus, Scope};
use lembra_agent::store::board::actors::Actors;
use lembra_agent::store::{StoreResult, accounts};

use crate::access::Routes;
use crate::app::Web;
use crate::pages::words;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let (read, write, run) = (Permission::JobsRead, Permission::JobsWrite, Permission::InstanceRun);
    routes.page(Method::GET, "/queues", read, queues::page);
    routes.page(Method::POST, "/queues/{queue}/pause", run, act::pause);
    routes.page(Method::POST, "/queues/{queue}/resume", run, act::resume);
    routes.page(Method::POST, "/schedules/{schedule}/run", run, act::run_schedule);
    routes.page(Method::GET, "/jobs", read, list::page);
    routes.page(Method::POST, "/jobs/act", write, act::act_on_many);
    routes.page(Method::GET, "/jobs/{job}", read, detail::page);
    routes.page(Method::POST, "/jobs/{job}/{action}", write, act::act);
}

/// How a badge looks for a job that stands so.
fn tone(status: JobStatus) -> &'static str {
    match status {
        JobStatus::Done => "good",
        JobStatus::Dead => "bad",
        JobStatus::Running => "",
        JobStatus::Due | JobStatus::Queued => "warn",
        JobStatus::Waiting | JobStatus::Cancelled => "quiet",
    }
}

/// What somebody who acted is called: a colleague by name, others by what the ledger keeps.
fn who(actors: &Actors, by: &str) -> String {
    actors.name(by).map_or_else(|| words::of("actor", by), str::to_owned)
}

/// Names of accounts by id, for those who see every account's jobs.
async fn account_names(web: &Web, scope: Scope) -> StoreResult<HashMap<i64, String>> {
    if scope != Scope::Instance {
        return Ok(HashMap::new());
    }
    let rows = accounts::list(&web.runtime.db).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.name)).collect())
}
