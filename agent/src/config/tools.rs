//! What tools of accounts may call.

use super::env::{ConfigError, Env};
use crate::http::allowed::AllowedHosts;

/// See [`crate::http::public`].
#[derive(Debug, Clone, Default)]
pub struct ToolsConfig {
    /// `TOOLS_ALLOWED_HOSTS`: private hosts that may be called all the same.
    pub allowed_hosts: AllowedHosts,
}

impl ToolsConfig {
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        Ok(Self { allowed_hosts: env.parsed("TOOLS_ALLOWED_HOSTS")?.unwrap_or_default() })
    }
}
