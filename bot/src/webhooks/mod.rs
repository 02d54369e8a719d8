//! Where channels deliver what happened.

mod body;
mod evolution;
mod meta;

use actix_web::web;

/// Adds the webhook routes.
pub fn configure(config: &mut web::ServiceConfig) {
    config.service(
        web::resource("/webhooks/meta/{inbox_key}")
            .route(web::get().to(meta::verify))
            .route(web::post().to(meta::receive)),
    );
    for path in ["/webhooks/evolution/{inbox_key}", "/webhooks/evolution/{inbox_key}/{event:.*}"] {
        config.service(web::resource(path).route(web::post().to(evolution::receive)));
    }
}

/// Counts a webhook by its result.
fn count(channel: &'static str, result: &'static str) {
    metrics::counter!("lembra_webhooks_total", "channel" => channel, "result" => result)
        .increment(1);
}
