//! Recall (seed 002 §7.2): the facts that a customer's words bring to mind, for the prompt. It
//! never fails and never holds an answer up for longer than its patience.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use lembra_entities::contact_memory;
use tokio::time::{Instant, timeout};

use super::metering::{self, Payer};
use super::{Memories, flags, prompts};
use crate::domain::memory::block::{self, Told};
use crate::domain::memory::recall::{Scored, TOP, best, recall_weight};
use crate::domain::memory::{MemoryKind, Scope};
use crate::llm::{LlmError, Purpose};
use crate::services::query_embedding::QueryEmbedding;
use crate::store::nearest::{self, Asked, Near};
use crate::store::turns::Recall as Measured;
use crate::store::usage::NewUsage;
use crate::store::{StoreError, StoreResult, memories, units};

/// Everything together: switches, embedding, query (seed 002 §7.2).
pub const PATIENCE: Duration = Duration::from_millis(500);

/// Whose facts, and what they are recalled by.
#[derive(Debug, Clone)]
pub struct Query<'a> {
    pub account_id: i64,
    pub contact_id: i64,
    pub conversation_id: i64,
    /// What the customer said.
    pub text: &'a str,
}

/// What came to mind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recalled {
    /// For the end of the system prompt: instruction and block. Empty without facts.
    pub prompt: String,
    /// What it took; absent where the account does not want recall.
    pub measured: Option<Measured>,
    /// What it cost, where whoever asked does not account for it.
    pub call: Option<NewUsage>,
}

/// Why nothing came to mind.
#[derive(Debug, thiserror::Error)]
enum RecallError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Model(#[from] Arc<LlmError>),
}

impl Memories {
    /// The facts that may be told in a conversation: those of its unit, and none of a kind that is
    /// switched off. Oldest first.
    pub async fn known_in(
        &self,
        account_id: i64,
        contact_id: i64,
        conversation_id: i64,
        now: DateTime<Utc>,
    ) -> StoreResult<Vec<contact_memory::Model>> {
        let wishes = flags::wishes(&self.db, account_id).await?;
        let unit_id = units::of_conversation(&self.db, conversation_id).await?;
        let mut facts = memories::active_of(&self.db, account_id, contact_id, now).await?;
        let off = |name: &str| {
            MemoryKind::parse(name).is_some_and(|kind| wishes.kinds_off.contains(&kind))
        };
        facts.retain(|fact| {
            let here = fact.scope == Scope::Global.as_str()
                || fact.source_unit_id.is_none()
                || fact.source_unit_id == unit_id;
            here && !off(&fact.memory_type)
        });
        Ok(facts)
    }

    /// The best facts for what was said; nothing when the account does not want recall, on any
    /// failure, and when it takes too long.
    pub async fn recall(&self, query: &Query<'_>) -> Recalled {
        let embedding = QueryEmbedding::of(&self.embedder, query.text);
        let recalled = self.recall_with(query, &embedding).await;
        let payer =
            Payer { account_id: query.account_id, conversation_id: Some(query.conversation_id) };
        let call = embedding.usage(&self.config.prices, payer, Purpose::RecallEmbedding);
        Recalled { call, ..recalled }
    }

    /// As [`Self::recall`], by an embedding that others use too; whoever made it accounts for its
    /// cost. It is not asked for when the account does not want recall.
    pub async fn recall_with(&self, query: &Query<'_>, embedding: &QueryEmbedding) -> Recalled {
        let began = Instant::now();
        let result = timeout(PATIENCE, self.try_recall(query, embedding)).await;
        let took = began.elapsed();
        let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let contact = query.contact_id;
        let facts = match result {
            Ok(Ok(None)) => return Recalled::default(),
            Ok(Ok(Some(facts))) => facts,
            Ok(Err(error)) => {
                tracing::warn!(contact.id = contact, duration_ms, %error, "recall failed");
                metrics::counter!("captain_memory_recall_failures", "why" => "error").increment(1);
                Vec::new()
            }
            Err(_) => {
                tracing::warn!(contact.id = contact, duration_ms, "recall took too long");
                metrics::counter!("captain_memory_recall_failures", "why" => "timeout")
                    .increment(1);
                Vec::new()
            }
        };
        metering::recalled(facts.len(), took);
        tracing::info!(
            contact.id = contact,
            query_chars = query.text.chars().count(),
            hits = metering::listed(
                facts.iter().map(|hit| format!("{}:{:.3}", hit.fact.id, hit.score))
            ),
            duration_ms,
            "memory recall"
        );
        let measured = Measured {
            ms: i64::try_from(duration_ms).unwrap_or(i64::MAX),
            facts: i64::try_from(facts.len()).unwrap_or(i64::MAX),
        };
        Recalled { prompt: prompt(&facts), measured: Some(measured), call: None }
    }

    async fn try_recall(
        &self,
        query: &Query<'_>,
        embedding: &QueryEmbedding,
    ) -> Result<Option<Vec<Scored<Near>>>, RecallError> {
        let wishes = flags::wishes(&self.db, query.account_id).await?;
        if !wishes.recall {
            return Ok(None);
        }
        if embedding.text().is_empty() {
            return Ok(Some(Vec::new()));
        }
        let (vector, unit_id) = tokio::join!(
            embedding.vector(),
            units::of_conversation(&self.db, query.conversation_id)
        );
        let (vector, unit_id) = (vector?, unit_id?);
        let now = self.clock.now();
        let asked = Asked {
            account_id: query.account_id,
            contact_id: query.contact_id,
            unit_id,
            model: embedding.model(),
            vector: &vector,
            now,
        };
        let near = nearest::of_contact(&self.recall_db, &asked).await?;
        // A kind that is switched off is neither learnt nor told.
        let wanted = near.into_iter().filter(|fact| !wishes.kinds_off.contains(&fact.kind));
        let scored = wanted.map(|fact| {
            let score = fact.similarity * recall_weight(fact.kind, fact.expires_at, now);
            Scored { fact, score }
        });
        Ok(Some(best(scored, TOP)))
    }
}

fn prompt(facts: &[Scored<Near>]) -> String {
    if facts.is_empty() {
        return String::new();
    }
    let told: Vec<Told<'_>> = facts
        .iter()
        .map(|hit| Told {
            kind: hit.fact.kind,
            content: &hit.fact.content,
            confidence: hit.fact.confidence,
        })
        .collect();
    format!("{}\n\n{}", prompts::INSTRUCTION.trim_end(), block::render(&told))
}
