//! The lines of the account, and the units that they belong to.

mod change;
mod connect;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::admin::AdminError;
use lembra_agent::services::board::inboxes::{InboxState, InboxView};
use lembra_agent::services::board::units::UnitView;
use serde::Deserialize;

use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::forms::unable;
use crate::pages::frame::Frame;
use crate::pages::{filters, respond};
use crate::show;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let (look, write) = (Permission::SettingsRead, Permission::SettingsWrite);
    routes.page(Method::GET, "/inboxes", look, list);
    routes.page(Method::POST, "/units", write, add_unit);
    routes.page(Method::POST, "/units/{id}", write, rename_unit);
    connect::routes(routes);
    change::routes(routes);
}

#[derive(Template)]
#[template(path = "pages/inboxes.html", blocks = ["live"])]
struct Inboxes {
    frame: Frame,
    rows: Vec<InboxView>,
    units: Vec<UnitView>,
}

impl Inboxes {
    fn badge(&self, state: &InboxState) -> &'static str {
        badge(*state)
    }
}

async fn load(web: &Web, principal: &Principal, frame: Frame) -> Result<Inboxes, AdminError> {
    let (admin, account) = (web.runtime.admin(), principal.account_id);
    let with_webhooks = principal.may(Permission::SettingsWrite);
    Ok(Inboxes {
        rows: admin.inboxes(account, with_webhooks).await?,
        units: admin.units(account).await?,
        frame,
    })
}

async fn list(principal: Principal, frame: Frame, web: web::Data<Web>) -> HttpResponse {
    match load(&web, &principal, frame).await {
        Ok(view) => show!(view),
        Err(error) => unable(&error),
    }
}

/// How a state looks.
fn badge(state: InboxState) -> &'static str {
    match state {
        InboxState::Working => "good",
        InboxState::Waiting | InboxState::Simulated => "quiet",
        InboxState::Silent => "warn",
        InboxState::Stopped | InboxState::Closed => "bad",
    }
}

/// A unit's name as typed.
#[derive(Deserialize)]
struct Named {
    name: String,
}

async fn add_unit(
    principal: Principal,
    web: web::Data<Web>,
    form: web::Form<Named>,
) -> HttpResponse {
    match web.runtime.admin().add_unit(principal.account_id, &form.name).await {
        Ok(_) => respond::done("units.added"),
        Err(error) => unable(&error),
    }
}

async fn rename_unit(
    principal: Principal,
    web: web::Data<Web>,
    id: web::Path<i64>,
    form: web::Form<Named>,
) -> HttpResponse {
    match web.runtime.admin().rename_unit(principal.account_id, *id, &form.name).await {
        Ok(_) => respond::done("units.renamed"),
        Err(error) => unable(&error),
    }
}
