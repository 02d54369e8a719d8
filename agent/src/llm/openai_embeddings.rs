//! Any server that speaks OpenAI's embeddings, read leniently.

use std::time::Duration;

use async_trait::async_trait;
use secrecy::SecretString;
use serde_json::{Value, json};
use url::Url;

use super::embedder::{Embedded, Embedder};
use super::endpoint::Endpoint;
use super::{LlmError, Purpose};
use crate::domain::memory::DIMENSIONS;

/// An embedding model behind an HTTP endpoint.
pub struct OpenAiEmbeddings {
    endpoint: Endpoint,
    model: String,
}

impl OpenAiEmbeddings {
    pub fn new(
        base_url: &Url,
        api_key: Option<SecretString>,
        model: String,
        timeout: Duration,
    ) -> Result<Self, reqwest::Error> {
        Ok(Self { endpoint: Endpoint::new(base_url, api_key, timeout)?, model })
    }
}

#[async_trait]
impl Embedder for OpenAiEmbeddings {
    fn model(&self) -> &str {
        &self.model
    }

    async fn embed(&self, _: Purpose, texts: &[String]) -> Result<Embedded, LlmError> {
        let body = json!({ "model": self.model, "input": texts });
        let text = self.endpoint.post("/embeddings", &body).await?;
        read(&text, texts.len())
    }
}

fn read(text: &str, expected: usize) -> Result<Embedded, LlmError> {
    let answer: Value =
        serde_json::from_str(text).map_err(|error| LlmError::Unusable(error.to_string()))?;
    let mut data: Vec<&Value> =
        answer.get("data").and_then(Value::as_array).into_iter().flatten().collect();
    data.sort_by_key(|item| item.get("index").and_then(Value::as_u64).unwrap_or_default());
    if data.len() != expected {
        return Err(LlmError::Unusable(format!("{} embeddings for {expected} texts", data.len())));
    }
    let vectors: Result<Vec<_>, _> = data.into_iter().map(vector).collect();
    let tokens = answer.pointer("/usage/prompt_tokens").and_then(Value::as_i64);
    Ok(Embedded { vectors: vectors?, tokens })
}

fn vector(item: &Value) -> Result<Vec<f32>, LlmError> {
    let numbers = item.get("embedding").and_then(Value::as_array);
    let numbers = numbers.ok_or_else(|| LlmError::Unusable("no embedding in it".to_owned()))?;
    if numbers.len() != DIMENSIONS {
        // Trying again would give the same.
        let problem = format!("embeddings of {} dimensions, not {DIMENSIONS}", numbers.len());
        return Err(LlmError::Refused(problem));
    }
    #[expect(clippy::cast_possible_truncation, reason = "embeddings are 32-bit numbers")]
    let vector: Option<Vec<f32>> =
        numbers.iter().map(|number| number.as_f64().map(|number| number as f32)).collect();
    vector
        .filter(|vector| vector.iter().all(|number| number.is_finite()))
        .ok_or_else(|| LlmError::Unusable("an embedding that is no numbers".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(index: usize, first: f64, dimensions: usize) -> Value {
        let mut numbers = vec![0.0; dimensions];
        numbers[0] = first;
        json!({ "index": index, "embedding": numbers })
    }

    #[test]
    fn embeddings_come_in_the_order_of_their_texts() {
        let body = json!({ "data": [item(1, 0.25, 1536), item(0, 0.5, 1536)] });
        let embedded = read(&body.to_string(), 2).unwrap();
        assert_eq!((embedded.vectors[0][0], embedded.vectors[1][0]), (0.5, 0.25));
        assert_eq!(embedded.tokens, None);
    }

    #[test]
    fn another_dimension_is_refused_for_good_and_nonsense_may_pass() {
        let wrong = json!({ "data": [item(0, 0.5, 768)] });
        assert!(matches!(read(&wrong.to_string(), 1), Err(LlmError::Refused(_))));
        let few = json!({ "data": [] });
        for body in ["<html>", "{}", &few.to_string(), r#"{"data":[{"embedding":"AAAA"}]}"#] {
            assert!(matches!(read(body, 1), Err(LlmError::Unusable(_))), "{body}");
        }
    }
}
