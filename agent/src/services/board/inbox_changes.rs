//! Connecting a line of an account, and changing what it proves itself with.

use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use url::Url;
use utoipa::ToSchema;

use super::admin::{Actor, Admin, AdminError};
use super::settings::given;
use crate::domain::access::Permission;
use crate::domain::fields::{self, Invalid, Reason};
use crate::services::agenda::check_address;
use crate::services::inboxes::{Credentials, EvolutionCredentials, MetaCredentials, NewLine};
use crate::store::units;

/// Longest secret of a provider, in characters; real ones have some hundreds.
const MOST_SECRET_CHARS: usize = 2_000;
const MOST_ID_CHARS: usize = 200;

/// A number of Meta's Cloud API to be connected.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMeta {
    /// "Phone number ID" in Meta's console: digits, and not the telephone number.
    #[serde(default)]
    pub phone_number_id: String,
    #[serde(default)]
    #[schema(value_type = String)]
    pub app_secret: SecretString,
    /// A word of your own that Meta repeats when it first calls.
    #[serde(default)]
    #[schema(value_type = String)]
    pub verify_token: SecretString,
    /// Permanent token of a system user.
    #[serde(default)]
    #[schema(value_type = String)]
    pub access_token: SecretString,
    pub unit_id: Option<i64>,
}

/// An instance of Evolution API to be connected.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewEvolution {
    /// The instance's name.
    #[serde(default)]
    pub instance: String,
    /// Where the server answers.
    #[serde(default)]
    pub base_url: String,
    #[serde(default)]
    #[schema(value_type = String)]
    pub api_key: SecretString,
    /// A word of your own that Evolution sends in a header.
    #[schema(value_type = Option<String>)]
    pub webhook_secret: Option<SecretString>,
    /// A word of your own that Evolution signs a token with.
    #[schema(value_type = Option<String>)]
    pub jwt_key: Option<SecretString>,
    pub unit_id: Option<i64>,
}

/// What is to be changed of a line; what is left out stays. Secrets are write-only.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InboxChange {
    /// Null: the line belongs to no unit.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<i64>)]
    pub unit_id: Option<Option<i64>>,
    #[schema(value_type = Option<String>)]
    pub app_secret: Option<SecretString>,
    #[schema(value_type = Option<String>)]
    pub verify_token: Option<SecretString>,
    #[schema(value_type = Option<String>)]
    pub access_token: Option<SecretString>,
    /// Another server needs its API key, too.
    pub base_url: Option<String>,
    #[schema(value_type = Option<String>)]
    pub api_key: Option<SecretString>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    pub webhook_secret: Option<Option<SecretString>>,
    /// Null takes it away.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    pub jwt_key: Option<Option<SecretString>>,
}

