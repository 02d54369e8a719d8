//! Words out of voice messages.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use reqwest::multipart::{Form, Part};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use super::{LlmError, audio};
use crate::config::TranscriptionConfig;

/// One call takes no longer: the job's deadline holds a download, too.
const LONGEST_CALL: Duration = Duration::from_secs(40);

/// What was heard, and what it is paid by.
#[derive(Debug, Clone, PartialEq)]
pub struct Heard {
    /// Empty when there are none.
    pub words: String,
    /// Of the prompt and of the answer, where the server counts them.
    pub tokens: Option<(i64, i64)>,
    /// As the server says, else as the file does.
    pub seconds: f64,
}

/// Hears an audio file.
#[async_trait]
pub trait Transcriber: Send + Sync {
    /// What its calls are priced by.
    fn model(&self) -> &str;

    /// The words in it. `mime` as the provider gave it, such as `audio/ogg; codecs=opus`.
    async fn transcribe(&self, audio: Bytes, mime: &str) -> Result<Heard, LlmError>;
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
    fn model(&self) -> &str {
        &self.model
    }

    async fn transcribe(&self, audio: Bytes, mime: &str) -> Result<Heard, LlmError> {
        let plays = audio::seconds(&audio);
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
                let said = ["/usage/seconds", "/duration"]
                    .iter()
                    .find_map(|path| answer.pointer(path)?.as_f64())
                    .filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
                let count = |path: &str| answer.pointer(path).and_then(Value::as_i64);
                let input = count("/usage/input_tokens");
                Ok(Heard {
                    words: words.trim().to_owned(),
                    tokens: input.zip(count("/usage/output_tokens")),
                    seconds: said.unwrap_or(plays),
                })
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
