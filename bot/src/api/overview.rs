//! The account at a glance, and its alerts.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use lembra_agent::domain::access::Permission;
use lembra_agent::domain::stats::Period;
use lembra_agent::services::board::overview::{self, Asked, Overview};
use lembra_agent::store::accounts;
use lembra_agent::store::board::alerts::{self, Alert};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{failed, not_found, refuse};
use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::alerts::owner;

/// Alerts of one answer, unless asked otherwise and at most.
const PAGE: u64 = 50;
const MOST: u64 = 200;

pub fn routes(routes: &mut Routes<'_>) {
    let (read, write) = (Permission::ConversationsRead, Permission::ConversationsWrite);
    routes
        .api(Method::GET, "/overview", read, show)
        .about("The account at a glance, for a period")
        .query::<OverviewQuery>()
        .answers::<Overview>(200);
    routes
        .api(Method::GET, "/alerts", read, list)
        .about("Alerts, open or settled, latest first")
        .query::<AlertQuery>()
        .answers::<AlertList>(200);
    routes
        .api(Method::POST, "/alerts/{id}/resolve", write, resolve)
        .about("Settle an alert; it is raised again when it happens again")
        .answers_nothing();
}

#[derive(Deserialize, IntoParams)]
struct OverviewQuery {
    /// `today` (the default), `7d` or `30d`.
    period: Option<String>,
}

async fn show(
    principal: Principal,
    web: web::Data<Web>,
    query: web::Query<OverviewQuery>,
) -> HttpResponse {
    let period = match query.period.as_deref() {
        None => Period::default(),
        Some(name) => match Period::parse(name) {
            Some(period) => period,
            None => {
                let why = "period must be today, 7d or 30d";
                return refuse(StatusCode::UNPROCESSABLE_ENTITY, why);
            }
        },
    };
    let (db, now) = (&web.runtime.db, web.runtime.clock.now());
    let account = match accounts::find(db, principal.account_id).await {
        Ok(Some(account)) => account,
        Ok(None) => return not_found(),
        Err(error) => return failed(&error),
    };
    let runs_instance = principal.may(Permission::InstanceRun);
    let asked = Asked { account: &account, period, runs_instance };
    match overview::overview(db, &asked, now).await {
        Ok(overview) => HttpResponse::Ok().json(overview),
        Err(error) => failed(&error),
    }
}

#[derive(Deserialize, IntoParams)]
struct AlertQuery {
    /// `open` (the default) or `settled`.
    state: Option<String>,
    /// Of settled ones: only those with a smaller id, `next` of the answer before.
    before: Option<i64>,
    limit: Option<u64>,
}

/// Alerts of an account.
#[derive(Serialize, ToSchema)]
struct AlertList {
    alerts: Vec<Alert>,
    /// There when more may follow.
    next: Option<i64>,
}

async fn list(
    principal: Principal,
    web: web::Data<Web>,
    query: web::Query<AlertQuery>,
) -> HttpResponse {
    let db = &web.runtime.db;
    let owner = owner(&principal);
    let limit = query.limit.unwrap_or(PAGE).clamp(1, MOST);
    let settled = match query.state.as_deref() {
        None | Some("open") => false,
        Some("settled") => true,
        Some(_) => {
            return refuse(StatusCode::UNPROCESSABLE_ENTITY, "state must be open or settled");
        }
    };
    let found = match settled {
        true => alerts::settled(db, owner, query.before, limit).await,
        false => alerts::open(db, owner, limit).await,
    };
    match found {
        Ok(alerts) => {
            let full = settled && alerts.len() as u64 == limit;
            let next = alerts.last().filter(|_| full).map(|last| last.id);
            HttpResponse::Ok().json(AlertList { alerts, next })
        }
        Err(error) => failed(&error),
    }
}

#[derive(Deserialize)]
struct AlertPath {
    id: i64,
}

async fn resolve(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<AlertPath>,
) -> HttpResponse {
    let now = web.runtime.clock.now();
    match alerts::resolve(&web.runtime.db, owner(&principal), path.id, now).await {
        Ok(true) => HttpResponse::NoContent().finish(),
        Ok(false) => not_found(),
        Err(error) => failed(&error),
    }
}
