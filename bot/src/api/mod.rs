//! The API for programs (seed 002 §7.5): JSON, with a bearer token of the account in the path, or
//! from a signed-in browser. Everything that the pages do; see `/docs`.

mod administration;
mod agenda;
mod auth;
mod contacts;
mod conversations;
mod curation;
mod failures;
mod handoffs;
mod inboxes;
pub mod job_query;
pub mod jobs;
mod knowledge;
mod me;
mod memories;
pub mod memory_query;
mod openapi;
mod operators;
mod overview;
mod queues;
pub mod reports;
mod settings;
mod tools;

use actix_web::error::InternalError;
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, web};

use crate::access::{Access, Routes};
use crate::pages::respond;

pub use crate::access::problem::{failed, not_found, refuse, refuse_fields};

/// Largest body of a request, in bytes.
const MOST_BYTES: usize = 64 * 1024;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    routes.api_itself(Method::GET, "/api/v1/openapi.json", Access::Signed, openapi::show);
    contacts::routes(routes);
    conversations::routes(routes);
    curation::routes(routes);
    failures::routes(routes);
    handoffs::routes(routes);
    jobs::routes(routes);
    queues::routes(routes);
    knowledge::routes(routes);
    memories::routes(routes);
    overview::routes(routes);
    reports::routes(routes);
    agenda::routes(routes);
    inboxes::routes(routes);
    me::routes(routes);
    operators::routes(routes);
    settings::routes(routes);
    tools::routes(routes);
}

/// How bodies, queries and paths are read, and what is answered when they cannot be.
pub fn readers(config: &mut web::ServiceConfig) {
    // People are told by a page, programs by a problem.
    let told = |request: &HttpRequest, why: String| {
        if request.path().starts_with("/api/") {
            return refuse(StatusCode::BAD_REQUEST, &why);
        }
        respond::cannot(StatusCode::BAD_REQUEST, "notice.unreadable")
    };
    config
        .app_data(web::JsonConfig::default().limit(MOST_BYTES).error_handler(|error, _| {
            let why = format!("the body is not the JSON expected: {error}");
            let response = refuse(StatusCode::BAD_REQUEST, &why);
            InternalError::from_response("body", response).into()
        }))
        .app_data(web::QueryConfig::default().error_handler(move |error, request| {
            let response = told(request, format!("the query: {error}"));
            InternalError::from_response("query", response).into()
        }))
        // What is no id is the id of nothing.
        .app_data(web::PathConfig::default().error_handler(|_, request| {
            let api = request.path().starts_with("/api/");
            let response = if api { not_found() } else { respond::gone() };
            InternalError::from_response("path", response).into()
        }))
        .app_data(web::FormConfig::default().limit(MOST_BYTES).error_handler(
            move |error, request| {
                let response = told(request, format!("the form: {error}"));
                InternalError::from_response("form", response).into()
            },
        ));
}
