//! What people do to facts: rewrite one, delete one, bring it back, forget everything. Each leaves
//! who did it and when in the fact's metadata (seed 002 §10).

use chrono::{DateTime, SecondsFormat, Utc};
use lembra_entities::contact_memory as memory;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use super::Memories;
use crate::domain::memory::aging::UNDO_WITHIN;
use crate::domain::memory::{Discard, fact};
use crate::jobs::NewJob;
use crate::jobs::enqueue::enqueue;
use crate::jobs::memory_kinds::{CheckContradiction, UpdateEmbedding};
use crate::services::tools::memories as list_my_memories;
use crate::store::memory_subject as subject;
use crate::store::{StoreError, StoreResult, db, extractions, memories, tool_calls};

/// Whose facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    pub account_id: i64,
    pub contact_id: i64,
}

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    #[error("there is no such memory")]
    NotFound,
    /// It was deleted too long ago, or not deleted at all.
    #[error("it cannot be brought back")]
    NotRestorable,
    #[error("content refused: {}", .0.as_str())]
    Content(Discard),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sea_orm::DbErr> for EditError {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

/// A note for the metadata. `by` is `token:7`, `cli`, or an operator's id.
fn note(change: &str, by: &str, now: DateTime<Utc>) -> Value {
    let at = now.to_rfc3339_opts(SecondsFormat::Micros, true);
    json!({ "changed_by_user_id": by, "changed_at": at, "change": change })
}

impl Memories {
    /// Gives a standing fact another content. It is embedded and compared again.
    pub async fn edit(
        &self,
        owner: Owner,
        id: i64,
        content: &str,
        by: &str,
    ) -> Result<memory::Model, EditError> {
        let content = fact::check_content(content).map_err(EditError::Content)?;
        let now = self.clock.now();
        let tx = db::begin(&self.db).await?;
        let row = find(&tx, owner, id).await?;
        if row.content != content {
            let changed =
                memories::rewrite(&tx, &row, &content, &note("edit", by, now), now).await?;
            if !changed {
                return Err(EditError::NotFound);
            }
            let embed = UpdateEmbedding { memory_id: id };
            enqueue(&tx, vec![NewJob::of(&embed, Some(owner.account_id), now)], now).await?;
        }
        let row = find(&tx, owner, id).await?;
        tx.commit().await?;
        Ok(row)
    }

    /// Deletes a fact; it can be brought back for 30 days.
    pub async fn delete(&self, owner: Owner, id: i64, by: &str) -> Result<(), EditError> {
        let now = self.clock.now();
        let tx = db::begin(&self.db).await?;
        find(&tx, owner, id).await?;
        let deleted = memories::soft_delete(&tx, id, &note("delete", by, now), now).await?;
        tx.commit().await?;
        deleted.then_some(()).ok_or(EditError::NotFound)
    }

    /// Brings a fact back that was deleted within 30 days. It is compared again: another may have
    /// taken its place.
    pub async fn restore(
        &self,
        owner: Owner,
        id: i64,
        by: &str,
    ) -> Result<memory::Model, EditError> {
        let now = self.clock.now();
        let tx = db::begin(&self.db).await?;
        let row = find(&tx, owner, id).await?;
        let recent = row.deleted_at.is_some_and(|at| now - at < UNDO_WITHIN);
        if !recent || row.metadata.get("duplicate_of").is_some() {
            return Err(EditError::NotRestorable);
        }
        memories::restore(&tx, id, &note("restore", by, now), now).await?;
        let account = Some(owner.account_id);
        let job = match row.embedding_model {
            Some(_) => NewJob::of(&CheckContradiction { memory_id: id }, account, now),
            None => NewJob::of(&UpdateEmbedding { memory_id: id }, account, now),
        };
        enqueue(&tx, vec![job], now).await?;
        let row = find(&tx, owner, id).await?;
        tx.commit().await?;
        Ok(row)
    }

    /// Forgets everything about a contact (LGPD): all facts are deleted, what waits to be learnt is
    /// not, and what they wrote so far proves nothing any more. Answers how many facts there were.
    pub async fn forget_all(&self, owner: Owner, by: &str) -> StoreResult<u64> {
        let now = self.clock.now();
        let tx = db::begin(&self.db).await?;
        extractions::lock_contact(&tx, owner.contact_id).await?;
        let note = note("forget_all", by, now);
        let (account_id, contact_id) = (owner.account_id, owner.contact_id);
        let facts = memories::soft_delete_all(&tx, account_id, contact_id, &note, now).await?;
        extractions::forgotten(&tx, contact_id, now).await?;
        let cancelled = subject::cancel_extractions(&tx, contact_id, now).await?;
        tool_calls::blank(&tx, contact_id, list_my_memories::NAME).await?;
        tx.commit().await?;
        tracing::info!(contact.id = contact_id, facts, cancelled, by, "contact forgotten");
        Ok(facts)
    }
}

/// A fact that may be shown to its owner's account.
async fn find(
    tx: &impl ConnectionTrait,
    owner: Owner,
    id: i64,
) -> Result<memory::Model, EditError> {
    let row = memories::find_of(tx, owner.account_id, owner.contact_id, id).await?;
    row.ok_or(EditError::NotFound)
}
