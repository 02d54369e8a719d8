//! Counting calls of models where they are made: how many, how they ended, how long they took, and
//! their tokens, by purpose and by the model that was asked for.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use bytes::Bytes;

use super::transcription::{Heard, Transcriber};
use super::{ChatCompletion, ChatModel, ChatRequest, Embedded, Embedder, LlmError, Purpose};

/// A chat model whose calls are counted.
pub struct MeteredModel {
    pub inner: Arc<dyn ChatModel>,
    /// As configured: an answer may come under another name, a failure comes under none.
    pub model: String,
}

#[async_trait]
impl ChatModel for MeteredModel {
    async fn complete(&self, request: &ChatRequest) -> Result<ChatCompletion, LlmError> {
        let mut call = Call::begin(request.purpose, &self.model);
        let completion = call.end(self.inner.complete(request).await)?;
        call.tokens("prompt", completion.prompt_tokens);
        call.tokens("completion", completion.completion_tokens);
        Ok(completion)
    }

    async fn check(&self) -> Result<(), String> {
        self.inner.check().await
    }

    fn is_offline(&self) -> bool {
        self.inner.is_offline()
    }
}

/// An embedder whose calls are counted.
pub struct MeteredEmbedder(pub Arc<dyn Embedder>);

#[async_trait]
impl Embedder for MeteredEmbedder {
    fn model(&self) -> &str {
        self.0.model()
    }

    async fn embed(&self, purpose: Purpose, texts: &[String]) -> Result<Embedded, LlmError> {
        let mut call = Call::begin(purpose, self.0.model());
        let embedded = call.end(self.0.embed(purpose, texts).await)?;
        call.tokens("prompt", embedded.tokens);
        Ok(embedded)
    }

    fn is_offline(&self) -> bool {
        self.0.is_offline()
    }
}

/// A transcriber whose calls are counted.
pub struct MeteredTranscriber<T>(pub T);

#[async_trait]
impl<T: Transcriber> Transcriber for MeteredTranscriber<T> {
    fn model(&self) -> &str {
        self.0.model()
    }

    async fn transcribe(&self, audio: Bytes, mime: &str) -> Result<Heard, LlmError> {
        let mut call = Call::begin(Purpose::Transcription, self.0.model());
        let heard = call.end(self.0.transcribe(audio, mime).await)?;
        if let Some((prompt, completion)) = heard.tokens {
            call.tokens("prompt", Some(prompt));
            call.tokens("completion", Some(completion));
        }
        Ok(heard)
    }
}

/// A call on its way.
struct Call<'a> {
    purpose: Purpose,
    model: &'a str,
    began: Instant,
    /// How it ended; one that is given up before its end is `dropped`.
    result: &'static str,
}

impl<'a> Call<'a> {
    fn begin(purpose: Purpose, model: &'a str) -> Self {
        Self { purpose, model, began: Instant::now(), result: "dropped" }
    }

    fn end<T>(&mut self, result: Result<T, LlmError>) -> Result<T, LlmError> {
        self.result = match &result {
            Ok(_) => "ok",
            Err(LlmError::Unavailable { .. }) => "unavailable",
            Err(LlmError::Unusable(_)) => "unusable",
            Err(LlmError::Refused(_)) => "refused",
        };
        result
    }

    fn tokens(&self, kind: &'static str, count: Option<i64>) {
        let count = count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default();
        metrics::counter!(
            "lembra_llm_tokens_total",
            "purpose" => self.purpose.as_str(),
            "model" => self.model.to_owned(),
            "kind" => kind,
        )
        .increment(count);
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let purpose = self.purpose.as_str();
        metrics::counter!(
            "lembra_llm_calls_total",
            "purpose" => purpose,
            "model" => self.model.to_owned(),
            "result" => self.result,
        )
        .increment(1);
        metrics::histogram!(
            "lembra_llm_call_seconds",
            "purpose" => purpose,
            "model" => self.model.to_owned(),
        )
        .record(self.began.elapsed().as_secs_f64());
    }
}
