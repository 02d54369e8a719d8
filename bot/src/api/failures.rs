//! Failures by code, and how many of each alert.

use std::collections::BTreeMap;

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use chrono::TimeDelta;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::failures::{self, MOST_PER_HOUR, Summary};
use lembra_agent::store::board::failures::{self as rows, Failure, Threshold};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{failed, not_found, refuse, refuse_fields};
use crate::access::{Principal, Routes};
use crate::app::Web;

/// Failures of one answer, unless asked otherwise and at most.
const PAGE: u64 = 50;
const MOST: u64 = 200;
/// How far back is looked.
const KEPT: TimeDelta = TimeDelta::days(400);

pub fn routes(routes: &mut Routes<'_>) {
    let (read, write) = (Permission::ConversationsRead, Permission::SettingsWrite);
    routes
        .api(Method::GET, "/failures", read, summary)
        .about("Failures of the last seven days, grouped by code")
        .answers::<Summary>(200);
    routes
        .api(Method::GET, "/failures/{code}", read, list)
        .about("Failures of one code, latest first")
        .query::<FailureQuery>()
        .answers::<FailureList>(200);
    routes
        .api(Method::GET, "/failure-thresholds", read, thresholds)
        .about("How many failures of a code within an hour alert, where the account has set it")
        .answers::<ThresholdList>(200);
    routes
        .api(Method::PUT, "/failure-thresholds/{code}", write, set)
        .about("Set how many failures of a code within an hour alert; 0 never does")
        .body::<NewThreshold>()
        .answers_nothing();
    routes
        .api(Method::DELETE, "/failure-thresholds/{code}", write, clear)
        .about("Go back to the usual threshold of a code")
        .answers_nothing();
}

#[derive(Deserialize)]
struct CodePath {
    code: String,
}

async fn summary(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    let now = web.runtime.clock.now();
    match failures::summary(&web.runtime.db, principal.account_id, now).await {
        Ok(summary) => HttpResponse::Ok().json(summary),
        Err(error) => failed(&error),
    }
}

#[derive(Deserialize, IntoParams)]
struct FailureQuery {
    /// `falha_consulta` (the default), `uncontrolled` or `ungrounded`.
    error_type: Option<String>,
    /// Only those with a smaller id: `next` of the answer before.
    before: Option<i64>,
    limit: Option<u64>,
}

/// Failures of one code.
#[derive(Serialize, ToSchema)]
struct FailureList {
    failures: Vec<Failure>,
    /// There when more may follow.
    next: Option<i64>,
}

async fn list(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<CodePath>,
    query: web::Query<FailureQuery>,
) -> HttpResponse {
    let limit = query.limit.unwrap_or(PAGE).clamp(1, MOST);
    let page = rows::Page {
        error_type: query.error_type.as_deref().unwrap_or("falha_consulta"),
        code: &path.code,
        since: web.runtime.clock.now() - KEPT,
        before: query.before,
        limit,
    };
    match rows::of_code(&web.runtime.db, principal.account_id, &page).await {
        Ok(failures) => {
            let full = failures.len() as u64 == limit;
            let next = failures.last().filter(|_| full).map(|last| last.id);
            HttpResponse::Ok().json(FailureList { failures, next })
        }
        Err(error) => failed(&error),
    }
}

/// Thresholds that the account has set.
#[derive(Serialize, ToSchema)]
struct ThresholdList {
    thresholds: Vec<Threshold>,
}

async fn thresholds(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    match rows::thresholds(&web.runtime.db, principal.account_id).await {
        Ok(thresholds) => HttpResponse::Ok().json(ThresholdList { thresholds }),
        Err(error) => failed(&error),
    }
}

#[derive(Deserialize, ToSchema)]
struct NewThreshold {
    /// 0 to 10,000; 0 never alerts.
    per_hour: i32,
}

async fn set(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<CodePath>,
    body: web::Json<NewThreshold>,
) -> HttpResponse {
    if !failures::is_code(&path.code) {
        return not_found();
    }
    if !(0..=MOST_PER_HOUR).contains(&body.per_hour) {
        let why = "must be 0 to 10000";
        let errors = BTreeMap::from([("per_hour".to_owned(), why.to_owned())]);
        return refuse_fields(
            StatusCode::UNPROCESSABLE_ENTITY,
            "per_hour must be 0 to 10000",
            errors,
        );
    }
    let (db, now) = (&web.runtime.db, web.runtime.clock.now());
    let (account_id, by) = (principal.account_id, &principal.name);
    match rows::set_threshold(db, account_id, &path.code, body.per_hour, by, now).await {
        Ok(()) => HttpResponse::NoContent().finish(),
        Err(error) => failed(&error),
    }
}

async fn clear(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<CodePath>,
) -> HttpResponse {
    match rows::clear_threshold(&web.runtime.db, principal.account_id, &path.code).await {
        Ok(true) => HttpResponse::NoContent().finish(),
        Ok(false) => {
            refuse(StatusCode::NOT_FOUND, "the account has set no threshold for this code")
        }
        Err(error) => failed(&error),
    }
}
