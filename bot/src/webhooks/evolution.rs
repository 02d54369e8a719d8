//! Evolution API: deliveries of one instance, or of all instances of a server.

use std::sync::Arc;

use actix_web::http::header::AUTHORIZATION;
use actix_web::{HttpRequest, HttpResponse, web};
use lembra_agent::channels::evolution::auth::{SECRET_HEADER, Shown, is_allowed};
use lembra_agent::channels::evolution::{Arrival, NAME, normalize, storable};
use lembra_agent::domain::message::InboundEvent;
use lembra_agent::services::inboxes::{Inbox, InboxDirectory, InboxError};
use lembra_agent::services::intake::Item;
use lembra_agent::store::events::readable;
use serde::Deserialize;

use super::body::{self, BodyError};
use super::count;
use crate::app::Web;

/// The webhook's path. The event stands in it with `webhookByEvents`, behind a doubled slash where
/// the configured address ended in one.
#[derive(Deserialize)]
pub struct Place {
    inbox_key: String,
    event: Option<String>,
}

/// Takes a delivery in. With good authentication the answer is 200 whatever it holds, once it is on
/// disk; 503 when it could not be written, so that it comes again. A body too large is answered
/// 400: Evolution delivers a 413 ten times (WhatsApp facts 43).
#[tracing::instrument(name = "webhook", skip_all, fields(otel.kind = "server", channel = NAME))]
pub async fn receive(
    web: web::Data<Web>,
    place: web::Path<Place>,
    request: HttpRequest,
    payload: web::Payload,
) -> HttpResponse {
    let inbox = match web.runtime.inboxes.by_key(&place.inbox_key).await {
        Ok(Some(inbox)) => inbox,
        Ok(None) => return unknown(),
        Err(error) => return unavailable(&error),
    };
    let Some(credentials) = inbox.evolution() else {
        return unknown();
    };
    if let Err(refusal) = web.limits.of_webhook(inbox.id) {
        count(NAME, "rate_limited");
        return refusal;
    }
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    let shown = Shown {
        authorization: header(AUTHORIZATION.as_str()),
        secret_header: header(SECRET_HEADER),
    };
    let now = web.runtime.clock.now();
    let (secret, key) = (credentials.webhook_secret.as_ref(), credentials.jwt_key.as_ref());
    if !is_allowed(secret, key, shown, now) {
        count(NAME, "bad_signature");
        return HttpResponse::Unauthorized().finish();
    }
    let body = match body::read(&request, payload).await {
        Ok(body) => body,
        Err(BodyError::TooLarge) => {
            count(NAME, "too_large");
            return HttpResponse::BadRequest().finish();
        }
        Err(BodyError::Broken) => {
            count(NAME, "broken_body");
            return HttpResponse::BadRequest().finish();
        }
    };
    let path_event = place.event.as_deref().map(|event| event.trim_matches('/'));
    let path_event = path_event.filter(|event| !event.is_empty());
    let arrival = Arrival { path_event, received_at: now };
    let items = match route(&web.runtime.inboxes, &inbox, &body, &arrival).await {
        Ok(items) => items,
        Err(error) => return unavailable(&error),
    };
    match web.intake.accept(items).await {
        Ok(()) => {
            count(NAME, "accepted");
            HttpResponse::Ok().finish()
        }
        Err(error) => {
            tracing::error!(%error, "webhook not stored");
            count(NAME, "not_stored");
            HttpResponse::ServiceUnavailable().finish()
        }
    }
}

/// Every event of the body with the inbox that it is for: the address's own, or, where one address
/// receives for a whole server, the one of the named instance. The body is kept once, without files
/// and credentials, with the first event that somebody may have to look into.
async fn route(
    inboxes: &InboxDirectory,
    addressed: &Arc<Inbox>,
    body: &[u8],
    arrival: &Arrival<'_>,
) -> Result<Vec<Item>, InboxError> {
    let mut items = Vec::new();
    let mut kept = false;
    for event in normalize(body, arrival) {
        let inbox = match Item::channel_of(&event) {
            None | Some("") => Some(addressed.clone()),
            Some(instance) if instance == addressed.external_id => Some(addressed.clone()),
            Some(instance) => inboxes.of_same_server(addressed, instance).await?,
        };
        let routine = match &event {
            InboundEvent::Ignored(ignored) => ignored.why.is_routine(),
            _ => false,
        };
        let mut item = Item::of(event, inbox, addressed);
        if !kept
            && !routine
            && let Some(place) = item.body_mut()
        {
            *place = Some(readable(storable(body).as_bytes()));
            kept = true;
        }
        items.push(item);
    }
    Ok(items)
}

fn unknown() -> HttpResponse {
    count(NAME, "unknown_inbox");
    HttpResponse::NotFound().finish()
}

fn unavailable(error: &InboxError) -> HttpResponse {
    tracing::error!(%error, "inboxes not read");
    count(NAME, "not_stored");
    HttpResponse::ServiceUnavailable().finish()
}
