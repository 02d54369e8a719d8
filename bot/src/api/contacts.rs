//! A contact's rights over everything that is kept of them (LGPD art. 18).

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};

use super::auth::Caller;
use super::{failed, not_found, refuse};
use crate::app::Web;

/// Everything about the contact, as JSON.
pub async fn export(caller: Caller, web: web::Data<Web>) -> HttpResponse {
    match web.runtime.memories.export(caller.owner).await {
        Ok(Some(copy)) => HttpResponse::Ok().json(copy),
        Ok(None) => not_found(),
        Err(error) => failed(&error),
    }
}

/// Deletes the contact with all that belongs to them, at once and for good.
pub async fn erase(caller: Caller, web: web::Data<Web>) -> HttpResponse {
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
