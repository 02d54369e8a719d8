//! The page's state, once and as a stream that sends it whenever it has changed.

use std::time::Duration;

use actix_web::web::Bytes;
use actix_web::{HttpResponse, web};
use futures::Stream;
use serde::Deserialize;

use super::Simulator;
use super::state::{self, DEFAULT_CUSTOMER};
use crate::app::Web;

/// How often the database is looked at for each open page.
const LOOK_EVERY: Duration = Duration::from_millis(300);
/// Something is sent at least so often, or proxies close the stream.
const KEEP_ALIVE: u32 = 50;

#[derive(Deserialize)]
pub struct Chosen {
    customer: Option<String>,
}

impl Chosen {
    fn customer(self) -> String {
        self.customer.unwrap_or_else(|| DEFAULT_CUSTOMER.to_owned())
    }
}

/// The state, once.
pub async fn state(
    web: web::Data<Web>,
    simulator: web::Data<Simulator>,
    query: web::Query<Chosen>,
) -> HttpResponse {
    match state::read(&web.runtime, &simulator, &query.into_inner().customer()).await {
        Ok(Some(state)) => HttpResponse::Ok().json(state),
        Ok(None) => HttpResponse::NotFound().finish(),
        Err(error) => {
            tracing::error!(%error, "simulator");
            HttpResponse::ServiceUnavailable().finish()
        }
    }
}

/// The state now and after every change.
pub async fn events(
    web: web::Data<Web>,
    simulator: web::Data<Simulator>,
    query: web::Query<Chosen>,
) -> HttpResponse {
    let customer = query.into_inner().customer();
    match state::read(&web.runtime, &simulator, &customer).await {
        Ok(Some(_)) => {}
        Ok(None) => return HttpResponse::NotFound().finish(),
        Err(_) => return HttpResponse::ServiceUnavailable().finish(),
    }
    HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header(("cache-control", "no-store"))
        .streaming(changes(web, simulator, customer))
}

fn changes(
    web: web::Data<Web>,
    simulator: web::Data<Simulator>,
    customer: String,
) -> impl Stream<Item = Result<Bytes, actix_web::Error>> {
    let begin = (String::new(), tokio::time::interval(LOOK_EVERY), web, simulator, customer);
    futures::stream::unfold(begin, |(last, mut look, web, simulator, customer)| async move {
        for _ in 0..KEEP_ALIVE {
            look.tick().await;
            // A database that does not answer now answers at the next look.
            let Ok(Some(state)) = state::read(&web.runtime, &simulator, &customer).await else {
                continue;
            };
            let json = state.to_string();
            if json != last {
                let event = Bytes::from(format!("event: state\ndata: {json}\n\n"));
                return Some((Ok(event), (json, look, web, simulator, customer)));
            }
        }
        Some((Ok(Bytes::from_static(b": still here\n\n")), (last, look, web, simulator, customer)))
    })
}
