//! What the account knows of what a customer asks: for the prompt, for the tool, for operators.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use lembra_entities::assistant_response as entry;
use tokio::time::{Instant, timeout, timeout_at};

use super::Knowledge;
use super::index::Opened;
use crate::domain::knowledge::block::{self, Told};
use crate::domain::knowledge::ranking::{self, Candidate};
use crate::domain::knowledge::words::says_nothing;
use crate::domain::triage::scope::{Domain, ScopeClassifier};
use crate::llm::{LlmError, Purpose};
use crate::services::memory::metering::{self, Payer};
use crate::services::query_embedding::QueryEmbedding;
use crate::services::spending;
use crate::store::nearest::entries;
use crate::store::{StoreError, StoreResult, knowledge as rows, usage};

/// Entries of a prompt (DESIGN §6.4).
pub const TOP: usize = 3;
/// Everything together, as for recall.
pub const PATIENCE: Duration = Duration::from_millis(500);
/// Of it, for the embedding and the search by it: then words must do.
const PATIENCE_OF_EMBEDDING: Duration = Duration::from_millis(350);

/// An entry that answers what was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub id: i64,
    pub question: String,
    pub answer: String,
    pub category: Option<String>,
    /// 0 to 1, at least [`FLOOR`](ranking::FLOOR).
    pub score: f64,
}

