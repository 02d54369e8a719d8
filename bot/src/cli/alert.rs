//! `bot alert`.

use clap::Subcommand;
use lembra_agent::store::alerts;
use lembra_entities::alert;
use lembra_worker::runtime::Runtime;
use serde_json::json;

use super::Output;

#[derive(Subcommand)]
pub enum Alert {
    /// List the open alerts, longest first
    List,
    /// Close an alert; it is raised again when it happens again
    Resolve { id: i64 },
}

impl Alert {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        match self {
            Alert::List => list(runtime, output).await,
            Alert::Resolve { id } => {
                if !alerts::resolve(&runtime.db, id, runtime.clock.now()).await? {
                    anyhow::bail!("there is no open alert {id}");
                }
                let line = format!("alert {id} resolved");
                output.print(&json!({ "id": id, "state": "resolved" }), &[line]);
                Ok(())
            }
        }
    }
}

async fn list(runtime: &Runtime, output: Output) -> anyhow::Result<()> {
    let rows = alerts::open(&runtime.db).await?;
    let line = |row: &alert::Model| {
        let since = row.raised_at.to_rfc3339();
        let (kind, subject, detail) = (&row.kind, &row.subject, &row.detail);
        format!("alert {}  {kind}  {subject}  {detail}  {} times since {since}", row.id, row.times)
    };
    let lines: Vec<String> = rows.iter().map(line).collect();
    let list = rows.iter().map(|row| {
        json!({
            "id": row.id,
            "kind": row.kind,
            "subject": row.subject,
            "detail": row.detail,
            "account_id": row.account_id,
            "inbox_id": row.inbox_id,
            "conversation_id": row.conversation_id,
            "times": row.times,
            "raised_at": row.raised_at,
            "last_raised_at": row.last_raised_at,
        })
    });
    output.print(&json!({ "alerts": list.collect::<Vec<_>>() }), &lines);
    Ok(())
}
