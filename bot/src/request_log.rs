//! One line per request: the route's pattern, never its path or query, which carry secrets.

use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;

/// Middleware. Requests that went well are logged at debug, so that a busy line is quiet.
pub async fn log(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let began = Instant::now();
    let method = request.method().clone();
    let response = next.call(request).await?;
    let route = response.request().match_pattern().unwrap_or_else(|| "no route".to_owned());
    let status = response.status().as_u16();
    let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    match status {
        ..400 => tracing::debug!(%method, route, status, duration_ms, "request"),
        400..500 => tracing::info!(%method, route, status, duration_ms, "request"),
        _ => tracing::error!(%method, route, status, duration_ms, "request"),
    }
    Ok(response)
}
