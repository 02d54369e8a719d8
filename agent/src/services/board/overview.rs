//! The account at a glance: what happened within a period, what waits now, what the month costs.
//!
//! Closed buckets are added up, and of the time since the last of them the rows themselves are
//! counted, so the numbers are those of this moment and the work is the same whatever the history.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::account;
use sea_orm::DatabaseConnection;
use serde::Serialize;

use super::overview_parts::{
    Answers, Cost, Failures, Messages, Named, Point, Recall, cost, named, points,
};
use super::roll_up::bucket_of;
use crate::domain::stats::{Figures, Period, Step};
use crate::services::memory::flags::Flag;
use crate::services::spending::month_began;
use crate::store::board::alerts::{self, Alert, Owner};
use crate::store::board::setup::{self, Setup, Waiting};
use crate::store::board::stats::{self, Bucket};
use crate::store::board::stats_sources::{self as sources, Span};
use crate::store::board::unanswered::{self, Unanswered};
use crate::store::{StoreResult, accounts};

/// How much of the time without buckets is counted from the rows. More is missing only where no
/// worker has run.
const LIVE: TimeDelta = TimeDelta::hours(1);
/// Rows of one table that are read for it.
const MOST_LIVE: i64 = 100_000;
/// Standing facts that are counted while somebody waits; more are counted by a job.
const MOST_FACTS: i64 = 20_000;
/// Alerts and unanswered conversations that are shown.
const SHOWN: u64 = 20;
/// Unanswered messages that are counted.
const MOST_UNANSWERED: i64 = 1_000;

/// Active facts, and how they change.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = OverviewFacts)]
pub struct Facts {
    pub active: u64,
    /// Most first.
    pub by_kind: Vec<Named>,
    /// When they were counted.
    pub measured_at: DateTime<Utc>,
    /// Within the period.
    pub learnt: u64,
    pub superseded: u64,
    /// Superseded for each one learnt; absent where none was.
    pub supersedence_rate: Option<f64>,
}

/// The account at a glance.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct Overview {
    /// `today`, `7d` or `30d`.
    pub period: &'static str,
    pub from: DateTime<Utc>,
    /// Everything up to here is counted. It is now, unless the workers that gather figures stand
    /// still.
    pub complete_until: DateTime<Utc>,
    pub is_behind: bool,
    pub messages: Messages,
    pub answers: Answers,
    pub preempts: u64,
    /// Fixed answers of triage, most first.
    pub preempts_by_verdict: Vec<Named>,
    pub handoffs: Waiting,
    pub recall: Recall,
    pub facts: Facts,
    /// Of the calendar month, whatever the period.
    pub cost: Cost,
    pub failures: Failures,
    /// Messages without an outcome for over 15 minutes, counted up to 1,000.
    pub unanswered: i64,
    pub unanswered_conversations: Vec<Unanswered>,
    pub alerts: Vec<Alert>,
    /// `hour` or `day`.
    pub step: &'static str,
    pub series: Vec<Point>,
    pub setup: Setup,
}

/// Whose overview, for when.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    pub account: &'a account::Model,
    pub period: Period,
    pub runs_instance: bool,
}

/// Looks at the account now.
pub async fn overview(
    db: &DatabaseConnection,
    asked: &Asked<'_>,
    now: DateTime<Utc>,
) -> StoreResult<Overview> {
    let account = asked.account;
    let zone = accounts::zone(account);
    let from = asked.period.began(zone, now);
    let month = month_began(account, now);
    let owner = Owner { account_id: account.id, runs_instance: asked.runs_instance };
    let (learns, recalls) = (Flag::Extraction.name(), Flag::Recall.name());
    let (gathered, alerts, handoffs, unanswered, conversations, counted, setup) = tokio::try_join!(
        gather(db, account.id, from.min(month), now),
        alerts::open(db, owner, SHOWN),
        setup::waiting(db, account.id),
        unanswered::count(db, account.id, now, MOST_UNANSWERED),
        unanswered::of_account(db, account.id, now, 5),
        count_facts(db, account.id, now),
        setup::of_account(db, account.id, &learns, &recalls),
    )?;
    let Gathered { buckets, complete_until, is_behind } = gathered;
    let mut within = Figures::default();
    for bucket in buckets.iter().filter(|bucket| bucket.start >= from) {
        within.merge(&bucket.figures);
    }
    let mut of_month = BTreeMap::new();
    for bucket in buckets.iter().filter(|bucket| bucket.start >= month) {
        for (purpose, cost) in &bucket.figures.costs {
            let sum: &mut crate::domain::stats::Cost = of_month.entry(purpose.clone()).or_default();
            sum.add(*cost);
        }
    }
    let (kinds, measured_at) = counted;
    let share = |part: u64, of: u64| (of > 0).then(|| part as f64 / of as f64);
    Ok(Overview {
        period: asked.period.as_str(),
        from,
        complete_until,
        is_behind,
        messages: Messages::of(&within),
        answers: Answers::of(&within),
        preempts: within.preempted(),
        preempts_by_verdict: named(&within.preempts),
        handoffs,
        recall: Recall::of(&within),
        facts: Facts {
            active: kinds.values().sum(),
            by_kind: named(&kinds),
            measured_at,
            learnt: within.learnt,
            superseded: within.superseded,
            supersedence_rate: share(within.superseded, within.learnt),
        },
        cost: cost(&of_month, account.monthly_ceiling_brl, month, zone, now),
        failures: Failures::of(&within),
        unanswered,
        unanswered_conversations: conversations,
        alerts,
        step: match asked.period.step() {
            Step::Hour => "hour",
            Step::Day => "day",
        },
        series: points(&asked.period.steps(zone, now), &buckets, now),
        setup,
    })
}

/// Buckets up to now, the last of them made of the rows since the one before it.
struct Gathered {
    buckets: Vec<Bucket>,
    complete_until: DateTime<Utc>,
    is_behind: bool,
}

async fn gather(
    db: &DatabaseConnection,
    account_id: i64,
    from: DateTime<Utc>,
    now: DateTime<Utc>,
) -> StoreResult<Gathered> {
    let progress = stats::progress(db).await?;
    // Before the first run of the job the installation is younger than what is counted live.
    let filled = progress.map_or(now - LIVE, |progress| progress.filled_until);
    let mut buckets = stats::between(db, account_id, from, filled.min(now)).await?;
    if now - filled > LIVE {
        return Ok(Gathered { buckets, complete_until: filled, is_behind: true });
    }
    // One bucket at a time: the open one and, for a minute, the one before it.
    let mut start = filled.max(from);
    while start <= now {
        let until = (bucket_of(start) + super::roll_up::WIDTH).min(now + TimeDelta::seconds(1));
        let span = Span { from: start, until, account_id: Some(account_id), most: MOST_LIVE };
        let figures = sources::figures(db, &span).await?.remove(&account_id);
        buckets.extend(figures.map(|figures| Bucket { start, figures }));
        start = until;
    }
    Ok(Gathered { buckets, complete_until: now, is_behind: false })
}

/// Active facts by kind, and when they were counted.
async fn count_facts(
    db: &DatabaseConnection,
    account_id: i64,
    now: DateTime<Utc>,
) -> StoreResult<(BTreeMap<String, u64>, DateTime<Utc>)> {
    if let Some(kinds) = sources::facts_of(db, account_id, MOST_FACTS, now).await? {
        return Ok((kinds, now));
    }
    let gauge = stats::gauge(db, account_id).await?;
    Ok(gauge.map_or((BTreeMap::new(), now), |gauge| (gauge.facts, gauge.measured_at)))
}