/// Why the search by embedding gave nothing.
#[derive(Debug, thiserror::Error)]
enum Unembedded {
    #[error(transparent)]
    Model(#[from] Arc<LlmError>),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The entries for the system prompt; empty without any.
pub fn prompt_block(hits: &[Hit]) -> String {
    block::render(hits.iter().map(|hit| Told {
        question: &hit.question,
        answer: &hit.answer,
        category: hit.category.as_deref(),
    }))
}

impl Knowledge {
    /// The account's best entries for a text, best first, with an embedding of its own that is
    /// accounted for. Never fails: by words alone when the embedder does not answer in time, none
    /// when the database does not.
    pub async fn retrieve(&self, account_id: i64, text: &str, limit: usize) -> Vec<Hit> {
        let payer = Payer { account_id, conversation_id: None };
        let found = timeout(PATIENCE, self.search(payer, text, limit)).await;
        self.told(account_id, found)
    }

    /// As [`Self::retrieve`], by an embedding that others use too; whoever made it accounts for
    /// its cost. It is not asked for when the account knows nothing.
    pub async fn retrieve_with(
        &self,
        account_id: i64,
        embedding: &QueryEmbedding,
        limit: usize,
    ) -> Vec<Hit> {
        let found = timeout(PATIENCE, self.look_up(account_id, embedding, true, limit)).await;
        self.told(account_id, found)
    }

    /// As [`Self::retrieve`], for one who must know nothing found from nothing read: the error is
    /// the database's. At the account's spend ceiling words alone are looked for.
    pub async fn search(&self, payer: Payer, text: &str, limit: usize) -> StoreResult<Vec<Hit>> {
        let purpose = Purpose::KnowledgeQueryEmbedding;
        let embedding = QueryEmbedding::for_purpose(purpose, &self.embedder, text);
        let paid_for = self.is_paid_for(payer.account_id).await?;
        let hits = self.look_up(payer.account_id, &embedding, paid_for, limit).await?;
        if let Some(call) = embedding.usage(&self.config.prices, payer, purpose)
            && let Err(error) = usage::record(&self.db, &[call], self.clock.now()).await
        {
            tracing::warn!(%error, "cost of a search not written");
        }
        Ok(hits)
    }

    async fn is_paid_for(&self, account_id: i64) -> StoreResult<bool> {
        if self.embedder.is_offline() {
            return Ok(true);
        }
        Ok(!spending::is_over(&self.db, account_id, self.clock.now()).await?)
    }

    fn told(
        &self,
        account_id: i64,
        found: Result<StoreResult<Vec<Hit>>, tokio::time::error::Elapsed>,
    ) -> Vec<Hit> {
        let why = match found {
            Ok(Ok(hits)) => return hits,
            Ok(Err(error)) => {
                tracing::warn!(account.id = account_id, %error, "knowledge not searched");
                "error"
            }
            Err(_) => {
                tracing::warn!(account.id = account_id, "knowledge took too long");
                "timeout"
            }
        };
        metrics::counter!("lembra_knowledge_failures", "why" => why).increment(1);
        Vec::new()
    }

    async fn look_up(
        &self,
        account_id: i64,
        embedding: &QueryEmbedding,
        paid_for: bool,
        limit: usize,
    ) -> StoreResult<Vec<Hit>> {
        let began = Instant::now();
        let Opened { shelf, profile } = self.indexes.open(&self.db, account_id).await?;
        let text = embedding.text();
        // "Sim" and "bom dia" look nothing up, and are not worth an embedding.
        if shelf.index.is_empty() || says_nothing(text) {
            return Ok(Vec::new());
        }
        let domain = ScopeClassifier::of(profile)
            .and_then(|classifier| classifier.classify(text).detected_category)
            .filter(|domain| *domain != Domain::General);
        let preferred = shelf.covering(domain);
        let words: HashMap<i64, f64> = shelf.index.scores(text).into_iter().collect();
        let alike = match paid_for {
            true => self.alike(account_id, embedding, began + PATIENCE_OF_EMBEDDING).await,
            false => None,
        };
        let by_words_only = alike.is_none();
        let alike: HashMap<i64, f64> = alike.unwrap_or_default().into_iter().collect();
        let candidate = |id: &i64| Candidate {
            id: *id,
            words: words.get(id).copied().unwrap_or_default(),
            similarity: alike.get(id).copied(),
            of_domain: preferred.is_some_and(|ids| ids.contains(id)),
        };
        let candidates: Vec<Candidate> = shelf.index.ids().iter().map(candidate).collect();
        let best = ranking::best(&candidates, limit);
        let hits = self.read(account_id, &best).await?;
        tracing::info!(
            account.id = account_id,
            query_chars = text.chars().count(),
            hits = metering::listed(hits.iter().map(|hit| format!("{}:{:.3}", hit.id, hit.score))),
            by_words_only,
            duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            "knowledge search"
        );
        Ok(hits)
    }

    /// How alike the account's entries are to the text; `None` when that cannot be told in time.
    async fn alike(
        &self,
        account_id: i64,
        embedding: &QueryEmbedding,
        deadline: Instant,
    ) -> Option<Vec<(i64, f64)>> {
        let search = async {
            let vector = embedding.vector().await?;
            let model = embedding.model();
            Ok::<_, Unembedded>(entries::of_account(&self.db, account_id, model, &vector).await?)
        };
        let why = match timeout_at(deadline, search).await {
            Ok(Ok(alike)) => return Some(alike),
            Ok(Err(error)) => {
                tracing::warn!(account.id = account_id, %error, "knowledge searched by words only");
                "embedding"
            }
            Err(_) => {
                tracing::warn!(account.id = account_id, "knowledge embedding took too long");
                "slow_embedding"
            }
        };
        metrics::counter!("lembra_knowledge_failures", "why" => why).increment(1);
        None
    }

    /// The texts of what was found. An entry that went or was disabled meanwhile is left out.
    async fn read(&self, account_id: i64, best: &[(i64, f64)]) -> StoreResult<Vec<Hit>> {
        if best.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<i64> = best.iter().map(|(id, _)| *id).collect();
        let found = rows::with_ids(&self.db, account_id, &ids).await?;
        let enabled =
            |row: &entry::Model| rows::Status::parse(&row.status) == Some(rows::Status::Enabled);
        let mut found: HashMap<i64, entry::Model> =
            found.into_iter().filter(enabled).map(|row| (row.id, row)).collect();
        let hit = |(id, score): &(i64, f64)| {
            let row = found.remove(id)?;
            Some(Hit {
                id: row.id,
                question: row.question,
                answer: row.answer,
                category: row.category,
                score: *score,
            })
        };
        Ok(best.iter().filter_map(hit).collect())
    }
}
