//! `bot operator`.

use clap::Subcommand;
use lembra_agent::services::operators;
use lembra_agent::store::accounts;
use lembra_worker::runtime::Runtime;
use secrecy::ExposeSecret;
use serde_json::json;

use super::Output;

#[derive(Subcommand)]
pub enum Operator {
    /// Add an operator; prints a password, once
    Add {
        /// The account that the operator works for
        #[arg(long)]
        account: i64,
        #[arg(long)]
        email: String,
    },
    /// Give an operator a new password; prints it, once
    ResetPassword {
        #[arg(long)]
        email: String,
    },
}

impl Operator {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let (email, password) = match self {
            Operator::Add { account, email } => {
                if !email.contains('@') {
                    anyhow::bail!("{email} is no e-mail address");
                }
                if accounts::find(&runtime.db, account).await?.is_none() {
                    anyhow::bail!("there is no account {account}; see `bot account list`");
                }
                let added = operators::add(&runtime.db, &runtime.clock, account, &email).await;
                (email, added?)
            }
            Operator::ResetPassword { email } => {
                let reset = operators::reset_password(&runtime.db, &runtime.clock, &email).await;
                (email, reset?)
            }
        };
        let password = password.expose_secret();
        let lines = [format!("e-mail    {email}"), format!("password  {password}")];
        output.print(&json!({ "email": email, "password": password }), &lines);
        Ok(())
    }
}
