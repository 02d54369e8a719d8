//! Which model answers.

use std::time::Duration;

use secrecy::SecretString;
use url::Url;

use super::env::{ConfigError, Env};

/// Longest allowed model call, in seconds: a turn's deadline leaves room for one call and the
/// writing of its result.
const LONGEST_CALL_SECS: u64 = 45;

/// The chat model. Without `base_url` the offline model answers.
#[derive(Debug, Clone)]
pub struct LlmConfig {
    /// `LLM_BASE_URL`, without a slash at the end.
    pub base_url: Option<Url>,
    /// `LLM_API_KEY`.
    pub api_key: Option<SecretString>,
    /// `LLM_MODEL`.
    pub model: String,
    /// `LLM_TIMEOUT_SECS`.
    pub timeout: Duration,
}

impl LlmConfig {
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let seconds: u64 = env.parsed("LLM_TIMEOUT_SECS")?.unwrap_or(30);
        if !(1..=LONGEST_CALL_SECS).contains(&seconds) {
            let problem = format!("must be 1 to {LONGEST_CALL_SECS}");
            return Err(ConfigError::new("LLM_TIMEOUT_SECS", problem));
        }
        Ok(Self {
            base_url: env.parsed("LLM_BASE_URL")?,
            api_key: env.secret("LLM_API_KEY"),
            model: env.text("LLM_MODEL").unwrap_or_else(|| "gpt-4o-mini".into()),
            timeout: Duration::from_secs(seconds),
        })
    }
}
