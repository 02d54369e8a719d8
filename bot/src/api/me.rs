//! One's own: who asks, with which permissions; for operators their password and browsers.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, web};
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::sessions::PasswordChange;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::administration::refused;
use super::operators::{Ended, SessionList};
use super::refuse;
use crate::access::{Access, Principal, Routes, actor};
use crate::app::Web;
use crate::pages::sign_in::Attempts;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let signed = Access::Signed;
    routes
        .api(Method::GET, "/me", signed, show)
        .about("Who asks, and what they may do")
        .answers::<Me>(200);
    routes
        .api(Method::POST, "/me/password", signed, change_password)
        .about("Change one's own password; the other sessions end")
        .body::<PasswordChange>()
        .answers_nothing();
    routes
        .api(Method::GET, "/me/sessions", signed, sessions)
        .about("The browsers one is signed in with")
        .answers::<SessionList>(200);
    routes
        .api(Method::DELETE, "/me/sessions", signed, end_others)
        .about("Sign all other browsers out")
        .answers::<Ended>(200);
    routes
        .api(Method::DELETE, "/me/sessions/{session}", signed, end)
        .about("Sign a browser out")
        .answers_nothing();
}

/// Who asks.
#[derive(Serialize, ToSchema)]
struct Me {
    account_id: i64,
    /// `operator:3` or `token:7`.
    name: String,
    /// What people call them.
    shown: String,
    permissions: Vec<String>,
}

#[derive(Deserialize)]
struct SessionPath {
    session: i64,
}

async fn show(principal: Principal) -> HttpResponse {
    let permissions = principal.permissions.iter().map(Permission::as_str).map(str::to_owned);
    HttpResponse::Ok().json(Me {
        account_id: principal.account_id,
        permissions: permissions.collect(),
        name: principal.name,
        shown: principal.shown,
    })
}

/// A token has neither password nor browser.
fn no_operator() -> HttpResponse {
    refuse(StatusCode::CONFLICT, "this is an operator's own, and a token asks")
}

async fn change_password(
    principal: Principal,
    web: web::Data<Web>,
    attempts: web::Data<Attempts>,
    request: HttpRequest,
    change: web::Json<PasswordChange>,
) -> HttpResponse {
    let Some(browser) = &principal.browser else { return no_operator() };
    let address = request.peer_addr().map(|peer| peer.ip());
    if attempts.are_too_many(address, &browser.email) {
        return refuse(StatusCode::TOO_MANY_REQUESTS, "too many attempts: wait a minute");
    }
    let (admin, id, session) = (web.runtime.admin(), browser.operator_id, Some(browser.session_id));
    match admin.change_password(principal.account_id, id, session, &change).await {
        Ok(()) => HttpResponse::NoContent().finish(),
        Err(error) => refused(&error),
    }
}

async fn sessions(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    let by = actor(&principal);
    let Some(id) = by.operator_id else { return no_operator() };
    match web.runtime.admin().sessions(principal.account_id, id, by).await {
        Ok(sessions) => HttpResponse::Ok().json(SessionList { sessions }),
        Err(error) => refused(&error),
    }
}

async fn end_others(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    let by = actor(&principal);
    let Some(id) = by.operator_id else { return no_operator() };
    match web.runtime.admin().end_sessions(principal.account_id, id, by).await {
        Ok(ended) => HttpResponse::Ok().json(Ended { ended }),
        Err(error) => refused(&error),
    }
}

async fn end(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<SessionPath>,
) -> HttpResponse {
    let by = actor(&principal);
    let Some(id) = by.operator_id else { return no_operator() };
    match web.runtime.admin().end_session(principal.account_id, id, path.session, by).await {
        Ok(()) => HttpResponse::NoContent().finish(),
        Err(error) => refused(&error),
    }
}
