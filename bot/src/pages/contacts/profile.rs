//! Who a contact is: names, attributes, marketing.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::services::board::contacts::{self as service, ContactChange, ContactError};
use lembra_agent::store::board::contact::Contact;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{ContactPath, load};
use crate::access::Principal;
use crate::app::Web;
use crate::pages::frame::Frame;
use crate::pages::{filters, respond, words};
use crate::show;

/// What must be typed before a contact is erased.
pub fn erase_word() -> String {
    words::word("contacts.erase_word")
}

#[derive(Template)]
#[template(path = "pages/contact_profile.html", blocks = ["live"])]
struct Profile {
    frame: Frame,
    contact: Contact,
    tab: &'static str,
    erase_word: String,
}

impl Profile {
    /// Attributes as they are typed.
    fn attributes(&self) -> Vec<(&str, String)> {
        let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        self.contact
            .custom_attributes
            .iter()
            .map(|(key, value)| (key.as_str(), shown(value)))
            .collect()
    }
}

pub async fn page(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    path: web::Path<ContactPath>,
) -> HttpResponse {
    match load(&web, path.owner(&principal)).await {
        Ok(contact) => {
            show!(Profile { frame, contact, tab: "profile", erase_word: erase_word() })
        }
        Err(refusal) => refusal,
    }
}

#[derive(Deserialize)]
pub struct Name {
    name: String,
}

#[derive(Deserialize)]
pub struct Attribute {
    key: String,
    #[serde(default)]
    value: String,
}

#[derive(Deserialize)]
pub struct Marketing {
    opt_out: bool,
}

async fn change(
    principal: &Principal,
    web: &Web,
    path: &ContactPath,
    change: ContactChange,
) -> Result<(), HttpResponse> {
    let (db, clock) = (&web.runtime.db, &web.runtime.clock);
    let changed = service::change(db, clock, path.owner(principal), change, &principal.name).await;
    match changed {
        Ok(_) => Ok(()),
        Err(ContactError::NotFound) => Err(respond::gone()),
        Err(ContactError::Refused(refusal)) => {
            let said = words::of("contact_refusal", refusal.code());
            Err(respond::cannot_saying(StatusCode::BAD_REQUEST, &said))
        }
        Err(ContactError::Store(error)) => Err(respond::failed(&error)),
    }
}

/// The page anew: what is typed into stands outside of its changing part.
fn again(path: &ContactPath, changed: Result<(), HttpResponse>) -> HttpResponse {
    match changed {
        Ok(()) => respond::go(&format!("/contacts/{}", path.contact)),
        Err(refusal) => refusal,
    }
}

pub async fn set_name(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<ContactPath>,
    form: web::Form<Name>,
) -> HttpResponse {
    let name = Some(form.into_inner().name);
    let change = change(&principal, &web, &path, ContactChange { name, ..Default::default() });
    again(&path, change.await)
}

pub async fn set_attribute(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<ContactPath>,
    form: web::Form<Attribute>,
) -> HttpResponse {
    let Attribute { key, value } = form.into_inner();
    if value.trim().is_empty() {
        return respond::cannot(StatusCode::BAD_REQUEST, "contact_refusal.empty_value");
    }
    let attributes = Map::from_iter([(key, Value::String(value))]);
    let change =
        change(&principal, &web, &path, ContactChange { attributes, ..Default::default() });
    again(&path, change.await)
}

pub async fn remove_attribute(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<ContactPath>,
    form: web::Form<Attribute>,
) -> HttpResponse {
    let attributes = Map::from_iter([(form.into_inner().key, Value::Null)]);
    let change =
        change(&principal, &web, &path, ContactChange { attributes, ..Default::default() });
    again(&path, change.await)
}

pub async fn set_marketing(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<ContactPath>,
    form: web::Form<Marketing>,
) -> HttpResponse {
    let marketing_opt_out = Some(form.opt_out);
    let change =
        change(&principal, &web, &path, ContactChange { marketing_opt_out, ..Default::default() });
    match change.await {
        Ok(()) if form.opt_out => respond::done("contacts.opted_out"),
        Ok(()) => respond::done("contacts.opted_in"),
        Err(refusal) => refusal,
    }
}
