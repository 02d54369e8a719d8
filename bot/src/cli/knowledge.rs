//! `bot knowledge`.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand};
use lembra_agent::domain::knowledge::Format;
use lembra_agent::services::knowledge::edit::{Changes, Filter};
use lembra_agent::services::knowledge::import::{File, Report};
use lembra_agent::services::knowledge::shown::{entry_json, hit_json, report_json};
use lembra_agent::services::memory::metering::Payer;
use lembra_agent::store::knowledge::Status;
use lembra_entities::assistant_response as entry;
use lembra_worker::runtime::Runtime;
use serde_json::{Value, json};

use super::Output;

/// Whom changes from the command line are put down to.
const BY: &str = "cli";

#[derive(Subcommand)]
pub enum Knowledge {
    /// Write an entry
    Add {
        #[arg(long)]
        account: i64,
        #[arg(long)]
        question: String,
        #[arg(long)]
        answer: String,
        #[arg(long)]
        category: Option<String>,
    },
    /// List entries, newest first
    List(List),
    /// Show one entry
    Show {
        #[arg(long)]
        account: i64,
        id: i64,
    },
    /// Change an entry; what is not named stays
    Edit(Edit),
    /// Remove an entry, for good
    Remove {
        #[arg(long)]
        account: i64,
        id: i64,
    },
    /// Read entries out of a CSV or Markdown file; those that are there already are updated
    Import {
        #[arg(long)]
        account: i64,
        file: PathBuf,
        /// csv or markdown; by the file's name or look where it is left out
        #[arg(long, value_parser = format)]
        format: Option<Format>,
    },
    /// Show what the assistant would find for a question
    Search {
        #[arg(long)]
        account: i64,
        text: String,
        #[arg(long, default_value_t = 5)]
        limit: usize,
    },
}

#[derive(Args)]
pub struct List {
    #[arg(long)]
    account: i64,
    /// Of this category and those below it
    #[arg(long)]
    category: Option<String>,
    /// With this in question or answer
    #[arg(long)]
    search: Option<String>,
    /// Only disabled ones
    #[arg(long)]
    disabled: bool,
    /// Only those with a smaller id
    #[arg(long)]
    before: Option<i64>,
    #[arg(long, default_value_t = 50)]
    limit: u64,
}

#[derive(Args)]
pub struct Edit {
    #[arg(long)]
    account: i64,
    id: i64,
    #[arg(long)]
    question: Option<String>,
    #[arg(long)]
    answer: Option<String>,
    #[arg(long, conflicts_with = "no_category")]
    category: Option<String>,
    /// Take the category away
    #[arg(long)]
    no_category: bool,
    /// Tell it no more
    #[arg(long, conflicts_with = "enable")]
    disable: bool,
    /// Tell it again
    #[arg(long)]
    enable: bool,
}

fn format(name: &str) -> Result<Format, String> {
    Format::parse(name).ok_or_else(|| "csv or markdown".to_owned())
}

impl Knowledge {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let knowledge = &runtime.knowledge;
        match self {
            Knowledge::Add { account, question, answer, category } => {
                let category = category.as_deref();
                let row = knowledge.add(account, &question, &answer, category, BY).await?;
                output.print(&entry_json(&row), &[line(&row)]);
            }
            Knowledge::List(list) => list.run(runtime, output).await?,
            Knowledge::Show { account, id } => {
                let row = knowledge.find(account, id).await?;
                let row = row.with_context(|| format!("account {account} has no entry {id}"))?;
                let answer = format!("\n{}", row.answer);
                output.print(&entry_json(&row), &[line(&row), answer]);
            }
            Knowledge::Edit(edit) => edit.run(runtime, output).await?,
            Knowledge::Remove { account, id } => {
                knowledge.remove(account, id).await?;
                output.print(&json!({ "removed": id }), &[format!("entry {id} removed")]);
            }
            Knowledge::Import { account, file, format } => {
                let report = import(runtime, account, &file, format).await?;
                output.print(&report_json(&report), &report_lines(&report));
            }
            Knowledge::Search { account, text, limit } => {
                let payer = Payer { account_id: account, conversation_id: None };
                let hits = knowledge.search(payer, &text, limit).await?;
                let lines: Vec<String> = hits
                    .iter()
                    .map(|hit| format!("{}  {:.2}  {}", hit.id, hit.score, hit.question))
                    .collect();
                let list: Vec<Value> = hits.iter().map(hit_json).collect();
                output.print(&json!({ "hits": list }), &lines);
            }
        }
        Ok(())
    }
}

impl List {
    async fn run(&self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let filter = Filter {
            status: self.disabled.then_some(Status::Disabled),
            category: self.category.as_deref(),
            search: self.search.as_deref(),
            before: self.before,
            limit: self.limit,
        };
        let rows = runtime.knowledge.list(self.account, &filter).await?;
        let lines: Vec<String> = rows.iter().map(line).collect();
        let list: Vec<Value> = rows.iter().map(entry_json).collect();
        output.print(&json!({ "entries": list }), &lines);
        Ok(())
    }
}

impl Edit {
    async fn run(&self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let category = match (self.no_category, self.category.as_deref()) {
            (true, _) => Some(None),
            (false, Some(name)) => Some(Some(name)),
            (false, None) => None,
        };
        let status = match (self.enable, self.disable) {
            (true, _) => Some(Status::Enabled),
            (_, true) => Some(Status::Disabled),
            _ => None,
        };
        let changes = Changes {
            question: self.question.as_deref(),
            answer: self.answer.as_deref(),
            category,
            status,
        };
        let row = runtime.knowledge.edit(self.account, self.id, changes, BY).await?;
        output.print(&entry_json(&row), &[line(&row)]);
        Ok(())
    }
}

async fn import(
    runtime: &Runtime,
    account: i64,
    path: &Path,
    format: Option<Format>,
) -> anyhow::Result<Report> {
    let bytes = tokio::fs::read(path).await;
    let bytes = bytes.with_context(|| format!("{} cannot be read", path.display()))?;
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let file = File { name: &name, bytes: &bytes, format };
    Ok(runtime.knowledge.import(account, file).await?)
}

fn report_lines(report: &Report) -> Vec<String> {
    let mut lines = vec![format!(
        "{} added, {} updated, {} unchanged, {} removed, {} refused",
        report.added,
        report.updated,
        report.unchanged,
        report.removed,
        report.refused.len()
    )];
    lines.extend(
        report.refused.iter().map(|refused| format!("line {}: {}", refused.line, refused.why)),
    );
    lines
}

fn line(row: &entry::Model) -> String {
    let category = row.category.as_ref().map_or_else(String::new, |name| format!("  [{name}]"));
    let disabled = match Status::parse(&row.status) {
        Some(Status::Enabled) => "",
        _ => "  (disabled)",
    };
    format!("{}  {}{category}{disabled}", row.id, row.question)
}
