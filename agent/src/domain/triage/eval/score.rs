//! Verdicts beside labels, counted.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Judged;

/// How one class did. A share of nothing is 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ClassScore {
    /// Right among those that triage gave this verdict.
    pub precision: f64,
    /// Found among those that are labelled so.
    pub recall: f64,
    /// Harmonic mean of the two.
    pub f1: f64,
    /// Rows that are labelled so.
    pub support: u64,
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    pub file: String,
    /// Every class that is a label or a verdict.
    pub classes: BTreeMap<String, ClassScore>,
    /// Share of rows whose verdict is their label.
    pub accuracy: f64,
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl Report {
    /// Counts `rows` of `file`.
    pub fn of(file: &str, rows: &[Judged]) -> Self {
        #[derive(Default)]
        struct Count {
            right: u64,
            said: u64,
            support: u64,
        }
        let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
        let mut right = 0;
        for row in rows {
            counts.entry(&row.label).or_default().support += 1;
            counts.entry(&row.verdict).or_default().said += 1;
            if row.is_right() {
                counts.entry(&row.label).or_default().right += 1;
                right += 1;
            }
        }
        let score = |count: &Count| {
            let precision = share(count.right, count.said);
            let recall = share(count.right, count.support);
            let sum = precision + recall;
            let f1 = if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 };
            ClassScore { precision, recall, f1, support: count.support }
        };
        Self {
            file: file.to_owned(),
            classes: counts.iter().map(|(name, c)| ((*name).to_owned(), score(c))).collect(),
            accuracy: share(right, rows.len() as u64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(label: &str, verdict: &str) -> Judged {
        Judged {
            text: "x".to_owned(),
            label: label.to_owned(),
            verdict: verdict.to_owned(),
            rule: None,
        }
    }

    #[test]
    fn precision_recall_and_f1_are_those_of_the_textbook() {
        let rows = [row("a", "a"), row("a", "a"), row("a", "b"), row("b", "a")];
        let report = Report::of("f", &rows);
        let a = report.classes["a"];
        assert!((a.precision - 2.0 / 3.0).abs() < 1e-9 && (a.recall - 2.0 / 3.0).abs() < 1e-9);
        assert!((a.f1 - 2.0 / 3.0).abs() < 1e-9);
        assert_eq!(a.support, 3);
        assert!((report.accuracy - 0.5).abs() < 1e-9);
        assert!(report.classes["b"].f1.abs() < 1e-9);
    }

    #[test]
    fn an_empty_file_has_no_classes() {
        let report = Report::of("f", &[]);
        assert!(report.classes.is_empty() && report.accuracy.abs() < 1e-9);
    }
}
