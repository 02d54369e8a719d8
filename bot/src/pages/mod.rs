//! Pages in the browser: their frame, their assets, and signing in.

pub mod access;
mod assets;
pub mod sign_in;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{HttpResponse, web};
use askama::Template;

/// The version in asset addresses: a new one is fetched anew.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Adds the routes that every page needs.
pub fn configure(config: &mut web::ServiceConfig) {
    config
        .route("/", web::get().to(home))
        .route("/assets/{file}", web::get().to(assets::serve))
        .service(
            web::resource("/sign-in")
                .route(web::get().to(sign_in::form))
                .route(web::post().to(sign_in::submit)),
        );
}

async fn home() -> HttpResponse {
    see_other("/simulator")
}

/// Answers with a page.
pub fn page(template: &impl Template) -> HttpResponse {
    match template.render() {
        Ok(html) => HttpResponse::Ok().content_type(header::ContentType::html()).body(html),
        Err(error) => {
            tracing::error!(%error, "page not rendered");
            HttpResponse::InternalServerError().finish()
        }
    }
}

/// Sends the browser elsewhere.
pub fn see_other(location: &str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header((header::LOCATION, location)).finish()
}

/// Headers of everything that a browser shows.
const SECURITY_HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
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
