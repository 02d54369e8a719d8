//! `bot key`.

use clap::Subcommand;
use lembra_agent::config::Config;
use lembra_agent::services::keys::{self, Standing};
use lembra_agent::store::db;
use serde_json::json;

use super::Output;

#[derive(Subcommand)]
pub enum Key {
    /// Tell what opens with LEMBRA_KEY, what with LEMBRA_KEY_OLD only, and what with neither
    Status,
    /// Encrypt with LEMBRA_KEY what only LEMBRA_KEY_OLD opens; may run beside bot and worker, and
    /// again
    Rotate,
}

impl Key {
    pub async fn run(self, config: &Config, output: Output) -> anyhow::Result<()> {
        let db = db::connect(&config.database).await?;
        if !db::is_migrated(&db).await? {
            anyhow::bail!("the database is not migrated: run `bot migrate up`");
        }
        let columns = match self {
            Key::Status => keys::standing(&db, &config.vault).await?,
            Key::Rotate => keys::rotate(&db, &config.vault).await?,
        };
        let rotated = matches!(self, Key::Rotate);
        let lines: Vec<String> = columns.iter().map(|one| line(one, rotated)).collect();
        let list: Vec<_> = columns
            .iter()
            .map(|one| {
                json!({
                    "column": one.column.as_str(),
                    "current": one.current,
                    "older": one.older,
                    "renewed": one.renewed,
                    "unreadable": one.unreadable,
                })
            })
            .collect();
        let settled = columns.iter().all(Standing::is_settled);
        output.print(&json!({ "columns": list, "settled": settled }), &lines);
        let unreadable = columns.iter().any(|one| !one.unreadable.is_empty());
        match self {
            _ if unreadable => {
                anyhow::bail!("some values open with neither LEMBRA_KEY nor LEMBRA_KEY_OLD")
            }
            Key::Rotate if !settled => {
                anyhow::bail!("some values were written meanwhile: run it again")
            }
            Key::Status | Key::Rotate => Ok(()),
        }
    }
}

fn line(standing: &Standing, rotated: bool) -> String {
    let Standing { column, current, older, renewed, unreadable } = standing;
    let column = column.as_str();
    let mut line =
        format!("{column:<22}  opened by the key: {current}, by an older one alone: {older}");
    if rotated {
        line.push_str(&format!(", encrypted anew: {renewed}"));
    }
    if !unreadable.is_empty() {
        let ids: Vec<String> = unreadable.iter().map(ToString::to_string).collect();
        line.push_str(", by none, in rows: ");
        line.push_str(&ids.join(", "));
    }
    line
}
