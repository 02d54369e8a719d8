//! The switches of memory, per account, off unless somebody turned them on (seed 002 §12), and the
//! kinds of fact, learnt unless somebody turned them off.

use chrono::{DateTime, Utc};
use sea_orm::ConnectionTrait;

use crate::domain::memory::MemoryKind;
use crate::domain::memory::kind::KINDS;
use crate::store::{StoreResult, features};

/// A switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flag {
    Extraction,
    Recall,
    /// Whether facts of this kind are learnt: those about health are sensitive.
    Kind(MemoryKind),
}

const KIND_PREFIX: &str = "captain_contact_memory_kind_";

impl Flag {
    /// Both of the seed, then one per kind.
    pub fn all() -> impl Iterator<Item = Flag> {
        let kinds = KINDS.iter().map(|rule| Flag::Kind(rule.kind));
        [Flag::Extraction, Flag::Recall].into_iter().chain(kinds)
    }

    /// As stored in `account_features.name`.
    pub fn name(self) -> String {
        match self {
            Flag::Extraction => "captain_contact_memory_extraction_enabled".to_owned(),
            Flag::Recall => "captain_contact_memory_recall_enabled".to_owned(),
            Flag::Kind(kind) => format!("{KIND_PREFIX}{}", kind.as_str()),
        }
    }

    /// `extraction`, `recall`, the name of a kind, or any full name.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "extraction" => Some(Flag::Extraction),
            "recall" => Some(Flag::Recall),
            other => Flag::all()
                .find(|flag| flag.name() == other)
                .or_else(|| MemoryKind::parse(other).map(Flag::Kind)),
        }
    }

    fn is_on_by_default(self) -> bool {
        matches!(self, Flag::Kind(_))
    }
}

/// How a switch stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    pub flag: Flag,
    pub enabled: bool,
    /// Who turned it last and when; `None` when nobody did.
    pub changed: Option<(String, DateTime<Utc>)>,
}

/// All switches of an account.
pub async fn read(db: &impl ConnectionTrait, account_id: i64) -> StoreResult<Vec<Standing>> {
    let rows = features::of_account(db, account_id).await?;
    let standing = |flag: Flag| {
        let row = rows.iter().find(|row| row.name == flag.name());
        Standing {
            flag,
            enabled: row.map_or(flag.is_on_by_default(), |row| row.enabled),
            changed: row.map(|row| (row.changed_by.clone(), row.changed_at)),
        }
    };
    Ok(Flag::all().map(standing).collect())
}

/// What an account wants of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wishes {
    pub extraction: bool,
    pub recall: bool,
    pub kinds_off: Vec<MemoryKind>,
}

pub async fn wishes(db: &impl ConnectionTrait, account_id: i64) -> StoreResult<Wishes> {
    let mut wishes = Wishes { extraction: false, recall: false, kinds_off: Vec::new() };
    for standing in read(db, account_id).await? {
        match standing.flag {
            Flag::Extraction => wishes.extraction = standing.enabled,
            Flag::Recall => wishes.recall = standing.enabled,
            Flag::Kind(kind) if !standing.enabled => wishes.kinds_off.push(kind),
            Flag::Kind(_) => {}
        }
    }
    Ok(wishes)
}

/// Turns a switch. `by` is kept with it: `cli`, `token:7`, an operator.
pub async fn set(
    db: &impl ConnectionTrait,
    account_id: i64,
    flag: Flag,
    enabled: bool,
    by: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    features::set(db, account_id, &flag.name(), enabled, by, now).await?;
    tracing::info!(account.id = account_id, flag = flag.name(), enabled, by, "switch turned");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_is_found_by_its_short_and_its_full_name() {
        for flag in Flag::all() {
            assert_eq!(Flag::parse(&flag.name()), Some(flag));
        }
        assert_eq!(Flag::parse("extraction"), Some(Flag::Extraction));
        assert_eq!(Flag::parse("restricao"), Some(Flag::Kind(MemoryKind::Restricao)));
        assert_eq!(Flag::parse("other"), None);
    }
}
