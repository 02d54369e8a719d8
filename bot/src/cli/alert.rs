//! `bot alert`: what an operator must look at.

use clap::Subcommand;
use lembra_agent::store::alerts;
use lembra_entities::operator_alert;
use lembra_worker::runtime::Runtime;
use serde_json::json;

use super::Output;

#[derive(Subcommand)]
pub enum Alert {
    /// List alerts that nobody put aside, oldest first
    List {
        /// Of one account only
        #[arg(long)]
        account: Option<i64>,
    },
    /// Put an alert aside
    Seen { id: i64 },
}

impl Alert {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let account = match self {
            Alert::List { account } => account,
            Alert::Seen { id } => {
                if !alerts::see(&runtime.db, id, runtime.clock.now()).await? {
                    anyhow::bail!("there is no open alert {id}");
                }
                output
                    .print(&json!({ "id": id, "seen": true }), &[format!("alert {id} put aside")]);
                return Ok(());
            }
        };
        let rows = alerts::unseen(&runtime.db, account).await?;
        let line = |row: &operator_alert::Model| {
            let at = row.created_at.to_rfc3339();
            format!("alert {}  {}  conversation {}  {at}", row.id, row.kind, row.conversation_id)
        };
        let lines: Vec<String> = rows.iter().map(line).collect();
        let list = rows.iter().map(|row| {
            json!({
                "id": row.id,
                "account_id": row.account_id,
                "conversation_id": row.conversation_id,
                "message_id": row.message_id,
                "kind": row.kind,
                "created_at": row.created_at,
            })
        });
        output.print(&json!({ "alerts": list.collect::<Vec<_>>() }), &lines);
        Ok(())
    }
}
