//! What was said with a contact: their conversations.

use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::store::board::contact::{self, Contact, ContactConversation};
use serde::Deserialize;

use super::{ContactPath, load};
use crate::access::Principal;
use crate::app::Web;
use crate::pages::frame::Frame;
use crate::pages::{filters, respond};
use crate::show;

/// Conversations of one page.
const PAGE: usize = 30;

#[derive(Deserialize)]
pub struct Paging {
    before: Option<i64>,
}

#[derive(Template)]
#[template(path = "pages/contact_conversations.html", blocks = ["live"])]
struct Conversations {
    frame: Frame,
    contact: Contact,
    tab: &'static str,
    rows: Vec<ContactConversation>,
    next: Option<i64>,
}

pub async fn page(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    path: web::Path<ContactPath>,
    paging: web::Query<Paging>,
) -> HttpResponse {
    let owner = path.owner(&principal);
    let contact = match load(&web, owner).await {
        Ok(contact) => contact,
        Err(refusal) => return refusal,
    };
    let (db, more) = (&web.runtime.db, PAGE as u64 + 1);
    let rows =
        contact::conversations(db, owner.account_id, owner.contact_id, paging.before, more).await;
    match rows {
        Ok(mut rows) => {
            let has_more = rows.len() > PAGE;
            rows.truncate(PAGE);
            let next = rows.last().filter(|_| has_more).map(|row| row.id);
            show!(Conversations { frame, contact, tab: "conversations", rows, next })
        }
        Err(error) => respond::failed(&error),
    }
}
