//! A contact's memories: list, edit, delete, bring back, forget all (seed 002 §7.5).

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use lembra_agent::domain::memory::MemoryKind;
use lembra_agent::services::memory::edit::EditError;
use lembra_agent::store::memories::{self, Page, Shown};
use lembra_agent::store::memory_subject::memory_json;
use serde::Deserialize;
use serde_json::json;

use super::auth::Caller;
use super::{failed, not_found, refuse};
use crate::app::Web;

/// Memories of one answer, unless asked otherwise and at most.
const PAGE: u64 = 50;
const MOST: u64 = 200;

#[derive(Deserialize)]
pub struct Filter {
    /// `active` (the default), `history` or `all`.
    status: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    /// Only those with a smaller id: `next` of the answer before.
    before: Option<i64>,
    limit: Option<u64>,
}

#[derive(Deserialize)]
pub struct MemoryPath {
    id: i64,
}

#[derive(Deserialize)]
pub struct Edited {
    content: String,
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

/// Newest first; `next` is there when more may follow.
pub async fn list(caller: Caller, web: web::Data<Web>, filter: web::Query<Filter>) -> HttpResponse {
    let page = match page(&filter) {
        Ok(page) => page,
        Err(why) => return refuse(StatusCode::UNPROCESSABLE_ENTITY, why),
    };
    let (runtime, owner) = (&web.runtime, caller.owner);
    let now = runtime.clock.now();
    let rows = memories::list(&runtime.db, owner.account_id, owner.contact_id, page, now).await;
    match rows {
        Ok(rows) => {
            let full = rows.len() as u64 == page.limit;
            let next = rows.last().filter(|_| full).map(|row| row.id);
            let rows: Vec<_> = rows.iter().map(memory_json).collect();
            HttpResponse::Ok().json(json!({ "memories": rows, "next": next }))
        }
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
        Ok(row) => HttpResponse::Ok().json(memory_json(&row)),
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
        Ok(row) => HttpResponse::Ok().json(memory_json(&row)),
        Err(error) => refused(&error),
    }
}

pub async fn forget_all(caller: Caller, web: web::Data<Web>) -> HttpResponse {
    match web.runtime.memories.forget_all(caller.owner, &caller.name).await {
        Ok(facts) => HttpResponse::Ok().json(json!({ "forgotten": facts })),
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
