//! Embeddings: texts as directions, of which like ones point the same way.

use std::sync::Arc;

use async_trait::async_trait;

use super::metered::MeteredEmbedder;
use super::offline::OfflineEmbedder;
use super::openai_embeddings::OpenAiEmbeddings;
use super::{LlmError, Purpose};
use crate::config::{LlmConfig, MemoryConfig};

/// What an embedder gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// One per text, each of [`DIMENSIONS`](crate::domain::memory::DIMENSIONS) finite numbers.
    pub vectors: Vec<Vec<f32>>,
    pub tokens: Option<i64>,
}

/// Makes embeddings.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// What is stored beside each embedding: only those of one model are compared.
    fn model(&self) -> &str;

    /// `purpose` is what the call is counted under.
    async fn embed(&self, purpose: Purpose, texts: &[String]) -> Result<Embedded, LlmError>;

    /// Whether this is the stand-in that costs nothing.
    fn is_offline(&self) -> bool {
        false
    }
}

/// The embedder that the configuration names.
pub fn from_config(
    llm: &LlmConfig,
    memory: &MemoryConfig,
) -> Result<Arc<dyn Embedder>, reqwest::Error> {
    let base_url = memory.embedding_base_url.as_ref().or(llm.base_url.as_ref());
    let embedder = match base_url {
        Some(base_url) => {
            let key = memory.embedding_api_key.clone().or_else(|| llm.api_key.clone());
            let model = memory.embedding_model.clone();
            Arc::new(OpenAiEmbeddings::new(base_url, key, model, llm.timeout)?) as Arc<dyn Embedder>
        }
        None => Arc::new(OfflineEmbedder),
    };
    Ok(Arc::new(MeteredEmbedder(embedder)))
}
