//! `bot conversation`.

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
