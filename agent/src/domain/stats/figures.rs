//! What happened in an account within some time. Figures of neighbouring times add up.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Histogram;

/// Counts and histograms of one span of time, as kept in `stats_buckets.figures`; what is zero or
/// empty is not written.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Figures {
    /// Messages of customers; edits, withdrawals and reactions are none.
    #[serde(skip_serializing_if = "is_zero")]
    pub messages_in: u64,
    /// Messages of the bot.
    #[serde(skip_serializing_if = "is_zero")]
    pub sent_by_bot: u64,
    /// Messages of people of the business, from the phone or from the pages.
    #[serde(skip_serializing_if = "is_zero")]
    pub sent_by_people: u64,
    /// Fixed answers of triage, by verdict.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub preempts: BTreeMap<String, u64>,
    /// Milliseconds from the first message that a turn read to its answer's being sent.
    #[serde(skip_serializing_if = "Histogram::is_empty")]
    pub answers: Histogram,
    /// Milliseconds of each recall.
    #[serde(skip_serializing_if = "Histogram::is_empty")]
    pub recalls: Histogram,
    /// Recalls that brought at least one fact.
    #[serde(skip_serializing_if = "is_zero")]
    pub recall_hits: u64,
    /// Facts learnt.
    #[serde(skip_serializing_if = "is_zero")]
    pub learnt: u64,
    /// Facts that a newer one replaced.
    #[serde(skip_serializing_if = "is_zero")]
    pub superseded: u64,
    /// Failures, by `dashboard_errors.error_type`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub failures: BTreeMap<String, u64>,
    /// Model calls, by `llm_usage.purpose`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub costs: BTreeMap<String, Cost>,
}

/// What calls for one purpose cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    pub calls: u64,
    pub brl: f64,
}

impl Cost {
    /// Adds another.
    pub fn add(&mut self, other: Self) {
        self.calls += other.calls;
        self.brl += other.brl;
    }
}

impl Figures {
    /// Adds everything that another span holds.
    pub fn merge(&mut self, other: &Self) {
        self.messages_in += other.messages_in;
        self.sent_by_bot += other.sent_by_bot;
        self.sent_by_people += other.sent_by_people;
        add_counts(&mut self.preempts, &other.preempts);
        self.answers.merge(&other.answers);
        self.recalls.merge(&other.recalls);
        self.recall_hits += other.recall_hits;
        self.learnt += other.learnt;
        self.superseded += other.superseded;
        add_counts(&mut self.failures, &other.failures);
        for (purpose, cost) in &other.costs {
            self.costs.entry(purpose.clone()).or_default().add(*cost);
        }
    }

    /// Messages that went out, whoever wrote them.
    pub fn messages_out(&self) -> u64 {
        self.sent_by_bot + self.sent_by_people
    }

    pub fn preempted(&self) -> u64 {
        self.preempts.values().sum()
    }

    /// Failures of one type.
    pub fn failures_of(&self, error_type: &str) -> u64 {
        self.failures.get(error_type).copied().unwrap_or_default()
    }
}

fn add_counts(to: &mut BTreeMap<String, u64>, from: &BTreeMap<String, u64>) {
    for (name, count) in from {
        *to.entry(name.clone()).or_default() += count;
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Figures {
        let mut figures = Figures {
            messages_in: 3,
            sent_by_bot: 2,
            sent_by_people: 1,
            recall_hits: 1,
            learnt: 4,
            superseded: 1,
            preempts: BTreeMap::from([("frustrated".to_owned(), 2)]),
            failures: BTreeMap::from([("ungrounded".to_owned(), 1)]),
            costs: BTreeMap::from([("reply".to_owned(), Cost { calls: 2, brl: 0.5 })]),
            ..Figures::default()
        };
        figures.answers.add(4_000);
        figures.recalls.add(12);
        figures
    }

    #[test]
    fn figures_of_two_spans_add_up() {
        let mut both = example();
        both.merge(&example());
        assert_eq!((both.messages_in, both.messages_out(), both.preempted()), (6, 6, 4));
        assert_eq!((both.answers.count(), both.recalls.count()), (2, 2));
        assert_eq!(both.costs["reply"], Cost { calls: 4, brl: 1.0 });
        assert_eq!((both.failures_of("ungrounded"), both.failures_of("uncontrolled")), (2, 0));
    }

    #[test]
    fn what_is_zero_is_not_written_and_read_back_as_zero() {
        assert_eq!(serde_json::to_string(&Figures::default()).unwrap(), "{}");
        let json = serde_json::to_value(example()).unwrap();
        assert_eq!(serde_json::from_value::<Figures>(json).unwrap(), example());
        let known = r#"{"messages_in":1,"something_new":5}"#;
        assert_eq!(serde_json::from_str::<Figures>(known).unwrap().messages_in, 1);
    }
}
