//! Facts of a whole account by what an operator asks of them.
//!
//! Rows are wide, so the walk goes through an index that holds kind, unit, date and contact, newest
//! first, and reads only rows that fit; state and words are told by the rows. One answer looks at a
//! bounded number of both, and `next` goes on from there.

use chrono::{DateTime, Utc};
use lembra_entities::contact_memory as memory;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Value};
use serde_json::Value as Json;

use crate::domain::memory::MemoryKind;
use crate::domain::memory::word_search::WordSearch;
use crate::store::error::StoreResult;
use crate::store::rowset::{any_number, any_text, parameter, query};

/// Entries of the index that one answer walks through, and rows that it reads, at most.
const MOST_SEEN: i64 = 100_000;
pub const MOST_READ: usize = 10_000;
/// Rows per statement while words are looked for.
const READ_AT_ONCE: usize = 1_000;

/// The states that are looked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FactStatus {
    #[default]
    Active,
    Superseded,
    Expired,
    Deleted,
    /// The three before.
    History,
    All,
}

impl FactStatus {
    pub const ALL: [FactStatus; 6] = [
        FactStatus::Active,
        FactStatus::Superseded,
        FactStatus::Expired,
        FactStatus::Deleted,
        FactStatus::History,
        FactStatus::All,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            FactStatus::Active => "active",
            FactStatus::Superseded => "superseded",
            FactStatus::Expired => "expired",
            FactStatus::Deleted => "deleted",
            FactStatus::History => "history",
            FactStatus::All => "all",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }

    /// Whether a fact in that state is looked for.
    fn holds(self, state: FactStatus) -> bool {
        match self {
            FactStatus::All => true,
            FactStatus::History => state != FactStatus::Active,
            one => one == state,
        }
    }
}

/// The unit where a fact was learnt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitIs {
    Id(i64),
    /// Where no unit was known.
    Unknown,
}

/// What is asked of facts beside words.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FactFilter {
    /// Any of these; all when empty.
    pub kinds: Vec<MemoryKind>,
    pub unit: Option<UnitIs>,
    pub contact_id: Option<i64>,
    /// Learnt then or later, and before.
    pub from: Option<DateTime<Utc>>,
    pub to: Option<DateTime<Utc>>,
    pub status: FactStatus,
}

impl FactFilter {
    /// Names of the kinds, as a parameter.
    pub(crate) fn kind_names(&self) -> Value {
        parameter(self.kinds.iter().map(|kind| Json::from(kind.as_str())))
    }
}

/// Ids of facts that may be shown, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walked {
    pub ids: Vec<i64>,
    /// Where the walk goes on; `None` when the account has no further fact that fits.
    pub next: Option<i64>,
}

/// The account's facts of the kinds, unit, contact and dates that are asked for, whatever their
/// state, with a smaller id than `before`.
pub async fn walk(
    db: &impl ConnectionTrait,
    account_id: i64,
    filter: &FactFilter,
    before: Option<i64>,
) -> StoreResult<Walked> {
    let before = before.unwrap_or(i64::MAX);
    let mut values: Vec<Value> = vec![account_id.into(), before.into(), MOST_SEEN.into()];
    let mut seen = "SELECT id, memory_type, source_unit_id, created_at \
                    FROM captain_contact_memories WHERE account_id = $1 AND id < $2"
        .to_owned();
    if let Some(contact_id) = filter.contact_id {
        values.push(contact_id.into());
        seen.push_str(" AND contact_id = $4");
    }
    seen.push_str(" ORDER BY id DESC LIMIT $3");
    let ends = (seen.clone(), values.clone());
    let mut fits = vec!["id > 0".to_owned()];
    if !filter.kinds.is_empty() {
        values.push(filter.kind_names());
        fits.push(any_text(db.get_database_backend(), "memory_type", values.len()));
    }
    match filter.unit {
        Some(UnitIs::Id(id)) => {
            values.push(id.into());
            fits.push(format!("source_unit_id = ${}", values.len()));
        }
        Some(UnitIs::Unknown) => fits.push("source_unit_id IS NULL".to_owned()),
        None => {}
    }
    for (at, sign) in [(filter.from, ">="), (filter.to, "<")] {
        if let Some(at) = at {
            values.push(at.into());
            fits.push(format!("created_at {sign} ${}", values.len()));
        }
    }
    let sql = format!(
        "SELECT id FROM ({seen}) AS seen WHERE {} ORDER BY id DESC LIMIT {MOST_READ}",
        fits.join(" AND ")
    );
    let rows = query(db, sql, values).await?;
    let ids: Vec<i64> = rows.iter().map(|row| row.try_get("", "id")).collect::<Result<_, _>>()?;
    if ids.len() == MOST_READ {
        let next = ids.last().copied();
        return Ok(Walked { ids, next });
    }
    let (seen, values) = ends;
    let sql = format!("SELECT min(id) AS last, count(*) AS n FROM ({seen}) AS seen");
    let rows = query(db, sql, values).await?;
    let Some(row) = rows.first() else { return Ok(Walked { ids, next: None }) };
    let (last, count): (Option<i64>, i64) = (row.try_get("", "last")?, row.try_get("", "n")?);
    Ok(Walked { ids, next: last.filter(|_| count == MOST_SEEN) })
}

