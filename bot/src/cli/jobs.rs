//! `bot jobs`.

use clap::Subcommand;
use lembra_agent::jobs::{admin, state};
use lembra_worker::runtime::Runtime;
use serde_json::json;
use uuid::Uuid;

use super::Output;

#[derive(Subcommand)]
pub enum Jobs {
    /// List dead jobs, newest first
    List {
        /// At most that many
        #[arg(long, default_value_t = 50)]
        limit: u64,
    },
    /// Give a dead job new tries
    Retry { id: Uuid },
    /// Lay a dead job aside
    Discard { id: Uuid },
}

impl Jobs {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let (id, changed) = match self {
            Jobs::List { limit } => return list(runtime, limit, output).await,
            Jobs::Retry { id } => (id, admin::retry(&runtime.db, id, runtime.clock.now()).await?),
            Jobs::Discard { id } => (id, admin::discard(&runtime.db, id).await?),
        };
        if !changed {
            anyhow::bail!("there is no dead job {id}");
        }
        output.print(&json!({ "id": id, "changed": true }), &[format!("job {id} changed")]);
        Ok(())
    }
}

async fn list(runtime: &Runtime, limit: u64, output: Output) -> anyhow::Result<()> {
    let rows = admin::list(&runtime.db, state::DEAD, limit).await?;
    let line = |row: &lembra_entities::job::Model| {
        let error = row.last_error.as_deref().unwrap_or("no error");
        format!("{}  {}  attempts {}  {error}", row.id, row.kind, row.attempts)
    };
    let lines: Vec<String> = rows.iter().map(line).collect();
    let list = rows.iter().map(|row| {
        json!({
            "id": row.id,
            "queue": row.queue,
            "kind": row.kind,
            "payload": row.payload,
            "attempts": row.attempts,
            "last_error": row.last_error,
            "finished_at": row.finished_at,
        })
    });
    output.print(&json!({ "jobs": list.collect::<Vec<_>>() }), &lines);
    Ok(())
}
