//! Judging fixed answers of triage: what the customer wrote, what was answered, what came next.

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::curation::{self, Judgement, JudgementError, labels};
use lembra_agent::services::curation::Layout;
use lembra_agent::store::StoreError;
use lembra_agent::store::board::curation::{self as rows, Curated, Marks, Shown};
use serde::Deserialize;

use super::frame::Frame;
use super::{filters, respond};
use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::show;

/// Messages of one page.
const PAGE: i64 = 30;

pub fn routes(routes: &mut Routes<'_>) {
    let (read, write) = (Permission::ConversationsRead, Permission::ConversationsWrite);
    routes.page(Method::GET, "/curation", read, show);
    routes.page(Method::GET, "/curation/export", read, export);
    routes.page(Method::POST, "/curation/{id}/right", write, right);
    routes.page(Method::POST, "/curation/{id}/wrong", write, wrong);
    routes.page(Method::POST, "/curation/{id}/unmark", write, unmark);
}

#[derive(Deserialize)]
struct Query {
    /// `unmarked` (the default), `right`, `wrong` or `all`.
    show: Option<String>,
    verdict: Option<String>,
    before: Option<i64>,
}

struct Tab {
    href: String,
    label: &'static str,
    count: Option<i64>,
    current: &'static str,
}

/// A verdict that can be chosen.
struct Choice {
    value: &'static str,
    selected: bool,
}

/// A message in words.
struct Case {
    row: Curated,
    /// What it could have been, the model's turn first.
    labels: Vec<String>,
}

#[derive(Template)]
#[template(path = "pages/curation.html", blocks = ["live"])]
struct Page {
    frame: Frame,
    shown: &'static str,
    tabs: Vec<Tab>,
    verdicts: Vec<Choice>,
    cases: Vec<Case>,
    marks: Marks,
    next: Option<String>,
}

const TABS: [(&str, Shown); 4] = [
    ("unmarked", Shown::Unmarked),
    ("right", Shown::Right),
    ("wrong", Shown::Wrong),
    ("all", Shown::All),
];

const VERDICTS: [&str; 6] =
    ["frustrated", "human-request", "loop", "crisis", "scope-rejection", "out-of-domain"];

fn href(shown: &str, verdict: &str, before: Option<i64>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("show", shown);
    if !verdict.is_empty() {
        query.append_pair("verdict", verdict);
    }
    if let Some(before) = before {
        query.append_pair("before", &before.to_string());
    }
    format!("/curation?{}", query.finish())
}

async fn show(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    query: web::Query<Query>,
) -> HttpResponse {
    let page = page(&principal, frame, &web, &query).await;
    page.map_or_else(|error| respond::failed(&error), |page| show!(page))
}

async fn page(
    principal: &Principal,
    frame: Frame,
    web: &Web,
    query: &Query,
) -> Result<Page, StoreError> {
    let (db, account_id) = (&web.runtime.db, principal.account_id);
    let asked = query.show.as_deref().unwrap_or_default();
    let (shown, which) = TABS.into_iter().find(|(name, _)| *name == asked).unwrap_or(TABS[0]);
    let verdict = VERDICTS.into_iter().find(|known| query.verdict.as_deref() == Some(known));
    let page = rows::Page { shown: which, verdict, before: query.before, limit: PAGE };
    let found = rows::list(db, account_id, &page).await?;
    let full = found.len() == usize::try_from(PAGE).unwrap_or_default();
    let next = found.last().filter(|_| full).map(|last| last.message_id);
    let marks = rows::marks(db, account_id).await?;
    let tab = |(name, which): (&'static str, Shown)| Tab {
        href: href(name, verdict.unwrap_or_default(), None),
        label: name,
        count: match which {
            Shown::Right => Some(marks.right),
            Shown::Wrong => Some(marks.wrong),
            Shown::All | Shown::Unmarked => None,
        },
        current: if name == shown { "page" } else { "false" },
    };
    let case = |row: Curated| Case { labels: labels(&row.verdict), row };
    let choice = |value: &'static str| Choice { value, selected: verdict == Some(value) };
    Ok(Page {
        shown,
        tabs: TABS.map(tab).into(),
        verdicts: VERDICTS.map(choice).into(),
        cases: found.into_iter().map(case).collect(),
        marks,
        next: next.map(|next| href(shown, verdict.unwrap_or_default(), Some(next))),
        frame,
    })
}

#[derive(Deserialize)]
struct Exported {
    table: String,
}

async fn export(
    principal: Principal,
    web: web::Data<Web>,
    query: web::Query<Exported>,
) -> HttpResponse {
    let Some(layout) = Layout::parse(&query.table) else {
        return respond::gone();
    };
    match curation::export(&web.runtime.db, principal.account_id, layout).await {
        Ok(table) => file(&query.table, table),
        Err(error) => respond::failed(&error),
    }
}

/// A table as a file to be saved.
pub fn file(name: &str, table: String) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/tab-separated-values; charset=utf-8"))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.tsv\"")))
        .body(table)
}

async fn right(principal: Principal, web: web::Data<Web>, id: web::Path<i64>) -> HttpResponse {
    judge(&principal, &web, *id, Judgement::Right, "curation.marked_right").await
}

#[derive(Deserialize)]
struct Expected {
    expected: Option<String>,
}

async fn wrong(
    principal: Principal,
    web: web::Data<Web>,
    id: web::Path<i64>,
    form: web::Form<Expected>,
) -> HttpResponse {
    let judgement = Judgement::Wrong(form.into_inner().expected);
    judge(&principal, &web, *id, judgement, "curation.marked_wrong").await
}

async fn unmark(principal: Principal, web: web::Data<Web>, id: web::Path<i64>) -> HttpResponse {
    judge(&principal, &web, *id, Judgement::Unmarked, "curation.unmarked").await
}

async fn judge(
    principal: &Principal,
    web: &Web,
    id: i64,
    judgement: Judgement,
    notice: &str,
) -> HttpResponse {
    let runtime = &web.runtime;
    let account_id = principal.account_id;
    match curation::judge(&runtime.db, &runtime.clock, account_id, id, judgement).await {
        Ok(_) => respond::done(notice),
        Err(JudgementError::NotFound) => respond::gone(),
        Err(JudgementError::Label(_)) => {
            respond::cannot(StatusCode::UNPROCESSABLE_ENTITY, "curation.wrong_label")
        }
        Err(JudgementError::Store(error)) => respond::failed(&error),
    }
}
