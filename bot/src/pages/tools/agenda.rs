//! Where the agenda is, and whether it answers.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::admin::AdminError;
use lembra_agent::services::board::agenda::{AgendaChange, AgendaTrial};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use super::Tools;
use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::forms::{Errors, actor, unable};
use crate::pages::frame::Frame;
use crate::pages::{filters, respond};

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let write = Permission::SettingsWrite;
    routes.page(Method::POST, "/agenda", write, save);
    routes.page(Method::POST, "/agenda/try", Permission::SettingsWrite, try_out);
    routes.page(Method::POST, "/agenda/remove", write, remove);
}

/// An agenda as typed; an empty token leaves what there is at the same address.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct AgendaForm {
    pub base_url: String,
    pub token: SecretString,
    /// A box: there when it is ticked.
    pub no_token: Option<String>,
}

impl AgendaForm {
    fn change(&self) -> AgendaChange {
        let token = match self.token.expose_secret().trim() {
            "" => self.no_token.is_some().then_some(None),
            _ => Some(Some(self.token.clone())),
        };
        AgendaChange { base_url: self.base_url.clone(), token }
    }
}

async fn save(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    form: web::Form<AgendaForm>,
) -> HttpResponse {
    let form = form.into_inner();
    let admin = web.runtime.admin();
    let set = admin.set_agenda(principal.account_id, &form.change(), actor(&principal)).await;
    let errors = match set {
        Ok(_) => return respond::done("agenda.saved"),
        Err(AdminError::Invalid(invalid)) => Errors::of(&invalid),
        Err(error) => return unable(&error),
    };
    match Tools::load(&web, &principal, frame).await {
        Ok(view) => respond::refused(&Tools { form, errors, ..view }.as_agenda_form()),
        Err(error) => unable(&error),
    }
}

#[derive(Template)]
#[template(path = "pages/agenda_trial.html")]
struct Trial {
    trial: AgendaTrial,
}

/// Asks the agenda what it has.
async fn try_out(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    match web.runtime.admin().try_agenda(principal.account_id).await {
        Ok(trial) => respond::page(&Trial { trial }),
        Err(error) => unable(&error),
    }
}

async fn remove(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    match web.runtime.admin().remove_agenda(principal.account_id, &principal.name).await {
        Ok(()) => respond::done("agenda.removed"),
        Err(error) => unable(&error),
    }
}
