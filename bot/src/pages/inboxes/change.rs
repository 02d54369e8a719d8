//! One line: how it stands, where its events come in, its secrets.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::admin::AdminError;
use lembra_agent::services::board::inbox_changes::InboxChange;
use lembra_agent::services::board::inboxes::{InboxState, InboxView};
use lembra_agent::services::board::units::UnitView;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use super::badge;
use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::forms::{Errors, actor, unable};
use crate::pages::frame::Frame;
use crate::pages::{filters, respond};
use crate::show;

/// The events that Lembra reads; the others only cost time.
const EVOLUTION_EVENTS: &str = "MESSAGES_UPSERT, MESSAGES_UPDATE, MESSAGES_EDITED, \
    MESSAGES_DELETE, MESSAGES_SET, SEND_MESSAGE, CONNECTION_UPDATE, STATUS_INSTANCE, \
    QRCODE_UPDATED, LOGOUT_INSTANCE, PRESENCE_UPDATE";
const META_FIELDS: &str = "messages, smb_message_echoes";

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let write = Permission::SettingsWrite;
    routes.page(Method::GET, "/inboxes/{id}", Permission::SettingsRead, page);
    routes.page(Method::POST, "/inboxes/{id}/secrets", write, replace_secrets);
    routes.page(Method::POST, "/inboxes/{id}/unit", write, assign);
    routes.page(Method::POST, "/inboxes/{id}/resume", write, resume);
}

/// Secrets as typed: an empty field leaves what there is.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SecretsForm {
    app_secret: SecretString,
    verify_token: SecretString,
    access_token: SecretString,
    base_url: String,
    api_key: SecretString,
    webhook_secret: SecretString,
    jwt_key: SecretString,
    /// Boxes: there when they are ticked.
    no_webhook_secret: Option<String>,
    no_jwt_key: Option<String>,
}

/// A secret that was typed.
pub(super) fn filled(secret: &SecretString) -> Option<SecretString> {
    (!secret.expose_secret().trim().is_empty()).then(|| secret.clone())
}

impl SecretsForm {
    /// An address that stays as it is asks for nothing.
    fn change(&self, old_address: Option<&str>) -> InboxChange {
        let optional = |given: &SecretString, is_taken: bool| match filled(given) {
            Some(secret) => Some(Some(secret)),
            None => is_taken.then_some(None),
        };
        let address = self.base_url.trim();
        let moved = !address.is_empty() && old_address != Some(address);
        InboxChange {
            unit_id: None,
            app_secret: filled(&self.app_secret),
            verify_token: filled(&self.verify_token),
            access_token: filled(&self.access_token),
            base_url: moved.then(|| address.to_owned()),
            api_key: filled(&self.api_key),
            webhook_secret: optional(&self.webhook_secret, self.no_webhook_secret.is_some()),
            jwt_key: optional(&self.jwt_key, self.no_jwt_key.is_some()),
        }
    }
}

#[derive(Template)]
#[template(path = "pages/inbox.html", blocks = ["live", "secrets"])]
struct Line {
    frame: Frame,
    inbox: InboxView,
    units: Vec<UnitView>,
    base_url: String,
    errors: Errors,
}

impl Line {
    async fn load(
        web: &Web,
        principal: &Principal,
        frame: Frame,
        id: i64,
    ) -> Result<Self, AdminError> {
        let (admin, account) = (web.runtime.admin(), principal.account_id);
        let with_webhook = principal.may(Permission::SettingsWrite);
        let inbox = admin.inbox(account, id, with_webhook).await?;
        Ok(Self {
            base_url: inbox.base_url.clone().unwrap_or_default(),
            units: admin.units(account).await?,
            errors: Errors::default(),
            frame,
            inbox,
        })
    }

    fn badge(&self) -> &'static str {
        badge(self.inbox.state)
    }

    fn is_meta(&self) -> bool {
        self.inbox.channel == "meta"
    }

    fn has(&self, secret: &str) -> bool {
        self.inbox.secrets.iter().any(|name| name == secret)
    }

    fn fields(&self) -> &'static str {
        if self.is_meta() { META_FIELDS } else { EVOLUTION_EVENTS }
    }
}

async fn page(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    id: web::Path<i64>,
) -> HttpResponse {
    match Line::load(&web, &principal, frame, *id).await {
        Ok(view) => show!(view),
        Err(error) => unable(&error),
    }
}

async fn replace_secrets(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    id: web::Path<i64>,
    form: web::Form<SecretsForm>,
) -> HttpResponse {
    let view = match Line::load(&web, &principal, frame, *id).await {
        Ok(view) => view,
        Err(error) => return unable(&error),
    };
    let change = form.change(view.inbox.base_url.as_deref());
    let admin = web.runtime.admin();
    match admin.change_inbox(principal.account_id, *id, &change, actor(&principal)).await {
        // The fields are to be empty again.
        Ok(()) => respond::go(&format!("/inboxes/{id}")),
        Err(AdminError::Invalid(invalid)) => {
            let (errors, base_url) = (Errors::of(&invalid), form.base_url.clone());
            respond::refused(&Line { errors, base_url, ..view }.as_secrets())
        }
        Err(error) => unable(&error),
    }
}

/// A unit as chosen; empty: none.
#[derive(Deserialize)]
struct Chosen {
    unit_id: String,
}

async fn assign(
    principal: Principal,
    web: web::Data<Web>,
    id: web::Path<i64>,
    chosen: web::Form<Chosen>,
) -> HttpResponse {
    let unit_id = match chosen.unit_id.as_str() {
        "" => None,
        // What is no number is the id of nothing.
        text => Some(text.parse().unwrap_or(0)),
    };
    let change = InboxChange { unit_id: Some(unit_id), ..InboxChange::default() };
    let admin = web.runtime.admin();
    match admin.change_inbox(principal.account_id, *id, &change, actor(&principal)).await {
        Ok(()) => respond::done("inboxes.assigned"),
        Err(error) => unable(&error),
    }
}

async fn resume(principal: Principal, web: web::Data<Web>, id: web::Path<i64>) -> HttpResponse {
    let admin = web.runtime.admin();
    match admin.resume_inbox(principal.account_id, *id, &principal.name).await {
        Ok(()) => respond::done("inboxes.resumed"),
        Err(error) => unable(&error),
    }
}
