//! The embedding of what a customer says, made once for all that is looked up by it.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};

use crate::config::Prices;
use crate::llm::{Embedder, LlmError, Purpose};
use crate::services::memory::metering::{self, Payer};
use crate::store::usage::NewUsage;

/// What is embedded of a long message: its end.
const MOST_CHARS: usize = 2_000;

type Answer = Result<Embedding, Arc<LlmError>>;

#[derive(Debug, Clone)]
struct Embedding {
    vector: Arc<[f32]>,
    tokens: Option<i64>,
}

/// A text with its embedding, which is asked for when somebody first needs it, and once only:
/// whoever asks meanwhile waits for the same call. Clones share it.
#[derive(Clone)]
pub struct QueryEmbedding {
    text: String,
    model: String,
    call: Shared<BoxFuture<'static, Answer>>,
}

impl QueryEmbedding {
    /// Of what a customer says. Calls nobody yet.
    pub fn of(embedder: &Arc<dyn Embedder>, text: &str) -> Self {
        Self::for_purpose(Purpose::RecallEmbedding, embedder, text)
    }

    /// Of a text that is embedded for something else.
    pub fn for_purpose(purpose: Purpose, embedder: &Arc<dyn Embedder>, text: &str) -> Self {
        let text = ending(text);
        let model = embedder.model().to_owned();
        let (embedder, asked) = (embedder.clone(), text.clone());
        let call = async move {
            let embedded = embedder.embed(purpose, &[asked]).await.map_err(Arc::new)?;
            let vector = embedded.vectors.into_iter().next();
            let vector =
                vector.ok_or_else(|| Arc::new(LlmError::Unusable("no embedding".to_owned())))?;
            Ok(Embedding { vector: vector.into(), tokens: embedded.tokens })
        };
        Self { text, model, call: call.boxed().shared() }
    }

    /// What is embedded: the text, or the end of a long one. Empty when it says nothing.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What embeds it.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The embedding; the same answer for everybody who asks.
    pub async fn vector(&self) -> Result<Arc<[f32]>, Arc<LlmError>> {
        self.call.clone().await.map(|embedding| embedding.vector)
    }

    /// What it cost; `None` while nobody needed it, when it failed, and while it is on its way.
    pub fn usage(&self, prices: &Prices, payer: Payer, purpose: Purpose) -> Option<NewUsage> {
        let embedding = self.call.peek()?.as_ref().ok()?;
        Some(metering::of_embedding(prices, payer, purpose, &self.model, embedding.tokens))
    }
}

fn ending(text: &str) -> String {
    let text = text.trim();
    let skip = text.chars().count().saturating_sub(MOST_CHARS);
    text.chars().skip(skip).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;

    use super::*;
    use crate::llm::Embedded;

    /// Counts its calls, and fails where the text says so.
    #[derive(Default)]
    struct Counting(AtomicUsize);

    #[async_trait]
    impl Embedder for Counting {
        fn model(&self) -> &str {
            "counting"
        }

        async fn embed(&self, _: Purpose, texts: &[String]) -> Result<Embedded, LlmError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
            if texts[0] == "falha" {
                return Err(LlmError::Unusable("down".to_owned()));
            }
            Ok(Embedded { vectors: vec![vec![1.0]], tokens: Some(3) })
        }
    }

    const PAYER: Payer = Payer { account_id: 1, conversation_id: Some(2) };

    #[tokio::test]
    async fn one_call_serves_all_who_ask() {
        let counting = Arc::new(Counting::default());
        let embedder: Arc<dyn Embedder> = counting.clone();
        let embedding = QueryEmbedding::of(&embedder, "  oi ");
        let cost = || embedding.usage(&Prices::default(), PAYER, Purpose::RecallEmbedding);
        assert_eq!((embedding.text(), cost()), ("oi", None));
        let (one, other) = tokio::join!(embedding.vector(), embedding.vector());
        assert_eq!((one.unwrap().len(), other.unwrap().len()), (1, 1));
        // One who gave up before it came hurts nobody.
        drop(embedding.vector());
        assert!(embedding.vector().await.is_ok());
        assert_eq!(counting.0.load(Ordering::Relaxed), 1);
        assert_eq!(cost().map(|call| call.prompt_tokens), Some(3));
    }

    #[tokio::test]
    async fn a_failure_is_not_tried_again_and_costs_nothing() {
        let counting = Arc::new(Counting::default());
        let embedder: Arc<dyn Embedder> = counting.clone();
        let embedding = QueryEmbedding::of(&embedder, "falha");
        assert!(embedding.vector().await.is_err());
        assert!(embedding.vector().await.is_err());
        assert_eq!(counting.0.load(Ordering::Relaxed), 1);
        assert_eq!(embedding.usage(&Prices::default(), PAYER, Purpose::RecallEmbedding), None);
    }

    #[test]
    fn of_a_long_text_the_end_is_embedded() {
        let embedder: Arc<dyn Embedder> = Arc::new(Counting::default());
        let text = format!("{}fim", "a".repeat(5_000));
        let embedding = QueryEmbedding::of(&embedder, &text);
        assert_eq!(embedding.text().chars().count(), MOST_CHARS);
        assert!(embedding.text().ends_with("fim"));
    }
}
