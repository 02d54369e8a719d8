//! Memories: of one contact (list, edit, delete, bring back, forget all, seed 002 §7.5), and of the
//! whole account.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use lembra_agent::domain::access::Permission;
use lembra_agent::domain::memory::MemoryKind;
use lembra_agent::services::board::memory_search::MemorySearchResult;
use lembra_agent::services::memory::edit::EditError;
use lembra_agent::store::accounts;
use lembra_agent::store::board::facts::{self, FactView};
use lembra_agent::store::memories::{Page, Shown};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::auth::{Account, Caller};
use super::memory_query::MemoryFilter;
use super::{failed, not_found, refuse};
use crate::access::Routes;
use crate::app::Web;

/// Memories of one answer, unless asked otherwise and at most.
const PAGE: u64 = 50;
const MOST: u64 = 200;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let (of, one) = ("/contacts/{contact}/memories", "/contacts/{contact}/memories/{id}");
    let (read, write) = (Permission::ContactsRead, Permission::ContactsWrite);
    routes
        .api(Method::GET, "/memories", read, search)
        .about("Find memories of the whole account, by meaning, by words, or by what they are")
        .query::<MemoryFilter>()
        .answers::<MemorySearchResult>(200);
    routes
        .api(Method::GET, of, read, list)
        .about("List a contact's memories, newest first")
        .query::<Filter>()
        .answers::<Memories>(200);
    routes
        .api(Method::DELETE, of, Permission::ContactsErase, forget_all)
        .about("Forget everything about a contact")
        .answers::<Forgotten>(200);
    routes.api(Method::GET, one, read, show).about("A memory").answers::<FactView>(200);
    routes
        .api(Method::PATCH, one, write, edit)
        .about("Change what a memory says; it is embedded and compared again")
        .body::<Edited>()
        .answers::<FactView>(200);
    routes
        .api(Method::DELETE, one, write, delete)
        .about("Forget a memory; it can be brought back for 30 days")
        .answers_nothing();
    routes
        .api(Method::POST, &format!("{one}/restore"), write, restore)
        .about("Bring back a memory within 30 days")
        .answers::<FactView>(200);
}

#[derive(Debug, Deserialize, IntoParams)]
pub struct Filter {
    /// `active` (the default), `history` or `all`.
    status: Option<String>,
    /// One of the nine kinds.
    #[serde(rename = "type")]
    #[param(rename = "type")]
    kind: Option<String>,
    /// Only those with a smaller id: `next` of the answer before.
    before: Option<i64>,
    /// At most 200; 50 when absent.
    limit: Option<u64>,
}

#[derive(Deserialize)]
pub struct MemoryPath {
    id: i64,
}

/// A memory's new content.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Edited {
    /// 1 to 1,000 characters.
    content: String,
}

/// A page of memories.
#[derive(Debug, Serialize, ToSchema)]
pub struct Memories {
    memories: Vec<FactView>,
    /// For `before` of the next page; absent at the end.
    next: Option<i64>,
}

/// What forgetting did.
#[derive(Debug, Serialize, ToSchema)]
pub struct Forgotten {
    /// Memories that were deleted.
    forgotten: u64,
}

fn page(filter: &Filter) -> Result<Page, &'static str> {
    let shown = match filter.status.as_deref() {
        None | Some("active") => Shown::Active,
        Some("history") => Shown::History,
        Some("all") => Shown::All,
        Some(_) => return Err("status must be active, history or all"),
    };
    let kind = match filter.kind.as_deref() {
        None => None,
        Some(name) => Some(MemoryKind::parse(name).ok_or("type must be one of the nine")?),
    };
    let limit = filter.limit.unwrap_or(PAGE).clamp(1, MOST);
    Ok(Page { shown, kind, before: filter.before, limit })
}

