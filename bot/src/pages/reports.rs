//! Reports per unit.

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpResponse, web};
use askama::Template;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::reports::{self, DAYS, ReportUnit, UnitReport};

use super::frame::Frame;
use super::{filters, respond};
use crate::access::{Principal, Routes};
use crate::api::reports::{ReportQuery, file, report};
use crate::app::Web;
use crate::show;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let read = Permission::ContactsRead;
    routes.page(Method::GET, "/reports", read, page);
    routes.page(Method::GET, "/reports/csv", read, download);
}

/// Periods that are offered, in days.
const PERIODS: [i64; 5] = [7, 30, DAYS, 180, 365];

#[derive(Template)]
#[template(path = "pages/reports.html", blocks = ["live"])]
struct Reports {
    frame: Frame,
    units: Vec<ReportUnit>,
    /// As chosen: a unit's id, `none`, or empty for all.
    unit: String,
    report: UnitReport,
}

impl Reports {
    /// Periods to choose from, also one that was typed.
    fn periods(&self) -> Vec<i64> {
        let mut periods = PERIODS.to_vec();
        if !periods.contains(&self.report.days) {
            periods.push(self.report.days);
            periods.sort_unstable();
        }
        periods
    }

    /// Whether anything was said at all.
    fn is_empty(&self) -> bool {
        let profile = &self.report.profile;
        profile.customers == 0
            && profile.dates.is_empty()
            && profile.kinds.iter().all(|kind| kind.facts == 0)
            && self.report.complaints.facts == 0
            && self.report.praises.facts == 0
    }

    /// The part of the customers who came again, 0 to 1.
    fn returning_share(&self) -> f64 {
        let profile = &self.report.profile;
        if profile.customers == 0 {
            return 0.0;
        }
        profile.returning as f64 / profile.customers as f64
    }
}

async fn asked(
    principal: &Principal,
    web: &Web,
    query: &ReportQuery,
) -> Result<UnitReport, HttpResponse> {
    let Ok(asked) = query.read() else {
        return Err(respond::cannot(StatusCode::BAD_REQUEST, "reports.unreadable"));
    };
    match report(web, principal.account_id, asked).await {
        Ok(Some((report, _))) => Ok(report),
        Ok(None) => Err(respond::gone()),
        Err(error) => Err(respond::failed(&error)),
    }
}

async fn page(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    query: web::Query<ReportQuery>,
) -> HttpResponse {
    let report = match asked(&principal, &web, &query).await {
        Ok(report) => report,
        Err(refusal) => return refusal,
    };
    let unit = query.unit.clone().unwrap_or_default();
    match reports::units_of(&web.runtime.db, principal.account_id).await {
        Ok(units) => show!(Reports { frame, units, unit, report }),
        Err(error) => respond::failed(&error),
    }
}

async fn download(
    principal: Principal,
    frame: Frame,
    web: web::Data<Web>,
    query: web::Query<ReportQuery>,
) -> HttpResponse {
    match asked(&principal, &web, &query).await {
        Ok(report) => file(&report, frame.timezone),
        Err(refusal) => refusal,
    }
}
