//! One entry: written, changed in its place in the list, told or not, removed.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::knowledge::edit::{Changes, EditError};
use lembra_agent::services::knowledge::shown::EntryView;
use lembra_agent::store::StoreResult;
use lembra_agent::store::board::actors;
use lembra_agent::store::knowledge::Status;
use serde::Deserialize;

use super::{Asked, Page, Row};
use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::forms::{self, Errors};
use crate::pages::frame::Frame;
use crate::pages::{filters, respond, words};

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let (look, write) = (Permission::KnowledgeRead, Permission::KnowledgeWrite);
    routes.page(Method::POST, "/knowledge", write, add);
    routes.page(Method::GET, "/knowledge/{id}/row", look, row);
    routes.page(Method::GET, "/knowledge/{id}/edit", write, edit);
    routes.page(Method::POST, "/knowledge/{id}", write, save);
    routes.page(Method::POST, "/knowledge/{id}/status", write, set_status);
    routes.page(Method::POST, "/knowledge/{id}/remove", write, remove);
}

/// An entry as typed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct EntryForm {
    pub question: String,
    pub answer: String,
    pub category: String,
}

/// An entry as the list shows it.
#[derive(Template)]
#[template(path = "pages/knowledge_row.html")]
struct Shown {
    frame: Frame,
    row: Row,
}

/// The same while somebody changes it.
#[derive(Template)]
#[template(path = "pages/knowledge_edit.html")]
struct Edited {
    id: i64,
    form: EntryForm,
    categories: Vec<String>,
    errors: Errors,
}

/// What is wrong with the fields, or the answer to what is wrong otherwise.
fn refused(error: &EditError) -> Result<Errors, HttpResponse> {
    match error {
        EditError::NoAccount | EditError::NotFound => Err(respond::gone()),
        EditError::Taken { id } => {
            let id = id.to_string();
            Ok(Errors::one("question", words::filled("refusal.taken", &[("id", &id)])))
        }
        EditError::Refused(why) => {
            Ok(Errors::one(why.field().unwrap_or("question"), words::of("refusal", why.code())))
        }
        EditError::Store(error) => Err(respond::failed(error)),
    }
}

fn category(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !text.is_empty())
}

async fn add(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    form: web::Form<EntryForm>,
) -> HttpResponse {
    let form = form.into_inner();
    let (question, answer) = (&form.question, &form.answer);
    let added = web.runtime.knowledge.add(
        principal.account_id,
        question,
        answer,
        category(&form.category),
        &principal.name,
    );
    let errors = match added.await {
        Ok(_) => Errors::default(),
        Err(error) => match refused(&error) {
            Ok(errors) => errors,
            Err(response) => return response,
        },
    };
    let view = match Page::load(&web, &principal, frame, Asked::default()).await {
        Ok(view) => view,
        Err(error) => return respond::failed(&error),
    };
    // An empty form again, for the next one.
    if errors.is_empty() {
        return forms::shown(&view.as_new());
    }
    respond::refused(&Page { form, errors, ..view }.as_new())
}

async fn find(web: &Web, principal: &Principal, id: i64) -> StoreResult<Option<Row>> {
    let Some(found) = web.runtime.knowledge.find(principal.account_id, id).await? else {
        return Ok(None);
    };
    let known = actors::of_account(&web.runtime.db, principal.account_id).await?;
    Ok(Some(Row::of(EntryView::of(&found), &known)))
}

async fn row(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    id: web::Path<i64>,
) -> HttpResponse {
    match find(&web, &principal, *id).await {
        Ok(Some(row)) => respond::page(&Shown { frame, row }),
        Ok(None) => respond::gone(),
        Err(error) => respond::failed(&error),
    }
}

async fn edit(principal: Principal, web: web::Data<Web>, id: web::Path<i64>) -> HttpResponse {
    let entry = match find(&web, &principal, *id).await {
        Ok(Some(row)) => row.entry,
        Ok(None) => return respond::gone(),
        Err(error) => return respond::failed(&error),
    };
    let form = EntryForm {
        question: entry.question,
        answer: entry.answer,
        category: entry.category.unwrap_or_default(),
    };
    match web.runtime.knowledge.categories(principal.account_id).await {
        Ok(categories) => {
            let errors = Errors::default();
            respond::page(&Edited { id: entry.id, form, categories, errors })
        }
        Err(error) => respond::failed(&error),
    }
}

/// Saves an entry; it takes the place of the form in the list.
async fn save(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    id: web::Path<i64>,
    form: web::Form<EntryForm>,
) -> HttpResponse {
    let form = form.into_inner();
    let changes = Changes {
        question: Some(&form.question),
        answer: Some(&form.answer),
        category: Some(category(&form.category)),
        status: None,
    };
    let (knowledge, account) = (&web.runtime.knowledge, principal.account_id);
    let errors = match knowledge.edit(account, *id, changes, &principal.name).await {
        Ok(_) => return row(principal, frame, web, id).await,
        Err(error) => match refused(&error) {
            Ok(errors) => errors,
            Err(response) => return response,
        },
    };
    match knowledge.categories(account).await {
        Ok(categories) => respond::refused(&Edited { id: *id, form, categories, errors }),
        Err(error) => respond::failed(&error),
    }
}

/// Whether it is told.
#[derive(Deserialize)]
struct Wanted {
    enabled: bool,
}

async fn set_status(
    principal: Principal,
    web: web::Data<Web>,
    id: web::Path<i64>,
    wanted: web::Form<Wanted>,
) -> HttpResponse {
    let status = if wanted.enabled { Status::Enabled } else { Status::Disabled };
    let changes = Changes { status: Some(status), ..Changes::default() };
    let changed =
        web.runtime.knowledge.edit(principal.account_id, *id, changes, &principal.name).await;
    match changed.map_err(|error| refused(&error)) {
        Ok(_) if wanted.enabled => respond::done("knowledge.enabled"),
        Ok(_) => respond::done("knowledge.disabled"),
        Err(Ok(errors)) => respond::cannot_saying(StatusCode::BAD_REQUEST, errors.first()),
        Err(Err(response)) => response,
    }
}

async fn remove(principal: Principal, web: web::Data<Web>, id: web::Path<i64>) -> HttpResponse {
    match web.runtime.knowledge.remove(principal.account_id, *id).await {
        Ok(()) => respond::done("knowledge.removed"),
        Err(error) => match refused(&error) {
            Ok(errors) => respond::cannot_saying(StatusCode::BAD_REQUEST, errors.first()),
            Err(response) => response,
        },
    }
}
