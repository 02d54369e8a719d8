//! `/simulator`, in standalone mode only: a chat page on one side, the platform on the other. It
//! posts real signed webhooks to this process and answers its calls to the Graph API, so what is
//! seen on the page went the whole way.

mod act;
mod graph;
mod live;
mod page;
mod platform;
mod state;

use actix_web::http::Method;

use crate::access::{Access, Routes};

pub use platform::{Simulator, own_url};

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let platform = "the simulated platform, which the process calls itself";
    let graph = "/simulator/graph/{phone_number_id}";
    routes.open(Method::POST, &format!("{graph}/messages"), platform, graph::messages);
    routes.open(Method::GET, graph, platform, graph::number);
    routes.page(Method::GET, "/simulator", Access::Simulator, page::show);
    routes.page(Method::GET, "/simulator/state", Access::Simulator, live::state);
    routes.page(Method::GET, "/simulator/events", Access::Simulator, live::events);
    routes.page(Method::POST, "/simulator/messages", Access::Simulator, act::write);
    routes.page(Method::POST, "/simulator/resolve", Access::Simulator, act::resolve);
    routes.page(Method::POST, "/simulator/resume", Access::Simulator, act::resume);
    routes.page(Method::POST, "/simulator/customers", Access::Simulator, act::add_customer);
}
