//! The list of jobs: filters, search, and what is done to many at once.

use std::collections::HashMap;

use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::jobs::Queue;
use lembra_agent::jobs::admin::Action;
use lembra_agent::jobs::board::listing::{self, JobFilter, JobPage, JobRow};
use lembra_agent::jobs::board::{JobStatus, KINDS, Scope};
use lembra_agent::store::StoreResult;

use super::{account_names, tone};
use crate::access::Principal;
use crate::api::job_query::{JobQuery, scope};
use crate::app::Web;
use crate::pages::frame::Frame;
use crate::pages::text::duration;
use crate::pages::{filters, respond, words};
use crate::show;

#[derive(Template)]
#[template(path = "pages/jobs.html", blocks = ["live"])]
struct Jobs {
    frame: Frame,
    /// Every account's jobs are in the list.
    whole_instance: bool,
    query: JobQuery,
    tabs: Vec<Tab>,
    rows: Vec<JobRow>,
    accounts: HashMap<i64, String>,
    /// What may be done to some of these, by who looks.
    actions: Vec<Action>,
    /// It may be done to all in this status.
    to_all: bool,
    /// The address of the next page.
    next: Option<String>,
    /// Fewer jobs than a page has, and yet there are further ones to look at.
    is_cut_short: bool,
}

/// A status, or all.
struct Tab {
    label: String,
    href: String,
    current: &'static str,
}

pub async fn page(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    query: web::Query<JobQuery>,
) -> HttpResponse {
    match load(&principal, frame, &web, query.into_inner()).await {
        Ok(view) => show!(view),
        Err(error) => respond::failed(&error),
    }
}

async fn load(
    principal: &Principal,
    frame: Frame,
    web: &Web,
    query: JobQuery,
) -> StoreResult<Jobs> {
    let scope = scope(principal);
    // A name that is none finds nothing; a place that is none is the beginning.
    let filter = query.filter().ok();
    let after = query.cursor().unwrap_or_default();
    let found = match &filter {
        Some(filter) => {
            listing::list(&web.runtime.db, scope, filter, after, query.limit(), frame.now).await?
        }
        None => JobPage { jobs: Vec::new(), next: None },
    };
    let filter = filter.unwrap_or_default();
    let may = |action: &Action| can(*action, &filter) && principal.may(Permission::JobsWrite);
    Ok(Jobs {
        whole_instance: scope == Scope::Instance,
        tabs: tabs(&query, filter.status),
        accounts: account_names(web, scope).await?,
        actions: Action::ALL.into_iter().filter(may).collect(),
        to_all: filter.status.is_some(),
        is_cut_short: found.next.is_some() && found.jobs.len() < query.limit(),
        next: found.next.map(|next| href(&query, "before", &next)),
        rows: found.jobs,
        query,
        frame,
    })
}

/// Whether it is ever done to jobs that the filter lets through.
fn can(action: Action, filter: &JobFilter) -> bool {
    filter.status.is_none_or(|status| action.refused_in(status).is_none())
}

fn tabs(query: &JobQuery, current: Option<JobStatus>) -> Vec<Tab> {
    let tab = |status: Option<JobStatus>| {
        let name = status.map_or("all", JobStatus::as_str);
        Tab {
            label: words::of("job_tab", name),
            href: href(query, "status", status.map_or("", JobStatus::as_str)),
            current: if status == current { "page" } else { "false" },
        }
    };
    std::iter::once(None).chain(JobStatus::ALL.map(Some)).map(tab).collect()
}

/// The address of the list with one thing changed; an empty value takes it away.
fn href(query: &JobQuery, name: &str, value: &str) -> String {
    let mut address = url::form_urlencoded::Serializer::new(String::new());
    address.extend_pairs(query.pairs().into_iter().filter(|(other, _)| *other != name));
    if !value.is_empty() {
        address.append_pair(name, value);
    }
    let address = address.finish();
    if address.is_empty() { "/jobs".to_owned() } else { format!("/jobs?{address}") }
}

impl Jobs {
    fn queues(&self) -> [Queue; Queue::ALL.len()] {
        Queue::ALL
    }

    fn kinds(&self) -> [(&'static str, Queue); KINDS.len()] {
        KINDS
    }

    fn is(&self, given: &Option<String>, value: &str) -> bool {
        given.as_deref() == Some(value)
    }

    fn text(&self) -> &str {
        self.query.q.as_deref().unwrap_or_default()
    }

    fn is_filtered(&self) -> bool {
        !self.query.pairs().is_empty()
    }

    fn tone(&self, status: &JobStatus) -> &'static str {
        tone(*status)
    }

    /// In the order of their names.
    fn all_accounts(&self) -> Vec<(String, &str)> {
        let mut all: Vec<(String, &str)> =
            self.accounts.iter().map(|(id, name)| (id.to_string(), name.as_str())).collect();
        all.sort_by(|left, right| left.1.cmp(right.1));
        all
    }

    fn account(&self, id: &i64) -> String {
        self.accounts.get(id).cloned().unwrap_or_else(|| id.to_string())
    }

    fn took(&self, row: &JobRow) -> String {
        row.run_ms().map_or_else(|| "–".to_owned(), |ms| duration(ms as f64))
    }

    /// Something can still be done to it.
    fn is_choosable(&self, row: &JobRow) -> bool {
        self.actions.iter().any(|action| action.refused_in(row.status).is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_filter_begins_at_the_first_page() {
        let query = JobQuery {
            queue: Some("media".to_owned()),
            status: Some("dead".to_owned()),
            before: Some("x".to_owned()),
            ..JobQuery::default()
        };
        assert_eq!(href(&query, "status", "done"), "/jobs?queue=media&status=done");
        assert_eq!(href(&query, "status", ""), "/jobs?queue=media");
        assert_eq!(href(&JobQuery::default(), "status", ""), "/jobs");
        let tabs = tabs(&query, Some(JobStatus::Dead));
        assert_eq!(tabs.iter().filter(|tab| tab.current == "page").count(), 1);
    }

    #[test]
    fn what_operators_read_has_words() {
        for (kind, _) in KINDS {
            assert_ne!(words::of("job_kind", kind), kind);
        }
        for queue in Queue::ALL {
            assert_ne!(words::of("queue", queue.as_str()), queue.as_str());
        }
        for status in JobStatus::ALL {
            assert_ne!(words::of("job_status", status.as_str()), status.as_str());
            assert_ne!(words::of("job_tab", status.as_str()), status.as_str());
        }
    }
}
