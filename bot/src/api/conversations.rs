//! Taking a conversation from the bot, and giving it back.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};
use chrono::TimeDelta;
use lembra_agent::services::handoff;
use lembra_agent::store;
use serde::Deserialize;
use serde_json::json;

use super::auth::of_account;
use super::{failed, not_found, refuse};
use crate::app::Web;

/// A year.
const LONGEST_MINUTES: i64 = 525_600;

/// The path of both routes.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct ConversationPath {
    pub account: i64,
    pub conversation: i64,
}

/// For how long; until it is given back where it is left out.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Pause {
    minutes: Option<i64>,
}

/// Keeps the bot silent: `POST …/pause`, with `?minutes=30` or until it is resumed.
pub async fn pause(
    web: web::Data<Web>,
    request: HttpRequest,
    path: web::Path<ConversationPath>,
    asked: web::Query<Pause>,
) -> HttpResponse {
    if let Err(refusal) = allowed(&web, &request, *path).await {
        return refusal;
    }
    let runtime = &web.runtime;
    let minutes = asked.minutes;
    if minutes.is_some_and(|minutes| !(1..=LONGEST_MINUTES).contains(&minutes)) {
        return refuse(StatusCode::BAD_REQUEST, "`minutes` is 1 to 525600, or left out");
    }
    let until = minutes.map(|minutes| runtime.clock.now() + TimeDelta::minutes(minutes));
    match handoff::pause(&runtime.db, &runtime.clock, path.conversation, until).await {
        Ok(true) => HttpResponse::Ok().json(json!({
            "id": path.conversation, "state": "paused", "until": until,
        })),
        Ok(false) => not_found(),
        Err(error) => failed(&error),
    }
}

/// Gives the conversation back to the bot: `POST …/resume`.
pub async fn resume(
    web: web::Data<Web>,
    request: HttpRequest,
    path: web::Path<ConversationPath>,
) -> HttpResponse {
    if let Err(refusal) = allowed(&web, &request, *path).await {
        return refusal;
    }
    let runtime = &web.runtime;
    match handoff::hand_back(&runtime.db, &runtime.clock, path.conversation).await {
        Ok(()) => HttpResponse::Ok().json(json!({ "id": path.conversation, "state": "resumed" })),
        Err(error) => failed(&error),
    }
}

/// The name of the caller, whose account has the conversation.
pub async fn allowed(
    web: &Web,
    request: &HttpRequest,
    path: ConversationPath,
) -> Result<String, HttpResponse> {
    let token = of_account(web, request, path.account).await?;
    let head = store::conversations::head(&web.runtime.db, path.conversation).await;
    match head.map_err(|error| failed(&error))? {
        Some(head) if head.place.account_id == path.account => Ok(format!("token:{}", token.id)),
        _ => Err(not_found()),
    }
}
