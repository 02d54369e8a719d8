//! The tab Memória (seed 002 §7.5): what is remembered of a contact, what was, and changing it.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::memory::MemoryKind;
use lembra_agent::domain::memory::kind::KINDS;
use lembra_agent::services::memory::edit::EditError;
use lembra_agent::store::board::contact::Contact;
use lembra_agent::store::board::facts::{self, FactView};
use lembra_agent::store::memories::{Page, Shown};
use serde::Deserialize;

use super::rights::forget_word;
use super::{ContactPath, load};
use crate::access::Principal;
use crate::app::Web;
use crate::pages::frame::Frame;
use crate::pages::{filters, respond, words};
use crate::show;

/// Memories of one page.
const PAGE: u64 = 50;

#[derive(Deserialize)]
pub struct Filter {
    #[serde(default)]
    status: String,
    #[serde(default, rename = "type")]
    kind: String,
    before: Option<i64>,
}

#[derive(Template)]
#[template(path = "pages/contact_memories.html", blocks = ["live"])]
struct Memories {
    frame: Frame,
    contact: Contact,
    tab: &'static str,
    history: bool,
    kind: &'static str,
    facts: Vec<FactView>,
    next: Option<i64>,
    forget_word: String,
    /// Nothing is edited in a list that was just made.
    editing: Option<Editing>,
}

impl Memories {
    fn kinds(&self) -> impl Iterator<Item = &'static str> {
        KINDS.iter().map(|rule| rule.name)
    }
}

/// What is typed over a memory, and what was wrong with it.
struct Editing {
    content: String,
    error: Option<String>,
}

/// One memory in the list, as it is shown or edited.
#[derive(Template)]
#[template(path = "pages/memory_card.html")]
struct Card {
    frame: Frame,
    fact: FactView,
    editing: Option<Editing>,
}

pub async fn page(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    path: web::Path<ContactPath>,
    filter: web::Query<Filter>,
) -> HttpResponse {
    let owner = path.owner(&principal);
    let contact = match load(&web, owner).await {
        Ok(contact) => contact,
        Err(refusal) => return refusal,
    };
    let history = filter.status == "history";
    let kind = MemoryKind::parse(&filter.kind);
    let shown = if history { Shown::History } else { Shown::Active };
    let page = Page { shown, kind, before: filter.before, limit: PAGE };
    let (db, now) = (&web.runtime.db, web.runtime.clock.now());
    match facts::of_contact(db, owner.account_id, owner.contact_id, page, now).await {
        Ok(page) => show!(Memories {
            frame,
            contact,
            tab: "memories",
            history,
            kind: kind.map_or("", MemoryKind::as_str),
            facts: page.facts,
            next: page.next,
            forget_word: forget_word(),
            editing: None,
        }),
        Err(error) => respond::failed(&error),
    }
}

/// A memory of a contact, in the path.
#[derive(Deserialize)]
pub struct MemoryPath {
    contact: i64,
    id: i64,
}

impl MemoryPath {
    fn contact(&self) -> ContactPath {
        ContactPath { contact: self.contact }
    }
}

async fn fact(
    principal: &Principal,
    web: &Web,
    path: &MemoryPath,
) -> Result<FactView, HttpResponse> {
    let (db, now) = (&web.runtime.db, web.runtime.clock.now());
    match facts::one(db, principal.account_id, path.contact, path.id, now).await {
        Ok(Some(fact)) => Ok(fact),
        Ok(None) => Err(respond::gone()),
        Err(error) => Err(respond::failed(&error)),
    }
}

/// The memory as it is: what an editor that is closed makes place for.
pub async fn card(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    path: web::Path<MemoryPath>,
) -> HttpResponse {
    match fact(&principal, &web, &path).await {
        Ok(fact) => respond::page(&Card { frame, fact, editing: None }),
        Err(refusal) => refusal,
    }
}

/// The memory with its content to be typed over.
pub async fn editor(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    path: web::Path<MemoryPath>,
) -> HttpResponse {
    match fact(&principal, &web, &path).await {
        Ok(fact) if fact.status == "active" => {
            let editing = Some(Editing { content: fact.content.clone(), error: None });
            respond::page(&Card { frame, fact, editing })
        }
        Ok(_) => respond::cannot(StatusCode::CONFLICT, "memory.not_active"),
        Err(refusal) => refusal,
    }
}

#[derive(Deserialize)]
pub struct Edited {
    content: String,
}

/// Writes it, and shows the memory again, or what was wrong.
pub async fn edit(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    path: web::Path<MemoryPath>,
    form: web::Form<Edited>,
) -> HttpResponse {
    let owner = path.contact().owner(&principal);
    let content = form.into_inner().content;
    let edited = web.runtime.memories.edit(owner, path.id, &content, &principal.name).await;
    let error = match edited {
        Ok(_) => None,
        Err(EditError::Content(why)) => Some(words::of("memory_refusal", why.as_str())),
        Err(error) => return unable(&error),
    };
    let fact = match fact(&principal, &web, &path).await {
        Ok(fact) => fact,
        Err(refusal) => return refusal,
    };
    match error {
        None => {
            let shown = respond::page(&Card { frame, fact, editing: None });
            with_notice_of(&respond::done("memory.edited"), shown)
        }
        error => {
            let editing = Some(Editing { content, error });
            respond::refused(&Card { frame, fact, editing })
        }
    }
}

/// A part of the page with the notice that another answer has.
fn with_notice_of(notice: &HttpResponse, mut part: HttpResponse) -> HttpResponse {
    for (name, value) in notice.headers() {
        if name == "hx-trigger" {
            part.headers_mut().insert(name.clone(), value.clone());
        }
    }
    part
}

pub async fn forget(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<MemoryPath>,
) -> HttpResponse {
    let owner = path.contact().owner(&principal);
    match web.runtime.memories.delete(owner, path.id, &principal.name).await {
        Ok(()) => respond::done("memory.forgotten"),
        Err(error) => unable(&error),
    }
}

pub async fn restore(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<MemoryPath>,
) -> HttpResponse {
    let owner = path.contact().owner(&principal);
    match web.runtime.memories.restore(owner, path.id, &principal.name).await {
        Ok(_) => respond::done("memory.restored"),
        Err(error) => unable(&error),
    }
}

fn unable(error: &EditError) -> HttpResponse {
    match error {
        EditError::NotFound => respond::gone(),
        EditError::NotRestorable => respond::cannot(StatusCode::CONFLICT, "memory.not_restorable"),
        EditError::Content(why) => {
            let said = words::of("memory_refusal", why.as_str());
            respond::cannot_saying(StatusCode::BAD_REQUEST, &said)
        }
        EditError::Store(error) => respond::failed(error),
    }
}
