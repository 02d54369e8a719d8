//! What operators do with a conversation.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use chrono::TimeDelta;
use lembra_agent::services::board::undelivered::{self, AttendError};
use lembra_agent::services::handoff::desk::{self, DeskError};
use lembra_agent::services::handoff::speak::{self, SpeakError};
use lembra_agent::store::StoreResult;
use lembra_agent::store::board::actors;
use serde::Deserialize;

use super::row::actor;
use super::{ConversationPath, MessagePath};
use crate::access::Principal;
use crate::app::Web;
use crate::pages::{respond, words};

/// What the operator says.
#[derive(Debug, Deserialize)]
pub struct Said {
    text: String,
}

/// For how long.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct PauseFor {
    minutes: i64,
}

/// A day.
const LONGEST_MINUTES: i64 = 1_440;

/// Answers the customer.
pub async fn say(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<ConversationPath>,
    said: web::Form<Said>,
) -> HttpResponse {
    let runtime = &web.runtime;
    let (account, id) = (principal.account_id, path.conversation);
    let by = &principal.name;
    match speak::say(&runtime.db, &runtime.clock, account, id, by, &said.text).await {
        // The message itself is the notice.
        Ok(()) => HttpResponse::NoContent().insert_header(("hx-trigger", "refresh")).finish(),
        Err(SpeakError::NoConversation) => respond::gone(),
        Err(SpeakError::Empty) => {
            respond::cannot(StatusCode::UNPROCESSABLE_ENTITY, "composer.empty")
        }
        Err(SpeakError::Over) => respond::cannot(StatusCode::CONFLICT, "composer.resolved"),
        Err(SpeakError::WindowClosed) => respond::cannot(StatusCode::CONFLICT, "composer.window"),
        Err(SpeakError::Store(error)) => respond::failed(&error),
    }
}

/// Takes the conversation, and opens it.
pub async fn take(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<ConversationPath>,
) -> HttpResponse {
    let runtime = &web.runtime;
    let id = path.conversation;
    match desk::take(&runtime.db, &runtime.clock, principal.account_id, id, &principal.name).await {
        Ok(()) => respond::go(&format!("/conversations/{id}")),
        Err(DeskError::Taken { by }) if by == principal.name => {
            respond::go(&format!("/conversations/{id}"))
        }
        Err(error) => refused(&web, principal.account_id, error).await,
    }
}

/// Keeps the bot silent for a while.
pub async fn pause(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<ConversationPath>,
    asked: web::Form<PauseFor>,
) -> HttpResponse {
    let runtime = &web.runtime;
    let (account, id) = (principal.account_id, path.conversation);
    let minutes = asked.minutes.clamp(1, LONGEST_MINUTES);
    let until = runtime.clock.now() + TimeDelta::minutes(minutes);
    match desk::pause(&runtime.db, &runtime.clock, account, id, until, &principal.name).await {
        Ok(()) => respond::done("conversations.paused"),
        Err(error) => refused(&web, account, error).await,
    }
}

/// Gives the conversation back to the bot.
pub async fn give_back(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<ConversationPath>,
) -> HttpResponse {
    let runtime = &web.runtime;
    let account = principal.account_id;
    match desk::give_back(&runtime.db, &runtime.clock, account, path.conversation).await {
        Ok(()) => respond::done("conversations.returned"),
        Err(error) => refused(&web, account, error).await,
    }
}

/// Ends the conversation.
pub async fn resolve(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<ConversationPath>,
) -> HttpResponse {
    let runtime = &web.runtime;
    let account = principal.account_id;
    match desk::resolve(&runtime.db, &runtime.clock, account, path.conversation).await {
        Ok(()) => respond::done("conversations.resolved"),
        Err(error) => refused(&web, account, error).await,
    }
}

/// Sends a message again that failed or stayed unclear.
pub async fn resend(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<MessagePath>,
) -> HttpResponse {
    let runtime = &web.runtime;
    let (account, at) = (principal.account_id, (path.conversation, path.message));
    let by = &principal.name;
    match undelivered::send_again(&runtime.db, &runtime.clock, account, at, by).await {
        Ok(()) => respond::done("conversations.resent"),
        Err(error) => unattended(&error),
    }
}

/// Leaves it at that.
pub async fn leave(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<MessagePath>,
) -> HttpResponse {
    let runtime = &web.runtime;
    let (account, at) = (principal.account_id, (path.conversation, path.message));
    match undelivered::leave(&runtime.db, &runtime.clock, account, at, &principal.name).await {
        Ok(()) => respond::done("conversations.attended"),
        Err(error) => unattended(&error),
    }
}

fn unattended(error: &AttendError) -> HttpResponse {
    match error {
        AttendError::NoMessage => respond::gone(),
        AttendError::NotNeeded => {
            respond::cannot(StatusCode::CONFLICT, "conversations.nothing_to_do")
        }
        AttendError::WindowClosed => respond::cannot(StatusCode::CONFLICT, "composer.window"),
        AttendError::Store(error) => respond::failed(error),
    }
}

async fn refused(web: &Web, account_id: i64, error: DeskError) -> HttpResponse {
    match error {
        DeskError::NoConversation => respond::gone(),
        DeskError::Over => respond::cannot(StatusCode::CONFLICT, "conversations.over"),
        DeskError::Store(error) => respond::failed(&error),
        DeskError::Taken { by } => match name_of(web, account_id, &by).await {
            Ok(name) => {
                let text = words::filled("handoffs.taken_by", &[("name", &name)]);
                respond::cannot_saying(StatusCode::CONFLICT, &text)
            }
            Err(error) => respond::failed(&error),
        },
    }
}

/// What people call whoever has it.
async fn name_of(web: &Web, account_id: i64, by: &str) -> StoreResult<String> {
    let actors = actors::of_account(&web.runtime.db, account_id).await?;
    Ok(actors.name(by).map_or_else(|| actor(by), str::to_owned))
}
