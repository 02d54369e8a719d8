//! Language models: what a turn asks of one, and the models there are.

mod audio;
pub mod embedder;
mod endpoint;
pub mod mended;
mod metered;
pub mod offline;
pub mod openai_compatible;
mod openai_embeddings;
pub mod transcription;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::config::LlmConfig;
use crate::domain::chat::ChatMessage;
use crate::domain::tool::{ToolCall, ToolSpec};

pub use embedder::{Embedded, Embedder};
pub use metered::MeteredTranscriber;

/// What a call is for: a label of costs, and what the offline model goes by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// An answer to a customer.
    #[default]
    Reply,
    /// Facts out of a conversation.
    Extraction,
    /// Whether two facts contradict each other.
    Contradiction,
    /// The embedding of a fact.
    FactEmbedding,
    /// The embedding of what a customer says, to recall facts by, and with it knowledge.
    RecallEmbedding,
    /// The embedding of an entry of knowledge.
    KnowledgeEmbedding,
    /// The embedding of what knowledge alone is looked up by.
    KnowledgeQueryEmbedding,
    /// The embedding of what an operator looks for among facts.
    MemorySearchEmbedding,
    /// Words out of a voice message.
    Transcription,
}

impl Purpose {
    /// As stored in `llm_usage.purpose`.
    pub fn as_str(self) -> &'static str {
        match self {
            Purpose::Reply => "reply",
            Purpose::Extraction => "extraction",
            Purpose::Contradiction => "contradiction",
            Purpose::FactEmbedding => "fact_embedding",
            Purpose::RecallEmbedding => "recall_embedding",
            Purpose::KnowledgeEmbedding => "knowledge_embedding",
            Purpose::KnowledgeQueryEmbedding => "knowledge_query_embedding",
            Purpose::MemorySearchEmbedding => "memory_search_embedding",
            Purpose::Transcription => "transcription",
        }
    }
}

/// The form of the answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Format {
    #[default]
    Text,
    /// One JSON object, where the server can promise it.
    Json,
}

/// What a model is given.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChatRequest {
    /// Instructions first, then the conversation, oldest first.
    pub messages: Vec<ChatMessage>,
    pub purpose: Purpose,
    pub format: Format,
    /// The server's own default when absent.
    pub temperature: Option<f32>,
    pub tools: Vec<ToolSpec>,
    /// The tools are described, since the conversation shows calls of them, and none may be called.
    pub words_only: bool,
}

/// What a model gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatCompletion {
    /// Blank only where tools are called.
    pub content: String,
    /// In the order given.
    pub tool_calls: Vec<ToolCall>,
    /// The model's own name for itself.
    pub model: String,
    pub prompt_tokens: Option<i64>,
    pub completion_tokens: Option<i64>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum LlmError {
    /// May pass: a timeout, a full or failing server. `after` is how long the server asks to wait.
    #[error("model unavailable: {detail}")]
    Unavailable { detail: String, after: Option<Duration> },
    /// The answer cannot be used; another try may give a better one.
    #[error("unusable answer: {0}")]
    Unusable(String),
    /// The request is refused and would be again: a wrong key, a model that is not there.
    #[error("model refused: {0}")]
    Refused(String),
}

impl LlmError {
    /// How long the server asks to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            LlmError::Unavailable { after, .. } => *after,
            LlmError::Unusable(_) | LlmError::Refused(_) => None,
        }
    }
}

/// Answers a conversation.
#[async_trait]
pub trait ChatModel: Send + Sync {
    async fn complete(&self, request: &ChatRequest) -> Result<ChatCompletion, LlmError>;

    /// Whether it can be reached and accepts our key, for `doctor`.
    async fn check(&self) -> Result<(), String>;

    /// Whether this is the rule-based stand-in, which every page says.
    fn is_offline(&self) -> bool {
        false
    }
}

/// The model that the configuration names.
pub fn from_config(config: &LlmConfig) -> Result<Arc<dyn ChatModel>, reqwest::Error> {
    let (inner, model) = match &config.base_url {
        Some(base_url) => {
            let inner = openai_compatible::OpenAiCompatible::new(base_url, config)?;
            (Arc::new(inner) as Arc<dyn ChatModel>, config.model.clone())
        }
        None => (Arc::new(offline::Offline) as Arc<dyn ChatModel>, "offline".to_owned()),
    };
    Ok(Arc::new(metered::MeteredModel { inner, model }))
}
