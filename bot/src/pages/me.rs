//! One's own: the password, and the browsers one is signed in with.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use lembra_agent::domain::fields::Reason;
use lembra_agent::services::board::admin::AdminError;
use lembra_agent::services::board::operators::OperatorView;
use lembra_agent::services::board::sessions::{LEAST_PASSWORD_CHARS, PasswordChange, SessionView};
use serde::Deserialize;

use crate::access::{Access, Principal, Routes};
use crate::app::Web;
use crate::pages::forms::{self, Errors, actor, unable};
use crate::pages::frame::Frame;
use crate::pages::sign_in::Attempts;
use crate::pages::{device, filters, respond};
use crate::show;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let signed = Access::Signed;
    routes.page(Method::GET, "/me", signed, page);
    routes.page(Method::POST, "/me/password", signed, change_password);
    routes.page(Method::POST, "/me/sessions/end", signed, end_others);
    routes.page(Method::POST, "/me/sessions/{session}/end", signed, end);
}

#[derive(Template)]
#[template(path = "pages/me.html", blocks = ["live", "password"])]
struct Me {
    frame: Frame,
    operator: OperatorView,
    sessions: Vec<SessionView>,
    errors: Errors,
    changed: bool,
}

impl Me {
    async fn load(web: &Web, principal: &Principal, frame: Frame) -> Result<Self, AdminError> {
        let (admin, by, account) = (web.runtime.admin(), actor(principal), principal.account_id);
        let id = by.operator_id.ok_or(AdminError::NotFound)?;
        Ok(Self {
            operator: admin.operator(account, id).await?,
            sessions: admin.sessions(account, id, by).await?,
            errors: Errors::default(),
            changed: false,
            frame,
        })
    }

    fn least(&self) -> usize {
        LEAST_PASSWORD_CHARS
    }
}

async fn page(principal: Principal, frame: Frame, web: web::Data<Web>) -> HttpResponse {
    match Me::load(&web, &principal, frame).await {
        Ok(view) => show!(view),
        Err(error) => unable(&error),
    }
}

/// The form as sent.
#[derive(Deserialize)]
struct Passwords {
    old_password: String,
    new_password: String,
    again: String,
}

/// Changes the password. Whoever holds somebody's browser must not guess it there: it counts as
/// attempts to sign in do.
async fn change_password(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    attempts: web::Data<Attempts>,
    request: HttpRequest,
    form: web::Form<Passwords>,
) -> HttpResponse {
    let Some(browser) = principal.browser.as_ref() else { return respond::gone() };
    let address = request.peer_addr().map(|peer| peer.ip());
    if attempts.are_too_many(address, &browser.email) {
        return respond::cannot(StatusCode::TOO_MANY_REQUESTS, "sign_in.too_many");
    }
    let form = form.into_inner();
    let changed = if form.new_password == form.again {
        let change = PasswordChange {
            old_password: form.old_password.into(),
            new_password: form.new_password.into(),
        };
        let admin = web.runtime.admin();
        let (id, session) = (browser.operator_id, Some(browser.session_id));
        admin.change_password(principal.account_id, id, session, &change).await
    } else {
        let invalid = lembra_agent::domain::fields::Invalid::one("again", Reason::Mismatch);
        Err(AdminError::Invalid(invalid))
    };
    let errors = match changed {
        Ok(()) => Errors::default(),
        Err(AdminError::Invalid(invalid)) => Errors::of(&invalid),
        Err(error) => return unable(&error),
    };
    match Me::load(&web, &principal, frame).await {
        Ok(view) if errors.is_empty() => forms::shown(&Me { changed: true, ..view }.as_password()),
        Ok(view) => respond::refused(&Me { errors, ..view }.as_password()),
        Err(error) => unable(&error),
    }
}

async fn end_others(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    let by = actor(&principal);
    let Some(id) = by.operator_id else { return respond::gone() };
    match web.runtime.admin().end_sessions(principal.account_id, id, by).await {
        Ok(_) => respond::done("operators.sessions_ended"),
        Err(error) => unable(&error),
    }
}

async fn end(principal: Principal, web: web::Data<Web>, session: web::Path<i64>) -> HttpResponse {
    let by = actor(&principal);
    let Some(id) = by.operator_id else { return respond::gone() };
    match web.runtime.admin().end_session(principal.account_id, id, *session, by).await {
        Ok(()) => respond::done("operators.session_ended"),
        Err(error) => unable(&error),
    }
}
