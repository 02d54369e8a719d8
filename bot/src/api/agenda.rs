//! Where the account's agenda is, and whether it answers.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::agenda::{AgendaChange, AgendaTrial, AgendaView};

use super::administration::refused;
use super::not_found;
use crate::access::{Principal, Routes, actor};
use crate::app::Web;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let (look, write) = (Permission::SettingsRead, Permission::SettingsWrite);
    routes
        .api(Method::GET, "/agenda", look, show)
        .about("Where the account's agenda is")
        .answers::<AgendaView>(200);
    routes
        .api(Method::PUT, "/agenda", write, set)
        .about("Say where the account's agenda is")
        .body::<AgendaChange>()
        .answers::<AgendaView>(200);
    routes
        .api(Method::DELETE, "/agenda", write, remove)
        .about("Take the agenda away: the agent offers no times any more")
        .answers_nothing();
    routes
        .api(Method::POST, "/agenda/try", write, try_out)
        .about("Ask the agenda what it has")
        .answers::<AgendaTrial>(200);
}

async fn show(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    match web.runtime.admin().agenda(principal.account_id).await {
        Ok(Some(agenda)) => HttpResponse::Ok().json(agenda),
        Ok(None) => not_found(),
        Err(error) => refused(&error),
    }
}

async fn set(
    principal: Principal,
    web: web::Data<Web>,
    change: web::Json<AgendaChange>,
) -> HttpResponse {
    let admin = web.runtime.admin();
    match admin.set_agenda(principal.account_id, &change, actor(&principal)).await {
        Ok(agenda) => HttpResponse::Ok().json(agenda),
        Err(error) => refused(&error),
    }
}

async fn remove(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    match web.runtime.admin().remove_agenda(principal.account_id, &principal.name).await {
        Ok(()) => HttpResponse::NoContent().finish(),
        Err(error) => refused(&error),
    }
}

async fn try_out(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    match web.runtime.admin().try_agenda(principal.account_id).await {
        Ok(trial) => HttpResponse::Ok().json(trial),
        Err(error) => refused(&error),
    }
}
