//! Tables of answers, scored per form.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use super::super::{Context, FigureKind, claims, ungrounded};

pub(super) fn context() -> Context {
    Context { today: NaiveDate::from_ymd_opt(2026, 11, 30).unwrap() }
}

fn form(kind: FigureKind) -> String {
    format!("{kind:?}").to_lowercase()
}

/// Counts of right and wrong alarms.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Score {
    pub hits: u32,
    pub missed: u32,
    pub false_alarms: u32,
    pub rows: u32,
}

impl Score {
    pub fn precision(self) -> f64 {
        f64::from(self.hits) / f64::from((self.hits + self.false_alarms).max(1))
    }

    pub fn recall(self) -> f64 {
        f64::from(self.hits) / f64::from((self.hits + self.missed).max(1))
    }
}

/// Reads `form | ok or bad | source | answer` and scores every row.
fn scored(table: &str) -> BTreeMap<String, Score> {
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let parts: Vec<&str> = line.split(" | ").collect();
        let [kind, truth, source, answer] = parts[..] else { panic!("{line}") };
        assert!(matches!(truth, "ok" | "bad"), "{line}");
        let answer = answer.replace("\\n", "\n");
        let missing = ungrounded(&answer, &[source], &context());
        let score = scores.entry(kind.to_owned()).or_default();
        score.rows += 1;
        let right = missing.iter().any(|figure| form(figure.kind) == kind);
        // Whatever else is found in an invented row must not be found.
        let others = missing.iter().filter(|figure| form(figure.kind) != kind).count();
        if truth == "bad" && others > 0 {
            score.false_alarms += 1;
            println!("besides: {line} -> {missing:?}");
        }
        match (truth, missing.is_empty()) {
            ("bad", _) if right => score.hits += 1,
            ("bad", _) => {
                score.missed += 1;
                println!("missed: {line} -> {missing:?}");
            }
            (_, false) => {
                score.false_alarms += 1;
                println!("false alarm: {line} -> {missing:?}");
            }
            _ => {}
        }
    }
    scores
}

fn holds(name: &str, table: &str) {
    let scores = scored(table);
    for (kind, score) in &scores {
        let (precision, recall) = (score.precision(), score.recall());
        println!(
            "{name} {kind}: {} rows, precision {precision:.3}, recall {recall:.3}",
            score.rows
        );
    }
    for (kind, score) in &scores {
        assert!(score.precision() >= 0.95 && score.recall() >= 0.95, "{name} {kind}: {score:?}");
    }
}

#[test]
fn invented_figures_of_each_form_are_found_and_grounded_ones_left_alone() {
    holds("first table", include_str!("figures.txt"));
}

/// Reads `claim or none | answer`, and scores what was claimed.
fn claimed(name: &str, table: &str) {
    let mut score = Score::default();
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (truth, answer) = line.split_once(" | ").unwrap_or_else(|| panic!("{line}"));
        let found = claims(answer);
        let named = found.iter().any(|claim| format!("{claim:?}").to_lowercase() == truth);
        score.rows += 1;
        match (truth, found.is_empty()) {
            ("none", true) => {}
            ("none", false) => {
                score.false_alarms += 1;
                println!("false claim: {line} -> {found:?}");
            }
            _ if named => score.hits += 1,
            _ => {
                score.missed += 1;
                println!("missed claim: {line} -> {found:?}");
            }
        }
    }
    let (precision, recall) = (score.precision(), score.recall());
    println!("{name}: {} rows, precision {precision:.3}, recall {recall:.3}", score.rows);
    assert!(precision >= 0.95 && recall >= 0.95, "{name}: {score:?}");
}

#[test]
fn what_was_done_is_told_from_what_is_offered() {
    claimed("first claims", include_str!("claims.txt"));
}

#[test]
fn answers_as_they_are_written_are_judged_as_well() {
    holds("second table", include_str!("figures_blind.txt"));
}

#[test]
fn claims_as_they_are_written_are_told_as_well() {
    claimed("second claims", include_str!("claims_blind.txt"));
}

#[test]
fn a_third_table_of_answers_is_judged_as_well() {
    holds("third table", include_str!("figures_third.txt"));
}

#[test]
fn a_third_table_of_claims_is_told_as_well() {
    claimed("third claims", include_str!("claims_third.txt"));
}

#[test]
fn days_sums_and_addresses_license_what_they_say() {
    holds("fifth table", include_str!("figures_fifth.txt"));
}

#[test]
fn facts_are_told_from_deeds_and_free_times_from_both() {
    claimed("fourth claims", include_str!("claims_fourth.txt"));
}

#[test]
fn rarer_ways_of_writing_are_judged_as_well() {
    holds("fourth table", include_str!("figures_fourth.txt"));
}
