//! Any server that speaks OpenAI's chat completions.

use async_trait::async_trait;
use serde_json::{Value, json};
use url::Url;

use super::endpoint::Endpoint;
use super::{ChatCompletion, ChatModel, ChatRequest, Format, LlmError, wire};
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
        wire::completion(&text, &self.model)
    }

    /// What to ask, from everything wished for to what every server knows: some know no JSON mode,
    /// some models no temperature or no tools. The prompt asks for JSON by itself.
    fn bodies(&self, request: &ChatRequest) -> Vec<Value> {
        let bare = json!({ "model": self.model, "messages": wire::messages(request) });
        let mut plain = bare.clone();
        if !request.tools.is_empty() {
            plain["tools"] = Value::Array(wire::tools(request));
            if request.words_only {
                plain["tool_choice"] = json!("none");
            }
        }
        let mut full = plain.clone();
        if let Some(temperature) = request.temperature {
            full["temperature"] = json!(temperature);
        }
        if request.format == Format::Json {
            full["response_format"] = json!({ "type": "json_object" });
        }
        let mut bodies = vec![full, plain, bare];
        bodies.dedup();
        // A conversation that shows calls cannot be told without tools.
        if request.messages.iter().any(|message| !message.tool_calls.is_empty()) {
            bodies.truncate(2);
        }
        bodies
    }
}

#[async_trait]
impl ChatModel for OpenAiCompatible {
    async fn complete(&self, request: &ChatRequest) -> Result<ChatCompletion, LlmError> {
        let mut last = Err(LlmError::Unusable("nothing asked".to_owned()));
        for body in self.bodies(request) {
            last = self.ask(&body).await;
            let bare = !request.tools.is_empty() && body.get("tools").is_none();
            if bare && last.is_ok() {
                metrics::counter!("lembra_llm_without_tools_total").increment(1);
                tracing::warn!("the model's server refused the tools: answered without them");
            }
            match &last {
                Err(LlmError::Refused(why)) if why.starts_with('4') && !is_final(why) => {}
                _ => break,
            }
        }
        last
    }

    async fn check(&self) -> Result<(), String> {
        self.endpoint.check().await
    }
}

/// A refusal that has nothing to do with the body.
fn is_final(why: &str) -> bool {
    ["401", "402", "403", "404"].iter().any(|status| why.starts_with(status))
}
