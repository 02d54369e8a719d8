//! `bot jobs`.

use clap::Subcommand;
use lembra_agent::jobs::admin::{Action, Actor};
use lembra_agent::jobs::board::Scope;
use lembra_agent::jobs::{Queue, admin, pauses, state};
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
    /// Lay a dead job aside, or one that has not begun
    Discard { id: Uuid },
    /// Run a job before its time
    RunNow { id: Uuid },
    /// Stop a queue: what runs ends, nothing new of it is taken
    Pause {
        #[arg(value_parser = queue)]
        queue: Queue,
    },
    /// Let a stopped queue go on
    Resume {
        #[arg(value_parser = queue)]
        queue: Queue,
    },
}

/// Who acts, in columns that say so.
const CLI: &str = "cli";

fn queue(name: &str) -> Result<Queue, String> {
    let names = Queue::ALL.map(Queue::as_str).join(", ");
    Queue::named(name).ok_or_else(|| format!("there is no such queue; there are {names}"))
}

impl Jobs {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        match self {
            Jobs::List { limit } => list(runtime, limit, output).await,
            Jobs::Retry { id } => act(runtime, Action::Retry, id, output).await,
            Jobs::Discard { id } => act(runtime, Action::Discard, id, output).await,
            Jobs::RunNow { id } => act(runtime, Action::RunNow, id, output).await,
            Jobs::Pause { queue } => {
                let now = runtime.clock.now();
                let changed = pauses::pause(&runtime.db, queue, CLI, now).await?;
                tell(queue, true, changed, output);
                Ok(())
            }
            Jobs::Resume { queue } => {
                let changed = pauses::resume(&runtime.db, queue).await?;
                tell(queue, false, changed, output);
                Ok(())
            }
        }
    }
}

fn tell(queue: Queue, paused: bool, changed: bool, output: Output) {
    let queue = queue.as_str();
    let line = match (paused, changed) {
        (true, true) => format!("queue {queue} is stopped"),
        (true, false) => format!("queue {queue} was stopped already"),
        (false, true) => format!("queue {queue} goes on"),
        (false, false) => format!("queue {queue} was not stopped"),
    };
    output.print(&json!({ "queue": queue, "paused": paused, "changed": changed }), &[line]);
}

async fn act(runtime: &Runtime, action: Action, id: Uuid, output: Output) -> anyhow::Result<()> {
    let actor = Actor { scope: Scope::Instance, name: CLI, now: runtime.clock.now() };
    if let Some(refusal) = admin::act(&runtime.db, actor, action, id).await? {
        anyhow::bail!("job {id}: {refusal}");
    }
    output.print(&json!({ "id": id, "changed": true }), &[format!("job {id} changed")]);
    Ok(())
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
