//! Jobs of the ledger: finding them, and what operators do with them.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use lembra_agent::domain::access::Permission;
use lembra_agent::jobs::Queue;
use lembra_agent::jobs::admin::{self, Acted, ActedOnMany, Action, Actor, MOST, Refusal};
use lembra_agent::jobs::board::JobStatus;
use lembra_agent::jobs::board::detail::{self, JobDetail};
use lembra_agent::jobs::board::listing::{self, JobFilter, JobPage};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::job_query::{JobQuery, scope};
use super::{failed, not_found, refuse};
use crate::access::{Principal, Routes};
use crate::app::Web;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let (read, write) = (Permission::JobsRead, Permission::JobsWrite);
    routes
        .api(Method::GET, "/jobs", read, list)
        .about("Jobs by queue, kind, status, account and text; with instance:run of every account")
        .query::<JobQuery>()
        .answers::<JobPage>(200);
    routes
        .api(Method::POST, "/jobs/act", write, act_on_many)
        .about("Retry, discard or run before their time several jobs, or all that are alike")
        .body::<ActOnMany>()
        .answers::<ActedOnMany>(200);
    routes
        .api(Method::GET, "/jobs/{job}", read, show)
        .about("A job with its failures and what people did to it")
        .answers::<JobDetail>(200);
    routes
        .api(Method::POST, "/jobs/{job}/retry", write, retry)
        .about("Give a dead job all its tries anew; 409 where another of its key waits")
        .answers::<Acted>(200);
    routes
        .api(Method::POST, "/jobs/{job}/discard", write, discard)
        .about("Lay aside a dead job, or one that has not begun")
        .answers::<Acted>(200);
    routes
        .api(Method::POST, "/jobs/{job}/run-now", write, run_now)
        .about("Run a job before its time")
        .answers::<Acted>(200);
}

#[derive(Deserialize)]
pub struct JobPath {
    job: Uuid,
}

/// What is done, and to which jobs: either `ids` or `matching`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ActOnMany {
    action: Action,
    /// These jobs, 1,000 at most.
    #[serde(default)]
    #[schema(max_items = 1000)]
    ids: Vec<Uuid>,
    /// All that are like this, 1,000 at most: `more` tells whether to ask again.
    matching: Option<Matching>,
}

/// Jobs that are alike. Everything that is given must hold.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Matching {
    /// Jobs in other statuses are never meant by accident.
    status: JobStatus,
    queue: Option<String>,
    kind: Option<String>,
    account_id: Option<i64>,
    /// As `q` of the list.
    q: Option<String>,
}

fn unread((name, what): (&str, &str)) -> HttpResponse {
    refuse(StatusCode::BAD_REQUEST, &format!("{name} {what}"))
}

async fn list(
    principal: Principal,
    web: web::Data<Web>,
    query: web::Query<JobQuery>,
) -> HttpResponse {
    let (filter, after) = match (query.filter(), query.cursor()) {
        (Ok(filter), Ok(after)) => (filter, after),
        (Err(what), _) | (_, Err(what)) => return unread(what),
    };
    let (db, now) = (&web.runtime.db, web.runtime.clock.now());
    match listing::list(db, scope(&principal), &filter, after, query.limit(), now).await {
        Ok(page) => HttpResponse::Ok().json(page),
        Err(error) => failed(&error),
    }
}

async fn show(principal: Principal, web: web::Data<Web>, path: web::Path<JobPath>) -> HttpResponse {
    let now = web.runtime.clock.now();
    match detail::find(&web.runtime.db, scope(&principal), path.job, now).await {
        Ok(Some(job)) => HttpResponse::Ok().json(job),
        Ok(None) => not_found(),
        Err(error) => failed(&error),
    }
}

/// Who acts, for the ledger.
pub fn actor<'a>(principal: &'a Principal, web: &Web) -> Actor<'a> {
    let now = web.runtime.clock.now();
    Actor { scope: scope(principal), name: &principal.name, now }
}

async fn act(principal: &Principal, web: &Web, action: Action, id: Uuid) -> HttpResponse {
    match admin::act(&web.runtime.db, actor(principal, web), action, id).await {
        Ok(None) => {
            web.runtime.relay.ring_all(Queue::ALL);
            HttpResponse::Ok().json(Acted { id, refused: None })
        }
        Ok(Some(Refusal::Unknown)) => not_found(),
        Ok(Some(refusal)) => refuse(StatusCode::CONFLICT, &refusal.to_string()),
        Err(error) => failed(&error),
    }
}

async fn retry(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<JobPath>,
) -> HttpResponse {
    act(&principal, &web, Action::Retry, path.job).await
}

async fn discard(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<JobPath>,
) -> HttpResponse {
    act(&principal, &web, Action::Discard, path.job).await
}

async fn run_now(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<JobPath>,
) -> HttpResponse {
    act(&principal, &web, Action::RunNow, path.job).await
}

async fn act_on_many(
    principal: Principal,
    web: web::Data<Web>,
    asked: web::Json<ActOnMany>,
) -> HttpResponse {
    let ActOnMany { action, ids, matching } = asked.into_inner();
    if ids.is_empty() == matching.is_none() {
        return refuse(StatusCode::BAD_REQUEST, "either ids or matching must be given");
    }
    if ids.len() > MOST {
        return refuse(StatusCode::BAD_REQUEST, &format!("at most {MOST} ids are taken"));
    }
    let (db, actor) = (&web.runtime.db, actor(&principal, &web));
    let acted = match matching {
        None => admin::act_on(db, actor, action, &ids).await.map(ActedOnMany::from),
        Some(matching) => match matching.filter() {
            Ok(filter) => admin::act_on_matching(db, actor, action, &filter).await,
            Err(what) => return unread(what),
        },
    };
    match acted {
        Ok(acted) => {
            web.runtime.relay.ring_all(Queue::ALL);
            HttpResponse::Ok().json(acted)
        }
        Err(error) => failed(&error),
    }
}

impl Matching {
    fn filter(self) -> Result<JobFilter, (&'static str, &'static str)> {
        let query = JobQuery {
            queue: self.queue,
            kind: self.kind,
            status: Some(self.status.as_str().to_owned()),
            q: self.q,
            ..JobQuery::default()
        };
        Ok(JobFilter { account_id: self.account_id, ..query.filter()? })
    }
}
