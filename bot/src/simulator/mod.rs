//! `/simulator`, in standalone mode only: a chat page on one side, the platform on the other. It
//! posts real signed webhooks to this process and answers its calls to the Graph API, so what is
//! seen on the page went the whole way.

mod act;
mod graph;
mod live;
mod page;
mod platform;
mod state;

use actix_web::web;

pub use platform::{Simulator, own_url};

/// Adds the routes.
pub fn configure(config: &mut web::ServiceConfig) {
    config
        .service(
            web::resource("/simulator/graph/{phone_number_id}/messages")
                .route(web::post().to(graph::messages)),
        )
        .route("/simulator/graph/{phone_number_id}", web::get().to(graph::number))
        .route("/simulator", web::get().to(page::show))
        .route("/simulator/state", web::get().to(live::state))
        .route("/simulator/events", web::get().to(live::events))
        .route("/simulator/messages", web::post().to(act::write))
        .route("/simulator/resolve", web::post().to(act::resolve))
        .route("/simulator/resume", web::post().to(act::resume))
        .route("/simulator/customers", web::post().to(act::add_customer));
}
