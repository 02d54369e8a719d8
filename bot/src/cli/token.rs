//! `bot token`.

use clap::Subcommand;
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
    },
    /// List an account's tokens
    List {
        #[arg(long)]
        account: i64,
    },
    /// End a token
    Revoke { id: i64 },
}

impl Token {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let (db, clock) = (&runtime.db, &runtime.clock);
        match self {
            Token::Add { account, name } => {
                if accounts::find(db, account).await?.is_none() {
                    anyhow::bail!("there is no account {account}; see `bot account list`");
                }
                let (row, token) = tokens::add(db, clock, account, name.trim()).await?;
                let token = token.expose_secret();
                let lines = [format!("token {}  {}", row.id, row.name), format!("  {token}")];
                output.print(&json!({ "id": row.id, "name": row.name, "token": token }), &lines);
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
                        "created_at": row.created_at,
                        "last_used_at": row.last_used_at,
                        "revoked_at": row.revoked_at,
                    })
                });
                output.print(&json!({ "tokens": list.collect::<Vec<_>>() }), &lines);
            }
            Token::Revoke { id } => {
                if !api_tokens::revoke(db, id, clock.now()).await? {
                    anyhow::bail!("there is no valid token {id}");
                }
                output
                    .print(&json!({ "id": id, "revoked": true }), &[format!("token {id} revoked")]);
            }
        }
        Ok(())
    }
}
