//! The switches of memory as operators see them (seed 002 §7.5): how each stands, who turned it
//! and when, and what it has cost this month.

use chrono::{DateTime, Utc};
use lembra_entities::account;
use sea_orm::ConnectionTrait;
use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::memory::MemoryKind;
use crate::llm::Purpose;
use crate::services::memory::flags::{self, Flag, Standing};
use crate::services::spending;
use crate::store::board::actors::{self, Actors};
use crate::store::{StoreResult, usage};

/// A switch.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Switch {
    /// `extraction`, `recall`, or the name of a kind of fact.
    pub name: String,
    pub enabled: bool,
    /// Facts of this kind may tell of somebody's health (LGPD art. 11).
    pub sensitive: bool,
    /// Absent when nobody turned it.
    pub changed_at: Option<DateTime<Utc>>,
    /// `operator:3`, `token:7`, `cli`.
    pub changed_by: Option<String>,
    /// What they are called, where they belong to the account.
    pub changed_by_name: Option<String>,
    /// What it has cost since the month began, in BRL; kinds cost nothing of their own.
    pub month_brl: Option<f64>,
}

/// All switches of an account.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MemorySwitches {
    /// Learning from conversations.
    pub extraction: Switch,
    /// Using what was learnt in answers.
    pub recall: Switch,
    /// Whether facts of each kind are learnt.
    pub kinds: Vec<Switch>,
}

impl MemorySwitches {
    /// One of them, by any of its names.
    pub fn into_switch(self, name: &str) -> Option<Switch> {
        let wanted = Flag::parse(name)?;
        let mut all = [self.extraction, self.recall].into_iter().chain(self.kinds);
        all.find(|switch| Flag::parse(&switch.name) == Some(wanted))
    }
}

/// What one purpose of model calls has cost.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PurposeCost {
    /// See `agent::llm::Purpose`.
    pub purpose: String,
    pub calls: i64,
    pub brl: f64,
}

/// What an account has spent on models since its month began.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct MonthCosts {
    /// By the account's own clock.
    pub month_began_at: DateTime<Utc>,
    pub spent_brl: f64,
    /// No limit when absent.
    pub ceiling_brl: Option<f64>,
    /// The dearest first.
    pub by_purpose: Vec<PurposeCost>,
}

/// What learning a fact and keeping it true costs.
const OF_EXTRACTION: [Purpose; 3] =
    [Purpose::Extraction, Purpose::Contradiction, Purpose::FactEmbedding];

/// What an account's month has cost so far.
pub async fn costs(
    db: &impl ConnectionTrait,
    account: &account::Model,
    now: DateTime<Utc>,
) -> StoreResult<MonthCosts> {
    let month_began_at = spending::month_began(account, now);
    let rows = usage::since(db, account.id, month_began_at).await?;
    let mut by_purpose: Vec<PurposeCost> =
        rows.into_iter().map(|(purpose, calls, brl)| PurposeCost { purpose, calls, brl }).collect();
    by_purpose.sort_by(|one, other| other.brl.total_cmp(&one.brl));
    Ok(MonthCosts {
        month_began_at,
        spent_brl: by_purpose.iter().map(|cost| cost.brl).sum(),
        ceiling_brl: account.monthly_ceiling_brl,
        by_purpose,
    })
}

/// How the account's switches stand; `costs` are of the same account.
pub async fn read(
    db: &impl ConnectionTrait,
    account_id: i64,
    costs: &MonthCosts,
) -> StoreResult<MemorySwitches> {
    let standings = flags::read(db, account_id).await?;
    let known = actors::of_account(db, account_id).await?;
    let shown = |standing: &Standing| switch(standing, costs, &known);
    let of = |flag: Flag| {
        let found = standings.iter().find(|standing| standing.flag == flag);
        // Every switch has its standing.
        let absent = Standing { flag, enabled: false, changed: None };
        shown(found.unwrap_or(&absent))
    };
    let is_kind = |standing: &&Standing| matches!(standing.flag, Flag::Kind(_));
    Ok(MemorySwitches {
        extraction: of(Flag::Extraction),
        recall: of(Flag::Recall),
        kinds: standings.iter().filter(is_kind).map(shown).collect(),
    })
}

/// Turns a switch by its short name; false when there is no such switch.
pub async fn turn(
    db: &impl ConnectionTrait,
    account_id: i64,
    name: &str,
    enabled: bool,
    by: &str,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let Some(flag) = Flag::parse(name) else { return Ok(false) };
    flags::set(db, account_id, flag, enabled, by, now).await?;
    Ok(true)
}

fn switch(standing: &Standing, costs: &MonthCosts, known: &Actors) -> Switch {
    let spent = |purposes: &[Purpose]| {
        let counts = |cost: &&PurposeCost| purposes.iter().any(|one| one.as_str() == cost.purpose);
        Some(costs.by_purpose.iter().filter(counts).map(|cost| cost.brl).sum())
    };
    let (name, month_brl) = match standing.flag {
        Flag::Extraction => ("extraction", spent(&OF_EXTRACTION)),
        Flag::Recall => ("recall", spent(&[Purpose::RecallEmbedding])),
        Flag::Kind(kind) => (kind.as_str(), None),
    };
    let changed_by = standing.changed.as_ref().map(|(by, _)| by.clone());
    Switch {
        name: name.to_owned(),
        enabled: standing.enabled,
        sensitive: is_sensitive(standing.flag),
        changed_at: standing.changed.as_ref().map(|(_, at)| *at),
        changed_by_name: changed_by.as_deref().and_then(|by| known.name(by)).map(str::to_owned),
        changed_by,
        month_brl,
    }
}

fn is_sensitive(flag: Flag) -> bool {
    matches!(flag, Flag::Kind(kind) if MemoryKind::rule(kind).sensitive)
}
