//! Contacts: finding them, what is kept of them, and their rights over it (LGPD art. 18).

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use lembra_agent::domain::access::Permission;
use lembra_agent::domain::contact_search::Wanted;
use lembra_agent::services::board::contacts::{self as service, ContactChange, ContactError};
use lembra_agent::store::board::contact::{self, Contact, ContactConversation};
use lembra_agent::store::board::contacts::{self, ContactPage};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use super::auth::{Account, Caller};
use super::{failed, not_found, refuse};
use crate::access::Routes;
use crate::app::Web;

/// Rows of one answer, unless asked otherwise and at most.
const PAGE: usize = 50;
const MOST: usize = 100;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let (read, write) = (Permission::ContactsRead, Permission::ContactsWrite);
    let erase_all = Permission::ContactsErase;
    let one = "/contacts/{contact}";
    routes
        .api(Method::GET, "/contacts", read, list)
        .about("List contacts, newest first, or find them by name or telephone")
        .query::<Find>()
        .answers::<ContactPage>(200);
    routes.api(Method::GET, one, read, show).about("A contact").answers::<Contact>(200);
    routes
        .api(Method::PATCH, one, write, change)
        .about("Change name, attributes, or whether they want marketing")
        .body::<ContactPatch>()
        .answers::<Contact>(200);
    routes
        .api(Method::GET, "/contacts/{contact}/conversations", read, conversations)
        .about("List a contact's conversations, latest first")
        .query::<Paging>()
        .answers::<ContactConversations>(200);
    routes
        .api(Method::GET, "/contacts/{contact}/export", erase_all, export)
        .about("Everything that is kept of a contact (LGPD)")
        .answers_file("application/json");
    routes
        .api(Method::DELETE, one, erase_all, erase)
        .about("Erase a contact with all messages and memories, at once and for good (LGPD)")
        .answers_nothing();
}

/// What is looked for.
#[derive(Debug, Deserialize, IntoParams)]
pub struct Find {
    /// Parts of a name, or a telephone in any Brazilian spelling, also its end.
    q: Option<String>,
    /// Only contacts with a smaller id: `next` of the answer before.
    before: Option<i64>,
    /// At most 100; 50 when absent.
    limit: Option<usize>,
}

/// A page of a list.
#[derive(Debug, Deserialize, IntoParams)]
pub struct Paging {
    /// Only those with a smaller id: `next` of the answer before.
    before: Option<i64>,
    /// At most 100; 50 when absent.
    limit: Option<usize>,
}

/// What is to be changed; what is absent stays.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ContactPatch {
    /// An empty one takes the name away.
    name: Option<String>,
    /// Keys with new values: text, number, true or false. Null takes a key away, and keys that are
    /// not named stay.
    #[schema(value_type = Option<Object>)]
    custom_attributes: Option<Map<String, Value>>,
    marketing_opt_out: Option<bool>,
}

/// A page of a contact's conversations.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContactConversations {
    conversations: Vec<ContactConversation>,
    /// For `before` of the next page; absent at the end.
    next: Option<i64>,
}

pub async fn list(account: Account, web: web::Data<Web>, find: web::Query<Find>) -> HttpResponse {
    let wanted = Wanted::read(find.q.as_deref().unwrap_or_default());
    let limit = find.limit.unwrap_or(PAGE).clamp(1, MOST);
    match contacts::list(&web.runtime.db, account.id, &wanted, find.before, limit).await {
        Ok(page) => HttpResponse::Ok().json(page),
        Err(error) => failed(&error),
    }
}

pub async fn show(caller: Caller, web: web::Data<Web>) -> HttpResponse {
    let owner = caller.owner;
    match contact::find(&web.runtime.db, owner.account_id, owner.contact_id).await {
        Ok(Some(contact)) => HttpResponse::Ok().json(contact),
        Ok(None) => not_found(),
        Err(error) => failed(&error),
    }
}

pub async fn change(
    caller: Caller,
    web: web::Data<Web>,
    body: web::Json<ContactPatch>,
) -> HttpResponse {
    let body = body.into_inner();
    let change = ContactChange {
        name: body.name,
        attributes: body.custom_attributes.unwrap_or_default(),
        marketing_opt_out: body.marketing_opt_out,
    };
    let (db, clock) = (&web.runtime.db, &web.runtime.clock);
    match service::change(db, clock, caller.owner, change, &caller.name).await {
        Ok(contact) => HttpResponse::Ok().json(contact),
        Err(ContactError::NotFound) => not_found(),
        Err(error @ ContactError::Refused(_)) => {
            refuse(StatusCode::UNPROCESSABLE_ENTITY, &error.to_string())
        }
        Err(ContactError::Store(error)) => failed(&error),
    }
}

pub async fn conversations(
    caller: Caller,
    web: web::Data<Web>,
    page: web::Query<Paging>,
) -> HttpResponse {
    let owner = caller.owner;
    let limit = page.limit.unwrap_or(PAGE).clamp(1, MOST);
    let (account, contact, more) = (owner.account_id, owner.contact_id, limit as u64 + 1);
    match contact::conversations(&web.runtime.db, account, contact, page.before, more).await {
        Ok(mut conversations) => {
            let next = conversations.get(limit - 1).map(|row| row.id);
            let next = next.filter(|_| conversations.len() > limit);
            conversations.truncate(limit);
            HttpResponse::Ok().json(ContactConversations { conversations, next })
        }
        Err(error) => failed(&error),
    }
}

/// Everything about the contact, as JSON.
pub async fn export(caller: Caller, web: web::Data<Web>) -> HttpResponse {
    match web.runtime.memories.export(caller.owner).await {
        Ok(Some(copy)) => {
            let contact = caller.owner.contact_id;
            tracing::info!(contact.id = contact, by = caller.name, "contact's data given out");
            HttpResponse::Ok().json(copy)
        }
        Ok(None) => not_found(),
        Err(error) => failed(&error),
    }
}

/// Deletes the contact with all that belongs to them, at once and for good.
pub async fn erase(caller: Caller, web: web::Data<Web>) -> HttpResponse {
    if let Err(error) = web.runtime.media.remove_of_contact(caller.owner.contact_id).await {
        tracing::error!(%error, "files of a contact not deleted");
        return refuse(StatusCode::SERVICE_UNAVAILABLE, "the contact's files are not deleted yet");
    }
    match web.runtime.memories.erase(caller.owner).await {
        Ok(true) => {
            let contact = caller.owner.contact_id;
            tracing::info!(contact.id = contact, by = caller.name, "contact erased by hand");
            HttpResponse::NoContent().finish()
        }
        Ok(false) => not_found(),
        Err(error) => failed(&error),
    }
}
