//! Fixed answers of triage, and whether they were right.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::curation::{self, Judgement, JudgementError};
use lembra_agent::services::curation::Layout;
use lembra_agent::store::board::curation::{self as rows, Curated, Marks, Page, Shown};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{failed, not_found, refuse};
use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::curation::file;

/// Messages of one answer, unless asked otherwise and at most.
const PAGE: i64 = 50;
const MOST: i64 = 200;

pub fn routes(routes: &mut Routes<'_>) {
    let (read, write) = (Permission::ConversationsRead, Permission::ConversationsWrite);
    routes
        .api(Method::GET, "/curation", read, list)
        .about("Messages that triage answered with a fixed text, newest first")
        .query::<CurationQuery>()
        .answers::<CurationList>(200);
    routes
        .api(Method::GET, "/curation/export", read, export)
        .about("Wrong marks as a table of tests, tab-separated")
        .query::<ExportQuery>()
        .answers_file("text/tab-separated-values");
    routes
        .api(Method::PUT, "/curation/{id}/mark", write, mark)
        .about("Say whether a fixed answer was right")
        .body::<NewMark>()
        .answers::<Curated>(200);
    routes
        .api(Method::DELETE, "/curation/{id}/mark", write, unmark)
        .about("Take a mark away")
        .answers_nothing();
}

#[derive(Deserialize, IntoParams)]
struct CurationQuery {
    /// `unmarked`, `right`, `wrong` or `all` (the default).
    show: Option<String>,
    /// Such as `frustrated` or `out-of-domain`.
    verdict: Option<String>,
    /// Only those with a smaller id: `next` of the answer before.
    before: Option<i64>,
    limit: Option<i64>,
}

/// Messages that triage answered.
#[derive(Serialize, ToSchema)]
struct CurationList {
    messages: Vec<Curated>,
    marks: Marks,
    /// There when more may follow.
    next: Option<i64>,
}

async fn list(
    principal: Principal,
    web: web::Data<Web>,
    query: web::Query<CurationQuery>,
) -> HttpResponse {
    let Some(shown) = Shown::parse(query.show.as_deref().unwrap_or("all")) else {
        let why = "show must be unmarked, right, wrong or all";
        return refuse(StatusCode::UNPROCESSABLE_ENTITY, why);
    };
    let limit = query.limit.unwrap_or(PAGE).clamp(1, MOST);
    let page = Page { shown, verdict: query.verdict.as_deref(), before: query.before, limit };
    let (db, account_id) = (&web.runtime.db, principal.account_id);
    let found = async {
        Ok::<_, lembra_agent::store::StoreError>((
            rows::list(db, account_id, &page).await?,
            rows::marks(db, account_id).await?,
        ))
    };
    match found.await {
        Ok((messages, marks)) => {
            let full = i64::try_from(messages.len()).is_ok_and(|length| length == limit);
            let next = messages.last().filter(|_| full).map(|last| last.message_id);
            HttpResponse::Ok().json(CurationList { messages, marks, next })
        }
        Err(error) => failed(&error),
    }
}

#[derive(Deserialize, IntoParams)]
struct ExportQuery {
    /// `guard`, `scope` or `loop`.
    table: String,
}

async fn export(
    principal: Principal,
    web: web::Data<Web>,
    query: web::Query<ExportQuery>,
) -> HttpResponse {
    let Some(layout) = Layout::parse(&query.table) else {
        let why = "table must be guard, scope or loop";
        return refuse(StatusCode::UNPROCESSABLE_ENTITY, why);
    };
    match curation::export(&web.runtime.db, principal.account_id, layout).await {
        Ok(table) => file(&query.table, table),
        Err(error) => failed(&error),
    }
}

#[derive(Deserialize)]
struct MessagePath {
    id: i64,
}

#[derive(Deserialize, ToSchema)]
struct NewMark {
    /// `right` or `wrong`.
    mark: String,
    /// Of a wrong one: the label of what should have been said; the model's turn when absent.
    expected: Option<String>,
}

async fn mark(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<MessagePath>,
    body: web::Json<NewMark>,
) -> HttpResponse {
    let body = body.into_inner();
    let judgement = match (body.mark.as_str(), body.expected) {
        ("right", None) => Judgement::Right,
        ("wrong", expected) => Judgement::Wrong(expected),
        ("right", Some(_)) => {
            let why = "expected says what a wrong answer should have been";
            return refuse(StatusCode::UNPROCESSABLE_ENTITY, why);
        }
        _ => return refuse(StatusCode::UNPROCESSABLE_ENTITY, "mark must be right or wrong"),
    };
    match judged(&principal, &web, path.id, judgement).await {
        Ok(row) => HttpResponse::Ok().json(row),
        Err(refused) => refused,
    }
}

async fn unmark(
    principal: Principal,
    web: web::Data<Web>,
    path: web::Path<MessagePath>,
) -> HttpResponse {
    match judged(&principal, &web, path.id, Judgement::Unmarked).await {
        Ok(_) => HttpResponse::NoContent().finish(),
        Err(refused) => refused,
    }
}

async fn judged(
    principal: &Principal,
    web: &Web,
    id: i64,
    judgement: Judgement,
) -> Result<Curated, HttpResponse> {
    let runtime = &web.runtime;
    let account_id = principal.account_id;
    let judged = curation::judge(&runtime.db, &runtime.clock, account_id, id, judgement).await;
    judged.map_err(|error| match error {
        JudgementError::NotFound => not_found(),
        JudgementError::Label(_) => refuse(StatusCode::UNPROCESSABLE_ENTITY, &error.to_string()),
        JudgementError::Store(error) => failed(&error),
    })
}
