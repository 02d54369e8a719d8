//! Where the processes listen.

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
