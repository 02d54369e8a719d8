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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_is_none_is_refused_by_name() {
        let env = Env::default().with("TOOLS_ALLOWED_HOSTS", "erp.local, http://erp.local");
        assert_eq!(ToolsConfig::from_env(&env).unwrap_err().name, "TOOLS_ALLOWED_HOSTS");
        let none = ToolsConfig::from_env(&Env::default()).unwrap();
        assert_eq!(none.allowed_hosts, AllowedHosts::default());
    }
}
