//! Stylesheets and scripts, from inside the binary.

use actix_web::http::header::{self, ETag, EntityTag, Header, IfNoneMatch};
use actix_web::{HttpRequest, HttpResponse, web};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "assets/"]
struct Assets;

/// Serves a file. The browser asks each time whether it changed: scripts name each other without
/// a version.
pub async fn serve(request: HttpRequest, file: web::Path<String>) -> HttpResponse {
    let Some(asset) = Assets::get(&file) else {
        return HttpResponse::NotFound().finish();
    };
    let hash = asset.metadata.sha256_hash();
    let tag: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let tag = EntityTag::new_strong(tag);
    let known = match IfNoneMatch::parse(&request) {
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|known| known.weak_eq(&tag)),
        Ok(IfNoneMatch::Any) | Err(_) => false,
    };
    let mut response = if known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header(ETag(tag)).insert_header((header::CACHE_CONTROL, "no-cache"));
    if known {
        return response.finish();
    }
    response.content_type(content_type(&file)).body(asset.data.into_owned())
}

fn content_type(file: &str) -> &'static str {
    match file.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
