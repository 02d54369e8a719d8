//! Files that customers send: how large, where they are kept and for how long, and who listens to
//! voice messages.

use std::path::Path;

use chrono::TimeDelta;
use secrecy::SecretString;
use url::Url;

use super::env::{ConfigError, Env};

/// See [`crate::services::media`].
#[derive(Debug, Clone)]
pub struct MediaConfig {
    /// `MEDIA_URL`: a folder, or a bucket at any store that `object_store` knows.
    pub store: MediaStore,
    /// `MEDIA_MAX_MB`, in bytes.
    pub max_bytes: u64,
    /// `MEDIA_RETENTION_DAYS`.
    pub retention: TimeDelta,
    /// `None`: nobody listens, and customers are told so.
    pub transcription: Option<TranscriptionConfig>,
}

/// Where files are kept.
#[derive(Debug, Clone)]
pub enum MediaStore {
    Folder(std::path::PathBuf),
    Url(Url),
}

/// An OpenAI-compatible `/audio/transcriptions`.
#[derive(Debug, Clone)]
pub struct TranscriptionConfig {
    /// `TRANSCRIPTION_BASE_URL`.
    pub base_url: Url,
    /// `TRANSCRIPTION_API_KEY`, else `LLM_API_KEY`.
    pub api_key: Option<SecretString>,
    /// `TRANSCRIPTION_MODEL`.
    pub model: String,
    /// `TRANSCRIPTION_LANGUAGE`, ISO 639-1; `None` lets the model find out.
    pub language: Option<String>,
}

impl MediaConfig {
    pub fn from_env(env: &Env, data_dir: &Path) -> Result<Self, ConfigError> {
        let megabytes: u64 = env.parsed("MEDIA_MAX_MB")?.unwrap_or(25);
        if !(1..=100).contains(&megabytes) {
            return Err(ConfigError::new("MEDIA_MAX_MB", "must be 1 to 100"));
        }
        let days: u32 = env.parsed("MEDIA_RETENTION_DAYS")?.unwrap_or(90);
        let base_url: Option<Url> = env.parsed("TRANSCRIPTION_BASE_URL")?;
        let transcription = base_url.map(|base_url| TranscriptionConfig {
            base_url,
            api_key: env.secret("TRANSCRIPTION_API_KEY").or_else(|| env.secret("LLM_API_KEY")),
            model: env.text("TRANSCRIPTION_MODEL").unwrap_or_else(|| "whisper-1".into()),
            language: match env.text("TRANSCRIPTION_LANGUAGE").as_deref() {
                None => Some("pt".to_owned()),
                Some("auto") => None,
                Some(language) => Some(language.to_owned()),
            },
        });
        Ok(Self {
            store: match env.parsed("MEDIA_URL")? {
                Some(url) => MediaStore::Url(url),
                None => MediaStore::Folder(data_dir.join("media")),
            },
            max_bytes: megabytes * 1024 * 1024,
            retention: TimeDelta::days(days.into()),
            transcription,
        })
    }
}
