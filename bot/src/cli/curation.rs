//! `bot curation`: was the fixed answer right? The list holds what customers wrote, for the eyes of
//! operators.

use clap::{Args, Subcommand, ValueEnum};
use lembra_agent::services::curation::{self, Layout, Mark};
use lembra_agent::store::curation::Preempted;
use lembra_worker::runtime::Runtime;
use serde_json::json;

use super::Output;

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Curation {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    list: List,
}

#[derive(Args)]
struct List {
    /// How far back: 7d, 12h or 30m
    #[arg(long, default_value = "7d")]
    since: String,
    /// Of one account only
    #[arg(long)]
    account: Option<i64>,
}

#[derive(Subcommand)]
enum Action {
    /// Say whether the fixed answer to a message was right
    Mark {
        id: i64,
        mark: MarkWord,
        /// What triage should have said; the model's turn when left out
        #[arg(long)]
        expected: Option<String>,
    },
    /// Print wrong marks as test rows, tab-separated
    Export {
        /// The table that the rows belong to
        #[arg(long, value_enum, default_value_t = Table::Guard)]
        table: Table,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MarkWord {
    Right,
    Wrong,
}

#[derive(Clone, Copy, ValueEnum)]
enum Table {
    Guard,
    Scope,
    Loop,
}

impl Curation {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        match self.action {
            None => list(self.list, runtime, output).await,
            Some(Action::Mark { id, mark, expected }) => {
                set_mark(runtime, output, id, mark, expected).await
            }
            Some(Action::Export { table }) => {
                let layout = match table {
                    Table::Guard => Layout::Guard,
                    Table::Scope => Layout::Scope,
                    Table::Loop => Layout::Loop,
                };
                let lines = curation::export(&runtime.db, layout).await?;
                output.print(&json!({ "rows": lines }), &lines);
                Ok(())
            }
        }
    }
}

async fn set_mark(
    runtime: &Runtime,
    output: Output,
    id: i64,
    word: MarkWord,
    expected: Option<String>,
) -> anyhow::Result<()> {
    let Some(verdict) = curation::verdict_of(&runtime.db, id).await? else {
        anyhow::bail!("message {id} got no fixed answer");
    };
    let mark = match word {
        MarkWord::Right if expected.is_some() => {
            anyhow::bail!("--expected says what a wrong answer should have been");
        }
        MarkWord::Right => Mark::Right,
        MarkWord::Wrong => {
            let calm = || Layout::calm_label(&verdict).to_owned();
            Mark::Wrong { expected: expected.unwrap_or_else(calm) }
        }
    };
    curation::mark(&runtime.db, &runtime.clock, id, &mark).await?;
    let word = if word == MarkWord::Right { "right" } else { "wrong" };
    output.print(&json!({ "id": id, "mark": word }), &[format!("message {id} marked {word}")]);
    Ok(())
}

async fn list(list: List, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
    let Some(age) = curation::parse_age(&list.since) else {
        anyhow::bail!("--since {}: a number and d, h or m, such as 7d", list.since);
    };
    let since = runtime.clock.now() - age;
    let rows = curation::list(&runtime.db, list.account, since).await?;
    let line = |row: &Preempted| {
        let mark = row.mark.as_deref().unwrap_or("unmarked");
        let next = row.next.as_deref().unwrap_or("(nothing since)");
        format!(
            "message {}  account {}  {}  {}  {mark}\n  customer: {}\n  then:     {}",
            row.message_id,
            row.account_id,
            row.verdict,
            row.rule.as_deref().unwrap_or("no rule"),
            one_line(&row.text),
            one_line(next),
        )
    };
    let lines: Vec<String> = rows.iter().map(line).collect();
    let list = rows.iter().map(|row| {
        json!({
            "id": row.message_id,
            "account_id": row.account_id,
            "conversation_id": row.conversation_id,
            "written_at": row.written_at,
            "verdict": row.verdict,
            "rule": row.rule,
            "text": row.text,
            "next": row.next,
            "mark": row.mark,
        })
    });
    output.print(&json!({ "messages": list.collect::<Vec<_>>() }), &lines);
    Ok(())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(300).collect()
}
