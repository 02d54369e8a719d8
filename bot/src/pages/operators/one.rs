//! One operator.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::admin::AdminError;
use lembra_agent::services::board::operators::{OperatorChange, OperatorView};
use lembra_agent::services::board::sessions::SessionView;
use secrecy::ExposeSecret;
use serde::Deserialize;

use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::forms::{self, Errors, actor, unable};
use crate::pages::frame::Frame;
use crate::pages::{device, filters, respond};
use crate::show;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let write = Permission::OperatorsWrite;
    routes.page(Method::GET, "/operators/{id}", write, page);
    routes.page(Method::POST, "/operators/{id}", write, save);
    routes.page(Method::POST, "/operators/{id}/access", write, set_access);
    routes.page(Method::POST, "/operators/{id}/password", write, reset);
    routes.page(Method::POST, "/operators/{id}/sessions/end", write, end_all);
    routes.page(Method::POST, "/operators/{id}/sessions/{session}/end", write, end);
}

/// An operator as typed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct OperatorForm {
    email: String,
    name: String,
    role: String,
    /// A box: there when it is ticked.
    runs_instance: Option<String>,
}

impl OperatorForm {
    fn of(view: &OperatorView) -> Self {
        Self {
            email: view.email.clone(),
            name: view.name.clone(),
            role: view.role.clone(),
            runs_instance: view.runs_instance.then(|| "on".to_owned()),
        }
    }
}

#[derive(Template)]
#[template(path = "pages/operator.html", blocks = ["live", "form", "password"])]
struct One {
    frame: Frame,
    operator: OperatorView,
    sessions: Vec<SessionView>,
    is_own: bool,
    form: OperatorForm,
    errors: Errors,
    /// Right after it was made.
    password: Option<String>,
}

impl One {
    async fn load(
        web: &Web,
        principal: &Principal,
        frame: Frame,
        id: i64,
    ) -> Result<Self, AdminError> {
        let (admin, by, account) = (web.runtime.admin(), actor(principal), principal.account_id);
        let operator = admin.operator(account, id).await?;
        Ok(Self {
            sessions: admin.sessions(account, id, by).await?,
            is_own: by.operator_id == Some(id),
            form: OperatorForm::of(&operator),
            errors: Errors::default(),
            password: None,
            frame,
            operator,
        })
    }
}

async fn page(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    id: web::Path<i64>,
) -> HttpResponse {
    match One::load(&web, &principal, frame, *id).await {
        Ok(view) => show!(view),
        Err(error) => unable(&error),
    }
}

/// Saves name, e-mail and role.
async fn save(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    id: web::Path<i64>,
    form: web::Form<OperatorForm>,
) -> HttpResponse {
    let form = form.into_inner();
    // Who may not give it does not see the box, and takes nothing away by leaving it out.
    let runs_instance =
        principal.may(Permission::InstanceRun).then_some(form.runs_instance.is_some());
    let change = OperatorChange {
        name: Some(form.name.clone()),
        email: Some(form.email.clone()),
        role: Some(form.role.clone()),
        runs_instance,
        disabled: None,
    };
    let admin = web.runtime.admin();
    let saved = admin.change_operator(principal.account_id, *id, &change, actor(&principal)).await;
    let errors = match saved {
        Ok(_) => return respond::done("notice.saved"),
        Err(AdminError::Invalid(invalid)) => Errors::of(&invalid),
        Err(error) => return unable(&error),
    };
    match One::load(&web, &principal, frame, *id).await {
        Ok(view) => respond::refused(&One { form, errors, ..view }.as_form()),
        Err(error) => unable(&error),
    }
}

/// Whether they may sign in.
#[derive(Deserialize)]
struct Wanted {
    disabled: bool,
}

async fn set_access(
    principal: Principal,
    web: web::Data<Web>,
    id: web::Path<i64>,
    wanted: web::Form<Wanted>,
) -> HttpResponse {
    let change = OperatorChange { disabled: Some(wanted.disabled), ..OperatorChange::default() };
    let admin = web.runtime.admin();
    match admin.change_operator(principal.account_id, *id, &change, actor(&principal)).await {
        Ok(_) if wanted.disabled => respond::done("operators.disabled"),
        Ok(_) => respond::done("operators.enabled"),
        Err(error) => unable(&error),
    }
}

/// A new password, shown once.
async fn reset(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    id: web::Path<i64>,
) -> HttpResponse {
    let admin = web.runtime.admin();
    let password = match admin.reset_password(principal.account_id, *id, actor(&principal)).await {
        Ok(password) => Some(password.expose_secret().to_owned()),
        Err(error) => return unable(&error),
    };
    match One::load(&web, &principal, frame, *id).await {
        Ok(view) => forms::shown(&One { password, ..view }.as_password()),
        Err(error) => unable(&error),
    }
}

async fn end_all(principal: Principal, web: web::Data<Web>, id: web::Path<i64>) -> HttpResponse {
    let admin = web.runtime.admin();
    match admin.end_sessions(principal.account_id, *id, actor(&principal)).await {
        Ok(_) => respond::done("operators.sessions_ended"),
        Err(error) => unable(&error),
    }
}

async fn end(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<(i64, i64)>,
) -> HttpResponse {
    let (id, session) = path.into_inner();
    let admin = web.runtime.admin();
    match admin.end_session(principal.account_id, id, session, actor(&principal)).await {
        Ok(()) => respond::done("operators.session_ended"),
        Err(error) => unable(&error),
    }
}
