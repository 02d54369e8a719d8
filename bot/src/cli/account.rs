//! `bot account`.

use clap::{Args, Subcommand};
use lembra_agent::domain::triage::locale::Locale;
use lembra_agent::domain::triage::router::HumanSupport;
use lembra_agent::domain::triage::scope::Profile;
use lembra_agent::services::handoff::notify;
use lembra_agent::store::accounts::{self, Changes};
use lembra_worker::runtime::Runtime;
use secrecy::ExposeSecret;
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
    /// Announce conversations that wait for a person to an address, signed
    Notify {
        id: i64,
        /// Left out: nothing is announced any more
        #[arg(long)]
        url: Option<String>,
    },
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
    /// Who the assistant is and how it speaks, for its instructions; "" takes it away
    #[arg(long)]
    persona: Option<String>,
    /// What may be told of the business: address, opening hours, rules; "" takes it away
    #[arg(long)]
    facts: Option<String>,
    /// What model calls may cost in a month, in BRL, or none: at the ceiling people answer
    #[arg(long, value_parser = ceiling)]
    monthly_ceiling: Option<Ceiling>,
    /// Minutes that a conversation may wait for a person before it alerts again
    #[arg(long, value_parser = clap::value_parser!(i32).range(1..=1440))]
    handoff_minutes: Option<i32>,
    /// Whether the bot goes on when nobody took the conversation in time
    #[arg(long)]
    handoff_resumes: Option<bool>,
}

/// A ceiling, or none.
#[derive(Debug, Clone, Copy)]
struct Ceiling(Option<f64>);

fn ceiling(text: &str) -> Result<Ceiling, String> {
    if text == "none" {
        return Ok(Ceiling(None));
    }
    // "1.000" is a thousand here, and one elsewhere.
    let grouped = text.rsplit_once('.').is_some_and(|(_, end)| end.len() == 3);
    let amount = text.replace(',', ".").parse::<f64>().ok().filter(|_| !grouped);
    let amount = amount.filter(|amount| amount.is_finite() && *amount >= 0.0);
    amount.map(|amount| Ceiling(Some(amount))).ok_or_else(|| "an amount in BRL, or none".to_owned())
}

fn human_support(word: &str) -> Result<HumanSupport, String> {
    HumanSupport::parse(word).ok_or_else(|| "none or available".to_owned())
}

fn locale(tag: &str) -> Result<Locale, String> {
    Locale::parse(tag).ok_or_else(|| "pt-BR, es-419 or en".to_owned())
}

impl Account {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        if let Account::Notify { id, url } = &self {
            return notify(runtime, *id, url.as_deref(), output).await;
        }
        let rows = match &self {
            Account::Add { name } if name.trim().is_empty() => anyhow::bail!("the name is empty"),
            Account::Add { name } => {
                vec![accounts::add(&runtime.db, name.trim(), runtime.clock.now()).await?]
            }
            Account::List => accounts::list(&runtime.db).await?,
            Account::Set(set) => vec![set.run(runtime).await?],
            Account::Notify { .. } => Vec::new(),
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
                    "persona": row.persona,
                    "facts": row.facts,
                    "monthly_ceiling_brl": row.monthly_ceiling_brl,
                    "handoff_minutes": row.handoff_minutes,
                    "handoff_resumes": row.handoff_resumes,
                    "notify_url": row.notify_url,
                })
            })
            .collect();
        match self {
            Account::Add { .. } | Account::Set(_) | Account::Notify { .. } => {
                output.print(&json!(list.first()), &lines);
            }
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
        if self.monthly_ceiling.is_some_and(|ceiling| ceiling.0.is_some()) {
            let model = &runtime.config.llm.model;
            let priced = runtime.config.memory.prices.brl(model, 1_000_000, 1_000_000) > 0.0;
            anyhow::ensure!(
                priced || runtime.config.llm.base_url.is_none(),
                "LLM_PRICES_BRL has no price for {model}: the ceiling would never be reached"
            );
        }
        let changes = Changes {
            scope_profile: self.scope_profile,
            human_support: self.human_support,
            locale: self.locale,
            assistant_name: self.assistant_name.as_deref().map(str::trim),
            helps_with: self.helps_with.as_deref().map(str::trim),
            persona: self.persona.as_deref().map(str::trim),
            facts: self.facts.as_deref().map(str::trim),
            monthly_ceiling_brl: self.monthly_ceiling.map(|ceiling| ceiling.0),
            handoff_minutes: self.handoff_minutes,
            handoff_resumes: self.handoff_resumes,
            notify: None,
        };
        let changed = accounts::change(&runtime.db, self.id, &changes, runtime.clock.now()).await?;
        changed.ok_or_else(|| anyhow::anyhow!("there is no account {}", self.id))
    }
}

/// Announcements on, with a secret that is printed once, or off.
async fn notify(
    runtime: &Runtime,
    id: i64,
    url: Option<&str>,
    output: Output,
) -> anyhow::Result<()> {
    let secret = match url {
        Some(url) => {
            notify::check_url(url).map_err(|why| anyhow::anyhow!("{why}"))?;
            Some(notify::new_secret(&runtime.config.vault, id)?)
        }
        None => None,
    };
    let sealed = secret.as_ref().map(|secret| secret.sealed.as_str());
    let changes = Changes { notify: Some(url.zip(sealed)), ..Changes::default() };
    let changed = accounts::change(&runtime.db, id, &changes, runtime.clock.now()).await?;
    anyhow::ensure!(changed.is_some(), "there is no account {id}");
    let secret = secret.as_ref().map(|secret| secret.plain.expose_secret());
    let mut lines = vec![match url {
        Some(_) => format!("account {id} announces conversations that wait for a person"),
        None => format!("account {id} announces nothing"),
    }];
    lines.extend(secret.map(|secret| format!("  signed with {secret}")));
    output.print(&json!({ "id": id, "notify_url": url, "secret": secret }), &lines);
    Ok(())
}
