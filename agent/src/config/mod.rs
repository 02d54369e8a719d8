//! Settings: one section per file, each read from the environment once, at start.

mod answering;
mod database;
pub mod env;
mod llm;
mod media;
mod memory;
mod tools;
mod transport;
mod vault;
mod web;

use std::path::PathBuf;
use std::sync::Arc;

pub use answering::AnsweringConfig;
pub use database::DatabaseConfig;
pub use env::{ConfigError, Env};
pub use llm::LlmConfig;
pub use media::{MediaConfig, MediaStore, TranscriptionConfig};
pub use memory::{MemoryConfig, Prices};
pub use tools::ToolsConfig;
pub use transport::TransportConfig;
pub use vault::{Vault, VaultError, random_bytes};
pub use web::WebConfig;

/// How the processes are laid out (DESIGN §1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// One process does everything; `REDIS_URL` is absent.
    Standalone,
    /// `bot` and `worker` are processes of their own.
    Production,
}

/// Everything that the environment decides.
#[derive(Debug, Clone)]
pub struct Config {
    pub mode: Mode,
    pub data_dir: PathBuf,
    pub database: DatabaseConfig,
    pub transport: TransportConfig,
    pub web: WebConfig,
    pub llm: LlmConfig,
    pub memory: MemoryConfig,
    pub answering: AnsweringConfig,
    pub media: MediaConfig,
    pub tools: ToolsConfig,
    pub vault: Arc<Vault>,
}

impl Config {
    /// Reads all sections. In standalone mode this makes `DATA_DIR` and, the first time, its key.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let data_dir = PathBuf::from(env.text("DATA_DIR").unwrap_or_else(|| "./data".into()));
        let transport = TransportConfig::from_env(env, &data_dir);
        let mode = match transport {
            TransportConfig::Redis { .. } => Mode::Production,
            TransportConfig::Sqlite { .. } => Mode::Standalone,
        };
        if mode == Mode::Standalone {
            // Customers' words and the key lie in it.
            let mut folder = std::fs::DirBuilder::new();
            std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
            folder.recursive(true).create(&data_dir).map_err(|error| {
                let problem = format!("{} cannot be made: {error}", data_dir.display());
                ConfigError::new("DATA_DIR", problem)
            })?;
        }
        let database = DatabaseConfig::from_env(env, &data_dir)?;
        if mode == Mode::Production && !database.is_postgres() {
            let problem = "must be postgres://… when REDIS_URL is set";
            return Err(ConfigError::new("DATABASE_URL", problem));
        }
        Ok(Self {
            mode,
            database,
            transport,
            web: WebConfig::from_env(env)?,
            llm: LlmConfig::from_env(env)?,
            memory: MemoryConfig::from_env(env)?,
            answering: AnsweringConfig::from_env(env)?,
            media: MediaConfig::from_env(env, &data_dir)?,
            tools: ToolsConfig::from_env(env)?,
            vault: Arc::new(Vault::from_env(env, mode, &data_dir)?),
            data_dir,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redis_without_postgres_is_refused_by_name() {
        let folder = std::env::temp_dir().join("lembra-config-test");
        let env = Env::default()
            .with("REDIS_URL", "redis://127.0.0.1:1")
            .with("DATA_DIR", folder.to_string_lossy());
        let error = Config::from_env(&env).unwrap_err();
        assert_eq!(error.name, "DATABASE_URL");
    }

    #[test]
    fn a_number_that_is_none_is_refused_by_name() {
        let error =
            AnsweringConfig::from_env(&Env::default().with("DEBOUNCE_MS", "2,5")).unwrap_err();
        assert_eq!(error.name, "DEBOUNCE_MS");
    }
}
