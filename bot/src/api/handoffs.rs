//! The queue of conversations that wait for a person, and answering in a person's name.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use lembra_agent::services::handoff::{self, speak};
use lembra_agent::store::handoffs;
use serde::Deserialize;
use serde_json::json;

use super::auth::of_account;
use super::conversations::{ConversationPath, allowed};
use super::{failed, not_found, refuse};
use crate::app::Web;

/// What the operator says.
#[derive(Deserialize)]
pub struct Said {
    text: String,
}

/// What waits or is taken, most urgent first: `GET …/handoffs`.
pub async fn list(
    web: web::Data<Web>,
    request: HttpRequest,
    account: web::Path<i64>,
) -> HttpResponse {
    if let Err(refusal) = of_account(&web, &request, *account).await {
        return refusal;
    }
    let now = web.runtime.clock.now();
    match handoffs::list_open(&web.runtime.db, Some(*account)).await {
        Ok(rows) => {
            let rows: Vec<_> = rows.iter().map(|row| handoff::json(row, now)).collect();
            HttpResponse::Ok().json(json!({ "handoffs": rows }))
        }
        Err(error) => failed(&error),
    }
}

/// Takes a conversation that waits: `POST …/conversations/{id}/take`.
pub async fn take(
    web: web::Data<Web>,
    request: HttpRequest,
    path: web::Path<ConversationPath>,
) -> HttpResponse {
    let by = match allowed(&web, &request, *path).await {
        Ok(by) => by,
        Err(refusal) => return refusal,
    };
    let runtime = &web.runtime;
    match handoff::take(&runtime.db, &runtime.clock, path.conversation, &by).await {
        Ok(true) => HttpResponse::Ok().json(json!({ "id": path.conversation, "taken_by": by })),
        Ok(false) => refuse(StatusCode::CONFLICT, "the conversation waits for nobody"),
        Err(error) => failed(&error),
    }
}

/// Answers the customer as a person of the business: `POST …/conversations/{id}/messages`.
pub async fn say(
    web: web::Data<Web>,
    request: HttpRequest,
    path: web::Path<ConversationPath>,
    said: web::Json<Said>,
) -> HttpResponse {
    let by = match allowed(&web, &request, *path).await {
        Ok(by) => by,
        Err(refusal) => return refusal,
    };
    let runtime = &web.runtime;
    let (account, conversation) = (path.account, path.conversation);
    let said =
        speak::say(&runtime.db, &runtime.clock, account, conversation, &by, &said.text).await;
    match said {
        Ok(()) => HttpResponse::Accepted().json(json!({ "id": conversation, "said_by": by })),
        Err(speak::SpeakError::NoConversation) => not_found(),
        Err(error @ speak::SpeakError::Empty) => {
            refuse(StatusCode::UNPROCESSABLE_ENTITY, &error.to_string())
        }
        Err(speak::SpeakError::Store(error)) => failed(&error),
    }
}
