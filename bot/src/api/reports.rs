//! Reports per unit: what its customers complain of and praise, and who they are.

use actix_web::http::{Method, StatusCode, header};
use actix_web::{HttpResponse, web};
use chrono_tz::Tz;
use lembra_agent::domain::access::Permission;
use lembra_agent::services::board::reports::{DAYS, MOST_DAYS, ReportAsked, UnitReport};
use lembra_agent::store::{StoreResult, accounts};
use serde::Deserialize;
use utoipa::IntoParams;

use super::auth::Account;
use super::memory_query;
use super::{failed, not_found, refuse};
use crate::access::Routes;
use crate::app::Web;
use crate::pages::report_file;

/// Groups of each list, unless asked otherwise and at most.
const TOP: usize = 10;
const MOST_TOP: usize = 50;

/// Adds the routes.
pub fn routes(routes: &mut Routes<'_>) {
    let read = Permission::ContactsRead;
    routes
        .api(Method::GET, "/reports", read, show)
        .about("Complaints, praises and the customers of a unit, or of all units")
        .query::<ReportQuery>()
        .answers::<UnitReport>(200);
    routes
        .api(Method::GET, "/reports/csv", read, download)
        .about("The same as a table for spreadsheets")
        .query::<ReportQuery>()
        .answers_file("text/csv");
}

/// What is asked for. An empty text is as good as none.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
pub struct ReportQuery {
    /// Id of a unit, or `none` for what was said where no unit was known; all units when absent.
    pub unit: Option<String>,
    /// The last so many days, 1 to 365; 90 when absent.
    pub days: Option<String>,
    /// Groups of each list, at most 50; 10 when absent.
    pub top: Option<usize>,
}

impl ReportQuery {
    /// What is asked for, or the parameter that cannot be read.
    pub fn read(&self) -> Result<ReportAsked, memory_query::Unread> {
        let days = match self.days.as_deref().map(str::trim).filter(|days| !days.is_empty()) {
            None => DAYS,
            Some(days) => days
                .parse()
                .ok()
                .filter(|days| (1..=MOST_DAYS).contains(days))
                .ok_or(("days", "must be 1 to 365"))?,
        };
        let unit = memory_query::unit(self.unit.as_deref())?;
        Ok(ReportAsked { unit, days, top: self.top.unwrap_or(TOP).clamp(1, MOST_TOP) })
    }
}

/// The report of an account, with the account's time zone; `None` when it has no such unit.
pub async fn report(
    web: &Web,
    account_id: i64,
    asked: ReportAsked,
) -> StoreResult<Option<(UnitReport, Tz)>> {
    let Some(account) = accounts::find(&web.runtime.db, account_id).await? else {
        return Ok(None);
    };
    let zone = accounts::zone(&account);
    let report = web.runtime.memories.report(&account, asked).await?;
    Ok(report.map(|report| (report, zone)))
}

async fn asked(
    account: &Account,
    web: &Web,
    query: &ReportQuery,
) -> Result<(UnitReport, Tz), HttpResponse> {
    let asked = query.read().map_err(|(name, why)| {
        refuse(StatusCode::UNPROCESSABLE_ENTITY, &format!("{name} {why}"))
    })?;
    let found = report(web, account.id, asked).await.map_err(|error| failed(&error))?;
    found.ok_or_else(not_found)
}

pub async fn show(
    account: Account,
    web: web::Data<Web>,
    query: web::Query<ReportQuery>,
) -> HttpResponse {
    match asked(&account, &web, &query).await {
        Ok((report, _)) => HttpResponse::Ok().json(report),
        Err(refusal) => refusal,
    }
}

pub async fn download(
    account: Account,
    web: web::Data<Web>,
    query: web::Query<ReportQuery>,
) -> HttpResponse {
    match asked(&account, &web, &query).await {
        Ok((report, zone)) => file(&report, zone),
        Err(refusal) => refusal,
    }
}

/// The report as a file that a browser keeps.
pub fn file(report: &UnitReport, zone: Tz) -> HttpResponse {
    let Some(table) = report_file::table(report, zone) else {
        return refuse(StatusCode::INTERNAL_SERVER_ERROR, "the table could not be written");
    };
    let name = format!("attachment; filename=\"{}\"", report_file::name(report, zone));
    HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header((header::CONTENT_DISPOSITION, name))
        .body(table)
}
