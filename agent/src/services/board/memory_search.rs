//! Looking for facts in a whole account: by meaning, by words, or by what they are.
//!
//! What an operator types is embedded, which is a paid call: at the account's ceiling, and when the
//! model does not answer in time, their words are looked for instead, and the answer says so.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use serde::Serialize;
use tokio::time::timeout;
use utoipa::ToSchema;

use crate::domain::memory::word_search::WordSearch;
use crate::llm::Purpose;
use crate::services::memory::Memories;
use crate::services::memory::metering::Payer;
use crate::services::query_embedding::QueryEmbedding;
use crate::services::spending;
use crate::store::board::contacts::{self, ContactName};
use crate::store::board::fact_search::{self, FactFilter};
use crate::store::board::facts::{self, FactView};
use crate::store::nearest::account::{self as nearest, Compared, Scored};
use crate::store::{StoreError, StoreResult, usage};

/// How long an operator waits for an embedding before words answer.
const PATIENCE: Duration = Duration::from_secs(3);
/// Facts asked of the index for each that is shown: some may have changed their state meanwhile.
const SPARE: usize = 2;
/// What is no more alike than this has nothing to do with what was asked.
const LEAST_SIMILARITY: f64 = 0.0;

/// What an operator looks for.
#[derive(Debug, Clone, Default)]
pub struct MemoryQuery {
    /// What was typed; empty lists the newest.
    pub text: String,
    /// Words only, without asking a model.
    pub by_words: bool,
    pub filter: FactFilter,
    /// Only facts with a smaller id; not for what is found by meaning.
    pub before: Option<i64>,
    /// At most that many.
    pub limit: usize,
}

/// A fact that was found.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct FoundFact {
    #[serde(flatten)]
    pub fact: FactView,
    /// Whose it is; absent when the contact was erased meanwhile.
    pub contact: Option<ContactName>,
    /// How alike it is to what was typed, up to 1; absent where words found it.
    pub similarity: Option<f64>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct MemorySearchResult {
    pub memories: Vec<FoundFact>,
    /// `meaning` (most alike first), `words` or `newest` (newest first).
    pub found_by: String,
    /// Why words were looked for though meaning was asked: `ceiling` (the month's spending),
    /// `model` (it did not answer) or `index` (the database took too long).
    pub fallback: Option<String>,
    /// For `before` of the next page. A page may hold few facts or none and still have a next one.
    pub next: Option<i64>,
    /// Not all facts that fit were compared: the newest were, or those the index found.
    pub partial: bool,
}

/// What comparing gave, or why it gave nothing.
enum Meaning {
    Found { scored: Vec<Scored>, partial: bool },
    Not(&'static str),
}

impl Memories {
    /// Looks for facts of the account.
    pub async fn search(
        &self,
        account_id: i64,
        query: &MemoryQuery,
    ) -> StoreResult<MemorySearchResult> {
        let words = WordSearch::read(&query.text);
        let mut fallback = None;
        if !words.is_empty() && !query.by_words {
            match self.by_meaning(account_id, query).await? {
                Meaning::Found { scored, partial } => {
                    return self.shown(account_id, query, scored, partial).await;
                }
                Meaning::Not(why) => fallback = Some(why.to_owned()),
            }
        }
        let found_by = if words.is_empty() { "newest" } else { "words" };
        let mut result = self.listed(account_id, query, &words).await?;
        result.found_by = found_by.to_owned();
        result.fallback = fallback;
        Ok(result)
    }

    async fn by_meaning(&self, account_id: i64, query: &MemoryQuery) -> StoreResult<Meaning> {
        let Some(vector) = self.embedding_of(account_id, &query.text).await? else {
            return Ok(Meaning::Not("ceiling"));
        };
        let Some(vector) = vector else {
            return Ok(Meaning::Not("model"));
        };
        let model = self.embedder.model();
        let compared = Compared { account_id, model, vector: &vector };
        let walked = fact_search::walk(&self.db, account_id, &query.filter, None).await?;
        if walked.next.is_none() {
            let scored = nearest::among(&self.db, compared, &walked.ids).await?;
            return Ok(Meaning::Found { scored, partial: false });
        }
        let (limit, now) = (query.limit * SPARE, self.clock.now());
        match nearest::by_index(&self.db, compared, &query.filter, limit, now).await {
            Ok(Some(scored)) => Ok(Meaning::Found { scored, partial: true }),
            Ok(None) => {
                let scored = nearest::among(&self.db, compared, &walked.ids).await?;
                Ok(Meaning::Found { scored, partial: true })
            }
            // Too slow, or a pgvector that cannot scan on: words need neither.
            Err(error @ (StoreError::Unavailable(_) | StoreError::Database(_))) => {
                tracing::warn!(%error, account.id = account_id, "index of facts did not answer");
                Ok(Meaning::Not("index"))
            }
            Err(error) => Err(error),
        }
    }