impl Admin<'_> {
    /// Connects a number of Meta; answers the line's id.
    pub async fn add_meta(
        &self,
        account_id: i64,
        new: &NewMeta,
        by: Actor<'_>,
    ) -> Result<i64, AdminError> {
        let mut invalid = Invalid::default();
        let number = invalid.take("phone_number_id", number_id(&new.phone_number_id));
        let app_secret = invalid.take("app_secret", secret(&new.app_secret));
        let verify_token = invalid.take("verify_token", secret(&new.verify_token));
        let access_token = invalid.take("access_token", secret(&new.access_token));
        self.note_unit(&mut invalid, account_id, new.unit_id).await?;
        invalid.check()?;
        let credentials = Credentials::Meta(MetaCredentials {
            app_secret: app_secret.unwrap_or_default(),
            verify_token: verify_token.unwrap_or_default(),
            access_token: access_token.unwrap_or_default(),
        });
        let line = NewLine {
            account_id,
            external_id: number.unwrap_or_default(),
            base_url: None,
            public_only: false,
            unit_id: new.unit_id,
            simulated: false,
        };
        self.connect(line, &credentials, "phone_number_id", by).await
    }

    /// Connects an instance of Evolution; answers the line's id.
    pub async fn add_evolution(
        &self,
        account_id: i64,
        new: &NewEvolution,
        by: Actor<'_>,
    ) -> Result<i64, AdminError> {
        let mut invalid = Invalid::default();
        let instance = invalid.take("instance", fields::line(&new.instance, MOST_ID_CHARS));
        let address = self.address(&new.base_url, by).await;
        let address = invalid.take("base_url", address);
        let api_key = invalid.take("api_key", secret(&new.api_key));
        let optional = |given: &Option<SecretString>| given.as_ref().map(secret).transpose();
        let webhook_secret = invalid.take("webhook_secret", optional(&new.webhook_secret));
        let jwt_key = invalid.take("jwt_key", optional(&new.jwt_key));
        self.note_unit(&mut invalid, account_id, new.unit_id).await?;
        invalid.check()?;
        let credentials = Credentials::Evolution(EvolutionCredentials {
            api_key: api_key.unwrap_or_default(),
            webhook_secret: webhook_secret.flatten(),
            jwt_key: jwt_key.flatten(),
        });
        let line = NewLine {
            account_id,
            external_id: instance.unwrap_or_default(),
            base_url: address.map(|url| bare(&url)),
            public_only: is_public_only(by),
            unit_id: new.unit_id,
            simulated: false,
        };
        self.connect(line, &credentials, "instance", by).await
    }

    /// Changes a line. With another token it is started again.
    pub async fn change_inbox(
        &self,
        account_id: i64,
        id: i64,
        change: &InboxChange,
        by: Actor<'_>,
    ) -> Result<(), AdminError> {
        let row = self.inbox_row(account_id, id).await?;
        let mut invalid = Invalid::default();
        self.note_unit(&mut invalid, account_id, change.unit_id.flatten()).await?;
        let address = match &change.base_url {
            Some(url) => invalid.take("base_url", self.address(url, by).await),
            None => None,
        };
        let old = row.base_url.as_deref().and_then(|url| Url::parse(url).ok());
        let moved = address
            .as_ref()
            .is_some_and(|url| old.as_ref().is_none_or(|old| old.origin() != url.origin()));
        // Who may change an address must not learn a secret that way.
        if moved && change.api_key.is_none() {
            invalid.note("api_key", Reason::NeededAgain);
        }
        let touches_secrets = change.touches_secrets();
        let credentials = match touches_secrets {
            true => Some(change.apply(self.inboxes.credentials(&row)?, &mut invalid)),
            false => None,
        };
        invalid.check()?;
        if let Some(credentials) = credentials {
            let address = address.map(|url| (bare(&url), is_public_only(by)));
            self.inboxes.replace(&row, &credentials, address).await?;
            tracing::info!(account.id = account_id, inbox.id = id, by = by.name, "inbox changed");
        }
        if let Some(unit_id) = change.unit_id {
            units::assign(self.db, row.id, unit_id, self.clock.now()).await?;
        }
        if change.access_token.is_some() || change.api_key.is_some() {
            self.resume_inbox(account_id, id, by.name).await?;
        }
        Ok(())
    }

    async fn connect(
        &self,
        line: NewLine,
        credentials: &Credentials,
        unique: &'static str,
        by: Actor<'_>,
    ) -> Result<i64, AdminError> {
        let account_id = line.account_id;
        let added = self.inboxes.connect(line, credentials).await;
        let row = added.map_err(|error| match error.into() {
            AdminError::Store(error) => AdminError::unique(unique)(error),
            other => other,
        })?;
        tracing::info!(account.id = account_id, inbox.id = row.id, by = by.name, "inbox connected");
        Ok(row.id)
    }

    async fn note_unit(
        &self,
        invalid: &mut Invalid,
        account_id: i64,
        unit_id: Option<i64>,
    ) -> Result<(), AdminError> {
        if let Some(id) = unit_id
            && units::find(self.db, account_id, id).await?.is_none()
        {
            invalid.note("unit_id", Reason::Unknown);
        }
        Ok(())
    }

    /// An address that somebody may choose for this installation to call.
    pub(super) async fn address(&self, text: &str, by: Actor<'_>) -> Result<Url, Reason> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Reason::Required);
        }
        let url = Url::parse(text).map_err(|_| Reason::NoAddress)?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(Reason::NoAddress);
        }
        check_address(&url).map_err(|_| Reason::UntidyAddress)?;
        if is_public_only(by) {
            self.public.judge(&url).await.map_err(|_| Reason::PrivateAddress)?;
        }
        Ok(url)
    }
}