/// Facts of the account.
pub async fn search(
    account: Account,
    web: web::Data<Web>,
    filter: web::Query<MemoryFilter>,
) -> HttpResponse {
    let runtime = &web.runtime;
    let zone = match accounts::find(&runtime.db, account.id).await {
        Ok(Some(account)) => accounts::zone(&account),
        Ok(None) => return not_found(),
        Err(error) => return failed(&error),
    };
    let query = match filter.read(zone) {
        Ok(query) => query,
        Err((name, why)) => {
            return refuse(StatusCode::UNPROCESSABLE_ENTITY, &format!("{name} {why}"));
        }
    };
    match runtime.memories.search(account.id, &query).await {
        Ok(found) => HttpResponse::Ok().json(found),
        Err(error) => failed(&error),
    }
}

/// Newest first; `next` is there when more follow.
pub async fn list(caller: Caller, web: web::Data<Web>, filter: web::Query<Filter>) -> HttpResponse {
    let page = match page(&filter) {
        Ok(page) => page,
        Err(why) => return refuse(StatusCode::UNPROCESSABLE_ENTITY, why),
    };
    let (runtime, owner) = (&web.runtime, caller.owner);
    let now = runtime.clock.now();
    let (account, contact) = (owner.account_id, owner.contact_id);
    match facts::of_contact(&runtime.db, account, contact, page, now).await {
        Ok(page) => HttpResponse::Ok().json(Memories { memories: page.facts, next: page.next }),
        Err(error) => failed(&error),
    }
}

pub async fn show(
    caller: Caller,
    web: web::Data<Web>,
    memory: web::Path<MemoryPath>,
) -> HttpResponse {
    answer(&caller, &web, memory.id).await
}

/// A memory as it is now.
async fn answer(caller: &Caller, web: &Web, id: i64) -> HttpResponse {
    let (runtime, owner) = (&web.runtime, caller.owner);
    let now = runtime.clock.now();
    match facts::one(&runtime.db, owner.account_id, owner.contact_id, id, now).await {
        Ok(Some(fact)) => HttpResponse::Ok().json(fact),
        Ok(None) => not_found(),
        Err(error) => failed(&error),
    }
}

pub async fn edit(
    caller: Caller,
    web: web::Data<Web>,
    memory: web::Path<MemoryPath>,
    body: web::Json<Edited>,
) -> HttpResponse {
    let memories = &web.runtime.memories;
    match memories.edit(caller.owner, memory.id, &body.content, &caller.name).await {
        Ok(row) => answer(&caller, &web, row.id).await,
        Err(error) => refused(&error),
    }
}

pub async fn delete(
    caller: Caller,
    web: web::Data<Web>,
    memory: web::Path<MemoryPath>,
) -> HttpResponse {
    match web.runtime.memories.delete(caller.owner, memory.id, &caller.name).await {
        Ok(()) => HttpResponse::NoContent().finish(),
        Err(error) => refused(&error),
    }
}

pub async fn restore(
    caller: Caller,
    web: web::Data<Web>,
    memory: web::Path<MemoryPath>,
) -> HttpResponse {
    match web.runtime.memories.restore(caller.owner, memory.id, &caller.name).await {
        Ok(row) => answer(&caller, &web, row.id).await,
        Err(error) => refused(&error),
    }
}

pub async fn forget_all(caller: Caller, web: web::Data<Web>) -> HttpResponse {
    match web.runtime.memories.forget_all(caller.owner, &caller.name).await {
        Ok(forgotten) => HttpResponse::Ok().json(Forgotten { forgotten }),
        Err(error) => failed(&error),
    }
}

fn refused(error: &EditError) -> HttpResponse {
    match error {
        EditError::NotFound => not_found(),
        EditError::NotRestorable => refuse(StatusCode::CONFLICT, &error.to_string()),
        EditError::Content(_) => refuse(StatusCode::UNPROCESSABLE_ENTITY, &error.to_string()),
        EditError::Store(error) => failed(error),
    }
}
