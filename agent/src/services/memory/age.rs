//! Growing old: what expired is deleted, what is too much is deleted, what was deleted long ago is
//! gone, and what another model embedded is embedded again.

use chrono::TimeDelta;
use serde_json::json;

use super::{Memories, MemoryError, outcome};
use crate::domain::memory::aging::{UNDO_WITHIN, surplus};
use crate::jobs::enqueue::enqueue;
use crate::jobs::memory_kinds::UpdateEmbedding;
use crate::jobs::{JobOutcome, NewJob};
use crate::store::{db, memories, memory_upkeep};

/// A fact without embedding is tried again after that long: its job gave up.
const EMBED_AGAIN_AFTER: TimeDelta = TimeDelta::hours(12);

impl Memories {
    /// The weekly pass (seed 002 §7.3).
    pub async fn age(&self) -> JobOutcome {
        outcome(self.try_age().await)
    }

    async fn try_age(&self) -> Result<JobOutcome, MemoryError> {
        let now = self.clock.now();
        let expired = memory_upkeep::delete_expired(&self.db, now).await?;
        let note = json!({ "deleted_why": "over_limit" });
        let (mut after, mut over_limit) = (0, 0);
        loop {
            let contacts = memory_upkeep::crowded(&self.db, after, now).await?;
            let Some((_, last)) = contacts.last().copied() else {
                break;
            };
            for (account_id, contact_id) in contacts {
                let tx = db::begin(&self.db).await?;
                let ages = memory_upkeep::ages(&tx, account_id, contact_id, now).await?;
                for id in surplus(ages) {
                    over_limit += u64::from(memories::soft_delete(&tx, id, &note, now).await?);
                }
                tx.commit().await?;
            }
            after = last;
        }
        tracing::info!(expired, over_limit, "memory aging");
        Ok(JobOutcome::Done)
    }

    /// The daily removal of what was deleted 30 days ago (seed 002 §7.3), and a look at the index.
    pub async fn hard_delete_expired(&self) -> JobOutcome {
        if let Err(error) = self.renew_index().await {
            tracing::warn!(%error, "index of facts not looked at");
        }
        let before = self.clock.now() - UNDO_WITHIN;
        let removed = memory_upkeep::hard_delete(&self.db, before).await;
        let removed = removed.map_err(MemoryError::from).map(|counts| {
            for (account_id, facts) in counts {
                tracing::info!(account.id = account_id, facts, "memories removed for good");
            }
            JobOutcome::Done
        });
        outcome(removed)
    }

    /// Asks for new embeddings of facts that another model embedded, or that have none.
    pub async fn reembed(&self) -> JobOutcome {
        outcome(self.try_reembed().await)
    }

    async fn try_reembed(&self) -> Result<JobOutcome, MemoryError> {
        let now = self.clock.now();
        let (mut after, mut asked) = (0, 0);
        loop {
            let model = self.embedder.model();
            let before = now - EMBED_AGAIN_AFTER;
            let facts = memory_upkeep::to_embed_again(&self.db, model, before, after).await?;
            let Some((last, _)) = facts.last().copied() else {
                break;
            };
            let job = |(id, account_id): &(i64, i64)| {
                NewJob::of(&UpdateEmbedding { memory_id: *id }, Some(*account_id), now)
            };
            asked += facts.len();
            let tx = db::begin(&self.db).await?;
            enqueue(&tx, facts.iter().map(job).collect(), now).await?;
            tx.commit().await?;
            after = last;
        }
        if asked > 0 {
            tracing::info!(facts = asked, "new embeddings asked for");
        }
        Ok(JobOutcome::Done)
    }
}
