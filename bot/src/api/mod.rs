//! The API for programs (seed 002 §7.5): JSON, with a bearer token of the account in the path.

mod auth;
mod contacts;
mod conversations;
mod handoffs;
mod knowledge;
mod memories;
mod tools;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, HttpResponseBuilder, web};
use lembra_agent::store::StoreError;
use serde_json::json;

/// Largest body of a request, in bytes.
const MOST_BYTES: usize = 64 * 1024;

/// Adds the routes, under both addresses that callers know.
pub fn configure(config: &mut web::ServiceConfig) {
    for root in ["/api/v1", "/api"] {
        let contact = format!("{root}/accounts/{{account}}/contacts/{{contact}}");
        config.service(
            web::scope(&contact)
                .app_data(bad_json())
                .route("/memories", web::get().to(memories::list))
                .route("/memories", web::delete().to(memories::forget_all))
                .route("/memories/{id}", web::patch().to(memories::edit))
                .route("/memories/{id}", web::delete().to(memories::delete))
                .route("/memories/{id}/restore", web::post().to(memories::restore))
                .route("/export", web::get().to(contacts::export))
                .route("", web::delete().to(contacts::erase)),
        );
        let queue = format!("{root}/accounts/{{account}}/handoffs");
        config.route(&queue, web::get().to(handoffs::list));
        let tools = format!("{root}/accounts/{{account}}/tools");
        // Nothing of a declaration's error repeats a header.
        let bad_tool = web::JsonConfig::default().limit(MOST_BYTES).error_handler(|error, _| {
            let why = format!("the body is not the JSON expected: {error}");
            let response = refuse(StatusCode::BAD_REQUEST, &why);
            actix_web::error::InternalError::from_response("body", response).into()
        });
        config.service(
            web::scope(&tools)
                .app_data(bad_tool)
                .route("", web::get().to(tools::list))
                .route("", web::post().to(tools::add))
                .route("/{tool}", web::get().to(tools::get))
                .route("/{tool}", web::patch().to(tools::change))
                .route("/{tool}", web::delete().to(tools::remove))
                .route("/{tool}/try", web::post().to(tools::try_out)),
        );
        let knowledge = format!("{root}/accounts/{{account}}/knowledge");
        config.service(knowledge::routes(&knowledge).app_data(bad_json()));
        let conversation = format!("{root}/accounts/{{account}}/conversations/{{conversation}}");
        config.service(
            web::scope(&conversation)
                .route("/take", web::post().to(handoffs::take))
                .route("/messages", web::post().to(handoffs::say))
                .route("/pause", web::post().to(conversations::pause))
                .route("/resume", web::post().to(conversations::resume)),
        );
    }
}

/// How a body is read, and what is answered when it cannot be.
fn bad_json() -> web::JsonConfig {
    web::JsonConfig::default().limit(MOST_BYTES).error_handler(|_, _| {
        let response = refuse(StatusCode::BAD_REQUEST, "the body is not the JSON expected");
        actix_web::error::InternalError::from_response("body", response).into()
    })
}

/// An answer that says in words what was wrong.
fn refuse(status: StatusCode, why: &str) -> HttpResponse {
    HttpResponseBuilder::new(status).json(json!({ "error": why }))
}

fn not_found() -> HttpResponse {
    refuse(StatusCode::NOT_FOUND, "there is no such thing in this account")
}

fn failed(error: &StoreError) -> HttpResponse {
    tracing::error!(%error, "api");
    refuse(StatusCode::SERVICE_UNAVAILABLE, "the database does not answer")
}
