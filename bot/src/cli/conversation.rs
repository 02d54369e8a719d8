//! `bot conversation`.

use chrono::TimeDelta;
use clap::Subcommand;
use lembra_agent::services::{conversations, handoff};
use lembra_agent::store;
use lembra_worker::runtime::Runtime;
use serde_json::json;

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
    /// End a conversation; the customer's next message opens another
    Resolve { id: i64 },
}

impl Conversation {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let (db, clock) = (&runtime.db, &runtime.clock);
        let (id, done) = match self {
            Conversation::List => return list(runtime, output).await,
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
