//! Where channels deliver what happened.

mod body;
mod evolution;
mod meta;

use actix_web::http::Method;

use crate::access::Routes;

/// Adds the webhook routes.
pub fn routes(routes: &mut Routes<'_>) {
    let signed = "what comes is signed, or carries a token";
    routes.open(Method::GET, "/webhooks/meta/{inbox_key}", signed, meta::verify);
    routes.open(Method::POST, "/webhooks/meta/{inbox_key}", signed, meta::receive);
    let evolution = "/webhooks/evolution/{inbox_key}";
    routes.open(Method::POST, evolution, signed, evolution::receive);
    routes.open(Method::POST, &format!("{evolution}/{{event:.*}}"), signed, evolution::receive);
}

/// Counts a webhook by its result.
fn count(channel: &'static str, result: &'static str) {
    metrics::counter!("lembra_webhooks_total", "channel" => channel, "result" => result)
        .increment(1);
}
