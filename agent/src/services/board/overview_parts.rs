//! What an overview is made of: sums of figures in the words of the API.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, Months, TimeZone, Utc};
use chrono_tz::Tz;
use serde::Serialize;

use crate::domain::stats::period::step_of;
use crate::domain::stats::{self, Figures};
use crate::services::agent_chat::IncidentKind;
use crate::store::board::stats::Bucket;

/// A count with its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = NamedCount)]
pub struct Named {
    pub name: String,
    pub count: u64,
}

/// Counts with their names, most first.
pub fn named(counts: &BTreeMap<String, u64>) -> Vec<Named> {
    let mut named: Vec<Named> =
        counts.iter().map(|(name, count)| Named { name: name.clone(), count: *count }).collect();
    named.sort_by(|left, right| right.count.cmp(&left.count).then(left.name.cmp(&right.name)));
    named
}

/// Messages of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = OverviewMessages)]
pub struct Messages {
    pub received: u64,
    pub sent: u64,
    pub sent_by_bot: u64,
    pub sent_by_people: u64,
}

impl Messages {
    pub fn of(figures: &Figures) -> Self {
        Self {
            received: figures.messages_in,
            sent: figures.messages_out(),
            sent_by_bot: figures.sent_by_bot,
            sent_by_people: figures.sent_by_people,
        }
    }
}

/// Answers of the bot, from the customer's first message to the sending; within 3 %.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = OverviewAnswers)]
pub struct Answers {
    pub count: u64,
    pub p50_ms: Option<u64>,
    pub p95_ms: Option<u64>,
}

impl Answers {
    pub fn of(figures: &Figures) -> Self {
        let answers = &figures.answers;
        Self {
            count: answers.count(),
            p50_ms: answers.percentile(0.5),
            p95_ms: answers.percentile(0.95),
        }
    }
}

/// Recalls of a period (seed 002 §13).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = OverviewRecall)]
pub struct Recall {
    pub count: u64,
    /// Those that brought at least one fact.
    pub hits: u64,
    pub hit_rate: Option<f64>,
    pub p50_ms: Option<u64>,
    pub p99_ms: Option<u64>,
}

impl Recall {
    pub fn of(figures: &Figures) -> Self {
        let count = figures.recalls.count();
        Self {
            count,
            hits: figures.recall_hits,
            hit_rate: (count > 0).then(|| figures.recall_hits as f64 / count as f64),
            p50_ms: figures.recalls.percentile(0.5),
            p99_ms: figures.recalls.percentile(0.99),
        }
    }
}

/// Failures of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = OverviewFailures)]
pub struct Failures {
    /// Failures of tools that the contract foresees.
    pub tools: u64,
    /// Errors of the agent: what nobody foresaw, and answers that nothing held.
    pub agent: u64,
    pub uncontrolled: u64,
    pub ungrounded: u64,
}

impl Failures {
    pub fn of(figures: &Figures) -> Self {
        let [tools, uncontrolled, ungrounded] =
            IncidentKind::ALL.map(|kind| figures.failures_of(kind.as_str()));
        Self { tools, agent: uncontrolled + ungrounded, uncontrolled, ungrounded }
    }
}

/// What calls for one purpose cost.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = PurposeOfMonth)]
pub struct Purpose {
    /// Such as `reply` or `extraction`.
    pub purpose: String,
    pub calls: u64,
    pub brl: f64,
}

/// What a month costs so far.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = MonthCost)]
pub struct Cost {
    pub month_began: DateTime<Utc>,
    pub brl: f64,
    /// No limit when absent.
    pub ceiling_brl: Option<f64>,
    /// Of the ceiling, 0 to 1 and above.
    pub share: Option<f64>,
    /// What the whole month would cost at this pace; absent on its first day.
    pub expected_brl: Option<f64>,
    /// Dearest first.
    pub by_purpose: Vec<Purpose>,
}

/// The month's cost, out of what each purpose cost.
pub fn cost(
    purposes: &BTreeMap<String, stats::Cost>,
    ceiling_brl: Option<f64>,
    month_began: DateTime<Utc>,
    zone: Tz,
    now: DateTime<Utc>,
) -> Cost {
    let mut by_purpose: Vec<Purpose> = purposes
        .iter()
        .map(|(purpose, cost)| Purpose {
            purpose: purpose.clone(),
            calls: cost.calls,
            brl: cost.brl,
        })
        .collect();
    by_purpose.sort_by(|left, right| right.brl.total_cmp(&left.brl));
    let brl: f64 = by_purpose.iter().map(|purpose| purpose.brl).sum();
    Cost {
        month_began,
        brl,
        ceiling_brl,
        share: ceiling_brl.map(|ceiling| if ceiling > 0.0 { brl / ceiling } else { 1.0 }),
        expected_brl: passed(month_began, zone, now).map(|passed| brl / passed),
        by_purpose,
    }
}

