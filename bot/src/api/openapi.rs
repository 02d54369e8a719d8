//! The document of the API.

use std::sync::OnceLock;

use actix_web::HttpResponse;

use crate::access::{Routes, document};
use crate::{app, pages};

/// `GET /api/v1/openapi.json`
pub async fn show() -> HttpResponse {
    static DOCUMENT: OnceLock<String> = OnceLock::new();
    let made = DOCUMENT.get_or_init(|| {
        let mut routes = Routes::for_reading();
        app::routes(&mut routes);
        let document = document::document(&routes.into_listed(), pages::VERSION);
        document.to_json().unwrap_or_default()
    });
    HttpResponse::Ok().content_type("application/json").body(made.as_str())
}
