//! `bot token`.

use clap::Subcommand;
use lembra_agent::domain::access::{Permissions, Role};
use lembra_agent::services::tokens;
use lembra_agent::store::{accounts, api_tokens};
use lembra_worker::runtime::Runtime;
use secrecy::ExposeSecret;
use serde_json::json;

use super::Output;

#[derive(Subcommand)]
pub enum Token {
    /// Make a token for the API; prints it, once
    Add {
        #[arg(long)]
        account: i64,
        /// Who or what it is for
        #[arg(long)]
        name: String,
        /// What it may do, such as "contacts:read knowledge:write"; all of the account but its
        /// operators when left out
        #[arg(long, value_parser = scopes)]
        scopes: Option<Permissions>,
    },
    /// List an account's tokens
    List {
        #[arg(long)]
        account: i64,
    },
    /// End a token
    Revoke { id: i64 },
}

fn scopes(names: &str) -> Result<Permissions, String> {
    let known = Role::Admin.permissions();
    Permissions::parse(names)
        .filter(|scopes| *scopes != Permissions::NONE)
        .ok_or_else(|| format!("scopes are among: {known}"))
}

impl Token {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let (db, clock) = (&runtime.db, &runtime.clock);
        match self {
            Token::Add { account, name, scopes } => {
                if accounts::find(db, account).await?.is_none() {
                    anyhow::bail!("there is no account {account}; see `bot account list`");
                }
                let scopes = scopes.unwrap_or_else(tokens::usual_scopes);
                let (row, token) = tokens::add(db, clock, account, name.trim(), scopes).await?;
                let token = token.expose_secret();
                let lines = [format!("token {}  {}", row.id, row.name), format!("  {token}")];
                output.print(&json!({ "id": row.id, "name": row.name, "scopes": row.scopes, "token": token }), &lines);
            }
            Token::List { account } => {
                let rows = api_tokens::list(db, account).await?;
                let line = |row: &lembra_entities::api_token::Model| {
                    let state = if row.revoked_at.is_some() { "revoked" } else { "valid" };
                    format!("token {}  {}  {state}", row.id, row.name)
                };
                let lines: Vec<String> = rows.iter().map(line).collect();
                let list = rows.iter().map(|row| {
                    json!({
                        "id": row.id,
                        "name": row.name,
                        "scopes": row.scopes,
                        "created_at": row.created_at,
                        "last_used_at": row.last_used_at,
                        "revoked_at": row.revoked_at,
                    })
                });
                output.print(&json!({ "tokens": list.collect::<Vec<_>>() }), &lines);
            }
            Token::Revoke { id } => {
                if !api_tokens::revoke(db, None, id, clock.now()).await? {
                    anyhow::bail!("there is no valid token {id}");
                }
                output
                    .print(&json!({ "id": id, "revoked": true }), &[format!("token {id} revoked")]);
            }
        }
        Ok(())
    }
}
