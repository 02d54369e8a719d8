//! The account at a glance: the first page that operators see.

mod chart;
mod view;

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::domain::stats::Period;
use lembra_agent::services::board::overview::{self, Asked, Overview};
use lembra_agent::store::accounts;
use serde::Deserialize;

use self::chart::Bars;
use self::view::{Choice, Line, Numbers, Sparks, Tiles, lines, purposes};
use super::alerts::AlertView;
use super::frame::Frame;
use super::{filters, respond};
use crate::access::{Principal, Routes};
use crate::app::Web;
use crate::show;

pub fn routes(routes: &mut Routes<'_>) {
    routes.page(Method::GET, "/", Permission::ConversationsRead, show);
}

#[derive(Deserialize)]
struct Query {
    /// `today`, `7d` or `30d`.
    period: Option<String>,
    /// There when the bars are told in numbers, too.
    numbers: Option<String>,
}

#[derive(Template)]
#[template(path = "pages/overview.html", blocks = ["live"])]
struct Page {
    frame: Frame,
    periods: Vec<Choice>,
    tiles: Tiles,
    bars: Bars,
    numbers: Numbers,
    sparks: Sparks,
    /// Facts by kind, fixed answers by verdict, and the month's cost by purpose.
    facts: Vec<Line>,
    preempts: Vec<Line>,
    purposes: Vec<Line>,
    alerts: Vec<AlertView>,
    overview: Overview,
}

impl Page {
    fn of(frame: Frame, period: Period, numbers: bool, overview: Overview) -> Self {
        // What waits without an answer is shown with its conversations.
        let shown = overview.alerts.iter().filter(|alert| alert.kind != "unanswered").cloned();
        let alerts = AlertView::all(&shown.collect::<Vec<_>>());
        Self {
            periods: Choice::all(period),
            tiles: Tiles::of(&overview, frame.now),
            bars: Bars::of(&overview, frame.timezone),
            numbers: Numbers::of(period, numbers),
            sparks: Sparks::of(&overview.series),
            facts: lines("memory_kind", &overview.facts.by_kind),
            preempts: lines("triage_verdict", &overview.preempts_by_verdict),
            purposes: purposes(&overview.cost.by_purpose),
            alerts,
            overview,
            frame,
        }
    }
}

async fn show(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    query: web::Query<Query>,
) -> HttpResponse {
    let db = &web.runtime.db;
    let account = match accounts::find(db, principal.account_id).await {
        Ok(Some(account)) => account,
        Ok(None) => return respond::gone(),
        Err(error) => return respond::failed(&error),
    };
    let period = query.period.as_deref().and_then(Period::parse).unwrap_or_default();
    let runs_instance = principal.may(Permission::InstanceRun);
    let asked = Asked { account: &account, period, runs_instance };
    match overview::overview(db, &asked, frame.now).await {
        Ok(overview) => show!(Page::of(frame, period, query.numbers.is_some(), overview)),
        Err(error) => respond::failed(&error),
    }
}
