//! One HTTP endpoint that speaks OpenAI's dialect: authorisation, and what its refusals mean.

use std::time::Duration;

use reqwest::header::RETRY_AFTER;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use url::Url;

use super::LlmError;

/// Longest part of a server's error code that is kept.
const CODE_CHARS: usize = 60;
/// Nobody waits longer than this, whatever the server asks for.
const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// Where to call, and as whom.
pub struct Endpoint {
    http: reqwest::Client,
    base_url: String,
    api_key: Option<SecretString>,
}

impl Endpoint {
    pub fn new(
        base_url: &Url,
        api_key: Option<SecretString>,
        timeout: Duration,
    ) -> Result<Self, reqwest::Error> {
        Ok(Self {
            http: crate::http::client(timeout)?,
            base_url: base_url.as_str().trim_end_matches('/').to_owned(),
            api_key,
        })
    }

    fn authorized(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        match &self.api_key {
            Some(key) => request.bearer_auth(key.expose_secret()),
            None => request,
        }
    }

    /// Posts `body` and answers the body of a success.
    pub async fn post(&self, path: &str, body: &Value) -> Result<String, LlmError> {
        let unavailable = |error: reqwest::Error| LlmError::Unavailable {
            detail: error.without_url().to_string(),
            after: None,
        };
        let call = self.authorized(self.http.post(format!("{}{path}", self.base_url)));
        let response = call.json(body).send().await.map_err(unavailable)?;
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
            200..=299 => Ok(text),
            408 | 409 | 425 | 429 | 500.. => {
                Err(LlmError::Unavailable { detail: refusal(), after })
            }
            _ => Err(LlmError::Refused(refusal())),
        }
    }

    /// Not every server lists its models, so any answer but a refused key counts.
    pub async fn check(&self) -> Result<(), String> {
        let request = self.authorized(self.http.get(format!("{}/models", self.base_url)));
        let response = request.send().await.map_err(|error| error.without_url().to_string())?;
        match response.status().as_u16() {
            status @ (401 | 403) => Err(format!("the key was refused ({status})")),
            status @ 500.. => Err(format!("the server answered {status}")),
            _ => Ok(()),
        }
    }
}
