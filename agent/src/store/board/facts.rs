//! Facts as operators see them (seed 002 §7.5): with where each came from, and, of those that no
//! longer hold, why and by whom.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use lembra_entities::contact_memory as memory;
use sea_orm::ConnectionTrait;
use serde::Serialize;
use serde_json::Value as Json;
use utoipa::ToSchema;

use super::actors::{self, Actors};
use crate::domain::memory::MemoryKind;
use crate::domain::memory::aging::UNDO_WITHIN;
use crate::store::error::StoreResult;
use crate::store::memories::{self, Page};
use crate::store::rowset::{any_number, parameter, query};
use crate::store::units;

/// A fact.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FactView {
    pub id: i64,
    pub contact_id: i64,
    /// One of the nine kinds, such as `preferencia`.
    pub memory_type: String,
    pub content: String,
    /// Literal excerpt of the customer's message.
    pub evidence: String,
    /// 0 to 1.
    pub confidence: f64,
    /// `global` or `unit`.
    pub scope: String,
    /// `active`, `superseded`, `expired` or `deleted`.
    pub status: String,
    /// Its time is over and it still counts, with less weight.
    pub fading: bool,
    /// It is found by meaning; until then only by words.
    pub has_embedding: bool,
    /// Where it was learnt; the conversation may be gone.
    pub source_conversation_id: Option<i64>,
    pub conversation_exists: bool,
    pub source_unit_id: Option<i64>,
    pub unit_name: Option<String>,
    pub source_inbox_id: Option<i64>,
    pub expires_at: Option<DateTime<Utc>>,
    /// When the customer last said it, or a person wrote it.
    pub last_verified_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub superseded_at: Option<DateTime<Utc>>,
    pub superseded_by_id: Option<i64>,
    pub deleted_at: Option<DateTime<Utc>>,
    /// The notes that [`Self::changed`] and [`Self::ended`] are read from, as they are kept.
    #[schema(value_type = Object)]
    pub metadata: Json,
    /// The last change by hand.
    pub changed: Option<Change>,
    /// Why it no longer holds.
    pub ended: Option<Ended>,
    /// Until when a deletion can be taken back.
    pub restorable_until: Option<DateTime<Utc>>,
}

/// A change by hand (seed 002 §10).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Change {
    /// `edit`, `delete`, `restore` or `forget_all`.
    pub change: String,
    /// `operator:3`, `token:7`, `cli`, `customer`.
    pub by: String,
    /// What they are called, where they belong to the account.
    pub by_name: Option<String>,
    pub at: Option<DateTime<Utc>>,
}

/// Why a fact no longer holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Ended {
    pub at: DateTime<Utc>,
    /// `contradicted` (by words), `contradicted_by_model`, `time_over`, `over_limit`, `duplicate`,
    /// `by_hand`, `forget_all` or `unknown`.
    pub why: String,
    /// Who did it by hand, as in [`Change::by`].
    pub by: Option<String>,
    pub by_name: Option<String>,
    /// The fact that holds in its place.
    pub instead_id: Option<i64>,
    /// What that one says, unless it was deleted.
    pub instead_content: Option<String>,
}

/// A page of facts.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FactPage {
    pub facts: Vec<FactView>,
    /// For `before` of the next page; absent at the end.
    pub next: Option<i64>,
}

/// A contact's facts, newest first.
pub async fn of_contact(
    db: &impl ConnectionTrait,
    account_id: i64,
    contact_id: i64,
    page: Page,
    now: DateTime<Utc>,
) -> StoreResult<FactPage> {
    let more = Page { limit: page.limit.saturating_add(1), ..page };
    let mut rows = memories::list(db, account_id, contact_id, more, now).await?;
    let limit = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| has_more).map(|row| row.id);
    Ok(FactPage { facts: views(db, account_id, rows, now).await?, next })
}

/// One fact of a contact, whatever its state; `None` when there is none.
pub async fn one(
    db: &impl ConnectionTrait,
    account_id: i64,
    contact_id: i64,
    id: i64,
    now: DateTime<Utc>,
) -> StoreResult<Option<FactView>> {
    let row = memories::find_of(db, account_id, contact_id, id).await?;
    Ok(views(db, account_id, row.into_iter().collect(), now).await?.pop())
}

/// Rows of the account as they are shown, in their order.
pub async fn views(
    db: &impl ConnectionTrait,
    account_id: i64,
    rows: Vec<memory::Model>,
    now: DateTime<Utc>,
) -> StoreResult<Vec<FactView>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let around = Around::load(db, account_id, &rows).await?;
    Ok(rows.into_iter().map(|row| around.view(row, now)).collect())
}

/// What stands around facts.
struct Around {
    conversations: BTreeSet<i64>,
    units: HashMap<i64, String>,
    /// Contents of the facts that stand in place of others.
    instead: HashMap<i64, String>,
    actors: Actors,
}

