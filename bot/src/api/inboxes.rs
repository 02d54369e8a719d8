//! The account's lines and units.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::admin::AdminError;
use lembra_agent::services::board::inbox_changes::{InboxChange, NewEvolution, NewMeta};
use lembra_agent::services::board::inboxes::InboxView;
use lembra_agent::services::board::units::UnitView;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::administration::refused;
use crate::access::{Principal, Routes, actor};
use crate::app::Web;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let (look, write) = (Permission::SettingsRead, Permission::SettingsWrite);
    routes
        .api(Method::GET, "/inboxes", look, list)
        .about("The account's lines, oldest first")
        .answers::<InboxList>(200);
    routes
        .api(Method::POST, "/inboxes/meta", write, add_meta)
        .about("Connect a number of Meta's Cloud API")
        .body::<NewMeta>()
        .answers::<InboxView>(201);
    routes
        .api(Method::POST, "/inboxes/evolution", write, add_evolution)
        .about("Connect an instance of Evolution API")
        .body::<NewEvolution>()
        .answers::<InboxView>(201);
    routes.api(Method::GET, "/inboxes/{id}", look, show).about("A line").answers::<InboxView>(200);
    routes
        .api(Method::PATCH, "/inboxes/{id}", write, change)
        .about("Change a line: its unit, its secrets, its server")
        .body::<InboxChange>()
        .answers::<InboxView>(200);
    routes
        .api(Method::POST, "/inboxes/{id}/resume", write, resume)
        .about("Send again through a line that was stopped")
        .answers::<InboxView>(200);
    routes
        .api(Method::GET, "/units", look, units)
        .about("The account's units, oldest first")
        .answers::<UnitList>(200);
    routes
        .api(Method::POST, "/units", write, add_unit)
        .about("Add a unit")
        .body::<UnitDraft>()
        .answers::<UnitView>(201);
    routes
        .api(Method::PATCH, "/units/{id}", write, rename_unit)
        .about("Give a unit another name")
        .body::<UnitDraft>()
        .answers::<UnitView>(200);
}

#[derive(Deserialize)]
struct IdPath {
    id: i64,
}

#[derive(Serialize, ToSchema)]
struct InboxList {
    inboxes: Vec<InboxView>,
}

#[derive(Serialize, ToSchema)]
struct UnitList {
    units: Vec<UnitView>,
}

/// A unit to be.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct UnitDraft {
    /// 1 to 120 characters, the only one of its kind in the account.
    name: String,
}

async fn view(principal: &Principal, web: &Web, id: i64) -> Result<InboxView, AdminError> {
    let with_webhook = principal.may(Permission::SettingsWrite);
    web.runtime.admin().inbox(principal.account_id, id, with_webhook).await
}

async fn list(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    let with_webhooks = principal.may(Permission::SettingsWrite);
    match web.runtime.admin().inboxes(principal.account_id, with_webhooks).await {
        Ok(inboxes) => HttpResponse::Ok().json(InboxList { inboxes }),
        Err(error) => refused(&error),
    }
}

async fn show(principal: Principal, web: web::Data<Web>, path: web::Path<IdPath>) -> HttpResponse {
    match view(&principal, &web, path.id).await {
        Ok(inbox) => HttpResponse::Ok().json(inbox),
        Err(error) => refused(&error),
    }
}

async fn connected(
    principal: &Principal,
    web: &Web,
    added: Result<i64, AdminError>,
) -> HttpResponse {
    let shown = match added {
        Ok(id) => view(principal, web, id).await,
        Err(error) => Err(error),
    };
    match shown {
        Ok(inbox) => HttpResponse::Created().json(inbox),
        Err(error) => refused(&error),
    }
}

async fn add_meta(
    principal: Principal,
    web: web::Data<Web>,
    new: web::Json<NewMeta>,
) -> HttpResponse {
    let admin = web.runtime.admin();
    let added = admin.add_meta(principal.account_id, &new, actor(&principal)).await;
    connected(&principal, &web, added).await
}

async fn add_evolution(
    principal: Principal,
    web: web::Data<Web>,
    new: web::Json<NewEvolution>,
) -> HttpResponse {
    let admin = web.runtime.admin();
    let added = admin.add_evolution(principal.account_id, &new, actor(&principal)).await;
    connected(&principal, &web, added).await
}

async fn change(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<IdPath>,
    change: web::Json<InboxChange>,
) -> HttpResponse {
    let admin = web.runtime.admin();
    let by = actor(&principal);
    match admin.change_inbox(principal.account_id, path.id, &change, by).await {
        Ok(()) => show(principal.clone(), web, path).await,
        Err(error) => refused(&error),
    }
}

async fn resume(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<IdPath>,
) -> HttpResponse {
    let admin = web.runtime.admin();
    match admin.resume_inbox(principal.account_id, path.id, &principal.name).await {
        Ok(()) => show(principal.clone(), web, path).await,
        Err(error) => refused(&error),
    }
}

async fn units(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    match web.runtime.admin().units(principal.account_id).await {
        Ok(units) => HttpResponse::Ok().json(UnitList { units }),
        Err(error) => refused(&error),
    }
}

async fn add_unit(
    principal: Principal,
    web: web::Data<Web>,
    draft: web::Json<UnitDraft>,
) -> HttpResponse {
    match web.runtime.admin().add_unit(principal.account_id, &draft.name).await {
        Ok(unit) => HttpResponse::Created().json(unit),
        Err(error) => refused(&error),
    }
}

async fn rename_unit(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<IdPath>,
    draft: web::Json<UnitDraft>,
) -> HttpResponse {
    match web.runtime.admin().rename_unit(principal.account_id, path.id, &draft.name).await {
        Ok(unit) => HttpResponse::Ok().json(unit),
        Err(error) => refused(&error),
    }
}
