//! Any server that speaks OpenAI's chat completions. The answer is read leniently: servers other
//! than OpenAI's leave out `id`, `created`, `usage`, or name a `finish_reason` of their own.

use async_trait::async_trait;
use serde_json::{Value, json};
use url::Url;

use super::endpoint::Endpoint;
use super::{ChatCompletion, ChatModel, ChatRequest, Format, LlmError};
use crate::config::LlmConfig;

/// A model behind an HTTP endpoint.
pub struct OpenAiCompatible {
    endpoint: Endpoint,
    model: String,
}

impl OpenAiCompatible {
    pub fn new(base_url: &Url, config: &LlmConfig) -> Result<Self, reqwest::Error> {
        let endpoint = Endpoint::new(base_url, config.api_key.clone(), config.timeout)?;
        Ok(Self { endpoint, model: config.model.clone() })
    }

    async fn ask(&self, body: &Value) -> Result<ChatCompletion, LlmError> {
        let text = self.endpoint.post("/chat/completions", body).await?;
        read_completion(&text, &self.model)
    }
}

#[async_trait]
impl ChatModel for OpenAiCompatible {
    async fn complete(&self, request: &ChatRequest) -> Result<ChatCompletion, LlmError> {
        let plain = json!({ "model": self.model, "messages": request.messages });
        let mut body = plain.clone();
        if let Some(temperature) = request.temperature {
            body["temperature"] = json!(temperature);
        }
        if request.format == Format::Json {
            body["response_format"] = json!({ "type": "json_object" });
        }
        match self.ask(&body).await {
            // Some servers know no JSON mode, some models no temperature; the prompt asks for JSON
            // by itself.
            Err(LlmError::Refused(why))
                if body != plain && why.starts_with("4") && !is_final(&why) =>
            {
                self.ask(&plain).await
            }
            other => other,
        }
    }

    async fn check(&self) -> Result<(), String> {
        self.endpoint.check().await
    }
}

/// A refusal that has nothing to do with the body.
fn is_final(why: &str) -> bool {
    ["401", "402", "403", "404"].iter().any(|status| why.starts_with(status))
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
