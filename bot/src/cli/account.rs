//! `bot account`.

use clap::{Args, Subcommand};
use lembra_agent::domain::fields::{self, Reason};
use lembra_agent::services::board::admin::AdminError;
use lembra_agent::services::board::settings::{AccountSettings, SettingsChange};
use lembra_worker::runtime::Runtime;
use secrecy::ExposeSecret;
use serde_json::json;

use super::Output;

/// Whom changes from the command line are put down to.
const BY: &str = "cli";

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
    Set(Box<Set>),
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
    /// The business, as customers read it
    #[arg(long)]
    name: Option<String>,
    /// Rules of scope: none, or medication-adherence
    #[arg(long)]
    scope_profile: Option<String>,
    /// Whether people take conversations: none, or available
    #[arg(long)]
    human_support: Option<String>,
    /// Language of fixed answers where the customer's is not clear: pt-BR, es-419 or en
    #[arg(long)]
    locale: Option<String>,
    /// Time zone of the business, such as America/Sao_Paulo
    #[arg(long)]
    timezone: Option<String>,
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
    /// Milliseconds to wait for further messages before answering, or default
    #[arg(long, value_parser = debounce)]
    debounce_ms: Option<Maybe<i64>>,
    /// What model calls may cost in a month, in BRL, or none: at the ceiling people answer
    #[arg(long, value_parser = ceiling)]
    monthly_ceiling: Option<Maybe<f64>>,
    /// Minutes that a conversation may wait for a person before it alerts again
    #[arg(long)]
    handoff_minutes: Option<i64>,
    /// Whether the bot goes on when nobody took the conversation in time
    #[arg(long)]
    handoff_resumes: Option<bool>,
    /// Whether the bot answers nobody
    #[arg(long)]
    bot_paused: Option<bool>,
}

/// A value, or none any more.
#[derive(Debug, Clone, Copy)]
struct Maybe<T>(Option<T>);

fn ceiling(text: &str) -> Result<Maybe<f64>, Reason> {
    match text {
        "none" => Ok(Maybe(None)),
        amount => fields::brl(amount).map(|amount| Maybe(Some(amount))),
    }
}

fn debounce(text: &str) -> Result<Maybe<i64>, String> {
    match text {
        "default" => Ok(Maybe(None)),
        ms => ms.parse().map(|ms| Maybe(Some(ms))).map_err(|_| "a number, or default".to_owned()),
    }
}

impl Account {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let admin = runtime.admin();
        match self {
            Account::Add { name } => show(&admin.add_account(&name).await?, output),
            Account::List => {
                let rows = admin.accounts().await?;
                let lines: Vec<String> = rows.iter().map(line).collect();
                output.print(&json!({ "accounts": rows }), &lines);
            }
            Account::Set(set) => {
                let changed = admin.change_settings(set.id, &set.change(), BY).await;
                show(&changed.map_err(|error| known(error, set.id))?.settings, output);
            }
            Account::Notify { id, url } => notify(runtime, id, url, output).await?,
        }
        Ok(())
    }
}

impl Set {
    fn change(&self) -> SettingsChange {
        SettingsChange {
            name: self.name.clone(),
            assistant_name: self.assistant_name.clone(),
            locale: self.locale.clone(),
            timezone: self.timezone.clone(),
            persona: self.persona.clone().map(Some),
            facts: self.facts.clone().map(Some),
            helps_with: self.helps_with.clone().map(Some),
            scope_profile: self.scope_profile.clone(),
            human_support: self.human_support.clone(),
            handoff_minutes: self.handoff_minutes,
            handoff_resumes: self.handoff_resumes,
            debounce_ms: self.debounce_ms.map(|ms| ms.0),
            monthly_ceiling_brl: self.monthly_ceiling.map(|ceiling| ceiling.0),
            notify_url: None,
            bot_paused: self.bot_paused,
        }
    }
}

fn known(error: AdminError, id: i64) -> anyhow::Error {
    match error {
        AdminError::NotFound => anyhow::anyhow!("there is no account {id}"),
        other => other.into(),
    }
}

fn line(row: &AccountSettings) -> String {
    let paused = if row.bot_paused { "  PAUSED" } else { "" };
    format!(
        "account {}  {}  scope {}  human support {}{paused}",
        row.id, row.name, row.scope_profile, row.human_support
    )
}

fn show(row: &AccountSettings, output: Output) {
    output.print(&json!(row), &[line(row)]);
}

/// Announcements on, with a secret that is printed once, or off.
async fn notify(
    runtime: &Runtime,
    id: i64,
    url: Option<String>,
    output: Output,
) -> anyhow::Result<()> {
    let admin = runtime.admin();
    let change = SettingsChange { notify_url: Some(url), ..SettingsChange::default() };
    let changed = admin.change_settings(id, &change, BY).await;
    let changed = changed.map_err(|error| known(error, id))?;
    let url = changed.settings.notify_url;
    // Said again of the same address, the command gives another secret.
    let secret = match (&url, changed.notify_secret) {
        (Some(_), None) => Some(admin.renew_notify_secret(id, BY).await?),
        (_, secret) => secret,
    };
    let secret = secret.as_ref().map(ExposeSecret::expose_secret);
    let mut lines = vec![match url {
        Some(_) => format!("account {id} announces conversations that wait for a person"),
        None => format!("account {id} announces nothing"),
    }];
    lines.extend(secret.map(|secret| format!("  signed with {secret}")));
    output.print(&json!({ "id": id, "notify_url": url, "secret": secret }), &lines);
    Ok(())
}
