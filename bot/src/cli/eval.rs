//! `bot eval`: how well the deterministic parts do on labelled messages. Needs no configuration.

use std::path::PathBuf;

use anyhow::Context;
use clap::Subcommand;
use lembra_agent::domain::triage::eval::{self, Judged, Report};

use super::Output;

#[derive(Subcommand)]
pub enum Eval {
    /// Judge tables of labelled messages: precision, recall, F1 and what was taken for what
    Triage {
        /// Tab-separated files with a header: text and label, or m1, m2, m3, past_turns and label
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

impl Eval {
    pub fn run(self, output: Output) -> anyhow::Result<()> {
        let Eval::Triage { files } = self;
        for file in files {
            let name = file.display().to_string();
            let table = std::fs::read_to_string(&file).with_context(|| name.clone())?;
            let rows = eval::run(&table).with_context(|| name.clone())?;
            let report = Report::of(&name, &rows);
            output.print(&serde_json::to_value(&report)?, &lines(&report, &rows));
        }
        Ok(())
    }
}

/// The report as people read it: a table, and every row that went wrong under what it was taken for.
fn lines(report: &Report, rows: &[Judged]) -> Vec<String> {
    let mut lines = vec![
        format!("{}: {} rows, accuracy {:.3}", report.file, rows.len(), report.accuracy),
        format!(
            "  {:<28} {:>9} {:>7} {:>7} {:>8}",
            "class", "precision", "recall", "f1", "support"
        ),
    ];
    lines.extend(report.classes.iter().map(|(name, score)| {
        format!(
            "  {name:<28} {:>9.3} {:>7.3} {:>7.3} {:>8}",
            score.precision, score.recall, score.f1, score.support
        )
    }));
    let mut wrong: Vec<&Judged> = rows.iter().filter(|row| !row.is_right()).collect();
    wrong.sort_by_key(|row| (&row.label, &row.verdict));
    if !wrong.is_empty() {
        lines.push("  confusions".to_owned());
    }
    lines.extend(wrong.iter().map(|row| {
        let rule = row.rule.unwrap_or("no rule");
        format!("  {} taken for {} [{rule}]: {}", row.label, row.verdict, row.text)
    }));
    lines
}
