//! The list of conversations: alone, and beside the one that is open.

use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::services::board::conversations;
use lembra_agent::store::{StoreResult, inboxes, units};
use lembra_entities::{inbox, unit};

use super::asked::ListAsked;
use super::items::Item;
use super::row::RowView;
use super::thread::OpenView;
use crate::access::Principal;
use crate::app::Web;
use crate::pages::frame::Frame;
use crate::pages::{filters, respond};

/// What triage says; each has a word.
const VERDICTS: [&str; 7] = [
    "crisis",
    "frustrated",
    "human-request",
    "loop",
    "scope-rejection",
    "out-of-domain",
    "proceed",
];

/// What the list shows.
pub struct ListView {
    pub asked: ListAsked,
    /// The choices as a query.
    pub query: String,
    pub contacts: Vec<RowView>,
    pub rows: Vec<RowView>,
    pub next: Option<String>,
    pub lines: Vec<inbox::Model>,
    pub units: Vec<unit::Model>,
    pub verdicts: [&'static str; 7],
}

impl ListView {
    /// One page of the list.
    pub async fn load(
        web: &Web,
        account_id: i64,
        asked: &ListAsked,
        frame: &Frame,
    ) -> StoreResult<Self> {
        let db = &web.runtime.db;
        let found = conversations::list(db, account_id, &asked.asked(), frame.now).await?;
        let (query, current) = (asked.query(), asked.current);
        let rows = found.conversations.into_iter();
        let rows = rows.map(|row| RowView::new(row.conversation, row.found, &query, current));
        let contacts = found.contacts.into_iter();
        let contacts = contacts.map(|row| RowView::new(row, None, &query, current));
        Ok(Self {
            rows: rows.collect(),
            contacts: contacts.collect(),
            next: found.next,
            lines: inboxes::of_account(db, account_id).await?,
            units: units::list(db, account_id).await?,
            verdicts: VERDICTS,
            asked: asked.clone(),
            query,
        })
    }

    /// The address of the rows, without a place in the list.
    pub fn rows_query(&self) -> String {
        let current = self.asked.current.map(|id| format!("current={id}"));
        let parts = current.into_iter().chain((!self.query.is_empty()).then(|| self.query.clone()));
        parts.collect::<Vec<_>>().join("&")
    }

    pub fn is_verdict(&self, verdict: &str) -> bool {
        self.asked.verdict == verdict
    }

    /// Whether an id is the one chosen.
    pub fn is_chosen(&self, choice: &str, id: &i64) -> bool {
        choice.parse() == Ok(*id)
    }
}

#[derive(Template)]
#[template(path = "pages/conversations/page.html")]
pub struct Page {
    pub frame: Frame,
    pub list: ListView,
    pub open: Option<OpenView>,
}

impl Page {
    fn topic(&self) -> String {
        match &self.open {
            Some(open) => format!("conversation:{}", open.id),
            None => "conversations".to_owned(),
        }
    }
}

#[derive(Template)]
#[template(path = "pages/conversations/box.html")]
struct ListBox {
    frame: Frame,
    list: ListView,
}

#[derive(Template)]
#[template(path = "pages/conversations/rows.html")]
struct Rows {
    frame: Frame,
    list: ListView,
}

#[derive(Template)]
#[template(path = "pages/conversations/further.html")]
struct Further {
    frame: Frame,
    list: ListView,
}

/// The page of the list, or the list alone for its form.
pub async fn index(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    asked: web::Query<ListAsked>,
) -> HttpResponse {
    match ListView::load(&web, principal.account_id, &asked, &frame).await {
        Ok(list) if frame.part => respond::page(&ListBox { frame, list }),
        Ok(list) => respond::page(&Page { frame, list, open: None }),
        Err(error) => respond::failed(&error),
    }
}

/// The rows anew, or those behind `before`.
pub async fn rows(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    asked: web::Query<ListAsked>,
) -> HttpResponse {
    match ListView::load(&web, principal.account_id, &asked, &frame).await {
        Ok(list) if asked.before.is_empty() => respond::page(&Rows { frame, list }),
        Ok(list) => respond::page(&Further { frame, list }),
        Err(error) => respond::failed(&error),
    }
}
