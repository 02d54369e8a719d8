//! One conversation: its messages, its head and what is known beside it.

use actix_web::{HttpResponse, web};
use askama::Template;
use chrono::{DateTime, Utc};
use lembra_agent::services::board::thread::{self, ConversationDetail, Window};
use lembra_agent::store::StoreResult;
use lembra_agent::store::board::conversation_rows::OpenHandoff;
use serde::Deserialize;

use super::ConversationPath;
use super::asked::ListAsked;
use super::items::{self, Item};
use super::list::{ListView, Page};
use super::row;
use crate::access::Principal;
use crate::app::Web;
use crate::pages::frame::Frame;
use crate::pages::{filters, respond, words};

/// The conversation that is open.
pub struct OpenView {
    pub id: i64,
    pub detail: ConversationDetail,
    pub items: Vec<Item>,
    /// Messages before this one are on another page.
    pub older: Option<i64>,
    /// The first message of the page, from which it is asked for anew.
    pub first: i64,
    /// What is shown ends with the last message, and is kept up with.
    pub is_live: bool,
    /// The message that was looked for.
    pub target: Option<i64>,
    /// `operator:3`: what they took is theirs.
    pub me: String,
    /// Choices of the list, which links keep.
    pub query: String,
}

impl OpenView {
    async fn load(
        web: &Web,
        principal: &Principal,
        id: i64,
        window: Window,
        frame: &Frame,
    ) -> StoreResult<Option<Self>> {
        let (db, account_id) = (&web.runtime.db, principal.account_id);
        let Some(detail) = thread::detail(db, account_id, id, frame.now).await? else {
            return Ok(None);
        };
        let Some(thread) = thread::read(db, account_id, id, window).await? else {
            return Ok(None);
        };
        let first = thread.messages.first().map_or(0, |message| message.id);
        let older = thread.older;
        let is_live = thread.newer.is_none();
        let resolved_at = detail.conversation.resolved_at;
        let resolved_at = resolved_at.filter(|_| detail.conversation.state == "resolved");
        Ok(Some(Self {
            id,
            items: items::of(thread, resolved_at, frame.timezone),
            older,
            first,
            is_live,
            target: None,
            me: principal.name.clone(),
            query: String::new(),
            detail,
        }))
    }

    pub fn name(&self) -> String {
        row::name(&self.detail.conversation)
    }

    pub fn initials(&self) -> String {
        row::initials(self.detail.conversation.contact_name.as_deref().unwrap_or_default())
    }

    pub fn is_open(&self) -> bool {
        self.detail.conversation.state == "open"
    }

    pub fn waiting(&self) -> Option<&OpenHandoff> {
        let handoff = self.detail.conversation.handoff.as_ref();
        handoff.filter(|handoff| handoff.state == "waiting")
    }

    pub fn taken(&self) -> Option<&OpenHandoff> {
        let handoff = self.detail.conversation.handoff.as_ref();
        handoff.filter(|handoff| handoff.state == "taken")
    }

    /// Whether whoever reads has it.
    pub fn is_mine(&self) -> bool {
        self.taken().is_some_and(|handoff| handoff.taken_by.as_deref() == Some(self.me.as_str()))
    }

    pub fn holder(&self) -> String {
        self.taken().map(row::holder).unwrap_or_default()
    }

    pub fn waited(&self, now: &DateTime<Utc>) -> String {
        let handoff = self.detail.conversation.handoff.as_ref();
        handoff.map(|handoff| row::waited(handoff, *now)).unwrap_or_default()
    }

    /// Whether a person may take it: it waits, or the bot has it.
    pub fn may_take(&self) -> bool {
        self.is_open() && self.taken().is_none()
    }

    /// Whether it can be given back to the bot.
    pub fn may_return(&self) -> bool {
        let conversation = &self.detail.conversation;
        self.is_open() && (conversation.handler == "human" || conversation.paused_until.is_some())
    }

    /// Why nothing can be written now.
    pub fn closed(&self) -> Option<String> {
        let why = match (self.is_open(), self.detail.window_open_until) {
            (_, None) => "window",
            (false, _) => "resolved",
            (true, Some(_)) => return None,
        };
        Some(words::of("composer", why))
    }

    /// What the ad says that the customer came from.
    pub fn headline(&self) -> Option<&str> {
        self.detail.referral.as_ref()?.get("headline")?.as_str()
    }

    /// What follows the address of a page that keeps the list as it is.
    pub fn suffix(&self) -> String {
        if self.query.is_empty() { String::new() } else { format!("?{}", self.query) }
    }
}

/// A message that is looked for, beside the choices of the list.
#[derive(Debug, Clone, Deserialize)]
pub struct Sought {
    message: Option<i64>,
}

/// The page of a conversation.
pub async fn show(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    path: web::Path<ConversationPath>,
    asked: web::Query<ListAsked>,
    sought: web::Query<Sought>,
) -> HttpResponse {
    let window = sought.message.map_or(Window::Newest, Window::Around);
    let open = OpenView::load(&web, &principal, path.conversation, window, &frame).await;
    let mut open = match open {
        Ok(Some(open)) => open,
        Ok(None) => return respond::gone(),
        Err(error) => return respond::failed(&error),
    };
    let asked = ListAsked { current: Some(open.id), ..asked.into_inner() };
    match ListView::load(&web, principal.account_id, &asked, &frame).await {
        Ok(list) => {
            open.query.clone_from(&list.query);
            open.target = sought.message;
            respond::page(&Page { frame, list, open: Some(open) })
        }
        Err(error) => respond::failed(&error),
    }
}

/// Which messages are asked for.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct From {
    first: i64,
}

#[derive(Template)]
#[template(path = "pages/conversations/live.html")]
struct Live {
    frame: Frame,
    open: OpenView,
}

/// The messages since `first` anew, with head, composer and details.
pub async fn live(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    path: web::Path<ConversationPath>,
    from: web::Query<From>,
    asked: web::Query<ListAsked>,
) -> HttpResponse {
    let window = Window::Since(from.first);
    match OpenView::load(&web, &principal, path.conversation, window, &frame).await {
        Ok(Some(mut open)) => {
            open.query = asked.query();
            respond::page(&Live { frame, open })
        }
        Ok(None) => respond::gone(),
        Err(error) => respond::failed(&error),
    }
}

/// Where older messages are asked for.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Before {
    before: i64,
}

#[derive(Template)]
#[template(path = "pages/conversations/older.html")]
struct Older {
    frame: Frame,
    open: OpenView,
}

/// A page of older messages.
pub async fn older(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    path: web::Path<ConversationPath>,
    asked: web::Query<Before>,
) -> HttpResponse {
    let window = Window::Before(asked.before);
    match OpenView::load(&web, &principal, path.conversation, window, &frame).await {
        Ok(Some(open)) => respond::page(&Older { frame, open }),
        Ok(None) => respond::gone(),
        Err(error) => respond::failed(&error),
    }
}
