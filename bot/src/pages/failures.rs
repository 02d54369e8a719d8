//! Failures of tools and of the agent, grouped by code, with the thresholds that alert; and the
//! alerts themselves, open and settled.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use askama::Template;
use chrono::{DateTime, TimeDelta, Utc};
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::failures::{self, Group, MOST_PER_HOUR, Summary};
use lembra_agent::store::StoreError;
use lembra_agent::store::board::failures::{self as rows, Failure};
use lembra_agent::store::board::{actors, alerts};
use serde::Deserialize;

use super::alerts::{AlertView, owner};
use super::frame::Frame;
use super::{filters, respond, words};
use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::show;

/// Failures, and settled alerts, of one page.
const PAGE: u64 = 50;
/// Open alerts that are shown.
const MOST_OPEN: u64 = 200;
/// How far back single failures are listed: as long as they are kept.
const KEPT: TimeDelta = TimeDelta::days(400);

pub fn routes(routes: &mut Routes<'_>) {
    routes.page(Method::GET, "/failures", Permission::ConversationsRead, show);
    let path = "/failures/{code}/threshold";
    routes.page(Method::POST, path, Permission::SettingsWrite, set);
    let path = "/failures/{code}/threshold/clear";
    routes.page(Method::POST, path, Permission::SettingsWrite, clear);
}

#[derive(Deserialize)]
struct Query {
    /// `alerts` or a type of failure.
    show: Option<String>,
    /// One code of failures.
    code: Option<String>,
    before: Option<i64>,
}

/// What a tab shows.
struct Tab {
    href: String,
    label: String,
    count: u64,
    current: &'static str,
}

#[derive(Template)]
#[template(path = "pages/failures.html", blocks = ["live"])]
struct Page {
    frame: Frame,
    tabs: Vec<Tab>,
    /// The type that is shown; `None` shows alerts.
    error_type: Option<String>,
    groups: Vec<GroupView>,
    is_capped: bool,
    open: Vec<AlertView>,
    settled: Vec<AlertView>,
    /// The next page of what is listed.
    next: Option<String>,
}

#[derive(Template)]
#[template(path = "pages/failure_code.html", blocks = ["live"])]
struct CodePage {
    frame: Frame,
    name: String,
    code: String,
    back: String,
    group: Option<GroupView>,
    per_hour: i32,
    default_per_hour: i32,
    /// Who set the threshold, and when, where the account did.
    set_by: Option<SetBy>,
    failures: Vec<Failure>,
    next: Option<String>,
}

/// Who set a threshold, and when.
struct SetBy {
    who: String,
    at: DateTime<Utc>,
}

/// A group in words.
struct GroupView {
    name: String,
    href: String,
    tools: String,
    spark: String,
    group: Group,
}

impl GroupView {
    fn of(group: Group) -> Self {
        let most = group.by_day.iter().copied().max().unwrap_or(0).max(1) as f64;
        let last = (group.by_day.len().max(2) - 1) as f64;
        let point = |(day, count): (usize, &u64)| {
            let (x, y) = (100.0 * day as f64 / last, 30.0 - 28.0 * *count as f64 / most);
            format!("{x:.1},{y:.1}")
        };
        let spark: Vec<String> = group.by_day.iter().enumerate().map(point).collect();
        Self {
            name: words::of("failure_code", &group.code),
            href: href(&group.error_type, Some(&group.code), None),
            tools: group.tools.join(", "),
            spark: spark.join(" "),
            group,
        }
    }
}

/// The address of a tab, of a code, or of a further page.
fn href(show: &str, code: Option<&str>, before: Option<i64>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("show", show);
    if let Some(code) = code {
        query.append_pair("code", code);
    }
    if let Some(before) = before {
        query.append_pair("before", &before.to_string());
    }
    format!("/failures?{}", query.finish())
}

const ALERTS: &str = "alerts";

async fn show(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    query: web::Query<Query>,
) -> HttpResponse {
    let shown = match &query.code {
        Some(code) => of_code(&principal, frame, &web, code, &query).await,
        None => of_tab(&principal, frame, &web, &query).await,
    };
    shown.unwrap_or_else(|error| respond::failed(&error))
}

