//! Any server that speaks OpenAI's chat completions. The answer is read leniently: servers other
//! than OpenAI's leave out `id`, `created`, `usage`, or name a `finish_reason` of their own.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::RETRY_AFTER;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use url::Url;

use super::{ChatCompletion, ChatModel, ChatRequest, LlmError};
use crate::config::LlmConfig;

/// Longest part of a server's error code that is kept.
const CODE_CHARS: usize = 60;
/// Nobody waits longer than this, whatever the server asks for.
const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// A model behind an HTTP endpoint.
pub struct OpenAiCompatible {
    http: reqwest::Client,
    base_url: String,
    api_key: Option<SecretString>,
    model: String,
}

impl OpenAiCompatible {
    pub fn new(base_url: &Url, config: &LlmConfig) -> Result<Self, reqwest::Error> {
        Ok(Self {
            http: crate::http::client(config.timeout)?,
            base_url: base_url.as_str().trim_end_matches('/').to_owned(),
            api_key: config.api_key.clone(),
            model: config.model.clone(),
        })
    }

    fn authorized(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        match &self.api_key {
            Some(key) => request.bearer_auth(key.expose_secret()),
            None => request,
        }
    }
}

#[async_trait]
impl ChatModel for OpenAiCompatible {
    async fn complete(&self, request: &ChatRequest) -> Result<ChatCompletion, LlmError> {
        let body = json!({ "model": self.model, "messages": request.messages });
        let unavailable = |error: reqwest::Error| LlmError::Unavailable {
            detail: error.without_url().to_string(),
            after: None,
        };
        let call = self.authorized(self.http.post(format!("{}/chat/completions", self.base_url)));
        let response = call.json(&body).send().await.map_err(unavailable)?;
        let status = response.status().as_u16();
        let after = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| value.to_str().ok()?.parse().ok())
            .map(|seconds| Duration::from_secs(seconds).min(LONGEST_WAIT));
        let text = response.text().await.map_err(unavailable)?;
        let refusal = || {
            // The message may repeat what was asked; the code does not.
            let answer: Value = serde_json::from_str(&text).unwrap_or_default();
            let code = ["/error/code", "/error/type"]
                .iter()
                .find_map(|path| answer.pointer(path).and_then(Value::as_str));
            let code: String = code.unwrap_or("no code").chars().take(CODE_CHARS).collect();
            format!("{status}: {code}")
        };
        match status {
            200..=299 => read_completion(&text, &self.model),
            408 | 409 | 425 | 429 | 500.. => {
                Err(LlmError::Unavailable { detail: refusal(), after })
            }
            _ => Err(LlmError::Refused(refusal())),
        }
    }

    /// Not every server lists its models, so any answer but a refused key counts.
    async fn check(&self) -> Result<(), String> {
        let request = self.authorized(self.http.get(format!("{}/models", self.base_url)));
        let response = request.send().await.map_err(|error| error.without_url().to_string())?;
        match response.status().as_u16() {
            status @ (401 | 403) => Err(format!("the key was refused ({status})")),
            status @ 500.. => Err(format!("the server answered {status}")),
            _ => Ok(()),
        }
    }
}

fn read_completion(text: &str, asked: &str) -> Result<ChatCompletion, LlmError> {
    let answer: Value =
        serde_json::from_str(text).map_err(|error| LlmError::Unusable(error.to_string()))?;
    let message = answer.pointer("/choices/0/message");
    let content = message.and_then(|message| message.get("content")).and_then(Value::as_str);
    let content = without_thinking(content.unwrap_or_default());
    if content.is_empty() {
        return Err(LlmError::Unusable("no text in it".to_owned()));
    }
    let tokens = |name: &str| answer.get("usage")?.get(name)?.as_i64();
    Ok(ChatCompletion {
        content: content.to_owned(),
        model: answer.get("model").and_then(Value::as_str).unwrap_or(asked).to_owned(),
        prompt_tokens: tokens("prompt_tokens"),
        completion_tokens: tokens("completion_tokens"),
    })
}

/// What follows a leading `<think>…</think>`: customers do not read a model's notes to itself. An
/// unfinished one leaves nothing.
fn without_thinking(content: &str) -> &str {
    let content = content.trim();
    match content.strip_prefix("<think>") {
        Some(rest) => {
            rest.split_once("</think>").map(|(_, answer)| answer.trim()).unwrap_or_default()
        }
        None => content,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_servers_that_are_not_openai_are_read() {
        for (body, content) in [
            (r#"{"choices":[{"message":{"content":"Oi!"}}]}"#, "Oi!"),
            (
                r#"{"choices":[{"message":{"content":"  Oi!\n"},"finish_reason":"eos"}],"usage":null}"#,
                "Oi!",
            ),
            (r#"{"choices":[{"message":{"content":"<think>hm</think>\nOi!"}}]}"#, "Oi!"),
        ] {
            assert_eq!(read_completion(body, "m").unwrap().content, content, "{body}");
        }
    }

    #[test]
    fn an_answer_without_words_is_no_answer() {
        for body in [
            "",
            "<html>",
            "{}",
            r#"{"choices":[]}"#,
            r#"{"choices":[{"message":{"content":null}}]}"#,
            r#"{"choices":[{"message":{"content":" "}}]}"#,
            r#"{"choices":[{"message":{"content":"<think>sem fim"}}]}"#,
        ] {
            assert!(matches!(read_completion(body, "m"), Err(LlmError::Unusable(_))), "{body}");
        }
    }
}
