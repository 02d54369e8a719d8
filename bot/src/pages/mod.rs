//! Pages in the browser: their frame, their words, their assets, and signing in. What operators see
//! of one subject is a file named for it.

pub mod alerts;
pub mod assets;
mod contacts;
pub mod conversations;
pub mod curation;
pub mod device;
pub mod docs;
mod failures;
pub mod filters;
pub mod forms;
pub mod frame;
mod handoffs;
mod inboxes;
mod jobs;
mod knowledge;
mod me;
mod memory_search;
mod nav;
mod operators;
mod overview;
pub mod report_file;
mod reports;
pub mod respond;
mod settings;
pub mod sign_in;
pub mod sign_out;
pub mod text;
mod tokens;
mod tools;
pub mod words;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::middleware::Next;

use crate::access::{Access, Routes};
use crate::live;

/// The version in asset addresses: a new one is fetched anew.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Adds the routes of all pages.
pub fn routes(routes: &mut Routes<'_>) {
    let before = "needed to sign in";
    routes.open(Method::GET, "/assets/{file:.*}", before, assets::serve);
    routes.open(Method::GET, "/sign-in", before, sign_in::form);
    routes.open(Method::POST, "/sign-in", before, sign_in::submit);
    routes.page(Method::POST, "/sign-out", Access::Signed, sign_out::submit);
    routes.page(Method::GET, "/live", Access::Signed, live::events);
    routes.page(Method::GET, "/docs", Access::Signed, docs::show);
    inboxes::routes(routes);
    knowledge::routes(routes);
    me::routes(routes);
    nav::routes(routes);
    operators::routes(routes);
    settings::routes(routes);
    tokens::routes(routes);
    tools::routes(routes);
    alerts::routes(routes);
    conversations::routes(routes);
    handoffs::routes(routes);
    curation::routes(routes);
    failures::routes(routes);
    jobs::routes(routes);
    overview::routes(routes);
    contacts::routes(routes);
    memory_search::routes(routes);
    reports::routes(routes);
}

/// Headers of everything that a browser shows.
const SECURITY_HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    ("x-frame-options", "DENY"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// Middleware that adds them.
pub async fn security_headers(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let mut response = next.call(request).await?;
    let headers = response.headers_mut();
    for (name, value) in SECURITY_HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    Ok(response)
}