async fn of_tab(
    principal: &Principal,
    frame: Frame,
    web: &Web,
    query: &Query,
) -> Result<HttpResponse, StoreError> {
    let db = &web.runtime.db;
    let Summary { types, groups, is_capped } =
        failures::summary(db, principal.account_id, frame.now).await?;
    let open = alerts::open(db, owner(principal), MOST_OPEN).await?;
    let known = |name: &&String| types.iter().any(|of| of.error_type == **name);
    let error_type = query.show.as_ref().filter(known).cloned();
    let current = |is: bool| if is { "page" } else { "false" };
    let mut tabs = vec![Tab {
        href: href(ALERTS, None, None),
        label: words::word("failures.alerts"),
        count: open.len() as u64,
        current: current(error_type.is_none()),
    }];
    tabs.extend(types.iter().map(|of| Tab {
        href: href(&of.error_type, None, None),
        label: words::of("failure_type", &of.error_type),
        count: of.last_7_days,
        current: current(error_type.as_deref() == Some(&of.error_type)),
    }));
    let (mut settled, mut next) = (Vec::new(), None);
    if error_type.is_none() {
        settled = alerts::settled(db, owner(principal), query.before, PAGE).await?;
        let full = settled.len() as u64 == PAGE;
        next = settled.last().filter(|_| full).map(|last| href(ALERTS, None, Some(last.id)));
    }
    let of_type = |group: &Group| error_type.as_ref() == Some(&group.error_type);
    let groups = groups.into_iter().filter(of_type).map(GroupView::of).collect();
    let (open, settled) = (AlertView::all(&open), AlertView::all(&settled));
    let page = Page { frame, tabs, error_type, groups, is_capped, open, settled, next };
    Ok(show!(page))
}

async fn of_code(
    principal: &Principal,
    frame: Frame,
    web: &Web,
    code: &str,
    query: &Query,
) -> Result<HttpResponse, StoreError> {
    let (db, account_id) = (&web.runtime.db, principal.account_id);
    let summary = failures::summary(db, account_id, frame.now).await?;
    let asked = query.show.as_deref();
    let of_code =
        |group: &Group| group.code == code && asked.is_none_or(|of| of == group.error_type);
    let group = summary.groups.into_iter().find(of_code);
    let types = || summary.types.iter().map(|of| of.error_type.as_str());
    let error_type = match (&group, asked) {
        (Some(group), _) => group.error_type.clone(),
        (None, Some(asked)) if types().any(|known| known == asked) => asked.to_owned(),
        _ => types().next().unwrap_or_default().to_owned(),
    };
    let since = frame.now - KEPT;
    let error_type = error_type.as_str();
    let page = rows::Page { error_type, code, since, before: query.before, limit: PAGE };
    let found = rows::of_code(db, account_id, &page).await?;
    let next = found.last().filter(|_| found.len() as u64 == PAGE).map(|last| last.id);
    let own = rows::thresholds(db, account_id).await?.into_iter().find(|own| own.code == code);
    let default_per_hour = failures::default_per_hour(error_type);
    let per_hour = own.as_ref().map_or(default_per_hour, |own| own.per_hour);
    let set_by = match own {
        Some(own) => {
            let actors = actors::of_account(db, account_id).await?;
            let who = actors.name(&own.changed_by).unwrap_or(&own.changed_by).to_owned();
            Some(SetBy { who, at: own.changed_at })
        }
        None => None,
    };
    let page = CodePage {
        name: words::of("failure_code", code),
        code: code.to_owned(),
        back: href(error_type, None, None),
        group: group.map(GroupView::of),
        per_hour,
        default_per_hour,
        set_by,
        next: next.map(|next| href(error_type, Some(code), Some(next))),
        failures: found,
        frame,
    };
    Ok(show!(page))
}

#[derive(Deserialize)]
struct Threshold {
    per_hour: String,
}

async fn set(
    principal: Principal,
    web: web::Data<Web>,
    code: web::Path<String>,
    form: web::Form<Threshold>,
) -> HttpResponse {
    let wrong = || respond::cannot(StatusCode::UNPROCESSABLE_ENTITY, "failures.threshold_wrong");
    let Ok(per_hour) = form.per_hour.trim().parse::<i32>() else {
        return wrong();
    };
    if !(0..=MOST_PER_HOUR).contains(&per_hour) || !failures::is_code(&code) {
        return wrong();
    }
    let (db, now) = (&web.runtime.db, web.runtime.clock.now());
    let account_id = principal.account_id;
    match rows::set_threshold(db, account_id, &code, per_hour, &principal.name, now).await {
        Ok(()) => respond::done("failures.threshold_saved"),
        Err(error) => respond::failed(&error),
    }
}

async fn clear(principal: Principal, web: web::Data<Web>, code: web::Path<String>) -> HttpResponse {
    match rows::clear_threshold(&web.runtime.db, principal.account_id, &code).await {
        Ok(true) => respond::done("failures.threshold_cleared"),
        Ok(false) => respond::gone(),
        Err(error) => respond::failed(&error),
    }
}
