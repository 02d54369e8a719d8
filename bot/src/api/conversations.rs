//! Conversations: the list, one of them with its messages and turns, and what is done there.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, web};
use chrono::{DateTime, TimeDelta, Utc};
use lembra_agent::domain::access::Permission;
use lembra_agent::domain::conversation::Handler;
use lembra_agent::services::board::conversations::{Asked, ConversationList};
use lembra_agent::services::board::thread::{ConversationDetail, Thread, Window};
use lembra_agent::services::board::turn_record::TurnRecord;
use lembra_agent::services::board::{conversations, thread, turn_record};
use lembra_agent::services::handoff::desk::{self, DeskError};
use lembra_agent::store::board::conversations::{Cursor, Filter, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::auth::OwnConversation;
use super::{failed, not_found, refuse};
use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::conversations::files::{self, NoFile};
use crate::pages::conversations::{ConversationPath, MessagePath, TurnPath};

/// Conversations of one answer, unless asked otherwise and at most.
const PAGE: usize = 50;
const MOST: usize = 100;
/// A year.
const LONGEST_MINUTES: i64 = 525_600;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let (read, write) = (Permission::ConversationsRead, Permission::ConversationsWrite);
    routes
        .api(Method::GET, "/conversations", read, list)
        .about("List conversations, latest message first, or find them by name, telephone or words")
        .query::<ListQuery>()
        .answers::<ConversationList>(200);
    let one = |rest: &str| format!("/conversations/{{conversation}}{rest}");
    routes
        .api(Method::GET, &one(""), read, show)
        .about("How a conversation stands")
        .answers::<ConversationDetail>(200);
    routes
        .api(Method::GET, &one("/messages"), read, messages)
        .about("Messages of a conversation in pages, the latest ones first")
        .query::<PageQuery>()
        .answers::<Thread>(200);
    routes
        .api(Method::GET, &one("/messages/{message}/file"), read, file)
        .about("The file of a message, where it is kept")
        .answers_file("application/octet-stream");
    routes
        .api(Method::GET, &one("/turns/{turn}"), read, turn)
        .about("Everything kept of a turn: its prompt, its calls and what became of the answer")
        .answers::<TurnRecord>(200);
    routes
        .api(Method::POST, &one("/pause"), write, pause)
        .about("Silence the bot for a while")
        .query::<Pause>()
        .answers::<Stands>(200);
    routes
        .api(Method::POST, &one("/resume"), write, resume)
        .about("Give the conversation back to the bot")
        .answers::<Stands>(200);
    routes
        .api(Method::POST, &one("/resolve"), write, resolve)
        .about("End the conversation")
        .answers::<Stands>(200);
}

/// Which conversations are wanted.
#[derive(Debug, Clone, Deserialize, IntoParams)]
pub struct ListQuery {
    /// `open` or `resolved`; both where it is left out.
    state: Option<String>,
    /// `bot` or `human`.
    handler: Option<String>,
    /// Only those that wait for a person.
    waiting: Option<bool>,
    /// Only those of this inbox.
    inbox: Option<i64>,
    /// Only those of this unit.
    unit: Option<i64>,
    /// What triage said of the customer's last message: `proceed`, `crisis`, `frustrated`,
    /// `human-request`, `loop`, `scope-rejection` or `out-of-domain`.
    verdict: Option<String>,
    /// Only those with a message that failed or stayed unclear, and that nobody dealt with.
    undelivered: Option<bool>,
    /// A name, a telephone number in any spelling, or words of messages.
    search: Option<String>,
    /// `next` of the page before.
    before: Option<String>,
    /// 1 to 100.
    limit: Option<usize>,
}

impl ListQuery {
    fn asked(&self) -> Result<Asked, &'static str> {
        let state = match &self.state {
            None => None,
            Some(word) => Some(State::parse(word).ok_or("`state` is open or resolved")?),
        };
        let handler = match &self.handler {
            None => None,
            Some(word) => Some(Handler::parse(word).ok_or("`handler` is bot or human")?),
        };
        let before = match &self.before {
            None => None,
            Some(word) => Some(Cursor::parse(word).ok_or("`before` is no place in the list")?),
        };
        Ok(Asked {
            filter: Filter {
                state,
                handler,
                waiting: self.waiting.unwrap_or_default(),
                inbox_id: self.inbox,
                unit_id: self.unit,
                verdict: self.verdict.clone(),
                undelivered: self.undelivered.unwrap_or_default(),
            },
            search: self.search.clone().unwrap_or_default(),
            before,
            limit: self.limit.unwrap_or(PAGE).clamp(1, MOST),
        })
    }
}

/// Which page of a conversation; the latest messages where all is left out.
#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
pub struct PageQuery {
    /// Messages older than this one.
    before: Option<i64>,
    /// Messages newer than this one.
    after: Option<i64>,
    /// This message with those around it.
    around: Option<i64>,
}

/// For how long the bot is silent.
#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
pub struct Pause {
    /// 1 to 525600; until the conversation is given back where it is left out.
    minutes: Option<i64>,
}