    /// The embedding of what was typed: `None` at the account's ceiling, `Some(None)` when the model
    /// does not answer. What it cost is written.
    async fn embedding_of(
        &self,
        account_id: i64,
        text: &str,
    ) -> StoreResult<Option<Option<Vec<f32>>>> {
        let now = self.clock.now();
        if !self.model.is_offline() && spending::is_over(&self.db, account_id, now).await? {
            return Ok(None);
        }
        let purpose = Purpose::MemorySearchEmbedding;
        let embedding = QueryEmbedding::for_purpose(purpose, &self.embedder, text);
        let vector = match timeout(PATIENCE, embedding.vector()).await {
            Ok(Ok(vector)) => Some(vector.to_vec()),
            Ok(Err(error)) => {
                tracing::warn!(%error, account.id = account_id, "search not embedded");
                None
            }
            Err(_) => {
                tracing::warn!(account.id = account_id, "search not embedded in time");
                None
            }
        };
        let payer = Payer { account_id, conversation_id: None };
        if let Some(call) = embedding.usage(&self.config.prices, payer, purpose) {
            usage::record(&self.db, &[call], now).await?;
        }
        Ok(Some(vector))
    }

    /// The most alike that are in the state that is asked for.
    async fn shown(
        &self,
        account_id: i64,
        query: &MemoryQuery,
        scored: Vec<Scored>,
        partial: bool,
    ) -> StoreResult<MemorySearchResult> {
        let alike = scored.into_iter().filter(|(_, similarity)| *similarity > LEAST_SIMILARITY);
        let alike: Vec<Scored> = alike.collect();
        let ids: Vec<i64> = alike.iter().map(|(id, _)| *id).collect();
        let similarities: HashMap<i64, f64> = alike.into_iter().collect();
        let any = (query.filter.status, &WordSearch::default());
        let now = self.clock.now();
        let picked = fact_search::pick(&self.db, account_id, &ids, any, query.limit, now).await?;
        let mut memories = self.found(account_id, &picked).await?;
        for found in &mut memories {
            found.similarity = similarities.get(&found.fact.id).copied();
        }
        let found_by = "meaning".to_owned();
        Ok(MemorySearchResult { memories, found_by, fallback: None, next: None, partial })
    }

    /// The newest that hold the words.
    async fn listed(
        &self,
        account_id: i64,
        query: &MemoryQuery,
        words: &WordSearch,
    ) -> StoreResult<MemorySearchResult> {
        let walked = fact_search::walk(&self.db, account_id, &query.filter, query.before).await?;
        let (asked, more) = ((query.filter.status, words), query.limit.saturating_add(1));
        let now = self.clock.now();
        let mut picked =
            fact_search::pick(&self.db, account_id, &walked.ids, asked, more, now).await?;
        let mut next = walked.next;
        if picked.len() > query.limit {
            picked.truncate(query.limit);
            next = picked.last().copied();
        }
        let memories = self.found(account_id, &picked).await?;
        Ok(MemorySearchResult {
            memories,
            found_by: String::new(),
            fallback: None,
            next,
            partial: false,
        })
    }

    async fn found(&self, account_id: i64, ids: &[i64]) -> StoreResult<Vec<FoundFact>> {
        let rows = fact_search::with_ids(&self.db, account_id, ids).await?;
        let people: BTreeSet<i64> = rows.iter().map(|row| row.contact_id).collect();
        let names = contacts::names(&self.db, account_id, &people).await?;
        let facts = facts::views(&self.db, account_id, rows, self.clock.now()).await?;
        let found = facts.into_iter().map(|fact| FoundFact {
            contact: names.get(&fact.contact_id).cloned(),
            similarity: None,
            fact,
        });
        Ok(found.collect())
    }
}
