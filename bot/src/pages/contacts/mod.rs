//! Contacts: the list, and of each what is known, what is remembered, and what was said.

mod conversations;
mod list;
mod memories;
mod profile;
mod rights;

use actix_web::HttpResponse;
use actix_web::http::Method;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::memory::edit::Owner;
use lembra_agent::store::board::contact::{self, Contact};
use serde::Deserialize;

use super::respond;
use crate::access::{Principal, Routes};
use crate::app::Web;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let (read, write) = (Permission::ContactsRead, Permission::ContactsWrite);
    let erase = Permission::ContactsErase;
    let one = "/contacts/{contact}";
    let memory = "/contacts/{contact}/memories/{id}";
    let below = |path: &str, rest: &str| format!("{path}/{rest}");
    routes.page(Method::GET, "/contacts", read, list::page);
    routes.page(Method::GET, one, read, profile::page);
    routes.page(Method::POST, &below(one, "name"), write, profile::set_name);
    routes.page(Method::POST, &below(one, "attributes"), write, profile::set_attribute);
    routes.page(Method::POST, &below(one, "attributes/remove"), write, profile::remove_attribute);
    routes.page(Method::POST, &below(one, "marketing"), write, profile::set_marketing);
    routes.page(Method::GET, &below(one, "conversations"), read, conversations::page);
    routes.page(Method::GET, &below(one, "memories"), read, memories::page);
    routes.page(Method::POST, &below(one, "memories/forget-all"), erase, rights::forget_all);
    routes.page(Method::GET, memory, read, memories::card);
    routes.page(Method::POST, memory, write, memories::edit);
    routes.page(Method::GET, &below(memory, "edit"), write, memories::editor);
    routes.page(Method::POST, &below(memory, "forget"), write, memories::forget);
    routes.page(Method::POST, &below(memory, "restore"), write, memories::restore);
    routes.page(Method::GET, &below(one, "export"), erase, rights::export);
    routes.page(Method::POST, &below(one, "erase"), erase, rights::erase);
}

/// The contact in the path.
#[derive(Deserialize)]
struct ContactPath {
    contact: i64,
}

impl ContactPath {
    fn owner(&self, principal: &Principal) -> Owner {
        Owner { account_id: principal.account_id, contact_id: self.contact }
    }
}

/// The account's contact, or the answer that it has no such one.
async fn load(web: &Web, owner: Owner) -> Result<Contact, HttpResponse> {
    match contact::find(&web.runtime.db, owner.account_id, owner.contact_id).await {
        Ok(Some(contact)) => Ok(contact),
        Ok(None) => Err(respond::gone()),
        Err(error) => Err(respond::failed(&error)),
    }
}
