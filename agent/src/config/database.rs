//! Which database, and how many connections.

use std::path::Path;

use secrecy::{ExposeSecret, SecretString};

use super::env::{ConfigError, Env};

/// Where the rows are.
#[derive(Debug, Clone)]
pub struct DatabaseConfig {
    /// `DATABASE_URL`: `postgres://…` or `sqlite://…`. It may hold a password.
    pub url: SecretString,
    /// `DATABASE_MAX_CONNECTIONS`.
    pub max_connections: u32,
}

impl DatabaseConfig {
    pub fn from_env(env: &Env, data_dir: &Path) -> Result<Self, ConfigError> {
        let file = || format!("sqlite://{}?mode=rwc", data_dir.join("lembra.db").display());
        let url = env.text("DATABASE_URL").unwrap_or_else(file);
        let known = ["postgres://", "postgresql://", "sqlite:"];
        if !known.iter().any(|scheme| url.starts_with(scheme)) {
            return Err(ConfigError::new("DATABASE_URL", "must be postgres://… or sqlite://…"));
        }
        let max_connections = env.parsed("DATABASE_MAX_CONNECTIONS")?.unwrap_or(16);
        Ok(Self { url: SecretString::from(url), max_connections })
    }

    pub fn is_postgres(&self) -> bool {
        self.url.expose_secret().starts_with("postgres")
    }
}
