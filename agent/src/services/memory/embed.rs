//! Giving a fact its embedding. Until it has one, it is not recalled.

use serde_json::json;

use super::metering::{self, Payer};
use super::{Memories, MemoryError, flags, outcome};
use crate::domain::memory::contradiction::is_same;
use crate::domain::memory::{MemoryKind, Scope};
use crate::jobs::claim::{ClaimedJob, hold};
use crate::jobs::enqueue::enqueue;
use crate::jobs::memory_kinds::{CheckContradiction, UpdateEmbedding};
use crate::jobs::{JobOutcome, NewJob};
use crate::llm::{LlmError, Purpose};
use crate::store::nearest::{self, Asked};
use crate::store::{db, memories, usage};
use lembra_entities::contact_memory as memory;

impl Memories {
    /// Embeds the fact; a fact that says what another says already refreshes that one instead.
    pub async fn embed(&self, job: &ClaimedJob, payload: UpdateEmbedding) -> JobOutcome {
        outcome(self.try_embed(job, payload.memory_id).await)
    }

    async fn try_embed(&self, job: &ClaimedJob, id: i64) -> Result<JobOutcome, MemoryError> {
        if let Some(waits) = self.waits_for_money(job).await? {
            return Ok(waits);
        }
        let Some(row) = self.standing(id).await? else {
            return Ok(JobOutcome::Done);
        };
        let purpose = Purpose::FactEmbedding;
        let embedded = self.embedder.embed(purpose, std::slice::from_ref(&row.content)).await?;
        let Some(vector) = embedded.vectors.into_iter().next() else {
            return Err(LlmError::Unusable("no embedding".to_owned()).into());
        };
        let payer =
            Payer { account_id: row.account_id, conversation_id: row.source_conversation_id };
        let model = self.embedder.model();
        let prices = &self.config.prices;
        let call = metering::of_embedding(prices, payer, purpose, model, embedded.tokens);
        // One that had an embedding before is known already; it only gets another.
        let is_new = row.embedding_model.is_none();
        let twin = if is_new { self.twin_of(&row, &vector).await? } else { None };
        let now = self.clock.now();
        let tx = db::begin(&self.db).await?;
        hold(&tx, job, now).await?;
        usage::record(&tx, &[call], now).await?;
        match twin {
            Some((twin, kind)) => {
                let note = json!({ "duplicate_of": twin });
                if memories::soft_delete(&tx, id, &note, now).await? {
                    memories::refresh(&tx, twin, kind, now).await?;
                    tracing::info!(memory.id = id, known = twin, "memory known already");
                }
            }
            None => {
                let set = nearest::set_embedding(&tx, id, &row.content, &vector, model).await?;
                // Rewritten meanwhile: the rewriting has a job of its own.
                if set && is_new {
                    let check = CheckContradiction { memory_id: id };
                    let check = NewJob::of(&check, Some(row.account_id), now);
                    enqueue(&tx, vec![check], now).await?;
                }
            }
        }
        tx.commit().await?;
        Ok(JobOutcome::Done)
    }

    /// The fact, when it stands and its account uses memory.
    pub(super) async fn standing(&self, id: i64) -> Result<Option<memory::Model>, MemoryError> {
        let row = memories::find(&self.db, id).await?;
        let Some(row) = row.filter(|row| row.deleted_at.is_none() && row.superseded_at.is_none())
        else {
            return Ok(None);
        };
        let wishes = flags::wishes(&self.db, row.account_id).await?;
        Ok((wishes.extraction || wishes.recall).then_some(row))
    }

    /// An older fact of the same kind and place that says the same.
    async fn twin_of(
        &self,
        row: &memory::Model,
        vector: &[f32],
    ) -> Result<Option<(i64, MemoryKind)>, MemoryError> {
        let Some(kind) = MemoryKind::parse(&row.memory_type) else {
            return Ok(None);
        };
        let near = nearest::of_contact(
            &self.db,
            &Asked {
                account_id: row.account_id,
                contact_id: row.contact_id,
                unit_id: row.source_unit_id,
                model: self.embedder.model(),
                vector,
                now: self.clock.now(),
            },
        )
        .await?;
        let same = |near: &nearest::Near| {
            let here = near.scope == Scope::Global || near.source_unit_id == row.source_unit_id;
            near.id < row.id
                && near.kind == kind
                && here
                && is_same(kind, &near.content, &row.content, near.similarity)
        };
        Ok(near.into_iter().find(same).map(|near| (near.id, kind)))
    }
}
