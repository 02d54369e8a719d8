//! A contact's rights over everything that is kept of them (LGPD art. 18).

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};

use super::auth::{ContactPath, caller};
use super::{failed, not_found, refuse};
use crate::app::Web;

/// Everything about the contact, as JSON.
pub async fn export(
    web: web::Data<Web>,
    request: HttpRequest,
    path: web::Path<ContactPath>,
) -> HttpResponse {
    let caller = match caller(&web, &request, *path).await {
        Ok(caller) => caller,
        Err(refusal) => return refusal,
    };
    match web.runtime.memories.export(caller.owner).await {
        Ok(Some(copy)) => HttpResponse::Ok().json(copy),
        Ok(None) => not_found(),
        Err(error) => failed(&error),
    }
}

/// Deletes the contact with all that belongs to them, at once and for good.
pub async fn erase(
    web: web::Data<Web>,
    request: HttpRequest,
    path: web::Path<ContactPath>,
) -> HttpResponse {
    let caller = match caller(&web, &request, *path).await {
        Ok(caller) => caller,
        Err(refusal) => return refusal,
    };
    if let Err(error) = web.runtime.media.remove_of_contact(caller.owner.contact_id).await {
        tracing::error!(%error, "files of a contact not deleted");
        return refuse(StatusCode::SERVICE_UNAVAILABLE, "the contact's files are not deleted yet");
    }
    match web.runtime.memories.erase(caller.owner).await {
        Ok(true) => HttpResponse::NoContent().finish(),
        Ok(false) => not_found(),
        Err(error) => failed(&error),
    }
}
