//! `bot account`.

use clap::Subcommand;
use lembra_agent::store::accounts;
use lembra_worker::runtime::Runtime;
use serde_json::json;

use super::Output;

#[derive(Subcommand)]
pub enum Account {
    /// Add an account
    Add {
        /// Its name, as the assistant tells it to customers
        name: String,
    },
    /// List all accounts
    List,
}

impl Account {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let rows = match &self {
            Account::Add { name } if name.trim().is_empty() => anyhow::bail!("the name is empty"),
            Account::Add { name } => {
                vec![accounts::add(&runtime.db, name.trim(), runtime.clock.now()).await?]
            }
            Account::List => accounts::list(&runtime.db).await?,
        };
        let lines: Vec<String> =
            rows.iter().map(|row| format!("account {}  {}", row.id, row.name)).collect();
        let list: Vec<_> =
            rows.iter().map(|row| json!({ "id": row.id, "name": row.name })).collect();
        match self {
            Account::Add { .. } => output.print(&json!(list.first()), &lines),
            Account::List => output.print(&json!({ "accounts": list }), &lines),
        }
        Ok(())
    }
}
