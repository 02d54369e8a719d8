//! `bot operator`.

use clap::Subcommand;
use lembra_agent::domain::access::Role;
use lembra_agent::services::operators;
use lembra_agent::store::accounts;
use lembra_agent::store::operators::NewOperator;
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
        /// What colleagues call them
        #[arg(long, default_value = "")]
        name: String,
        /// admin, agent or viewer
        #[arg(long, default_value = "admin", value_parser = role)]
        role: Role,
        /// May pause queues, run schedules and see the jobs of every account
        #[arg(long)]
        runs_instance: bool,
    },
    /// Give an operator a new password; prints it, once
    ResetPassword {
        #[arg(long)]
        email: String,
    },
}

fn role(name: &str) -> Result<Role, String> {
    Role::parse(name).ok_or_else(|| "a role is admin, agent or viewer".to_owned())
}

impl Operator {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let (email, password) = match self {
            Operator::Add { account, email, name, role, runs_instance } => {
                if !email.contains('@') {
                    anyhow::bail!("{email} is no e-mail address");
                }
                if accounts::find(&runtime.db, account).await?.is_none() {
                    anyhow::bail!("there is no account {account}; see `bot account list`");
                }
                let new = NewOperator { account_id: account, email, name, role, runs_instance };
                let (row, password) = operators::add(&runtime.db, &runtime.clock, new).await?;
                (row.email, password)
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
