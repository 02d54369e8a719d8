//! `bot handoff`.

use clap::Subcommand;
use lembra_agent::services::handoff::{self, speak};
use lembra_agent::store::{conversations, handoffs};
use lembra_worker::runtime::Runtime;
use serde_json::{Value, json};

use super::Output;

#[derive(Subcommand)]
pub enum Handoff {
    /// List what waits or is taken, most urgent first
    List {
        #[arg(long)]
        account: Option<i64>,
    },
    /// Take a conversation
    Take {
        conversation: i64,
        /// Who takes it
        #[arg(long)]
        by: String,
    },
    /// Answer the customer as a person of the business; takes the conversation
    Say {
        conversation: i64,
        #[arg(long)]
        by: String,
        text: String,
    },
    /// Give a conversation back to the bot
    Return { conversation: i64 },
}

impl Handoff {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let (db, clock) = (&runtime.db, &runtime.clock);
        let (id, done) = match self {
            Handoff::List { account } => return list(runtime, account, output).await,
            Handoff::Take { conversation, by } => {
                if !handoff::take(db, clock, conversation, &by).await? {
                    anyhow::bail!("conversation {conversation} waits for nobody");
                }
                (conversation, "taken")
            }
            Handoff::Say { conversation, by, text } => {
                let head = conversations::head(db, conversation).await?;
                let head = head.ok_or_else(|| anyhow::anyhow!("no conversation {conversation}"))?;
                let account = head.place.account_id;
                speak::say(db, clock, account, conversation, &by, &text).await?;
                (conversation, "answered")
            }
            Handoff::Return { conversation } => {
                if conversations::head(db, conversation).await?.is_none() {
                    anyhow::bail!("there is no conversation {conversation}");
                }
                handoff::hand_back(db, clock, conversation).await?;
                (conversation, "returned")
            }
        };
        output.print(&json!({ "id": id, "state": done }), &[format!("conversation {id} {done}")]);
        Ok(())
    }
}

async fn list(runtime: &Runtime, account: Option<i64>, output: Output) -> anyhow::Result<()> {
    let now = runtime.clock.now();
    let rows = handoffs::list_open(&runtime.db, account).await?;
    let lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let minutes = (now - row.created_at).num_minutes();
            let by = row.taken_by.as_deref().map(|by| format!(" by {by}")).unwrap_or_default();
            let (id, reason, state) = (row.conversation_id, &row.reason, &row.state);
            format!("conversation {id}  {reason}  {state}{by}  {minutes} min")
        })
        .collect();
    let list: Vec<Value> = rows.iter().map(|row| handoff::json(row, now)).collect();
    output.print(&json!({ "handoffs": list }), &lines);
    Ok(())
}
