//! What the agent may call: the agenda, and the account's own HTTP tools.

mod agenda;
mod edit;
mod form;
mod trial;
mod trial_form;

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::admin::AdminError;
use lembra_agent::services::board::agenda::AgendaView;
use lembra_agent::services::tools::http::changes::Changes;
use lembra_agent::services::tools::http::shown::ToolView;
use lembra_agent::services::tools::http::{Declared, HttpToolError, Which};
use serde::Deserialize;

use self::agenda::AgendaForm;
use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::forms::{Errors, unable};
use crate::pages::frame::Frame;
use crate::pages::{filters, respond, words};
use crate::show;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let (look, write) = (Permission::ToolsRead, Permission::ToolsWrite);
    routes.page(Method::GET, "/tools", look, list);
    agenda::routes(routes);
    edit::routes(routes);
    trial::routes(routes);
    routes.page(Method::POST, "/tools/{id}/enabled", write, set_enabled);
    routes.page(Method::POST, "/tools/{id}/remove", write, remove);
}

#[derive(Template)]
#[template(path = "pages/tools.html", blocks = ["live", "agenda_form"])]
struct Tools {
    frame: Frame,
    rows: Vec<ToolView>,
    /// Those whose headers do not open: id and name.
    closed: Vec<(i64, String)>,
    agenda: Option<AgendaView>,
    form: AgendaForm,
    errors: Errors,
}

impl Tools {
    async fn load(web: &Web, principal: &Principal, frame: Frame) -> Result<Self, AdminError> {
        let (runtime, account) = (&web.runtime, principal.account_id);
        let (opened, closed) = runtime.http_tools.list_opened(account).await?;
        // The agenda is a setting; who sees tools need not see settings.
        let agenda = match principal.may(Permission::SettingsRead) {
            true => runtime.admin().agenda(account).await?,
            false => None,
        };
        let base_url = agenda.as_ref().map(|agenda| agenda.base_url.clone());
        Ok(Self {
            frame,
            rows: opened.iter().map(Declared::view).collect(),
            closed,
            form: AgendaForm { base_url: base_url.unwrap_or_default(), ..AgendaForm::default() },
            agenda,
            errors: Errors::default(),
        })
    }
}

async fn list(principal: Principal, frame: Frame, web: web::Data<Web>) -> HttpResponse {
    match Tools::load(&web, &principal, frame).await {
        Ok(view) => show!(view),
        Err(error) => unable(&error),
    }
}

/// What is wrong with the fields, or the answer to what is wrong otherwise.
fn refused(error: &HttpToolError) -> Result<Errors, HttpResponse> {
    let conflict = |why: &str| Err(respond::cannot(StatusCode::CONFLICT, why));
    match error {
        HttpToolError::NotFound => Err(respond::gone()),
        HttpToolError::Refused(refused) => {
            let (path, value) =
                (format!("problem.{}", refused.problem.code), &refused.problem.value);
            Ok(Errors::one(refused.field, words::filled(&path, &[("value", value)])))
        }
        HttpToolError::NameTaken => Ok(Errors::one("name", words::word("reason.taken"))),
        HttpToolError::Overtaken => conflict("tools.overtaken"),
        HttpToolError::TooMany => conflict("tools.too_many"),
        HttpToolError::Unconfirmed => conflict("tools.unconfirmed"),
        HttpToolError::Arguments(why) => Ok(Errors::one("arguments", why.to_string())),
        HttpToolError::Sealed(..) => conflict("tools.sealed"),
        HttpToolError::Vault(_) => {
            tracing::error!(%error, "page");
            Err(respond::cannot(StatusCode::INTERNAL_SERVER_ERROR, "notice.failed"))
        }
        HttpToolError::Store(error) => Err(respond::failed(error)),
    }
}

/// The same where there is no form.
fn unable_to(error: &HttpToolError) -> HttpResponse {
    match refused(error) {
        Ok(errors) => respond::cannot_saying(StatusCode::BAD_REQUEST, errors.first()),
        Err(response) => response,
    }
}

/// Whether the agent may call it.
#[derive(Deserialize)]
struct Wanted {
    enabled: bool,
}

async fn set_enabled(
    principal: Principal,
    web: web::Data<Web>,
    id: web::Path<i64>,
    wanted: web::Form<Wanted>,
) -> HttpResponse {
    let changes = Changes { enabled: Some(wanted.enabled), ..Changes::default() };
    let tools = &web.runtime.http_tools;
    match tools.change(principal.account_id, &Which::Id(*id), changes).await {
        Ok(_) if wanted.enabled => respond::done("tools.enabled"),
        Ok(_) => respond::done("tools.disabled"),
        Err(error) => unable_to(&error),
    }
}

async fn remove(principal: Principal, web: web::Data<Web>, id: web::Path<i64>) -> HttpResponse {
    match web.runtime.http_tools.remove(principal.account_id, &Which::Id(*id)).await {
        Ok(()) => respond::done("tools.removed"),
        Err(error) => unable_to(&error),
    }
}
