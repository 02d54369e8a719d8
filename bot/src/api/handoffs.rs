//! The queue of conversations that wait for a person, answering in a person's name, and what is
//! made of answers that did not go out.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::undelivered::{self, AttendError};
use lembra_agent::services::handoff::{desk, speak};
use lembra_agent::store::board::handoffs::QueueRow;
use lembra_agent::store::board::{actors, handoffs};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::auth::OwnConversation;
use super::conversations::{Stands, answer};
use super::{failed, not_found, refuse};
use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::conversations::MessagePath;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let (read, write) = (Permission::ConversationsRead, Permission::ConversationsWrite);
    routes
        .api(Method::GET, "/handoffs", read, list)
        .about("Conversations that wait for a person or were taken, most urgent first")
        .answers::<Handoffs>(200);
    let one = |rest: &str| format!("/conversations/{{conversation}}{rest}");
    routes
        .api(Method::POST, &one("/take"), write, take)
        .about("Take a conversation, from the queue or from the bot")
        .answers::<Stands>(200);
    routes
        .api(Method::POST, &one("/messages"), write, say)
        .about("Answer a customer as a person")
        .body::<Said>()
        .answers::<SaidBy>(202);
    routes
        .api(Method::POST, &one("/messages/{message}/resend"), write, resend)
        .about("Send a message again that failed or stayed unclear")
        .answers_nothing();
    routes
        .api(Method::POST, &one("/messages/{message}/leave"), write, leave)
        .about("Say that a message was not sent, and leave it at that")
        .answers_nothing();
}

/// The queue.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Handoffs {
    pub handoffs: Vec<QueueRow>,
}

/// What the operator says.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct Said {
    /// Sent as it is, in parts where it is too long for one message.
    text: String,
}

/// In whose name it was said.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SaidBy {
    /// The conversation.
    pub id: i64,
    pub said_by: String,
}

/// What waits or is taken, most urgent first.
pub async fn list(principal: Principal, web: web::Data<Web>) -> HttpResponse {
    let (db, account_id) = (&web.runtime.db, principal.account_id);
    let now = web.runtime.clock.now();
    let open = async {
        let actors = actors::of_account(db, account_id).await?;
        handoffs::open(db, account_id, &actors, now).await
    };
    match open.await {
        Ok(handoffs) => HttpResponse::Ok().json(Handoffs { handoffs }),
        Err(error) => failed(&error),
    }
}

/// One takes it; whoever comes second is told who has it (409).
pub async fn take(own: OwnConversation, web: web::Data<Web>) -> HttpResponse {
    let (db, clock) = (&web.runtime.db, &web.runtime.clock);
    let done = desk::take(db, clock, own.account_id, own.id, &own.caller).await;
    answer(done, Stands { id: own.id, state: "taken", until: None })
}

/// Answers the customer as a person of the business, who takes the conversation with it.
pub async fn say(own: OwnConversation, web: web::Data<Web>, said: web::Json<Said>) -> HttpResponse {
    let runtime = &web.runtime;
    let OwnConversation { id, account_id, caller } = own;
    let said = speak::say(&runtime.db, &runtime.clock, account_id, id, &caller, &said.text).await;
    match said {
        Ok(()) => HttpResponse::Accepted().json(SaidBy { id, said_by: caller }),
        Err(speak::SpeakError::NoConversation) => not_found(),
        Err(error @ speak::SpeakError::Empty) => {
            refuse(StatusCode::UNPROCESSABLE_ENTITY, &error.to_string())
        }
        Err(error @ (speak::SpeakError::WindowClosed | speak::SpeakError::Over)) => {
            refuse(StatusCode::CONFLICT, &error.to_string())
        }
        Err(speak::SpeakError::Store(error)) => failed(&error),
    }
}

pub async fn resend(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<MessagePath>,
) -> HttpResponse {
    let (db, clock) = (&web.runtime.db, &web.runtime.clock);
    let at = (path.conversation, path.message);
    attended(undelivered::send_again(db, clock, principal.account_id, at, &principal.name).await)
}

pub async fn leave(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<MessagePath>,
) -> HttpResponse {
    let (db, clock) = (&web.runtime.db, &web.runtime.clock);
    let at = (path.conversation, path.message);
    attended(undelivered::leave(db, clock, principal.account_id, at, &principal.name).await)
}

fn attended(done: Result<(), AttendError>) -> HttpResponse {
    match done {
        Ok(()) => HttpResponse::NoContent().finish(),
        Err(AttendError::NoMessage) => not_found(),
        Err(error @ (AttendError::NotNeeded | AttendError::WindowClosed)) => {
            refuse(StatusCode::CONFLICT, &error.to_string())
        }
        Err(AttendError::Store(error)) => failed(&error),
    }
}
