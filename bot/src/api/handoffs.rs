//! The queue of conversations that wait for a person, and answering in a person's name.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use lembra_agent::services::handoff::{self, speak};
use lembra_agent::store::handoffs;
use serde::Deserialize;
use serde_json::json;

use super::auth::{Account, OwnConversation};
use super::{failed, not_found, refuse};
use crate::app::Web;

/// What the operator says.
#[derive(Deserialize)]
pub struct Said {
    text: String,
}

/// What waits or is taken, most urgent first: `GET …/handoffs`.
pub async fn list(account: Account, web: web::Data<Web>) -> HttpResponse {
    let now = web.runtime.clock.now();
    match handoffs::list_open(&web.runtime.db, Some(account.id)).await {
        Ok(rows) => {
            let rows: Vec<_> = rows.iter().map(|row| handoff::json(row, now)).collect();
            HttpResponse::Ok().json(json!({ "handoffs": rows }))
        }
        Err(error) => failed(&error),
    }
}

/// Takes a conversation that waits: `POST …/conversations/{id}/take`.
pub async fn take(conversation: OwnConversation, web: web::Data<Web>) -> HttpResponse {
    let runtime = &web.runtime;
    let OwnConversation { id, caller, .. } = conversation;
    match handoff::take(&runtime.db, &runtime.clock, id, &caller).await {
        Ok(true) => HttpResponse::Ok().json(json!({ "id": id, "taken_by": caller })),
        Ok(false) => refuse(StatusCode::CONFLICT, "the conversation waits for nobody"),
        Err(error) => failed(&error),
    }
}

/// Answers the customer as a person of the business: `POST …/conversations/{id}/messages`.
pub async fn say(
    conversation: OwnConversation,
    web: web::Data<Web>,
    said: web::Json<Said>,
) -> HttpResponse {
    let runtime = &web.runtime;
    let OwnConversation { id, account_id, caller } = conversation;
    let said = speak::say(&runtime.db, &runtime.clock, account_id, id, &caller, &said.text).await;
    match said {
        Ok(()) => HttpResponse::Accepted().json(json!({ "id": id, "said_by": caller })),
        Err(speak::SpeakError::NoConversation) => not_found(),
        Err(error @ speak::SpeakError::Empty) => {
            refuse(StatusCode::UNPROCESSABLE_ENTITY, &error.to_string())
        }
        Err(error @ speak::SpeakError::WindowClosed) => {
            refuse(StatusCode::CONFLICT, &error.to_string())
        }
        Err(speak::SpeakError::Store(error)) => failed(&error),
    }
}
