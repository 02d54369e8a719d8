//! What carries job ids from the ledger to workers.

use std::path::{Path, PathBuf};

use secrecy::SecretString;

use super::env::Env;

/// The job transport (DESIGN §1): Redis in production, a SQLite file in standalone mode.
#[derive(Debug, Clone)]
pub enum TransportConfig {
    Redis {
        /// `REDIS_URL`. It may hold a password.
        url: SecretString,
        /// `REDIS_NAMESPACE`.
        namespace: String,
    },
    Sqlite {
        file: PathBuf,
    },
}

impl TransportConfig {
    pub fn from_env(env: &Env, data_dir: &Path) -> Self {
        match env.secret("REDIS_URL") {
            Some(url) => {
                let namespace = env.text("REDIS_NAMESPACE").unwrap_or_else(|| "lembra".into());
                Self::Redis { url, namespace }
            }
            None => Self::Sqlite { file: data_dir.join("queue.db") },
        }
    }
}
