//! What administration answers, for programs.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use lembra_agent::services::board::admin::AdminError;

use super::{failed, not_found, refuse, refuse_fields};

/// An answer to what was refused or went wrong.
pub(super) fn refused(error: &AdminError) -> HttpResponse {
    match error {
        AdminError::NotFound => not_found(),
        AdminError::Invalid(invalid) => {
            let said = invalid.0.iter().map(|(field, why)| ((*field).to_owned(), why.to_string()));
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            refuse_fields(status, &error.to_string(), said.collect())
        }
        AdminError::BeyondYou => refuse(StatusCode::FORBIDDEN, &error.to_string()),
        AdminError::Store(error) => failed(error),
        AdminError::Vault(_) | AdminError::Hash => {
            tracing::error!(%error, "api");
            refuse(StatusCode::INTERNAL_SERVER_ERROR, "the server cannot keep secrets now")
        }
    }
}
