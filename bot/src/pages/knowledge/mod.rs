//! What the assistant knows of the business: entries that people write, and what it would find.

mod entry;
mod import;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::knowledge::edit::Filter;
use lembra_agent::services::knowledge::shown::{EntryView, HitView};
use lembra_agent::services::memory::metering::Payer;
use lembra_agent::store::StoreResult;
use lembra_agent::store::board::actors::{self, Actors};
use lembra_agent::store::knowledge::Status;
use serde::Deserialize;

use self::entry::EntryForm;
use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::pages::forms::Errors;
use crate::pages::frame::Frame;
use crate::pages::{filters, respond, words};
use crate::show;

/// Entries of one page, and hits of a search.
const PAGE: u64 = 30;
const HITS: usize = 5;
/// Longest text that is looked up, in characters.
const MOST_TEXT_CHARS: usize = 1_000;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let look = Permission::KnowledgeRead;
    routes.page(Method::GET, "/knowledge", look, list);
    routes.page(Method::POST, "/knowledge/search", look, search);
    import::routes(routes);
    entry::routes(routes);
}

/// What the list shows, as asked for in the address.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Asked {
    status: String,
    category: String,
    search: String,
    before: Option<i64>,
}

impl Asked {
    fn is_narrowed(&self) -> bool {
        !self.status.is_empty() || !self.category.is_empty() || !self.search.is_empty()
    }

    /// The address of the entries that follow.
    fn next(&self, before: i64) -> String {
        let asked = [
            ("status", self.status.as_str()),
            ("category", &self.category),
            ("search", &self.search),
        ];
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in asked.into_iter().filter(|(_, value)| !value.is_empty()) {
            query.append_pair(name, value);
        }
        query.append_pair("before", &before.to_string());
        format!("/knowledge?{}", query.finish())
    }
}

/// An entry with who wrote it, in words.
struct Row {
    entry: EntryView,
    by: String,
}

impl Row {
    fn of(entry: EntryView, known: &Actors) -> Self {
        let by = match entry.source.strip_prefix("file:") {
            Some(file) => words::filled("knowledge.from_file", &[("file", file)]),
            None => known
                .name(&entry.source)
                .map_or_else(|| words::of("actor", &entry.source), str::to_owned),
        };
        Self { entry, by }
    }
}

#[derive(Template)]
#[template(path = "pages/knowledge.html", blocks = ["live", "new"])]
struct Page {
    frame: Frame,
    rows: Vec<Row>,
    /// Where the entries that follow are.
    next: Option<String>,
    categories: Vec<String>,
    asked: Asked,
    form: EntryForm,
    errors: Errors,
}

impl Page {
    async fn load(
        web: &Web,
        principal: &Principal,
        frame: Frame,
        asked: Asked,
    ) -> StoreResult<Self> {
        let (runtime, account) = (&web.runtime, principal.account_id);
        let text = |text: &'_ str| (!text.trim().is_empty()).then(|| text.to_owned());
        let (category, search) = (text(&asked.category), text(&asked.search));
        let filter = Filter {
            status: Status::parse(&asked.status),
            category: category.as_deref(),
            search: search.as_deref(),
            before: asked.before,
            limit: PAGE + 1,
        };
        let mut found = runtime.knowledge.list(account, &filter).await?;
        let more = found.len() as u64 > PAGE;
        found.truncate(usize::try_from(PAGE).unwrap_or(usize::MAX));
        let next = found.last().filter(|_| more).map(|row| asked.next(row.id));
        let known = actors::of_account(&runtime.db, account).await?;
        let row = |row: &_| Row::of(EntryView::of(row), &known);
        Ok(Self {
            rows: found.iter().map(row).collect(),
            next,
            categories: runtime.knowledge.categories(account).await?,
            asked,
            form: EntryForm::default(),
            errors: Errors::default(),
            frame,
        })
    }
}

async fn list(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    asked: web::Query<Asked>,
) -> HttpResponse {
    match Page::load(&web, &principal, frame, asked.into_inner()).await {
        Ok(view) => show!(view),
        Err(error) => respond::failed(&error),
    }
}

/// What a customer might ask.
#[derive(Deserialize)]
struct Sought {
    text: String,
}

#[derive(Template)]
#[template(path = "pages/knowledge_hits.html")]
struct Hits {
    hits: Vec<HitView>,
}

/// What the assistant would find.
async fn search(
    principal: Principal,
    web: web::Data<Web>,
    sought: web::Form<Sought>,
) -> HttpResponse {
    let text: String = sought.text.chars().take(MOST_TEXT_CHARS).collect();
    let payer = Payer { account_id: principal.account_id, conversation_id: None };
    match web.runtime.knowledge.search(payer, &text, HITS).await {
        Ok(hits) => respond::page(&Hits { hits: hits.iter().map(HitView::of).collect() }),
        Err(error) => respond::failed(&error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_keeps_what_was_asked_for() {
        let asked = Asked { search: "check-in & café".into(), ..Asked::default() };
        assert_eq!(asked.next(7), "/knowledge?search=check-in+%26+caf%C3%A9&before=7");
        assert!(asked.is_narrowed() && !Asked::default().is_narrowed());
    }
}
