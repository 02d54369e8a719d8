//! What went wrong, for programs: `application/problem+json` (RFC 9457).

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, HttpResponseBuilder};
use lembra_agent::store::StoreError;
use serde::Serialize;
use utoipa::ToSchema;

/// An error as the API says it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Problem {
    /// `about:blank`: the status says what kind of problem it is.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The status in words.
    pub title: String,
    pub status: u16,
    /// What was wrong with this request.
    pub detail: String,
    /// Per field of the body, what was wrong with it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<String, String>,
}

/// An answer that says in words what was wrong.
pub fn refuse(status: StatusCode, why: &str) -> HttpResponse {
    refuse_fields(status, why, BTreeMap::new())
}

/// The same, with what was wrong with each field.
pub fn refuse_fields(
    status: StatusCode,
    why: &str,
    errors: BTreeMap<String, String>,
) -> HttpResponse {
    let problem = Problem {
        kind: "about:blank",
        title: status.canonical_reason().unwrap_or_default().to_owned(),
        status: status.as_u16(),
        detail: why.to_owned(),
        errors,
    };
    let body = serde_json::to_string(&problem).unwrap_or_default();
    HttpResponseBuilder::new(status).content_type("application/problem+json").body(body)
}

pub fn not_found() -> HttpResponse {
    refuse(StatusCode::NOT_FOUND, "there is no such thing in this account")
}

pub fn failed(error: &StoreError) -> HttpResponse {
    tracing::error!(%error, "request failed");
    refuse(StatusCode::SERVICE_UNAVAILABLE, "the database does not answer")
}
