//! Connecting lines, and replacing their secrets.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use lembra_entities::inbox;
use secrecy::SecretString;

use super::{Credentials, EvolutionCredentials, InboxDirectory, InboxError, MetaCredentials};
use crate::config::VaultError;
use crate::store::inboxes;

/// A Meta number to be connected.
#[derive(Debug, Clone)]
pub struct NewMetaInbox {
    pub account_id: i64,
    pub phone_number_id: String,
    pub credentials: MetaCredentials,
    pub graph_url: Option<String>,
    pub simulated: bool,
}

/// An Evolution instance to be connected.
#[derive(Debug, Clone)]
pub struct NewEvolutionInbox {
    pub account_id: i64,
    pub instance: String,
    pub credentials: EvolutionCredentials,
    pub base_url: String,
}

/// A line to be connected.
#[derive(Debug, Clone)]
pub struct NewLine {
    pub account_id: i64,
    /// Meta `phone_number_id`, Evolution instance.
    pub external_id: String,
    /// The provider's API, where it is not at its usual address.
    pub base_url: Option<String>,
    /// The account chose that address, and not the host of the installation.
    pub public_only: bool,
    pub unit_id: Option<i64>,
    pub simulated: bool,
}

impl InboxDirectory {
    /// Connects a Meta number.
    pub async fn add_meta(&self, new: NewMetaInbox) -> Result<inbox::Model, InboxError> {
        let line = NewLine {
            account_id: new.account_id,
            external_id: new.phone_number_id,
            base_url: new.graph_url,
            public_only: false,
            unit_id: None,
            simulated: new.simulated,
        };
        self.connect(line, &Credentials::Meta(new.credentials)).await
    }

    /// Connects an Evolution instance, whose address is the host's own word.
    pub async fn add_evolution(&self, new: NewEvolutionInbox) -> Result<inbox::Model, InboxError> {
        let line = NewLine {
            account_id: new.account_id,
            external_id: new.instance,
            base_url: Some(new.base_url),
            public_only: false,
            unit_id: None,
            simulated: false,
        };
        self.connect(line, &Credentials::Evolution(new.credentials)).await
    }

    /// Connects a line. The webhook path gets a key that nobody can guess.
    pub async fn connect(
        &self,
        line: NewLine,
        credentials: &Credentials,
    ) -> Result<inbox::Model, InboxError> {
        let random = crate::config::random_bytes::<18>().map_err(|_| VaultError::Randomness)?;
        let inbox_key = URL_SAFE_NO_PAD.encode(random);
        let row = inboxes::NewInbox {
            account_id: line.account_id,
            channel: credentials.channel(),
            credentials: self.vault.encrypt(&credentials.to_plain()?, &inbox_key)?,
            inbox_key,
            external_id: line.external_id,
            base_url: line.base_url,
            public_only: line.public_only,
            unit_id: line.unit_id,
            simulated: line.simulated,
        };
        let row = inboxes::add(&self.db, row, self.clock.now()).await?;
        self.forget();
        Ok(row)
    }

    /// Replaces the token that an inbox sends with; false when there is no such inbox.
    pub async fn set_token(&self, id: i64, token: SecretString) -> Result<bool, InboxError> {
        let rows = inboxes::list(&self.db).await?;
        let Some(row) = rows.into_iter().find(|row| row.id == id) else {
            return Ok(false);
        };
        let credentials = self.credentials(&row)?.with_token(token);
        self.replace(&row, &credentials, None).await?;
        Ok(true)
    }

    /// Replaces the secrets of a line, and its address with whose word it is; without one the
    /// address stays.
    pub async fn replace(
        &self,
        row: &inbox::Model,
        credentials: &Credentials,
        address: Option<(String, bool)>,
    ) -> Result<(), InboxError> {
        let sealed = self.vault.encrypt(&credentials.to_plain()?, &row.inbox_key)?;
        let address = match address {
            Some((url, public_only)) => (Some(url), public_only),
            None => (row.base_url.clone(), row.public_only),
        };
        inboxes::replace(&self.db, row.id, &sealed, address, self.clock.now()).await?;
        self.forget();
        Ok(())
    }

    /// The secrets of a row.
    pub fn credentials(&self, row: &inbox::Model) -> Result<Credentials, VaultError> {
        let plain = self.vault.decrypt(&row.credentials, &row.inbox_key)?;
        Credentials::from_plain(&row.channel, &plain)
    }
}