/// The first facts of `ids`, in that order, that are in the state that is asked for and hold the
/// words; at most `limit`.
pub async fn pick(
    db: &impl ConnectionTrait,
    account_id: i64,
    ids: &[i64],
    (status, words): (FactStatus, &WordSearch),
    limit: usize,
    now: DateTime<Utc>,
) -> StoreResult<Vec<i64>> {
    let at_once = if words.is_empty() { (2 * limit).max(50) } else { READ_AT_ONCE };
    let any = any_number(db.get_database_backend(), "id", 2);
    let sql = format!(
        "SELECT id, memory_type, content, expires_at, superseded_at, deleted_at \
         FROM captain_contact_memories WHERE account_id = $1 AND {any}"
    );
    let mut picked = Vec::new();
    for ids in ids.chunks(at_once) {
        let keys = parameter(ids.iter().copied().map(Json::from));
        let mut fits = std::collections::HashSet::new();
        for row in query(db, sql.clone(), vec![account_id.into(), keys]).await? {
            let kind: String = row.try_get("", "memory_type")?;
            let content: String = row.try_get("", "content")?;
            let state = state(
                &kind,
                row.try_get("", "deleted_at")?,
                row.try_get("", "superseded_at")?,
                row.try_get("", "expires_at")?,
                now,
            );
            if status.holds(state) && words.fits(&content) {
                fits.insert(row.try_get::<i64>("", "id")?);
            }
        }
        picked.extend(ids.iter().copied().filter(|id| fits.contains(id)));
        if picked.len() >= limit {
            picked.truncate(limit);
            break;
        }
    }
    Ok(picked)
}

fn state(
    kind: &str,
    deleted_at: Option<DateTime<Utc>>,
    superseded_at: Option<DateTime<Utc>>,
    expires_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> FactStatus {
    let current = MemoryKind::parse(kind).is_none_or(|kind| kind.is_current(expires_at, now));
    match (deleted_at, superseded_at) {
        (Some(_), _) => FactStatus::Deleted,
        (None, Some(_)) => FactStatus::Superseded,
        (None, None) if !current => FactStatus::Expired,
        (None, None) => FactStatus::Active,
    }
}

/// The account's facts with these ids, in that order.
pub async fn with_ids(
    db: &impl ConnectionTrait,
    account_id: i64,
    ids: &[i64],
) -> StoreResult<Vec<memory::Model>> {
    let rows = memory::Entity::find()
        .filter(memory::Column::AccountId.eq(account_id))
        .filter(memory::Column::Id.is_in(ids.iter().copied()))
        .all(db)
        .await?;
    let mut rows: std::collections::HashMap<i64, memory::Model> =
        rows.into_iter().map(|row| (row.id, row)).collect();
    Ok(ids.iter().filter_map(|id| rows.remove(id)).collect())
}
