//! Taking a conversation from the bot, and giving it back.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use chrono::TimeDelta;
use lembra_agent::services::handoff;
use serde::Deserialize;
use serde_json::json;

use super::auth::OwnConversation;
use super::{failed, not_found, refuse};
use crate::app::Web;

/// A year.
const LONGEST_MINUTES: i64 = 525_600;

/// For how long; until it is given back where it is left out.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Pause {
    minutes: Option<i64>,
}

/// Keeps the bot silent: `POST …/pause`, with `?minutes=30` or until it is resumed.
pub async fn pause(
    conversation: OwnConversation,
    web: web::Data<Web>,
    asked: web::Query<Pause>,
) -> HttpResponse {
    let runtime = &web.runtime;
    let minutes = asked.minutes;
    if minutes.is_some_and(|minutes| !(1..=LONGEST_MINUTES).contains(&minutes)) {
        return refuse(StatusCode::BAD_REQUEST, "`minutes` is 1 to 525600, or left out");
    }
    let until = minutes.map(|minutes| runtime.clock.now() + TimeDelta::minutes(minutes));
    match handoff::pause(&runtime.db, &runtime.clock, conversation.id, until).await {
        Ok(true) => HttpResponse::Ok().json(json!({
            "id": conversation.id, "state": "paused", "until": until,
        })),
        Ok(false) => not_found(),
        Err(error) => failed(&error),
    }
}

/// Gives the conversation back to the bot: `POST …/resume`.
pub async fn resume(conversation: OwnConversation, web: web::Data<Web>) -> HttpResponse {
    let runtime = &web.runtime;
    match handoff::hand_back(&runtime.db, &runtime.clock, conversation.id).await {
        Ok(()) => HttpResponse::Ok().json(json!({ "id": conversation.id, "state": "resumed" })),
        Err(error) => failed(&error),
    }
}