/// What became of a conversation.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Stands {
    pub id: i64,
    /// `paused`, `resumed`, `resolved` or `taken`.
    pub state: &'static str,
    /// Until when the bot is silent, where that is known.
    pub until: Option<DateTime<Utc>>,
}

/// Latest first; `next` is there when more may follow.
pub async fn list(
    principal: Principal,
    web: web::Data<Web>,
    query: web::Query<ListQuery>,
) -> HttpResponse {
    let runtime = &web.runtime;
    let asked = match query.asked() {
        Ok(asked) => asked,
        Err(why) => return refuse(StatusCode::UNPROCESSABLE_ENTITY, why),
    };
    let now = runtime.clock.now();
    match conversations::list(&runtime.db, principal.account_id, &asked, now).await {
        Ok(page) => HttpResponse::Ok().json(page),
        Err(error) => failed(&error),
    }
}

pub async fn show(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<ConversationPath>,
) -> HttpResponse {
    let runtime = &web.runtime;
    let now = runtime.clock.now();
    match thread::detail(&runtime.db, principal.account_id, path.conversation, now).await {
        Ok(Some(detail)) => HttpResponse::Ok().json(detail),
        Ok(None) => not_found(),
        Err(error) => failed(&error),
    }
}

pub async fn messages(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<ConversationPath>,
    query: web::Query<PageQuery>,
) -> HttpResponse {
    let window = match (query.before, query.after, query.around) {
        (None, None, None) => Window::Newest,
        (Some(id), None, None) => Window::Before(id),
        (None, Some(id), None) => Window::After(id),
        (None, None, Some(id)) => Window::Around(id),
        _ => {
            let why = "only one of `before`, `after` and `around` is read at a time";
            return refuse(StatusCode::UNPROCESSABLE_ENTITY, why);
        }
    };
    match thread::read(&web.runtime.db, principal.account_id, path.conversation, window).await {
        Ok(Some(page)) => HttpResponse::Ok().json(page),
        Ok(None) => not_found(),
        Err(error) => failed(&error),
    }
}

pub async fn file(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<MessagePath>,
    request: HttpRequest,
) -> HttpResponse {
    match files::answer(&web, principal.account_id, *path, &request).await {
        Ok(response) => response,
        Err(NoFile::Gone) => not_found(),
        Err(NoFile::Store(error)) => failed(&error),
        Err(NoFile::Files(error)) => {
            tracing::error!(%error, "file not read");
            refuse(StatusCode::SERVICE_UNAVAILABLE, "the store of files does not answer")
        }
    }
}

pub async fn turn(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<TurnPath>,
) -> HttpResponse {
    match turn_record::read(&web.runtime.db, principal.account_id, path.turn).await {
        Ok(Some(turn)) if turn.conversation_id == path.conversation => {
            HttpResponse::Ok().json(turn)
        }
        Ok(_) => not_found(),
        Err(error) => failed(&error),
    }
}

/// Keeps the bot silent: with `?minutes=30`, or until the conversation is given back.
pub async fn pause(
    own: OwnConversation,
    web: web::Data<Web>,
    asked: web::Query<Pause>,
) -> HttpResponse {
    let (db, clock) = (&web.runtime.db, &web.runtime.clock);
    let minutes = asked.minutes;
    if minutes.is_some_and(|minutes| !(1..=LONGEST_MINUTES).contains(&minutes)) {
        return refuse(StatusCode::BAD_REQUEST, "`minutes` is 1 to 525600, or left out");
    }
    let until = minutes.map(|minutes| clock.now() + TimeDelta::minutes(minutes));
    let (account, caller) = (own.account_id, &own.caller);
    let done = match until {
        Some(until) => desk::pause(db, clock, account, own.id, until, caller).await,
        None => match desk::take(db, clock, account, own.id, caller).await {
            // Whoever has it keeps the bot silent already.
            Err(DeskError::Taken { .. }) => Ok(()),
            taken => taken,
        },
    };
    answer(done, Stands { id: own.id, state: "paused", until })
}

/// Gives the conversation back to the bot.
pub async fn resume(own: OwnConversation, web: web::Data<Web>) -> HttpResponse {
    let (db, clock) = (&web.runtime.db, &web.runtime.clock);
    let done = desk::give_back(db, clock, own.account_id, own.id).await;
    answer(done, Stands { id: own.id, state: "resumed", until: None })
}

/// Ends the conversation; what still waits in it is nobody's any more.
pub async fn resolve(own: OwnConversation, web: web::Data<Web>) -> HttpResponse {
    let (db, clock) = (&web.runtime.db, &web.runtime.clock);
    let done = desk::resolve(db, clock, own.account_id, own.id).await;
    answer(done, Stands { id: own.id, state: "resolved", until: None })
}

/// What came of something done at the desk.
pub fn answer(done: Result<(), DeskError>, stands: Stands) -> HttpResponse {
    match done {
        Ok(()) => HttpResponse::Ok().json(stands),
        Err(DeskError::NoConversation) => not_found(),
        Err(error @ (DeskError::Taken { .. } | DeskError::Over)) => {
            refuse(StatusCode::CONFLICT, &error.to_string())
        }
        Err(DeskError::Store(error)) => failed(&error),
    }
}
