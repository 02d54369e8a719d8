//! `bot unit`.

use clap::Subcommand;
use lembra_agent::store::{accounts, units};
use lembra_worker::runtime::Runtime;
use serde_json::json;

use super::Output;

#[derive(Subcommand)]
pub enum Unit {
    /// Add a unit, a place of the business
    Add {
        #[arg(long)]
        account: i64,
        name: String,
    },
    /// Give a unit another name
    Rename {
        #[arg(long)]
        account: i64,
        id: i64,
        name: String,
    },
    /// List an account's units
    List {
        #[arg(long)]
        account: i64,
    },
    /// Say which unit an inbox belongs to: facts of one unit are not told in another
    Assign {
        #[arg(long)]
        inbox: i64,
        /// Left out: the inbox belongs to no unit
        #[arg(long)]
        unit: Option<i64>,
    },
}

impl Unit {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let (db, now, admin) = (&runtime.db, runtime.clock.now(), runtime.admin());
        let rows = match self {
            Unit::Add { account, name } => {
                if accounts::find(db, account).await?.is_none() {
                    anyhow::bail!("there is no account {account}; see `bot account list`");
                }
                vec![admin.add_unit(account, &name).await?]
            }
            Unit::Rename { account, id, name } => {
                vec![admin.rename_unit(account, id, &name).await?]
            }
            Unit::List { account } => admin.units(account).await?,
            Unit::Assign { inbox, unit } => {
                if !units::assign(db, inbox, unit, now).await? {
                    anyhow::bail!("there are no such inbox and unit in one account");
                }
                output.print(
                    &json!({ "inbox_id": inbox, "unit_id": unit }),
                    &[format!("inbox {inbox} assigned")],
                );
                return Ok(());
            }
        };
        let lines: Vec<String> =
            rows.iter().map(|row| format!("unit {}  {}", row.id, row.name)).collect();
        let list: Vec<_> =
            rows.iter().map(|row| json!({ "id": row.id, "name": row.name })).collect();
        output.print(&json!({ "units": list }), &lines);
        Ok(())
    }
}
