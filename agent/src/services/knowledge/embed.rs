//! Giving entries their embeddings. Until it has one, an entry is found by its words only.

use chrono::TimeDelta;

use super::Knowledge;
use super::edit::embedding_job;
use crate::domain::knowledge::entry::embedded_text;
use crate::jobs::JobOutcome;
use crate::jobs::claim::{ClaimedJob, hold};
use crate::jobs::enqueue::enqueue;
use crate::jobs::knowledge_kinds::UpdateKnowledgeEmbedding;
use crate::llm::{LlmError, Purpose};
use crate::services::memory::metering::{self, Payer};
use crate::services::memory::{MemoryError, outcome};
use crate::services::spending;
use crate::store::nearest::entries;
use crate::store::{db, knowledge as rows, knowledge_upkeep as upkeep, usage};

/// An entry without embedding is tried again after that long: its job gave up.
const EMBED_AGAIN_AFTER: TimeDelta = TimeDelta::hours(12);

impl Knowledge {
    /// Embeds an entry, unless it has an embedding of today's model.
    pub async fn embed(&self, job: &ClaimedJob, payload: UpdateKnowledgeEmbedding) -> JobOutcome {
        outcome(self.try_embed(job, payload.entry_id).await)
    }

    async fn try_embed(&self, job: &ClaimedJob, id: i64) -> Result<JobOutcome, MemoryError> {
        let model = self.embedder.model();
        let row = rows::find_any(&self.db, id).await?;
        let Some(row) = row.filter(|row| row.embedding_model.as_deref() != Some(model)) else {
            return Ok(JobOutcome::Done);
        };
        if let Some(waits) = spending::wait(&self.db, job, self.clock.now()).await? {
            return Ok(waits);
        }
        let text = embedded_text(&row.question, &row.answer);
        let purpose = Purpose::KnowledgeEmbedding;
        let embedded = self.embedder.embed(purpose, &[text]).await?;
        let Some(vector) = embedded.vectors.into_iter().next() else {
            return Err(LlmError::Unusable("no embedding".to_owned()).into());
        };
        let payer = Payer { account_id: row.account_id, conversation_id: None };
        let prices = &self.config.prices;
        let call = metering::of_embedding(prices, payer, purpose, model, embedded.tokens);
        let now = self.clock.now();
        let tx = db::begin(&self.db).await?;
        hold(&tx, job, now).await?;
        usage::record(&tx, &[call], now).await?;
        // Rewritten meanwhile: the rewriting has a job of its own.
        entries::set_embedding(&tx, id, (&row.question, &row.answer), &vector, model).await?;
        tx.commit().await?;
        Ok(JobOutcome::Done)
    }

    /// Asks for new embeddings of entries that another model embedded, or that have none.
    pub async fn reembed(&self) -> JobOutcome {
        outcome(self.try_reembed().await)
    }

    async fn try_reembed(&self) -> Result<JobOutcome, MemoryError> {
        let now = self.clock.now();
        let (model, before) = (self.embedder.model(), now - EMBED_AGAIN_AFTER);
        let (mut after, mut asked) = (0, 0);
        loop {
            let page = upkeep::to_embed_again(&self.db, model, before, after).await?;
            let Some((last, _)) = page.last().copied() else {
                break;
            };
            asked += page.len();
            let jobs = page.into_iter().map(|(id, account)| embedding_job(account, id, now));
            let tx = db::begin(&self.db).await?;
            enqueue(&tx, jobs.collect(), now).await?;
            tx.commit().await?;
            after = last;
        }
        if asked > 0 {
            tracing::info!(entries = asked, "new embeddings of knowledge asked for");
        }
        Ok(JobOutcome::Done)
    }
}
