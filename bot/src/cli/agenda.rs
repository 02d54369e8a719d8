//! `bot agenda`.

use clap::{Args, Subcommand};
use lembra_agent::services::agenda::contract::OPERATIONS;
use lembra_agent::services::agenda::explain;
use lembra_agent::store::agendas;
use lembra_worker::runtime::Runtime;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use super::Output;

#[derive(Subcommand)]
pub enum Agenda {
    /// Say where an account's agenda is: a service that speaks docs/agenda.openapi.yaml
    Set(Set),
    /// Show an account's agenda, or all of them
    Show {
        #[arg(long)]
        account: Option<i64>,
    },
    /// Take an account's agenda away: its agent offers no times any more
    Remove {
        #[arg(long)]
        account: i64,
    },
    /// Ask an account's agenda what it has; exits with 1 when it does not answer
    Check {
        #[arg(long)]
        account: i64,
    },
}

#[derive(Args)]
pub struct Set {
    #[arg(long)]
    account: i64,
    /// What the contract's paths follow, such as https://agenda.example/v1; it may be a private
    /// address
    #[arg(long)]
    url: url::Url,
    /// Sent as bearer token; left out, the agenda asks for none
    #[arg(long)]
    token: Option<SecretString>,
}

impl Agenda {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        match self {
            Agenda::Set(new) => set(&new, runtime, output).await,
            Agenda::Show { account } => show(account, runtime, output).await,
            Agenda::Remove { account } => {
                if !agendas::remove(&runtime.db, account).await? {
                    anyhow::bail!("account {account} has no agenda");
                }
                let value = json!({ "account_id": account, "state": "removed" });
                output.print(&value, &[format!("account {account} has no agenda any more")]);
                Ok(())
            }
            Agenda::Check { account } => check(account, runtime, output).await,
        }
    }
}

async fn set(new: &Set, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
    if new.token.as_ref().is_some_and(|token| token.expose_secret().trim().is_empty()) {
        anyhow::bail!("--token is left out or holds something");
    }
    runtime.agendas.set(new.account, &new.url, new.token.as_ref()).await?;
    let mut lines = vec![
        format!("account {}  {}", new.account, new.url),
        String::new(),
        "The agent asks there for:".to_owned(),
    ];
    lines.extend(OPERATIONS.iter().map(|operation| format!("  {operation}")));
    lines.push(format!("`bot agenda check --account {}` tells whether it answers.", new.account));
    output.print(&json!({ "account_id": new.account, "base_url": new.url }), &lines);
    Ok(())
}

async fn show(account: Option<i64>, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
    let rows = match account {
        None => agendas::list(&runtime.db).await?,
        Some(id) => match agendas::find(&runtime.db, id).await? {
            Some(row) => vec![row],
            None => anyhow::bail!("account {id} has no agenda"),
        },
    };
    let line = |row: &lembra_entities::agenda::Model| {
        let token = if row.token.is_some() { "with a token" } else { "without a token" };
        format!("account {}  {}  {token}", row.account_id, row.base_url)
    };
    let lines: Vec<String> = rows.iter().map(line).collect();
    let list = rows.iter().map(|row| {
        json!({
            "account_id": row.account_id,
            "base_url": row.base_url,
            "has_token": row.token.is_some(),
            "updated_at": row.updated_at,
        })
    });
    output.print(&json!({ "agendas": list.collect::<Vec<_>>() }), &lines);
    Ok(())
}

async fn check(account: i64, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
    let Some(checked) = runtime.agendas.check(account).await? else {
        anyhow::bail!("account {account} has no agenda");
    };
    let has = checked
        .map_err(|why| anyhow::anyhow!("the agenda of account {account}: {}", explain(&why)))?;
    let line = format!(
        "the agenda answers: {} doctors ({} with automatic scheduling), {} insurances, {} procedures",
        has.doctors, has.with_scheduling, has.insurances, has.procedures
    );
    let value = json!({
        "account_id": account,
        "doctors": has.doctors,
        "with_scheduling": has.with_scheduling,
        "insurances": has.insurances,
        "procedures": has.procedures,
    });
    output.print(&value, &[line]);
    Ok(())
}
