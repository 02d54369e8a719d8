//! `bot account`.

use clap::{Args, Subcommand};
use lembra_agent::domain::triage::locale::Locale;
use lembra_agent::domain::triage::router::HumanSupport;
use lembra_agent::domain::triage::scope::Profile;
use lembra_agent::store::accounts::{self, Changes};
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
    /// Change what an account goes by; running processes follow within seconds
    Set(Set),
}

#[derive(Args)]
pub struct Set {
    id: i64,
    /// Rules of scope: none, or medication-adherence
    #[arg(long)]
    scope_profile: Option<Profile>,
    /// Whether people take conversations: none, or available
    #[arg(long, value_parser = human_support)]
    human_support: Option<HumanSupport>,
    /// Language of fixed answers where the customer's is not clear: pt-BR, es-419 or en
    #[arg(long, value_parser = locale)]
    locale: Option<Locale>,
    /// What the assistant calls itself
    #[arg(long)]
    assistant_name: Option<String>,
    /// What it can help with, as it stands in a sentence: "reservas, cardápio ou pagamento"
    #[arg(long)]
    helps_with: Option<String>,
}

fn human_support(word: &str) -> Result<HumanSupport, String> {
    HumanSupport::parse(word).ok_or_else(|| "none or available".to_owned())
}

fn locale(tag: &str) -> Result<Locale, String> {
    Locale::parse(tag).ok_or_else(|| "pt-BR, es-419 or en".to_owned())
}

impl Account {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let rows = match &self {
            Account::Add { name } if name.trim().is_empty() => anyhow::bail!("the name is empty"),
            Account::Add { name } => {
                vec![accounts::add(&runtime.db, name.trim(), runtime.clock.now()).await?]
            }
            Account::List => accounts::list(&runtime.db).await?,
            Account::Set(set) => vec![set.run(runtime).await?],
        };
        let lines: Vec<String> = rows
            .iter()
            .map(|row| {
                format!(
                    "account {}  {}  scope {}  human support {}",
                    row.id, row.name, row.scope_profile, row.human_support
                )
            })
            .collect();
        let list: Vec<_> = rows
            .iter()
            .map(|row| {
                json!({
                    "id": row.id,
                    "name": row.name,
                    "locale": row.locale,
                    "assistant_name": row.assistant_name,
                    "scope_profile": row.scope_profile,
                    "human_support": row.human_support,
                    "helps_with": row.helps_with,
                })
            })
            .collect();
        match self {
            Account::Add { .. } | Account::Set(_) => output.print(&json!(list.first()), &lines),
            Account::List => output.print(&json!({ "accounts": list }), &lines),
        }
        Ok(())
    }
}

impl Set {
    async fn run(&self, runtime: &Runtime) -> anyhow::Result<lembra_entities::account::Model> {
        for text in [&self.assistant_name, &self.helps_with].into_iter().flatten() {
            anyhow::ensure!(!text.trim().is_empty(), "an empty text says nothing to customers");
        }
        let changes = Changes {
            scope_profile: self.scope_profile,
            human_support: self.human_support,
            locale: self.locale,
            assistant_name: self.assistant_name.as_deref().map(str::trim),
            helps_with: self.helps_with.as_deref().map(str::trim),
        };
        let changed = accounts::change(&runtime.db, self.id, &changes, runtime.clock.now()).await?;
        changed.ok_or_else(|| anyhow::anyhow!("there is no account {}", self.id))
    }
}
