//! Connecting a line.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::admin::AdminError;
use lembra_agent::services::board::inbox_changes::{NewEvolution, NewMeta};
use lembra_agent::services::board::units::UnitView;
use secrecy::SecretString;
use serde::Deserialize;

use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::forms::{Errors, actor, unable};
use crate::pages::frame::Frame;
use crate::pages::respond;
use crate::show;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let write = Permission::SettingsWrite;
    routes.page(Method::GET, "/inboxes/new", write, page);
    routes.page(Method::POST, "/inboxes/new/{channel}", write, connect);
}

/// Which kind of line.
#[derive(Debug, Default, Deserialize)]
struct Asked {
    channel: Option<String>,
}

/// A line as typed. Secrets do not come back into the page.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct LineForm {
    phone_number_id: String,
    app_secret: SecretString,
    verify_token: SecretString,
    access_token: SecretString,
    instance: String,
    base_url: String,
    api_key: SecretString,
    webhook_secret: SecretString,
    jwt_key: SecretString,
    unit_id: String,
}

#[derive(Template)]
#[template(path = "pages/inbox_new.html", blocks = ["live", "form"])]
struct Connect {
    frame: Frame,
    is_meta: bool,
    form: LineForm,
    units: Vec<UnitView>,
    errors: Errors,
}

impl Connect {
    async fn load(
        web: &Web,
        principal: &Principal,
        frame: Frame,
        is_meta: bool,
    ) -> Result<Self, AdminError> {
        let units = web.runtime.admin().units(principal.account_id).await?;
        Ok(Self { frame, is_meta, form: LineForm::default(), units, errors: Errors::default() })
    }
}

async fn page(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    asked: web::Query<Asked>,
) -> HttpResponse {
    let is_meta = asked.channel.as_deref() != Some("evolution");
    match Connect::load(&web, &principal, frame, is_meta).await {
        Ok(view) => show!(view),
        Err(error) => unable(&error),
    }
}

async fn connect(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    channel: web::Path<String>,
    form: web::Form<LineForm>,
) -> HttpResponse {
    let form = form.into_inner();
    let (admin, by, account) = (web.runtime.admin(), actor(&principal), principal.account_id);
    let unit_id = form.unit_id.parse().ok();
    let is_meta = match channel.as_str() {
        "meta" => true,
        "evolution" => false,
        _ => return respond::gone(),
    };
    let connected = if is_meta {
        let new = NewMeta {
            phone_number_id: form.phone_number_id.clone(),
            app_secret: form.app_secret.clone(),
            verify_token: form.verify_token.clone(),
            access_token: form.access_token.clone(),
            unit_id,
        };
        admin.add_meta(account, &new, by).await
    } else {
        let new = NewEvolution {
            instance: form.instance.clone(),
            base_url: form.base_url.clone(),
            api_key: form.api_key.clone(),
            webhook_secret: super::change::filled(&form.webhook_secret),
            jwt_key: super::change::filled(&form.jwt_key),
            unit_id,
        };
        admin.add_evolution(account, &new, by).await
    };
    let errors = match connected {
        Ok(id) => return respond::go(&format!("/inboxes/{id}")),
        Err(AdminError::Invalid(invalid)) => Errors::of(&invalid),
        Err(error) => return unable(&error),
    };
    match Connect::load(&web, &principal, frame, is_meta).await {
        Ok(view) => respond::refused(&Connect { form, errors, ..view }.as_form()),
        Err(error) => unable(&error),
    }
}
