//! `bot conversation`.

use chrono::TimeDelta;
use clap::Subcommand;
use lembra_agent::services::{conversations, handoff};
use lembra_agent::store;
use lembra_worker::runtime::Runtime;
use serde_json::{Value, json};

use super::Output;

#[derive(Subcommand)]
pub enum Conversation {
    /// List the open conversations that are left to a person, longest first
    List,
    /// Keep the bot silent in a conversation
    Pause {
        id: i64,
        /// For so many minutes; without it until `resume`
        #[arg(long, value_parser = clap::value_parser!(i64).range(1..=525_600))]
        minutes: Option<i64>,
    },
    /// Give a conversation back to the bot
    Resume { id: i64 },
    /// Show how its answers came about: rounds, calls, tokens, cost, time
    Turns { id: i64 },
    /// End a conversation; the customer's next message opens another
    Resolve { id: i64 },
}

impl Conversation {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let (db, clock) = (&runtime.db, &runtime.clock);
        let (id, done) = match self {
            Conversation::List => return list(runtime, output).await,
            Conversation::Turns { id } => return turns(runtime, id, output).await,
            Conversation::Pause { id, minutes } => {
                let until = minutes.map(|minutes| clock.now() + TimeDelta::minutes(minutes));
                if !handoff::pause(db, clock, id, until).await? {
                    anyhow::bail!("there is no conversation {id}");
                }
                (id, "paused")
            }
            Conversation::Resume { id } => {
                if store::conversations::head(db, id).await?.is_none() {
                    anyhow::bail!("there is no conversation {id}");
                }
                handoff::hand_back(db, clock, id).await?;
                (id, "resumed")
            }
            Conversation::Resolve { id } => {
                if !conversations::resolve(db, clock, id).await? {
                    anyhow::bail!("there is no open conversation {id}");
                }
                (id, "resolved")
            }
        };
        output.print(&json!({ "id": id, "state": done }), &[format!("conversation {id} {done}")]);
        Ok(())
    }
}

async fn list(runtime: &Runtime, output: Output) -> anyhow::Result<()> {
    let rows = store::conversations::left_to_people(&runtime.db).await?;
    let line = |row: &lembra_entities::conversation::Model| {
        let reason = row.handler_reason.as_deref().unwrap_or("no reason");
        let since = row.handler_since.map_or_else(String::new, |at| at.to_rfc3339());
        format!("conversation {}  account {}  {reason}  since {since}", row.id, row.account_id)
    };
    let lines: Vec<String> = rows.iter().map(line).collect();
    let list = rows.iter().map(|row| {
        json!({
            "id": row.id,
            "account_id": row.account_id,
            "contact_id": row.contact_id,
            "reason": row.handler_reason,
            "since": row.handler_since,
        })
    });
    output.print(&json!({ "conversations": list.collect::<Vec<_>>() }), &lines);
    Ok(())
}

async fn turns(runtime: &Runtime, id: i64, output: Output) -> anyhow::Result<()> {
    if store::conversations::head(&runtime.db, id).await?.is_none() {
        anyhow::bail!("there is no conversation {id}");
    }
    let rows = store::turns::of_conversation(&runtime.db, id).await?;
    let mut lines = Vec::new();
    for row in &rows {
        let took = (row.finished_at - row.started_at).num_milliseconds();
        let cost = row.brl.map(|brl| format!("  BRL {brl:.4}")).unwrap_or_default();
        lines.push(format!("turn {}  {}  {}  {took} ms{cost}", row.id, row.started_at, row.model));
        let rounds = row.record.as_ref().and_then(Value::as_array).into_iter().flatten();
        for call in rounds.flat_map(|round| round["calls"].as_array().into_iter().flatten()) {
            let text = |name: &str| call[name].as_str().unwrap_or_default().to_owned();
            let (tool, ended, ms) = (text("tool"), text("ended"), &call["duration_ms"]);
            lines.push(format!("  {tool} {}  {ended}  {ms} ms", call["arguments"]));
        }
    }
    let list = rows.iter().map(|row| {
        json!({
            "id": row.id,
            "model": row.model,
            "started_at": row.started_at,
            "finished_at": row.finished_at,
            "prompt_tokens": row.prompt_tokens,
            "completion_tokens": row.completion_tokens,
            "brl": row.brl,
            "reply": row.reply,
            "rounds": row.record,
        })
    });
    output.print(&json!({ "turns": list.collect::<Vec<_>>() }), &lines);
    Ok(())
}