/// Whether an address is an account's word: who runs the installation may choose any.
pub(super) fn is_public_only(by: Actor<'_>) -> bool {
    !by.may.holds(Permission::InstanceRun)
}

/// An address without a slash at its end.
pub(super) fn bare(url: &Url) -> String {
    url.as_str().trim_end_matches('/').to_owned()
}

fn number_id(text: &str) -> Result<String, Reason> {
    let number = fields::line(text, MOST_ID_CHARS)?;
    let digits = number.chars().all(|c| c.is_ascii_digit());
    if digits { Ok(number) } else { Err(Reason::NotDigits) }
}

/// A secret without the spaces that come with copying it.
fn secret(given: &SecretString) -> Result<SecretString, Reason> {
    let text = given.expose_secret().trim();
    match text.chars().count() {
        0 => Err(Reason::Required),
        length if length > MOST_SECRET_CHARS => Err(Reason::TooLong(MOST_SECRET_CHARS)),
        _ => Ok(text.into()),
    }
}

impl InboxChange {
    fn touches_secrets(&self) -> bool {
        self.app_secret.is_some()
            || self.verify_token.is_some()
            || self.access_token.is_some()
            || self.base_url.is_some()
            || self.api_key.is_some()
            || self.webhook_secret.is_some()
            || self.jwt_key.is_some()
    }

    /// The secrets with these changes; what belongs to the other channel is refused.
    fn apply(&self, old: Credentials, invalid: &mut Invalid) -> Credentials {
        let mut changed = |field, given: &Option<SecretString>, old: SecretString| match given {
            Some(given) => invalid.take(field, secret(given)).unwrap_or(old),
            None => old,
        };
        match old {
            Credentials::Meta(old) => {
                let new = MetaCredentials {
                    app_secret: changed("app_secret", &self.app_secret, old.app_secret),
                    verify_token: changed("verify_token", &self.verify_token, old.verify_token),
                    access_token: changed("access_token", &self.access_token, old.access_token),
                };
                for (field, given) in [
                    ("base_url", self.base_url.is_some()),
                    ("api_key", self.api_key.is_some()),
                    ("webhook_secret", self.webhook_secret.is_some()),
                    ("jwt_key", self.jwt_key.is_some()),
                ] {
                    if given {
                        invalid.note(field, Reason::OtherChannel);
                    }
                }
                Credentials::Meta(new)
            }
            Credentials::Evolution(old) => {
                let api_key = changed("api_key", &self.api_key, old.api_key);
                let mut optional = |field, given: &Option<Option<SecretString>>, old| match given {
                    Some(Some(given)) => invalid.take(field, secret(given)),
                    Some(None) => None,
                    None => old,
                };
                let new = EvolutionCredentials {
                    api_key,
                    webhook_secret: optional(
                        "webhook_secret",
                        &self.webhook_secret,
                        old.webhook_secret,
                    ),
                    jwt_key: optional("jwt_key", &self.jwt_key, old.jwt_key),
                };
                for (field, given) in [
                    ("app_secret", self.app_secret.is_some()),
                    ("verify_token", self.verify_token.is_some()),
                    ("access_token", self.access_token.is_some()),
                ] {
                    if given {
                        invalid.note(field, Reason::OtherChannel);
                    }
                }
                Credentials::Evolution(new)
            }
        }
    }
}
