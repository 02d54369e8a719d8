//! `bot migrate`.

use clap::Subcommand;
use lembra_agent::config::Config;
use lembra_agent::store::db;
use lembra_migration::{Migrator, MigratorTrait};
use serde_json::json;

use super::Output;

#[derive(Subcommand)]
pub enum Migrate {
    /// Apply what is missing
    Up,
    /// Take back the latest migrations
    Down {
        /// How many
        #[arg(long, default_value_t = 1)]
        steps: u32,
    },
    /// List migrations and whether each is applied; exits with 1 when one is missing
    Status,
}

impl Migrate {
    pub async fn run(self, config: &Config, output: Output) -> anyhow::Result<()> {
        let db = db::connect(&config.database).await?;
        match self {
            // A newer release may have been here: its migrations are none of ours.
            Migrate::Up if db::is_migrated(&db).await? => {}
            Migrate::Up => Migrator::up(&db, None).await?,
            Migrate::Down { steps } => Migrator::down(&db, Some(steps)).await?,
            Migrate::Status => {}
        }
        let pending = db::missing_migrations(&db).await?;
        let all = Migrator::migrations();
        let names: Vec<&str> = all.iter().map(|migration| migration.name()).collect();
        let state = |name: &str| {
            if pending.iter().any(|pending| pending == name) { "pending" } else { "applied" }
        };
        let lines: Vec<String> =
            names.iter().map(|name| format!("{:<8} {name}", state(name))).collect();
        let list: Vec<_> =
            names.iter().map(|name| json!({ "name": name, "state": state(name) })).collect();
        output.print(&json!({ "migrations": list }), &lines);
        if matches!(self, Migrate::Status) && !pending.is_empty() {
            anyhow::bail!("{} of {} migrations are not applied", pending.len(), names.len());
        }
        Ok(())
    }
}