impl Around {
    async fn load(
        db: &impl ConnectionTrait,
        account_id: i64,
        rows: &[memory::Model],
    ) -> StoreResult<Self> {
        let backend = db.get_database_backend();
        let keys = |ids: BTreeSet<i64>| parameter(ids.into_iter().map(Json::from));
        let any = any_number(backend, "id", 2);
        let ids = rows.iter().filter_map(|row| row.source_conversation_id).collect();
        let sql = format!("SELECT id FROM conversations WHERE account_id = $1 AND {any}");
        let found = query(db, sql, vec![account_id.into(), keys(ids)]).await?;
        let conversations =
            found.iter().map(|row| row.try_get("", "id")).collect::<Result<_, _>>()?;
        let ids: BTreeSet<i64> = rows.iter().filter_map(instead_of).collect();
        let mut instead = HashMap::new();
        if !ids.is_empty() {
            let sql = format!(
                "SELECT id, content FROM captain_contact_memories \
                 WHERE account_id = $1 AND deleted_at IS NULL AND {any}"
            );
            for row in query(db, sql, vec![account_id.into(), keys(ids)]).await? {
                instead.insert(row.try_get("", "id")?, row.try_get("", "content")?);
            }
        }
        let units = units::list(db, account_id).await?;
        Ok(Self {
            conversations,
            units: units.into_iter().map(|unit| (unit.id, unit.name)).collect(),
            instead,
            actors: actors::of_account(db, account_id).await?,
        })
    }

    fn view(&self, row: memory::Model, now: DateTime<Utc>) -> FactView {
        let expired = row.expires_at.is_some_and(|end| end <= now);
        let current = MemoryKind::parse(&row.memory_type)
            .is_none_or(|kind| kind.is_current(row.expires_at, now));
        let status = match (&row.deleted_at, &row.superseded_at) {
            (Some(_), _) => "deleted",
            (None, Some(_)) => "superseded",
            (None, None) if !current => "expired",
            (None, None) => "active",
        };
        let undo = row.deleted_at.map(|at| at + UNDO_WITHIN).filter(|until| *until > now);
        FactView {
            status: status.to_owned(),
            fading: status == "active" && expired,
            has_embedding: row.embedding_model.is_some(),
            conversation_exists: row
                .source_conversation_id
                .is_some_and(|id| self.conversations.contains(&id)),
            unit_name: row.source_unit_id.and_then(|id| self.units.get(&id).cloned()),
            changed: self.change(&row.metadata),
            ended: self.ended(&row, status),
            restorable_until: undo.filter(|_| row.metadata.get("duplicate_of").is_none()),
            id: row.id,
            contact_id: row.contact_id,
            memory_type: row.memory_type,
            content: row.content,
            evidence: row.evidence,
            confidence: row.confidence,
            scope: row.scope,
            source_conversation_id: row.source_conversation_id,
            source_unit_id: row.source_unit_id,
            source_inbox_id: row.source_inbox_id,
            expires_at: row.expires_at,
            last_verified_at: row.last_verified_at,
            created_at: row.created_at,
            updated_at: row.updated_at,
            superseded_at: row.superseded_at,
            superseded_by_id: row.superseded_by_id,
            deleted_at: row.deleted_at,
            metadata: row.metadata,
        }
    }

    /// The note that `services::memory::edit` leaves.
    fn change(&self, metadata: &Json) -> Option<Change> {
        let text = |key: &str| metadata.get(key).and_then(Json::as_str);
        let by = text("changed_by_user_id")?;
        Some(Change {
            change: text("change").unwrap_or_default().to_owned(),
            by: by.to_owned(),
            by_name: self.actors.name(by).map(str::to_owned),
            at: text("changed_at").and_then(|at| at.parse().ok()),
        })
    }

    fn ended(&self, row: &memory::Model, status: &str) -> Option<Ended> {
        let text = |key: &str| row.metadata.get(key).and_then(Json::as_str);
        let at = match status {
            "deleted" => row.deleted_at,
            "superseded" => row.superseded_at,
            "expired" => row.expires_at,
            _ => None,
        }?;
        // Of a row that was brought back and deleted again, the last change by hand tells.
        let by_hand = self.change(&row.metadata).filter(|change| {
            status == "deleted" && matches!(change.change.as_str(), "delete" | "forget_all")
        });
        let why = match (status, &by_hand) {
            ("expired", _) => "time_over",
            ("superseded", _) if text("superseded_why") == Some("model") => "contradicted_by_model",
            ("superseded", _) => "contradicted",
            (_, Some(change)) if change.change == "forget_all" => "forget_all",
            (_, Some(_)) => "by_hand",
            (_, None) => match text("deleted_why") {
                Some("expired") => "time_over",
                Some("over_limit") => "over_limit",
                _ if row.metadata.get("duplicate_of").is_some() => "duplicate",
                _ => "unknown",
            },
        };
        let instead_id = match why {
            "contradicted" | "contradicted_by_model" | "duplicate" => instead_of(row),
            _ => None,
        };
        Some(Ended {
            at,
            why: why.to_owned(),
            by_name: by_hand.as_ref().and_then(|change| change.by_name.clone()),
            by: by_hand.map(|change| change.by),
            instead_id,
            instead_content: instead_id.and_then(|id| self.instead.get(&id).cloned()),
        })
    }
}

/// The fact that stands in place of one that was superseded, or that said the same before.
fn instead_of(row: &memory::Model) -> Option<i64> {
    row.superseded_by_id.or_else(|| row.metadata.get("duplicate_of").and_then(Json::as_i64))
}
