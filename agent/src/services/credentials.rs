//! The secrets of an inbox, by channel, and the form in which they are encrypted.

use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use crate::channels::{evolution, meta};
use crate::config::VaultError;

/// What an inbox proves itself with, and recognises its webhooks by.
#[derive(Debug, Clone)]
pub enum Credentials {
    Meta(MetaCredentials),
    Evolution(EvolutionCredentials),
}

/// The secrets of a Meta number.
#[derive(Debug, Clone)]
pub struct MetaCredentials {
    pub app_secret: SecretString,
    pub verify_token: SecretString,
    pub access_token: SecretString,
}

/// The secrets of an Evolution instance.
#[derive(Debug, Clone)]
pub struct EvolutionCredentials {
    /// The instance's token, or the server's.
    pub api_key: SecretString,
    /// A header that webhooks must carry.
    pub webhook_secret: Option<SecretString>,
    /// The key that Evolution signs its webhooks' token with.
    pub jwt_key: Option<SecretString>,
}

#[derive(Serialize, Deserialize)]
struct StoredMeta {
    app_secret: String,
    verify_token: String,
    access_token: String,
}

#[derive(Serialize, Deserialize)]
struct StoredEvolution {
    api_key: String,
    webhook_secret: Option<String>,
    jwt_key: Option<String>,
}

impl Credentials {
    /// As stored in `inboxes.channel`.
    pub fn channel(&self) -> &'static str {
        match self {
            Credentials::Meta(_) => meta::NAME,
            Credentials::Evolution(_) => evolution::NAME,
        }
    }

    /// The same with another token to send with.
    #[must_use]
    pub fn with_token(self, token: SecretString) -> Self {
        match self {
            Credentials::Meta(secrets) => {
                Credentials::Meta(MetaCredentials { access_token: token, ..secrets })
            }
            Credentials::Evolution(secrets) => {
                Credentials::Evolution(EvolutionCredentials { api_key: token, ..secrets })
            }
        }
    }

    /// The text that is encrypted.
    pub fn to_plain(&self) -> Result<String, VaultError> {
        let exposed = |secret: &SecretString| secret.expose_secret().to_owned();
        let plain = match self {
            Credentials::Meta(secrets) => serde_json::to_string(&StoredMeta {
                app_secret: exposed(&secrets.app_secret),
                verify_token: exposed(&secrets.verify_token),
                access_token: exposed(&secrets.access_token),
            }),
            Credentials::Evolution(secrets) => serde_json::to_string(&StoredEvolution {
                api_key: exposed(&secrets.api_key),
                webhook_secret: secrets.webhook_secret.as_ref().map(exposed),
                jwt_key: secrets.jwt_key.as_ref().map(exposed),
            }),
        };
        plain.map_err(|_| VaultError::Format)
    }

    /// Reads what [`Credentials::to_plain`] wrote for this channel.
    pub fn from_plain(channel: &str, plain: &str) -> Result<Self, VaultError> {
        match channel {
            meta::NAME => {
                let stored: StoredMeta =
                    serde_json::from_str(plain).map_err(|_| VaultError::Format)?;
                Ok(Credentials::Meta(MetaCredentials {
                    app_secret: stored.app_secret.into(),
                    verify_token: stored.verify_token.into(),
                    access_token: stored.access_token.into(),
                }))
            }
            evolution::NAME => {
                let stored: StoredEvolution =
                    serde_json::from_str(plain).map_err(|_| VaultError::Format)?;
                Ok(Credentials::Evolution(EvolutionCredentials {
                    api_key: stored.api_key.into(),
                    webhook_secret: stored.webhook_secret.map(SecretString::from),
                    jwt_key: stored.jwt_key.map(SecretString::from),
                }))
            }
            _ => Err(VaultError::Format),
        }
    }
}
