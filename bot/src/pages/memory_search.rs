//! Looking for memories in the whole account.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::domain::memory::kind::KINDS;
use lembra_agent::services::board::memory_search::MemorySearchResult;
use lembra_agent::services::board::reports::{self, ReportUnit};
use lembra_agent::store::board::contacts::{self, ContactName};
use lembra_agent::store::board::fact_search::FactStatus;

use super::frame::Frame;
use super::{filters, respond, words};
use crate::access::{Principal, Routes};
use crate::api::memory_query::MemoryFilter;
use crate::app::Web;
use crate::show;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    routes.page(Method::GET, "/memories", Permission::ContactsRead, page);
}

/// What was typed and chosen.
struct Asked {
    q: String,
    by: String,
    kind: String,
    unit: String,
    status: String,
    from: String,
    to: String,
    contact: String,
}

impl Asked {
    fn of(filter: &MemoryFilter) -> Self {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let or = |text: &Option<String>, else_: &str| match text.as_deref() {
            None | Some("") => else_.to_owned(),
            Some(text) => text.to_owned(),
        };
        Self {
            q: text(&filter.q),
            by: or(&filter.by, "meaning"),
            kind: text(&filter.kind),
            unit: text(&filter.unit),
            status: or(&filter.status, FactStatus::default().as_str()),
            from: text(&filter.from),
            to: text(&filter.to),
            contact: text(&filter.contact),
        }
    }

    /// The address of the next page, which looks for what this one looked for.
    fn next(&self, found: &MemorySearchResult) -> Option<String> {
        let before = found.next?.to_string();
        let by = if found.found_by == "words" { "words" } else { &self.by };
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        let parts = [
            ("q", self.q.as_str()),
            ("by", by),
            ("type", &self.kind),
            ("unit", &self.unit),
            ("status", &self.status),
            ("from", &self.from),
            ("to", &self.to),
            ("contact", &self.contact),
            ("before", &before),
        ];
        query.extend_pairs(parts.into_iter().filter(|(_, value)| !value.is_empty()));
        Some(format!("/memories?{}", query.finish()))
    }
}

#[derive(Template)]
#[template(path = "pages/memory_search.html", blocks = ["live"])]
struct MemorySearch {
    frame: Frame,
    asked: Asked,
    units: Vec<ReportUnit>,
    /// The contact whose memories alone are looked for.
    contact: Option<ContactName>,
    found: Option<MemorySearchResult>,
    /// What was wrong with the filters.
    error: Option<String>,
    next: Option<String>,
}

impl MemorySearch {
    fn kinds(&self) -> impl Iterator<Item = &'static str> {
        KINDS.iter().map(|rule| rule.name)
    }

    fn statuses(&self) -> impl Iterator<Item = &'static str> {
        FactStatus::ALL.into_iter().map(FactStatus::as_str)
    }
}

async fn page(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    filter: web::Query<MemoryFilter>,
) -> HttpResponse {
    let (runtime, account) = (&web.runtime, principal.account_id);
    let units = match reports::units_of(&runtime.db, account).await {
        Ok(units) => units,
        Err(error) => return respond::failed(&error),
    };
    let asked = Asked::of(&filter);
    let mut view =
        MemorySearch { frame, asked, units, contact: None, found: None, error: None, next: None };
    let query = match filter.read(view.frame.timezone) {
        Ok(query) => query,
        Err((name, _)) => {
            view.error = Some(words::of("memory_filter", name));
            return show!(view);
        }
    };
    if let Some(id) = query.filter.contact_id {
        match contacts::names(&runtime.db, account, &[id].into()).await {
            Ok(mut names) => view.contact = names.remove(&id),
            Err(error) => return respond::failed(&error),
        }
    }
    match runtime.memories.search(account, &query).await {
        Ok(found) => {
            view.next = view.asked.next(&found);
            view.found = Some(found);
            show!(view)
        }
        Err(error) => respond::failed(&error),
    }
}
