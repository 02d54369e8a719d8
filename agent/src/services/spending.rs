//! What an account's model calls may cost in a month (DESIGN §7): at the ceiling no paid call is
//! made, and operators hear of it at 80 % and at 100 %.

use chrono::{DateTime, Datelike, TimeDelta, TimeZone, Utc};
use lembra_entities::account;
use sea_orm::{ConnectionTrait, DatabaseConnection};

use super::alerts::{self, Kind, Place};
use crate::jobs::{ClaimedJob, JobOutcome};
use crate::store::{StoreResult, accounts, usage};

/// The part of the ceiling at which operators are told.
const NEAR: f64 = 0.8;
/// How long a job waits that may not pay: the ceiling may be raised, or the month end.
const WAIT: TimeDelta = TimeDelta::hours(1);

/// Where an account stands in its month.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spending {
    pub spent_brl: f64,
    /// No limit when absent.
    pub ceiling_brl: Option<f64>,
}

impl Spending {
    /// Whether no further paid call may be made.
    pub fn is_over(&self) -> bool {
        self.ceiling_brl.is_some_and(|ceiling| self.spent_brl >= ceiling)
    }

    fn is_near(&self) -> bool {
        self.ceiling_brl.is_some_and(|ceiling| self.spent_brl >= ceiling * NEAR)
    }
}

/// When the account's month began, by its own clock.
pub fn month_began(account: &account::Model, now: DateTime<Utc>) -> DateTime<Utc> {
    let zone = accounts::zone(account);
    let local = now.with_timezone(&zone);
    let first = zone.with_ymd_and_hms(local.year(), local.month(), 1, 0, 0, 0);
    first.earliest().map_or(now, |first| first.with_timezone(&Utc))
}

/// What the account has spent this month; an account without a ceiling is not counted.
pub async fn of_account(
    db: &impl ConnectionTrait,
    account: &account::Model,
    now: DateTime<Utc>,
) -> StoreResult<Spending> {
    let ceiling_brl = account.monthly_ceiling_brl;
    let spent_brl = match ceiling_brl {
        Some(_) => usage::total_since(db, account.id, month_began(account, now)).await?,
        None => 0.0,
    };
    Ok(Spending { spent_brl, ceiling_brl })
}

/// Whether the account may make no further paid call this month. Nobody pays for one that there is
/// not.
pub async fn is_over(
    db: &impl ConnectionTrait,
    account_id: i64,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    match accounts::find(db, account_id).await? {
        Some(account) => Ok(of_account(db, &account, now).await?.is_over()),
        None => Ok(true),
    }
}

/// The outcome of a job that would pay for a call and may not; `None` when it may.
pub async fn wait(
    db: &impl ConnectionTrait,
    job: &ClaimedJob,
    now: DateTime<Utc>,
) -> StoreResult<Option<JobOutcome>> {
    let Some(account_id) = job.account_id else { return Ok(None) };
    let Some(account) = accounts::find(db, account_id).await? else { return Ok(None) };
    let over = of_account(db, &account, now).await?.is_over();
    Ok(over.then(|| JobOutcome::Snooze { until: now + WAIT }))
}

/// Looks once at all accounts with a ceiling.
pub async fn watch(db: &DatabaseConnection, now: DateTime<Utc>) -> StoreResult<()> {
    for account in accounts::list(db).await? {
        if account.monthly_ceiling_brl.is_none() {
            continue;
        }
        let spending = of_account(db, &account, now).await?;
        let local = month_began(&account, now);
        let month = local.format("%Y-%m");
        for (reached, percent) in [(spending.is_near(), 80), (spending.is_over(), 100)] {
            // A ceiling that was raised is another one.
            let ceiling = account.monthly_ceiling_brl.unwrap_or_default();
            let subject = format!("account {} {month} {percent}% of {ceiling}", account.id);
            if reached {
                tell(db, &account, &spending, subject, percent, now).await?;
            }
        }
    }
    Ok(())
}

/// Once per month and mark: an alert that somebody closed is not raised again.
async fn tell(
    db: &DatabaseConnection,
    account: &account::Model,
    spending: &Spending,
    subject: String,
    percent: i32,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    if crate::store::alerts::was_raised(db, Kind::Spending.as_str(), &subject).await? {
        return Ok(());
    }
    let place = Place { account_id: Some(account.id), ..Place::default() };
    let ceiling = spending.ceiling_brl.unwrap_or_default();
    let detail = format!("BRL {:.2} of {ceiling:.2}: {percent}%", spending.spent_brl);
    alerts::raise(db, Kind::Spending, place, subject, detail, now).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ceiling_is_reached_and_not_passed() {
        let at = |spent_brl, ceiling_brl| Spending { spent_brl, ceiling_brl };
        assert!(!at(99.99, Some(100.0)).is_over());
        assert!(at(100.0, Some(100.0)).is_over());
        assert!(at(0.0, Some(0.0)).is_over());
        assert!(!at(1e9, None).is_over());
        assert!(at(80.0, Some(100.0)).is_near() && !at(79.9, Some(100.0)).is_near());
    }
}
