//! Embeddings of facts, and the facts of one contact by how alike they are to what is asked: exact
//! on both databases, whatever an index or a planner would choose. This folder is the one place
//! that reads or writes the columns `embedding`.

pub mod account;
mod account_postgres;
mod account_sqlite;
mod column;
pub mod entries;
mod postgres;
mod sqlite;
pub mod upkeep;

use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection};

use super::db::is_postgres;
use super::error::StoreResult;
use crate::domain::memory::{Expiry, MemoryKind, Scope};

/// Whose facts, in which unit, and what they are compared with.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    pub account_id: i64,
    pub contact_id: i64,
    /// Facts of other units are left out; without a unit, all unit facts are.
    pub unit_id: Option<i64>,
    /// What made the vector. Embeddings of other models are never compared with it.
    pub model: &'a str,
    /// [`DIMENSIONS`](crate::domain::memory::DIMENSIONS) numbers.
    pub vector: &'a [f32],
    pub now: DateTime<Utc>,
}

/// An active fact with its cosine similarity to what was asked, -1 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    pub id: i64,
    pub kind: MemoryKind,
    pub scope: Scope,
    pub source_unit_id: Option<i64>,
    pub content: String,
    pub confidence: f64,
    pub expires_at: Option<DateTime<Utc>>,
    pub last_verified_at: DateTime<Utc>,
    pub similarity: f64,
}

/// All facts of the contact that may be told, with their similarity, in no order. Read outside of
/// any transaction.
pub async fn of_contact(db: &DatabaseConnection, asked: &Asked<'_>) -> StoreResult<Vec<Near>> {
    if is_postgres(db) {
        postgres::of_contact(db, asked).await
    } else {
        sqlite::of_contact(db, asked).await
    }
}

/// Writes the embedding of a fact whose content is still `content`; false when it is another.
pub async fn set_embedding(
    tx: &impl ConnectionTrait,
    id: i64,
    content: &str,
    vector: &[f32],
    model: &str,
) -> StoreResult<bool> {
    column::set(tx, column::FACTS, id, &[content], vector, model).await
}

/// Takes the embedding of a fact away: it is not recalled until it has another.
pub async fn clear_embedding(tx: &impl ConnectionTrait, id: i64) -> StoreResult<()> {
    let sql = "UPDATE captain_contact_memories SET embedding = NULL, embedding_model = NULL \
               WHERE id = $1";
    super::rowset::execute(tx, sql.to_owned(), vec![id.into()]).await?;
    Ok(())
}

/// The embedding of a fact with what made it; `None` when it has none.
pub async fn embedding_of(
    db: &impl ConnectionTrait,
    id: i64,
) -> StoreResult<Option<(String, Vec<f32>)>> {
    column::get(db, column::FACTS, id).await
}

const COLUMNS: &str = "id, memory_type, scope, source_unit_id, content, confidence, expires_at, \
                       last_verified_at, embedding";

/// The contact's facts that may be told. Parameters: 2 account, 3 contact, 4 model, 5 unit, 6 now.
static RECALLABLE: LazyLock<String> = LazyLock::new(|| {
    let kept: Vec<String> =
        MemoryKind::names_of(Expiry::WeighsLess).map(|name| format!("'{name}'")).collect();
    let kept = kept.join(", ");
    format!(
        "SELECT {COLUMNS} FROM captain_contact_memories \
         WHERE account_id = $2 AND contact_id = $3 \
         AND deleted_at IS NULL AND superseded_at IS NULL \
         AND embedding IS NOT NULL AND embedding_model = $4 \
         AND (scope = 'global' OR source_unit_id IS NULL OR source_unit_id = $5) \
         AND (expires_at IS NULL OR expires_at > $6 OR memory_type IN ({kept}))"
    )
});

/// What every row holds beside its embedding; `None` for a kind that this build does not know.
struct Row {
    id: i64,
    memory_type: String,
    scope: String,
    source_unit_id: Option<i64>,
    content: String,
    confidence: f64,
    expires_at: Option<DateTime<Utc>>,
    last_verified_at: DateTime<Utc>,
}

impl Row {
    /// A similarity that is no number belongs to a vector without direction: alike to nothing.
    fn near(self, similarity: f64) -> Option<Near> {
        Some(Near {
            id: self.id,
            kind: MemoryKind::parse(&self.memory_type)?,
            scope: Scope::parse(&self.scope)?,
            source_unit_id: self.source_unit_id,
            content: self.content,
            confidence: self.confidence,
            expires_at: self.expires_at,
            last_verified_at: self.last_verified_at,
            similarity: if similarity.is_finite() { similarity } else { 0.0 },
        })
    }
}
