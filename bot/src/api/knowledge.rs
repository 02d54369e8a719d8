//! An account's knowledge entries: list, write, change, remove, import, search.

use actix_web::http::header::CONTENT_TYPE;
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, web};
use lembra_agent::domain::access::Permission;
use lembra_agent::domain::knowledge::{Format, Refusal};
use lembra_agent::services::knowledge::edit::{Changes, EditError, Filter};
use lembra_agent::services::knowledge::import::{File, ImportError, MOST_BYTES};
use lembra_agent::services::knowledge::shown::{EntryView, HitView, ImportView};
use lembra_agent::services::memory::metering::Payer;
use lembra_agent::store::knowledge::Status;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};

use super::auth::Account;
use super::{failed, not_found, refuse, refuse_fields};
use crate::access::Routes;
use crate::app::Web;

/// Entries of one answer, unless asked otherwise and at most.
const PAGE: u64 = 50;
const MOST: u64 = 200;
/// Hits of a search, likewise.
const HITS: usize = 5;
const MOST_HITS: usize = 50;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let (look, write) = (Permission::KnowledgeRead, Permission::KnowledgeWrite);
    routes
        .api(Method::GET, "/knowledge", look, list)
        .about("List knowledge entries, newest first")
        .query::<Listed>()
        .answers::<EntryList>(200);
    routes
        .api(Method::POST, "/knowledge", write, create)
        .about("Write an entry")
        .body::<New>()
        .answers::<EntryView>(201);
    routes
        .api(Method::POST, "/knowledge/import", write, import)
        .about("Import entries from a CSV or Markdown file")
        .query::<Imported>()
        .file("text/csv")
        .answers::<ImportView>(200);
    routes
        .api(Method::GET, "/knowledge/categories", look, categories)
        .about("The categories that entries have")
        .answers::<CategoryList>(200);
    routes
        .api(Method::POST, "/knowledge/search", look, search)
        .about("What the assistant would find")
        .body::<Searched>()
        .answers::<HitList>(200);
    routes
        .api(Method::GET, "/knowledge/{id}", look, show)
        .about("An entry")
        .answers::<EntryView>(200);
    routes
        .api(Method::PATCH, "/knowledge/{id}", write, edit)
        .about("Change an entry")
        .body::<Edited>()
        .answers::<EntryView>(200);
    routes
        .api(Method::DELETE, "/knowledge/{id}", write, remove)
        .about("Remove an entry")
        .answers_nothing();
}

#[derive(Deserialize)]
pub struct EntryPath {
    id: i64,
}

#[derive(Deserialize, IntoParams)]
pub struct Listed {
    /// `enabled`, `disabled` or `all` (the default).
    status: Option<String>,
    /// With the categories below it.
    category: Option<String>,
    /// A part of question or answer.
    search: Option<String>,
    /// Only those with a smaller id: `next` of the answer before.
    before: Option<i64>,
    limit: Option<u64>,
}

/// An entry to be written.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewEntry)]
pub struct New {
    question: String,
    answer: String,
    category: Option<String>,
}

/// What an entry is to be; what is left out stays.
#[derive(Deserialize, ToSchema)]
#[schema(as = EntryChange)]
pub struct Edited {
    question: Option<String>,
    answer: Option<String>,
    /// `null` takes it away; left out, it stays.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    category: Option<Option<String>>,
    /// `enabled` or `disabled`.
    status: Option<String>,
}

/// A field that is there, also when it is null.
fn given<'de, D: Deserializer<'de>>(field: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(field).map(Some)
}

#[derive(Deserialize, IntoParams)]
pub struct Imported {
    /// The file's name: its ending tells the format, and it is kept as the entries' source.
    name: Option<String>,
    /// `csv` or `markdown`; by the name, the content type or the look where it is left out.
    format: Option<String>,
}

/// What a customer might ask.
#[derive(Deserialize, ToSchema)]
#[schema(as = KnowledgeSearch)]
pub struct Searched {
    text: String,
    /// 5 when it is left out, at most 50.
    limit: Option<usize>,
}

/// A page of entries.
#[derive(Serialize, ToSchema)]
struct EntryList {
    entries: Vec<EntryView>,
    /// For `before`; there when more may follow.
    next: Option<i64>,
}

/// What was found, best first.
#[derive(Serialize, ToSchema)]
struct HitList {
    hits: Vec<HitView>,
}

#[derive(Serialize, ToSchema)]
struct CategoryList {
    categories: Vec<String>,
}

fn unprocessable(why: &str) -> HttpResponse {
    refuse(StatusCode::UNPROCESSABLE_ENTITY, why)
}

/// Newest first; `next` is there when more may follow.
pub async fn list(
    account: Account,
    web: web::Data<Web>,
    asked: web::Query<Listed>,
) -> HttpResponse {
    let status = match asked.status.as_deref() {
        None | Some("all") => None,
        Some(name) => match Status::parse(name) {
            Some(status) => Some(status),
            None => return unprocessable("status must be enabled, disabled or all"),
        },
    };
    let limit = asked.limit.unwrap_or(PAGE).clamp(1, MOST);
    let filter = Filter {
        status,
        category: asked.category.as_deref(),
        search: asked.search.as_deref(),
        before: asked.before,
        limit,
    };
    match web.runtime.knowledge.list(account.id, &filter).await {
        Ok(rows) => {
            let full = rows.len() as u64 == limit;
            let next = rows.last().filter(|_| full).map(|row| row.id);
            let entries = rows.iter().map(EntryView::of).collect();
            HttpResponse::Ok().json(EntryList { entries, next })
        }
        Err(error) => failed(&error),
    }
}

