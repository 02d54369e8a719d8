//! `bot memory`.

use anyhow::Context;
use chrono::{DateTime, Datelike, TimeZone, Utc};
use clap::{Args, Subcommand};
use lembra_agent::domain::identity::Phone;
use lembra_agent::services::memory::edit::Owner;
use lembra_agent::services::memory::flags::{self, Flag};
use lembra_agent::store::memories::{self, Page, Shown};
use lembra_agent::store::memory_subject::{self, memory_json};
use lembra_agent::store::{accounts, people, usage};
use lembra_worker::runtime::Runtime;
use serde_json::{Value, json};

use super::Output;

/// Whom changes from the command line are put down to.
const BY: &str = "cli";

#[derive(Subcommand)]
pub enum Memory {
    /// Show an account's switches, with what they cost this month, or turn them
    Flags {
        #[arg(long)]
        account: i64,
        /// Turn one, such as recall=on, extraction=off, restricao=off; may be repeated
        #[arg(long, value_name = "NAME=on|off")]
        set: Vec<String>,
    },
    /// List what is known of a contact
    List {
        #[command(flatten)]
        whom: Whom,
        /// Superseded, expired and deleted facts instead
        #[arg(long, conflicts_with = "all")]
        history: bool,
        /// Both
        #[arg(long)]
        all: bool,
        #[arg(long, default_value_t = 50)]
        limit: u64,
    },
    /// Delete one fact, or everything that is known of a contact; it can be brought back for 30 days
    Forget {
        #[command(flatten)]
        whom: Whom,
        /// Only this fact
        #[arg(long)]
        memory: Option<i64>,
    },
    /// Bring a deleted fact back
    Restore {
        #[command(flatten)]
        whom: Whom,
        #[arg(long)]
        memory: i64,
    },
    /// Print everything that is kept of a contact, as JSON (LGPD)
    Export {
        #[command(flatten)]
        whom: Whom,
    },
    /// Delete a contact with all messages and facts, at once and for good (LGPD)
    Erase {
        #[command(flatten)]
        whom: Whom,
        /// Really
        #[arg(long)]
        yes: bool,
    },
}

/// A contact, by id or by phone.
#[derive(Args)]
pub struct Whom {
    #[arg(long)]
    account: i64,
    #[arg(long, required_unless_present = "phone", conflicts_with = "phone")]
    contact: Option<i64>,
    /// In international form, such as 5511987650001
    #[arg(long)]
    phone: Option<String>,
}

impl Whom {
    async fn find(&self, runtime: &Runtime) -> anyhow::Result<Owner> {
        let account_id = self.account;
        let contact_id = match (self.contact, &self.phone) {
            (Some(id), _) => id,
            (None, Some(phone)) => {
                let phone = Phone::parse(phone).context("that is no phone number")?;
                let found = people::by_phone(&runtime.db, account_id, &phone).await?;
                found.context("the account has no contact with this phone")?
            }
            (None, None) => anyhow::bail!("--contact or --phone is needed"),
        };
        if !memory_subject::exists(&runtime.db, account_id, contact_id).await? {
            anyhow::bail!("account {account_id} has no contact {contact_id}");
        }
        Ok(Owner { account_id, contact_id })
    }
}

impl Memory {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let memory = &runtime.memories;
        match self {
            Memory::Flags { account, set } => turn(runtime, account, &set, output).await,
            Memory::List { whom, history, all, limit } => {
                let shown = match (history, all) {
                    (true, _) => Shown::History,
                    (_, true) => Shown::All,
                    _ => Shown::Active,
                };
                let page = Page { shown, kind: None, before: None, limit };
                list(runtime, whom.find(runtime).await?, page, output).await
            }
            Memory::Forget { whom, memory: Some(id) } => {
                let owner = whom.find(runtime).await?;
                memory.delete(owner, id, BY).await?;
                output.print(&json!({ "forgotten": 1 }), &[format!("memory {id} forgotten")]);
                Ok(())
            }
            Memory::Forget { whom, memory: None } => {
                let owner = whom.find(runtime).await?;
                let facts = memory.forget_all(owner, BY).await?;
                output.print(&json!({ "forgotten": facts }), &[format!("{facts} facts forgotten")]);
                Ok(())
            }
            Memory::Restore { whom, memory: id } => {
                let row = memory.restore(whom.find(runtime).await?, id, BY).await?;
                output.print(&memory_json(&row), &[format!("memory {id} restored")]);
                Ok(())
            }
            Memory::Export { whom } => {
                let copy = memory.export(whom.find(runtime).await?).await?;
                let copy = copy.context("the contact is gone")?;
                output.print(&copy, &[format!("{copy:#}")]);
                Ok(())
            }
            Memory::Erase { whom, yes } => {
                let owner = whom.find(runtime).await?;
                if !yes {
                    anyhow::bail!("this cannot be undone: say it again with --yes");
                }
                runtime.media.remove_of_contact(owner.contact_id).await?;
                if !memory.erase(owner).await? {
                    anyhow::bail!("the contact is gone already");
                }
                let line = format!("contact {} erased", owner.contact_id);
                output.print(&json!({ "erased": owner.contact_id }), &[line]);
                Ok(())
            }
        }
    }
}

