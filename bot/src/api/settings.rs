//! Settings of the account, the switches of memory, and what the month has cost.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::admin::AdminError;
use lembra_agent::services::board::memory_switches::{self, MemorySwitches, MonthCosts, Switch};
use lembra_agent::services::board::settings::{AccountSettings, SettingsChange};
use lembra_agent::store::accounts;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::administration::refused;
use super::not_found;
use crate::access::{Principal, Routes};
use crate::app::Web;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let (look, write) = (Permission::SettingsRead, Permission::SettingsWrite);
    let path = "/settings";
    routes
        .api(Method::GET, path, look, show)
        .about("The account's settings")
        .answers::<AccountSettings>(200);
    routes
        .api(Method::PATCH, path, write, change)
        .about("Change settings: all that is given, or nothing when a field is refused")
        .body::<SettingsChange>()
        .answers::<ChangedSettings>(200);
    routes
        .api(Method::POST, "/settings/notify-secret", write, renew_secret)
        .about("Another secret for announcements of waiting conversations, shown once")
        .answers::<NotifySecret>(200);
    routes
        .api(Method::GET, "/costs", look, costs)
        .about("What models have cost since the month began")
        .answers::<MonthCosts>(200);
    routes
        .api(Method::GET, "/memory-switches", look, switches)
        .about("The switches of memory: how each stands, who turned it, what it cost this month")
        .answers::<MemorySwitches>(200);
    routes
        .api(Method::PUT, "/memory-switches/{flag}", write, turn)
        .about("Turn a switch: `extraction`, `recall`, or the name of a kind of fact")
        .body::<WantedSwitch>()
        .answers::<Switch>(200);
}

/// Changed settings.
#[derive(Serialize, ToSchema)]
struct ChangedSettings {
    #[serde(flatten)]
    settings: AccountSettings,
    /// What announcements are signed with from now on; there when it is new, and never again.
    #[serde(skip_serializing_if = "Option::is_none")]
    notify_secret: Option<String>,
}

/// What announcements are signed with from now on.
#[derive(Serialize, ToSchema)]
struct NotifySecret {
    notify_secret: String,
}

/// A switch as it is to be.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct WantedSwitch {
    enabled: bool,
}

/// A switch by its name.
#[derive(Deserialize)]
struct FlagPath {
    flag: String,
}

async fn show(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    match web.runtime.admin().settings(principal.account_id).await {
        Ok(Some(settings)) => HttpResponse::Ok().json(settings),
        Ok(None) => not_found(),
        Err(error) => refused(&error),
    }
}

async fn change(
    principal: Principal,
    web: web::Data<Web>,
    change: web::Json<SettingsChange>,
) -> HttpResponse {
    let admin = web.runtime.admin();
    match admin.change_settings(principal.account_id, &change, &principal.name).await {
        Ok(changed) => {
            let secret = changed.notify_secret.map(|secret| secret.expose_secret().to_owned());
            let (settings, notify_secret) = (changed.settings, secret);
            HttpResponse::Ok().json(ChangedSettings { settings, notify_secret })
        }
        Err(error) => refused(&error),
    }
}

async fn renew_secret(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    let admin = web.runtime.admin();
    match admin.renew_notify_secret(principal.account_id, &principal.name).await {
        Ok(secret) => {
            let notify_secret = secret.expose_secret().to_owned();
            HttpResponse::Ok().json(NotifySecret { notify_secret })
        }
        Err(error) => refused(&error),
    }
}

async fn month(principal: &Principal, web: &Web) -> Result<MonthCosts, AdminError> {
    let db = &web.runtime.db;
    let account = accounts::find(db, principal.account_id).await?.ok_or(AdminError::NotFound)?;
    Ok(memory_switches::costs(db, &account, web.runtime.clock.now()).await?)
}

async fn standing(principal: &Principal, web: &Web) -> Result<MemorySwitches, AdminError> {
    let costs = month(principal, web).await?;
    Ok(memory_switches::read(&web.runtime.db, principal.account_id, &costs).await?)
}

async fn costs(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    match month(&principal, &web).await {
        Ok(costs) => HttpResponse::Ok().json(costs),
        Err(error) => refused(&error),
    }
}

async fn switches(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    match standing(&principal, &web).await {
        Ok(switches) => HttpResponse::Ok().json(switches),
        Err(error) => refused(&error),
    }
}

async fn turn(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<FlagPath>,
    wanted: web::Json<WantedSwitch>,
) -> HttpResponse {
    let (db, now) = (&web.runtime.db, web.runtime.clock.now());
    let (account, by, name) = (principal.account_id, &principal.name, &path.flag);
    match memory_switches::turn(db, account, name, wanted.enabled, by, now).await {
        Ok(true) => {}
        Ok(false) => return not_found(),
        Err(error) => return super::failed(&error),
    }
    match standing(&principal, &web).await {
        Ok(switches) => match switches.into_switch(name) {
            Some(switch) => HttpResponse::Ok().json(switch),
            None => not_found(),
        },
        Err(error) => refused(&error),
    }
}