/// How much of the month has passed, 0 to 1; `None` on its first day, which tells little.
fn passed(month_began: DateTime<Utc>, zone: Tz, now: DateTime<Utc>) -> Option<f64> {
    let local = now.with_timezone(&zone);
    if local.day() == 1 {
        return None;
    }
    let next = local.date_naive().with_day(1)?.checked_add_months(Months::new(1))?;
    let next = zone.from_local_datetime(&next.and_hms_opt(0, 0, 0)?).earliest()?.to_utc();
    let whole = (next - month_began).num_seconds();
    (whole > 0).then(|| (now - month_began).num_seconds() as f64 / whole as f64)
}

/// One step of the charts.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = OverviewPoint)]
pub struct Point {
    /// When the step begins.
    pub at: DateTime<Utc>,
    /// It has not begun yet.
    pub is_future: bool,
    pub received: u64,
    pub sent: u64,
    pub preempts: u64,
    pub answer_p50_ms: Option<u64>,
    pub answer_p95_ms: Option<u64>,
    pub recall_hit_rate: Option<f64>,
    pub failures: u64,
    pub brl: f64,
}

/// The buckets added up by steps.
pub fn points(steps: &[DateTime<Utc>], buckets: &[Bucket], now: DateTime<Utc>) -> Vec<Point> {
    let mut sums = vec![Figures::default(); steps.len()];
    for bucket in buckets {
        if let Some(step) = step_of(steps, bucket.start) {
            sums[step].merge(&bucket.figures);
        }
    }
    let point = |(at, figures): (&DateTime<Utc>, Figures)| {
        let answers = Answers::of(&figures);
        Point {
            at: *at,
            is_future: *at > now,
            received: figures.messages_in,
            sent: figures.messages_out(),
            preempts: figures.preempted(),
            answer_p50_ms: answers.p50_ms,
            answer_p95_ms: answers.p95_ms,
            recall_hit_rate: Recall::of(&figures).hit_rate,
            failures: figures.failures.values().sum(),
            brl: figures.costs.values().map(|cost| cost.brl).sum(),
        }
    };
    steps.iter().zip(sums).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        DateTime::parse_from_rfc3339(text).unwrap().to_utc()
    }

    #[test]
    fn half_a_months_cost_is_expected_twice() {
        let purposes = BTreeMap::from([
            ("extraction".to_owned(), stats::Cost { calls: 10, brl: 1.0 }),
            ("reply".to_owned(), stats::Cost { calls: 100, brl: 14.0 }),
        ]);
        let began = at("2026-11-01T03:00:00Z");
        let zone = chrono_tz::America::Sao_Paulo;
        let half = cost(&purposes, Some(60.0), began, zone, at("2026-11-16T03:00:00Z"));
        assert!((half.expected_brl.unwrap() - 30.0).abs() < 1e-9);
        assert!((half.share.unwrap() - 0.25).abs() < 1e-9);
        assert_eq!(half.by_purpose[0].purpose, "reply");
        let first = cost(&purposes, None, began, zone, at("2026-11-01T20:00:00Z"));
        assert_eq!((first.expected_brl, first.share), (None, None));
    }

    #[test]
    fn buckets_fall_into_their_steps() {
        let steps = [at("2026-12-01T03:00:00Z"), at("2026-12-02T03:00:00Z")];
        let bucket = |start: &str, messages_in| Bucket {
            start: at(start),
            figures: Figures { messages_in, ..Figures::default() },
        };
        let buckets = [
            bucket("2026-11-30T12:00:00Z", 9),
            bucket("2026-12-01T03:00:00Z", 1),
            bucket("2026-12-02T02:45:00Z", 2),
            bucket("2026-12-02T03:00:00Z", 4),
        ];
        let points = points(&steps, &buckets, at("2026-12-02T01:00:00Z"));
        let told: Vec<_> = points.iter().map(|point| (point.received, point.is_future)).collect();
        assert_eq!(told, [(3, false), (4, true)]);
    }
}
