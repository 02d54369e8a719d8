//! What was said in a unit, for its report. Each question walks through an index of facts that are
//! not deleted, newest first, or of conversations by when they began, and ends after so many.

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, Value};

use super::fact_search::UnitIs;
use crate::domain::memory::MemoryKind;
use crate::domain::memory::kind::KINDS;
use crate::store::error::StoreResult;
use crate::store::rowset::query;

/// Facts of a kind that are counted, and conversations and customers.
pub const MOST_COUNTED: i64 = 20_000;
pub const MOST_CUSTOMERS: i64 = 5_000;

/// A unit of an account, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub account_id: i64,
    /// All units when absent.
    pub unit: Option<UnitIs>,
}

impl Place {
    /// The condition that `column` is this unit; the unit's id is added to the parameters.
    fn condition(self, column: &str, values: &mut Vec<Value>) -> String {
        match self.unit {
            None => String::new(),
            Some(UnitIs::Unknown) => format!(" AND {column} IS NULL"),
            Some(UnitIs::Id(id)) => {
                values.push(id.into());
                format!(" AND {column} = ${}", values.len())
            }
        }
    }
}

/// A fact of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    pub id: i64,
    pub contact_id: i64,
    pub conversation_id: Option<i64>,
    pub content: String,
    pub evidence: String,
    pub superseded: bool,
    pub created_at: DateTime<Utc>,
    pub last_verified_at: DateTime<Utc>,
}

/// The newest facts of a kind, whether they still hold or not, without deleted ones; at most `limit`.
pub async fn newest(
    db: &impl ConnectionTrait,
    place: Place,
    kind: MemoryKind,
    limit: i64,
) -> StoreResult<Vec<Said>> {
    let mut values: Vec<Value> = vec![place.account_id.into(), kind.as_str().into(), limit.into()];
    let unit = place.condition("source_unit_id", &mut values);
    let sql = format!(
        "SELECT id, contact_id, source_conversation_id, content, evidence, superseded_at, \
         created_at, last_verified_at FROM captain_contact_memories \
         WHERE account_id = $1 AND memory_type = $2 AND deleted_at IS NULL{unit} \
         ORDER BY created_at DESC LIMIT $3"
    );
    let mut facts = Vec::new();
    for row in query(db, sql, values).await? {
        let superseded_at: Option<DateTime<Utc>> = row.try_get("", "superseded_at")?;
        facts.push(Said {
            id: row.try_get("", "id")?,
            contact_id: row.try_get("", "contact_id")?,
            conversation_id: row.try_get("", "source_conversation_id")?,
            content: row.try_get("", "content")?,
            evidence: row.try_get("", "evidence")?,
            superseded: superseded_at.is_some(),
            created_at: row.try_get("", "created_at")?,
            last_verified_at: row.try_get("", "last_verified_at")?,
        });
    }
    Ok(facts)
}

/// How many facts of a kind were learnt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    pub kind: MemoryKind,
    /// At most [`MOST_COUNTED`].
    pub facts: i64,
    /// Customers among them.
    pub contacts: i64,
}

/// Facts of each kind learnt since then, without deleted ones, told by indexes alone.
pub async fn counts(
    db: &impl ConnectionTrait,
    place: Place,
    since: DateTime<Utc>,
) -> StoreResult<Vec<Counted>> {
    let mut values: Vec<Value> = vec![place.account_id.into(), since.into(), MOST_COUNTED.into()];
    let unit = place.condition("source_unit_id", &mut values);
    let of_kind = |kind: &str, values: &mut Vec<Value>| {
        values.push(kind.into());
        let number = values.len();
        format!(
            "SELECT ${number} AS kind, count(*) AS facts, count(DISTINCT contact_id) AS contacts \
             FROM (SELECT contact_id FROM captain_contact_memories \
                   WHERE account_id = $1 AND memory_type = ${number} AND deleted_at IS NULL \
                   AND created_at >= $2{unit} LIMIT $3) AS seen"
        )
    };
    let parts: Vec<String> = KINDS.iter().map(|rule| of_kind(rule.name, &mut values)).collect();
    let mut counts = Vec::with_capacity(KINDS.len());
    for row in query(db, parts.join(" UNION ALL "), values).await? {
        let kind: String = row.try_get("", "kind")?;
        let Some(kind) = MemoryKind::parse(&kind) else { continue };
        let (facts, contacts) = (row.try_get("", "facts")?, row.try_get("", "contacts")?);
        counts.push(Counted { kind, facts, contacts });
    }
    counts.sort_by_key(|counted| counted.kind);
    Ok(counts)
}

/// Customers who came since then.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Customers {
    /// At most [`MOST_CUSTOMERS`].
    pub customers: i64,
    /// Those of them who had another conversation with the unit, before or since.
    pub returning: i64,
    /// Conversations that began.
    pub conversations: i64,
}

/// The customers of the latest conversations that began since then. A conversation is of the unit
/// that it is about, or of that of its line; it ends after a day of silence, so a second one is
/// another occasion.
pub async fn customers(
    db: &impl ConnectionTrait,
    place: Place,
    since: DateTime<Utc>,
) -> StoreResult<Customers> {
    let mut values: Vec<Value> =
        vec![place.account_id.into(), since.into(), MOST_COUNTED.into(), MOST_CUSTOMERS.into()];
    let of_lines = place.condition("unit_id", &mut values);
    let (own, further, also) = match place.unit {
        None => (String::new(), String::new(), String::new()),
        Some(UnitIs::Unknown) => {
            (" AND captain_unit_id IS NULL".to_owned(), String::new(), String::new())
        }
        Some(UnitIs::Id(_)) => {
            let number = values.len();
            (
                format!(" AND (captain_unit_id IS NULL OR captain_unit_id = ${number})"),
                format!(
                    " UNION ALL SELECT contact_id FROM (SELECT contact_id FROM conversations \
                      WHERE captain_unit_id = ${number} AND account_id = $1 AND created_at >= $2 \
                      AND inbox_id NOT IN (SELECT id FROM lines) ORDER BY id DESC LIMIT $3) AS own"
                ),
                format!(" OR other.captain_unit_id = ${number}"),
            )
        }
    };
    let sql = format!(
        "WITH lines AS (SELECT id FROM inboxes WHERE account_id = $1{of_lines}), \
         begun AS (SELECT contact_id FROM (SELECT contact_id FROM conversations \
             WHERE inbox_id IN (SELECT id FROM lines) AND created_at >= $2{own} \
             ORDER BY created_at DESC LIMIT $3) AS of_lines{further}), \
         people AS (SELECT DISTINCT contact_id FROM begun LIMIT $4) \
         SELECT count(*) AS customers, (SELECT count(*) FROM begun) AS conversations, \
         COALESCE(sum(CASE WHEN (SELECT count(*) FROM (SELECT 1 AS one FROM conversations AS other \
             WHERE other.contact_id = people.contact_id \
             AND (other.inbox_id IN (SELECT id FROM lines){also}) LIMIT 2) AS two) = 2 \
             THEN 1 ELSE 0 END), 0) AS back FROM people"
    );
    let rows = query(db, sql, values).await?;
    let Some(row) = rows.first() else { return Ok(Customers::default()) };
    Ok(Customers {
        customers: row.try_get("", "customers")?,
        returning: row.try_get("", "back")?,
        conversations: row.try_get("", "conversations")?,
    })
}