pub async fn create(account: Account, web: web::Data<Web>, body: web::Json<New>) -> HttpResponse {
    let (question, answer, category) = (&body.question, &body.answer, body.category.as_deref());
    let added =
        web.runtime.knowledge.add(account.id, question, answer, category, &account.caller).await;
    match added {
        Ok(row) => HttpResponse::Created().json(EntryView::of(&row)),
        Err(error) => refused(&error),
    }
}

pub async fn show(
    account: Account,
    web: web::Data<Web>,
    path: web::Path<EntryPath>,
) -> HttpResponse {
    match web.runtime.knowledge.find(account.id, path.id).await {
        Ok(Some(row)) => HttpResponse::Ok().json(EntryView::of(&row)),
        Ok(None) => not_found(),
        Err(error) => failed(&error),
    }
}

pub async fn edit(
    account: Account,
    web: web::Data<Web>,
    path: web::Path<EntryPath>,
    body: web::Json<Edited>,
) -> HttpResponse {
    let status = match body.status.as_deref().map(Status::parse) {
        Some(None) => return unprocessable("status must be enabled or disabled"),
        Some(status) => status,
        None => None,
    };
    let changes = Changes {
        question: body.question.as_deref(),
        answer: body.answer.as_deref(),
        category: body.category.as_ref().map(|category| category.as_deref()),
        status,
    };
    match web.runtime.knowledge.edit(account.id, path.id, changes, &account.caller).await {
        Ok(row) => HttpResponse::Ok().json(EntryView::of(&row)),
        Err(error) => refused(&error),
    }
}

pub async fn remove(
    account: Account,
    web: web::Data<Web>,
    path: web::Path<EntryPath>,
) -> HttpResponse {
    match web.runtime.knowledge.remove(account.id, path.id).await {
        Ok(()) => HttpResponse::NoContent().finish(),
        Err(error) => refused(&error),
    }
}

/// The body is the file itself.
pub async fn import(
    account: Account,
    web: web::Data<Web>,
    request: HttpRequest,
    asked: web::Query<Imported>,
    body: web::Payload,
) -> HttpResponse {
    // Nothing is read for one who may not write.
    let Ok(Ok(body)) = body.to_bytes_limited(MOST_BYTES).await else {
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, "the file does not arrive, or is too large");
    };
    let format = match asked.format.as_deref().map(Format::parse) {
        Some(None) => return unprocessable("format must be csv or markdown"),
        Some(format) => format,
        None => None,
    };
    let name = asked.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let format = format.or_else(|| name.and_then(Format::of_file)).or_else(|| of_type(&request));
    let file = File { name: name.unwrap_or("api"), bytes: &body, format };
    match web.runtime.knowledge.import(account.id, file).await {
        Ok(report) => HttpResponse::Ok().json(ImportView::of(&report)),
        Err(ImportError::NoAccount) => not_found(),
        Err(ImportError::Store(error)) => failed(&error),
        Err(error @ (ImportError::TooLarge | ImportError::Unreadable(_))) => {
            unprocessable(&error.to_string())
        }
    }
}

/// `text/csv` and `text/markdown` say what a body is; other types say nothing.
fn of_type(request: &HttpRequest) -> Option<Format> {
    let value = request.headers().get(CONTENT_TYPE)?.to_str().ok()?;
    let kind = value.split(';').next()?.trim();
    Format::parse(kind.to_ascii_lowercase().strip_prefix("text/")?)
}

/// The names that entries are grouped by.
async fn categories(account: Account, web: web::Data<Web>) -> HttpResponse {
    match web.runtime.knowledge.categories(account.id).await {
        Ok(categories) => HttpResponse::Ok().json(CategoryList { categories }),
        Err(error) => failed(&error),
    }
}

/// What the assistant would find. The text travels in the body: addresses end in log files.
pub async fn search(
    account: Account,
    web: web::Data<Web>,
    body: web::Json<Searched>,
) -> HttpResponse {
    let limit = body.limit.unwrap_or(HITS).clamp(1, MOST_HITS);
    let payer = Payer { account_id: account.id, conversation_id: None };
    match web.runtime.knowledge.search(payer, &body.text, limit).await {
        Ok(hits) => {
            let hits = hits.iter().map(HitView::of).collect();
            HttpResponse::Ok().json(HitList { hits })
        }
        Err(error) => failed(&error),
    }
}

fn refused(error: &EditError) -> HttpResponse {
    match error {
        EditError::NoAccount | EditError::NotFound => not_found(),
        EditError::Taken { id } => {
            let problem = json!({
                "type": "about:blank",
                "title": "Conflict",
                "status": 409,
                "detail": error.to_string(),
                "errors": { "question": "is taken already" },
                "entry": id,
            });
            HttpResponse::Conflict()
                .content_type("application/problem+json")
                .body(problem.to_string())
        }
        EditError::Refused(Refusal::NoRoom) => refuse(StatusCode::CONFLICT, &error.to_string()),
        EditError::Refused(why) => {
            let said = why.field().map(|field| (field.to_owned(), why.to_string()));
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            refuse_fields(status, &why.to_string(), said.into_iter().collect())
        }
        EditError::Store(error) => failed(error),
    }
}
