//! The list of contacts, and finding one.

use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::contact_search::Wanted;
use lembra_agent::store::board::contacts::{self, ContactRow};
use serde::Deserialize;

use crate::access::Principal;
use crate::app::Web;
use crate::pages::frame::Frame;
use crate::pages::{filters, respond};
use crate::show;

/// Contacts of one page.
const PAGE: usize = 50;

#[derive(Deserialize)]
pub struct Find {
    #[serde(default)]
    q: String,
    before: Option<i64>,
}

#[derive(Template)]
#[template(path = "pages/contacts.html", blocks = ["live"])]
struct Contacts {
    frame: Frame,
    q: String,
    rows: Vec<ContactRow>,
    /// The address of the next page.
    next: Option<String>,
}

pub async fn page(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    find: web::Query<Find>,
) -> HttpResponse {
    let find = find.into_inner();
    let wanted = Wanted::read(&find.q);
    let db = &web.runtime.db;
    match contacts::list(db, principal.account_id, &wanted, find.before, PAGE).await {
        Ok(page) => {
            let next = page.next.map(|before| {
                let mut query = url::form_urlencoded::Serializer::new(String::new());
                query.append_pair("q", &find.q).append_pair("before", &before.to_string());
                format!("/contacts?{}", query.finish())
            });
            show!(Contacts { frame, q: find.q, rows: page.contacts, next })
        }
        Err(error) => respond::failed(&error),
    }
}
