//! Where the processes listen, and how often they may be asked.

use url::Url;

use super::env::{ConfigError, Env};

/// Addresses of `bot` and of the worker's health page.
#[derive(Debug, Clone)]
pub struct WebConfig {
    /// `HOST`.
    pub host: String,
    /// `PORT`; 0 lets the system choose.
    pub port: u16,
    /// `WORKER_HOST`.
    pub worker_host: String,
    /// `WORKER_PORT`.
    pub worker_port: u16,
    /// `PUBLIC_URL`.
    pub public_url: Option<Url>,
    /// `API_RATE_PER_SECOND`: calls of one token or operator; 0 is without limit.
    pub api_rate: u32,
    /// `WEBHOOK_RATE_PER_SECOND`: webhooks of one inbox; 0 is without limit.
    pub webhook_rate: u32,
}

impl WebConfig {
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let host = |name| env.text(name).unwrap_or_else(|| "127.0.0.1".into());
        Ok(Self {
            host: host("HOST"),
            port: env.parsed("PORT")?.unwrap_or(8080),
            worker_host: host("WORKER_HOST"),
            worker_port: env.parsed("WORKER_PORT")?.unwrap_or(8081),
            public_url: env.parsed("PUBLIC_URL")?,
            api_rate: env.parsed("API_RATE_PER_SECOND")?.unwrap_or(20),
            webhook_rate: env.parsed("WEBHOOK_RATE_PER_SECOND")?.unwrap_or(0),
        })
    }

    /// The address under which people and providers reach `bot`, without a slash at the end.
    pub fn base_url(&self) -> String {
        match &self.public_url {
            Some(url) => url.as_str().trim_end_matches('/').to_owned(),
            None => format!("http://{}:{}", self.host, self.port),
        }
    }
}