async fn list(runtime: &Runtime, owner: Owner, page: Page, output: Output) -> anyhow::Result<()> {
    let now = runtime.clock.now();
    let (account_id, contact_id) = (owner.account_id, owner.contact_id);
    let rows = memories::list(&runtime.db, account_id, contact_id, page, now).await?;
    let line = |row: &lembra_entities::contact_memory::Model| {
        let state = match (row.deleted_at, row.superseded_by_id) {
            (Some(at), _) => format!("  deleted {}", at.date_naive()),
            (None, Some(by)) => format!("  superseded by {by}"),
            (None, None) => String::new(),
        };
        format!("{}  {}  {:.2}  {}{state}", row.id, row.memory_type, row.confidence, row.content)
    };
    let lines: Vec<String> = rows.iter().map(line).collect();
    let list: Vec<Value> = rows.iter().map(memory_json).collect();
    output.print(&json!({ "memories": list }), &lines);
    Ok(())
}

async fn turn(
    runtime: &Runtime,
    account_id: i64,
    changes: &[String],
    output: Output,
) -> anyhow::Result<()> {
    let now = runtime.clock.now();
    if accounts::find(&runtime.db, account_id).await?.is_none() {
        anyhow::bail!("there is no account {account_id}; see `bot account list`");
    }
    let mut turned = Vec::new();
    for change in changes {
        let (name, state) = change.split_once('=').context("write NAME=on or NAME=off")?;
        let flag = Flag::parse(name).with_context(|| format!("there is no switch {name}"))?;
        let enabled = match state {
            "on" => true,
            "off" => false,
            other => anyhow::bail!("{other} is neither on nor off"),
        };
        turned.push((flag, enabled));
    }
    for (flag, enabled) in turned {
        flags::set(&runtime.db, account_id, flag, enabled, BY, now).await?;
    }
    let standings = flags::read(&runtime.db, account_id).await?;
    let costs = usage::since(&runtime.db, account_id, month_of(now)).await?;
    let mut lines: Vec<String> = standings
        .iter()
        .map(|standing| {
            let state = if standing.enabled { "on " } else { "off" };
            let changed = standing
                .changed
                .as_ref()
                .map_or_else(String::new, |(by, at)| format!("  by {by} at {}", at.to_rfc3339()));
            format!("{state}  {}{changed}", standing.flag.name())
        })
        .collect();
    lines.extend(
        costs.iter().map(|(purpose, calls, brl)| {
            format!("this month  {purpose}  {calls} calls  R$ {brl:.4}")
        }),
    );
    let flags = standings.iter().map(|standing| {
        json!({
            "name": standing.flag.name(),
            "enabled": standing.enabled,
            "changed_by": standing.changed.as_ref().map(|(by, _)| by),
            "changed_at": standing.changed.as_ref().map(|(_, at)| at),
        })
    });
    let costs = costs
        .iter()
        .map(|(purpose, calls, brl)| json!({ "purpose": purpose, "calls": calls, "brl": brl }));
    let value = json!({
        "flags": flags.collect::<Vec<_>>(),
        "costs_this_month": costs.collect::<Vec<_>>(),
    });
    output.print(&value, &lines);
    Ok(())
}

fn month_of(now: DateTime<Utc>) -> DateTime<Utc> {
    let first = Utc.with_ymd_and_hms(now.year(), now.month(), 1, 0, 0, 0);
    first.single().unwrap_or(now)
}
