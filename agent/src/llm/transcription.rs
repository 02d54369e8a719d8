//! Words out of voice messages.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use reqwest::multipart::{Form, Part};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use super::LlmError;
use crate::config::TranscriptionConfig;

/// One call takes no longer: the job's deadline holds a download, too.
const LONGEST_CALL: Duration = Duration::from_secs(40);

/// Hears an audio file.
#[async_trait]
pub trait Transcriber: Send + Sync {
    /// The words in it; empty when there are none. `mime` as the provider gave it, such as
    /// `audio/ogg; codecs=opus`.
    async fn transcribe(&self, audio: Bytes, mime: &str) -> Result<String, LlmError>;
}

/// Any server that speaks OpenAI's `/audio/transcriptions`.
pub struct OpenAiTranscriber {
    http: reqwest::Client,
    url: String,
    api_key: Option<SecretString>,
    model: String,
    language: Option<String>,
}

impl OpenAiTranscriber {
    pub fn new(config: &TranscriptionConfig) -> Result<Self, reqwest::Error> {
        let base = config.base_url.as_str().trim_end_matches('/');
        Ok(Self {
            http: crate::http::client(LONGEST_CALL)?,
            url: format!("{base}/audio/transcriptions"),
            api_key: config.api_key.clone(),
            model: config.model.clone(),
            language: config.language.clone(),
        })
    }
}

#[async_trait]
impl Transcriber for OpenAiTranscriber {
    async fn transcribe(&self, audio: Bytes, mime: &str) -> Result<String, LlmError> {
        // Servers tell the format by the name; parameters such as `codecs` confuse some.
        let bare = mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let file = Part::stream(audio).file_name(file_name(&bare));
        let file = file.mime_str(&bare).map_err(|error| LlmError::Refused(error.to_string()))?;
        let mut form = Form::new()
            .text("model", self.model.clone())
            .text("response_format", "json")
            .part("file", file);
        if let Some(language) = &self.language {
            form = form.text("language", language.clone());
        }
        let mut request = self.http.post(&self.url).multipart(form);
        if let Some(key) = &self.api_key {
            request = request.bearer_auth(key.expose_secret());
        }
        let unavailable = |error: reqwest::Error| LlmError::Unavailable {
            detail: error.without_url().to_string(),
            after: None,
        };
        let response = request.send().await.map_err(unavailable)?;
        let status = response.status().as_u16();
        let text = response.text().await.map_err(unavailable)?;
        match status {
            200..=299 => {
                let answer: Value = serde_json::from_str(&text)
                    .map_err(|error| LlmError::Unusable(error.to_string()))?;
                let words = answer.get("text").and_then(Value::as_str);
                let words = words.ok_or_else(|| LlmError::Unusable("no `text`".to_owned()))?;
                Ok(words.trim().to_owned())
            }
            408 | 409 | 425 | 429 | 500.. => {
                Err(LlmError::Unavailable { detail: format!("status {status}"), after: None })
            }
            _ => Err(LlmError::Refused(format!("status {status}"))),
        }
    }
}

fn file_name(mime: &str) -> &'static str {
    match mime {
        "audio/mpeg" | "audio/mp3" => "audio.mp3",
        "audio/mp4" | "audio/m4a" | "audio/x-m4a" | "audio/aac" => "audio.m4a",
        "audio/wav" | "audio/x-wav" => "audio.wav",
        "audio/webm" => "audio.webm",
        "audio/flac" => "audio.flac",
        _ => "audio.ogg",
    }
}
