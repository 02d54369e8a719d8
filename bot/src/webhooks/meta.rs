//! Meta's Cloud API: the handshake, and deliveries.

use std::sync::Arc;

use actix_web::http::header::ContentType;
use actix_web::{HttpRequest, HttpResponse, web};
use lembra_agent::channels::meta;
use lembra_agent::channels::meta::auth::{SIGNATURE_HEADER, is_signed, same_secret};
use lembra_agent::services::inboxes::{Inbox, InboxDirectory, InboxError};
use lembra_agent::services::intake::Item;
use lembra_agent::store::events::readable;
use serde::Deserialize;

use super::body::{self, BodyError};
use super::count;
use crate::app::Web;

/// Query of the handshake.
#[derive(Deserialize)]
pub struct Handshake {
    #[serde(rename = "hub.mode")]
    mode: Option<String>,
    #[serde(rename = "hub.verify_token")]
    verify_token: Option<String>,
    #[serde(rename = "hub.challenge")]
    challenge: Option<String>,
}

/// Answers the challenge when the token is the inbox's.
pub async fn verify(
    web: web::Data<Web>,
    inbox_key: web::Path<String>,
    query: web::Query<Handshake>,
) -> HttpResponse {
    let inbox = match web.runtime.inboxes.by_key(&inbox_key).await {
        Ok(Some(inbox)) => inbox,
        Ok(None) => return unknown(),
        Err(error) => return unavailable(&error),
    };
    let Some(credentials) = inbox.meta() else {
        return unknown();
    };
    let query = query.into_inner();
    let token = query.verify_token.unwrap_or_default();
    let asked = query.mode.as_deref() == Some("subscribe");
    match query.challenge {
        Some(challenge) if asked && same_secret(&credentials.verify_token, &token) => {
            count(meta::NAME, "verified");
            HttpResponse::Ok().content_type(ContentType::plaintext()).body(challenge)
        }
        _ => {
            count(meta::NAME, "bad_token");
            HttpResponse::Forbidden().finish()
        }
    }
}

/// Takes a delivery in. With a good signature the answer is 200 whatever it holds, once it is on
/// disk; 503 when it could not be written, so that it comes again.
#[tracing::instrument(name = "webhook", skip_all, fields(otel.kind = "server", channel = meta::NAME))]
pub async fn receive(
    web: web::Data<Web>,
    inbox_key: web::Path<String>,
    request: HttpRequest,
    payload: web::Payload,
) -> HttpResponse {
    let inbox = match web.runtime.inboxes.by_key(&inbox_key).await {
        Ok(Some(inbox)) => inbox,
        Ok(None) => return unknown(),
        Err(error) => return unavailable(&error),
    };
    let Some(credentials) = inbox.meta() else {
        return unknown();
    };
    if let Err(refusal) = web.limits.of_webhook(inbox.id) {
        count(meta::NAME, "rate_limited");
        return refusal;
    }
    let body = match body::read(&request, payload).await {
        Ok(body) => body,
        Err(BodyError::TooLarge) => {
            count(meta::NAME, "too_large");
            return HttpResponse::BadRequest().finish();
        }
        Err(BodyError::Broken) => {
            count(meta::NAME, "broken_body");
            return HttpResponse::BadRequest().finish();
        }
    };
    let signature = request.headers().get(SIGNATURE_HEADER).and_then(|value| value.to_str().ok());
    if !is_signed(&credentials.app_secret, &body, signature) {
        count(meta::NAME, "bad_signature");
        return HttpResponse::Unauthorized().finish();
    }
    let items = match route(&web.runtime.inboxes, &inbox, &body).await {
        Ok(items) => items,
        Err(error) => return unavailable(&error),
    };
    match web.intake.accept(items).await {
        Ok(()) => {
            count(meta::NAME, "accepted");
            HttpResponse::Ok().finish()
        }
        Err(error) => {
            tracing::error!(%error, "webhook not stored");
            count(meta::NAME, "not_stored");
            HttpResponse::ServiceUnavailable().finish()
        }
    }
}

/// Every event of the body with the inbox that it is for. The raw body is kept once, with the
/// first event that led to nothing.
async fn route(
    inboxes: &InboxDirectory,
    signed: &Arc<Inbox>,
    body: &[u8],
) -> Result<Vec<Item>, InboxError> {
    let mut items = Vec::new();
    let mut kept = false;
    for event in meta::normalize(body) {
        let inbox = match Item::channel_of(&event) {
            Some(channel) if channel == signed.external_id => Some(signed.clone()),
            Some(channel) => inboxes.of_same_app(signed, channel).await?,
            None => Some(signed.clone()),
        };
        let mut item = Item::of(event, inbox, signed);
        if !kept && let Some(place) = item.body_mut() {
            *place = Some(readable(body));
            kept = true;
        }
        items.push(item);
    }
    Ok(items)
}

fn unknown() -> HttpResponse {
    count(meta::NAME, "unknown_inbox");
    HttpResponse::NotFound().finish()
}

fn unavailable(error: &InboxError) -> HttpResponse {
    tracing::error!(%error, "inboxes not read");
    count(meta::NAME, "not_stored");
    HttpResponse::ServiceUnavailable().finish()
}
