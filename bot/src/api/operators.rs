//! The account's operators, their sessions, and keys to the API.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::operators::{OperatorChange, OperatorDraft, OperatorView};
use lembra_agent::services::board::sessions::SessionView;
use lembra_agent::services::board::tokens::{TokenDraft, TokenView};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::administration::refused;
use crate::access::{Principal, Routes, actor};
use crate::app::Web;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let write = Permission::OperatorsWrite;
    routes
        .api(Method::GET, "/operators", write, list)
        .about("The account's operators by e-mail")
        .answers::<OperatorList>(200);
    routes
        .api(Method::POST, "/operators", write, add)
        .about("Add an operator; the password is shown once")
        .body::<OperatorDraft>()
        .answers::<OperatorWithPassword>(201);
    routes
        .api(Method::GET, "/operators/{id}", write, show)
        .about("An operator")
        .answers::<OperatorView>(200);
    routes
        .api(Method::PATCH, "/operators/{id}", write, change)
        .about("Change an operator; another role ends their other sessions")
        .body::<OperatorChange>()
        .answers::<OperatorView>(200);
    routes
        .api(Method::POST, "/operators/{id}/password", write, reset)
        .about("Give an operator a new password, shown once; their sessions end")
        .answers::<NewPassword>(200);
    routes
        .api(Method::GET, "/operators/{id}/sessions", write, sessions)
        .about("The browsers an operator is signed in with")
        .answers::<SessionList>(200);
    routes
        .api(Method::DELETE, "/operators/{id}/sessions", write, end_sessions)
        .about("Sign an operator out everywhere")
        .answers::<Ended>(200);
    routes
        .api(Method::DELETE, "/operators/{id}/sessions/{session}", write, end_session)
        .about("Sign one browser of an operator out")
        .answers_nothing();
    routes
        .api(Method::GET, "/tokens", write, tokens)
        .about("The account's keys to the API, newest first")
        .answers::<TokenList>(200);
    routes
        .api(Method::POST, "/tokens", write, add_token)
        .about("Make a key to the API; it is shown once")
        .body::<TokenDraft>()
        .answers::<MadeToken>(201);
    routes
        .api(Method::DELETE, "/tokens/{id}", write, revoke)
        .about("End a key to the API")
        .answers_nothing();
}

#[derive(Deserialize)]
pub(super) struct IdPath {
    id: i64,
}

#[derive(Deserialize)]
struct SessionPath {
    id: i64,
    session: i64,
}

#[derive(Serialize, ToSchema)]
struct OperatorList {
    operators: Vec<OperatorView>,
}

/// Somebody who was added.
#[derive(Serialize, ToSchema)]
struct OperatorWithPassword {
    #[serde(flatten)]
    operator: OperatorView,
    /// Shown once.
    password: String,
}

/// A password, shown once.
#[derive(Serialize, ToSchema)]
struct NewPassword {
    password: String,
}

#[derive(Serialize, ToSchema)]
pub(super) struct SessionList {
    pub sessions: Vec<SessionView>,
}

/// How many sessions ended.
#[derive(Serialize, ToSchema)]
pub(super) struct Ended {
    pub ended: u64,
}

#[derive(Serialize, ToSchema)]
struct TokenList {
    tokens: Vec<TokenView>,
}

/// A token that was made.
#[derive(Serialize, ToSchema)]
struct MadeToken {
    #[serde(flatten)]
    view: TokenView,
    /// Shown once.
    token: String,
}

async fn list(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    match web.runtime.admin().operators(principal.account_id).await {
        Ok(operators) => HttpResponse::Ok().json(OperatorList { operators }),
        Err(error) => refused(&error),
    }
}

async fn add(
    principal: Principal,
    web: web::Data<Web>,
    draft: web::Json<OperatorDraft>,
) -> HttpResponse {
    let admin = web.runtime.admin();
    match admin.add_operator(principal.account_id, &draft, actor(&principal)).await {
        Ok((operator, password)) => {
            let password = password.expose_secret().to_owned();
            HttpResponse::Created().json(OperatorWithPassword { operator, password })
        }
        Err(error) => refused(&error),
    }
}

async fn show(principal: Principal, web: web::Data<Web>, path: web::Path<IdPath>) -> HttpResponse {
    match web.runtime.admin().operator(principal.account_id, path.id).await {
        Ok(operator) => HttpResponse::Ok().json(operator),
        Err(error) => refused(&error),
    }
}

async fn change(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<IdPath>,
    change: web::Json<OperatorChange>,
) -> HttpResponse {
    let (admin, by) = (web.runtime.admin(), actor(&principal));
    match admin.change_operator(principal.account_id, path.id, &change, by).await {
        Ok(operator) => HttpResponse::Ok().json(operator),
        Err(error) => refused(&error),
    }
}

async fn reset(principal: Principal, web: web::Data<Web>, path: web::Path<IdPath>) -> HttpResponse {
    let (admin, by) = (web.runtime.admin(), actor(&principal));
    match admin.reset_password(principal.account_id, path.id, by).await {
        Ok(password) => {
            let password = password.expose_secret().to_owned();
            HttpResponse::Ok().json(NewPassword { password })
        }
        Err(error) => refused(&error),
    }
}

async fn sessions(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<IdPath>,
) -> HttpResponse {
    let (admin, by) = (web.runtime.admin(), actor(&principal));
    match admin.sessions(principal.account_id, path.id, by).await {
        Ok(sessions) => HttpResponse::Ok().json(SessionList { sessions }),
        Err(error) => refused(&error),
    }
}

async fn end_sessions(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<IdPath>,
) -> HttpResponse {
    let (admin, by) = (web.runtime.admin(), actor(&principal));
    match admin.end_sessions(principal.account_id, path.id, by).await {
        Ok(ended) => HttpResponse::Ok().json(Ended { ended }),
        Err(error) => refused(&error),
    }
}

async fn end_session(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<SessionPath>,
) -> HttpResponse {
    let (admin, by) = (web.runtime.admin(), actor(&principal));
    match admin.end_session(principal.account_id, path.id, path.session, by).await {
        Ok(()) => HttpResponse::NoContent().finish(),
        Err(error) => refused(&error),
    }
}

async fn tokens(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    match web.runtime.admin().tokens(principal.account_id).await {
        Ok(tokens) => HttpResponse::Ok().json(TokenList { tokens }),
        Err(error) => refused(&error),
    }
}

async fn add_token(
    principal: Principal,
    web: web::Data<Web>,
    draft: web::Json<TokenDraft>,
) -> HttpResponse {
    let admin = web.runtime.admin();
    match admin.add_token(principal.account_id, &draft, actor(&principal)).await {
        Ok((view, token)) => {
            let token = token.expose_secret().to_owned();
            HttpResponse::Created().json(MadeToken { view, token })
        }
        Err(error) => refused(&error),
    }
}

async fn revoke(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<IdPath>,
) -> HttpResponse {
    let (admin, by) = (web.runtime.admin(), actor(&principal));
    match admin.revoke_token(principal.account_id, path.id, by).await {
        Ok(()) => HttpResponse::NoContent().finish(),
        Err(error) => refused(&error),
    }
}
