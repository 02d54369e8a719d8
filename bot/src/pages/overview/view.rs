//! The overview's numbers as they are written.

use chrono::{DateTime, Utc};
use lembra_agent::domain::stats::Period;
use lembra_agent::services::board::overview::Overview;
use lembra_agent::services::board::overview_parts::{Named, Point, Purpose};

use super::chart::Spark;
use crate::pages::{text, words};

/// A period that can be chosen.
pub struct Choice {
    pub href: String,
    pub label: String,
    /// `page` for the one that is shown.
    pub current: &'static str,
}

impl Choice {
    pub fn all(shown: Period) -> Vec<Self> {
        let choice = |period: Period| Self {
            href: format!("/?period={}", period.as_str()),
            label: words::of("period", period.as_str()),
            current: if period == shown { "page" } else { "false" },
        };
        Period::ALL.map(choice).into()
    }
}

/// Whether the bars are told in numbers, and the link to have it otherwise.
pub struct Numbers {
    pub shown: bool,
    pub href: String,
}

impl Numbers {
    pub fn of(period: Period, shown: bool) -> Self {
        let end = if shown { "" } else { "&numbers=1" };
        Self { shown, href: format!("/?period={}{end}", period.as_str()) }
    }
}

/// What is not known.
const NONE: &str = "–";

fn duration(ms: Option<u64>) -> String {
    ms.map_or_else(|| NONE.to_owned(), |ms| text::duration(ms as f64))
}

fn percent(part: Option<f64>) -> String {
    part.map_or_else(|| NONE.to_owned(), |part| format!("{:.0} %", part * 100.0).replace('.', ","))
}

/// What a month may cost, and how much of it is spent.
pub struct Ceiling {
    pub brl: String,
    /// 0 to 1, for a bar.
    pub part: String,
    pub percent: String,
}

/// Numbers of the tiles.
pub struct Tiles {
    pub answer_p50: String,
    pub answer_p95: String,
    pub hit_rate: String,
    pub recall_p99: String,
    pub supersedence: String,
    pub brl: String,
    pub ceiling: Option<Ceiling>,
    pub expected: Option<String>,
    /// How long the conversation that waits longest has waited.
    pub longest: Option<String>,
    /// Counted only up to here.
    pub unanswered: String,
}

impl Tiles {
    pub fn of(overview: &Overview, now: DateTime<Utc>) -> Self {
        let cost = &overview.cost;
        let unanswered = text::grouped(&overview.unanswered.to_string());
        Self {
            answer_p50: duration(overview.answers.p50_ms),
            answer_p95: duration(overview.answers.p95_ms),
            hit_rate: percent(overview.recall.hit_rate),
            recall_p99: duration(overview.recall.p99_ms),
            supersedence: percent(overview.facts.supersedence_rate),
            brl: text::brl(cost.brl),
            ceiling: cost.ceiling_brl.zip(cost.share).map(|(ceiling, share)| Ceiling {
                brl: text::brl(ceiling),
                part: format!("{:.3}", share.clamp(0.0, 1.0)),
                percent: percent(Some(share)),
            }),
            expected: cost.expected_brl.filter(|_| cost.brl > 0.0).map(text::brl),
            longest: overview.handoffs.waiting_since.map(|since| text::span(now - since)),
            unanswered: match overview.unanswered {
                1_000.. => format!("{unanswered}+"),
                _ => unanswered,
            },
        }
    }
}

/// Small lines of the tiles.
pub struct Sparks {
    pub received: Option<Spark>,
    pub sent: Option<Spark>,
    pub answers: Option<Spark>,
    pub preempts: Option<Spark>,
    pub recall: Option<Spark>,
    pub failures: Option<Spark>,
    pub cost: Option<Spark>,
}

impl Sparks {
    pub fn of(points: &[Point]) -> Self {
        let spark = |of: fn(&Point) -> Option<f64>| {
            let values: Vec<Option<f64>> =
                points.iter().map(|point| of(point).filter(|_| !point.is_future)).collect();
            Spark::of(&values)
        };
        Self {
            received: spark(|point| Some(point.received as f64)),
            sent: spark(|point| Some(point.sent as f64)),
            answers: spark(|point| point.answer_p95_ms.map(|ms| ms as f64)),
            preempts: spark(|point| Some(point.preempts as f64)),
            recall: spark(|point| point.recall_hit_rate),
            failures: spark(|point| Some(point.failures as f64)),
            cost: spark(|point| Some(point.brl)),
        }
    }
}

/// A name with its number, and how much of the largest that is.
pub struct Line {
    pub name: String,
    pub value: String,
    pub note: String,
    /// 0 to 1.
    pub part: String,
}

fn part(of: f64, most: f64) -> String {
    format!("{:.3}", if most > 0.0 { of / most } else { 0.0 })
}

/// Counts by name, most first, with the words of that group.
pub fn lines(group: &str, counts: &[Named]) -> Vec<Line> {
    let most = counts.iter().map(|named| named.count).max().unwrap_or(0) as f64;
    let line = |named: &Named| Line {
        name: words::of(group, &named.name),
        value: text::grouped(&named.count.to_string()),
        note: String::new(),
        part: part(named.count as f64, most),
    };
    counts.iter().map(line).collect()
}

/// The month's cost by purpose.
pub fn purposes(purposes: &[Purpose]) -> Vec<Line> {
    let most = purposes.iter().map(|purpose| purpose.brl).fold(0.0, f64::max);
    let line = |purpose: &Purpose| {
        let calls = text::grouped(&purpose.calls.to_string());
        Line {
            name: words::of("purpose", &purpose.purpose),
            value: text::brl(purpose.brl),
            note: words::filled("overview.calls", &[("calls", &calls)]),
            part: part(purpose.brl, most),
        }
    };
    purposes.iter().map(line).collect()
}
