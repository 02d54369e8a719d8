//! The inboxes with their credentials opened, kept in memory for the webhook's path.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use lembra_entities::{account, inbox};
use sea_orm::DatabaseConnection;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use crate::channels::Channel;
use crate::channels::meta::{self, MetaClient};
use crate::clock::SharedClock;
use crate::config::{Vault, VaultError};
use crate::domain::message::Media;
use crate::store::{StoreError, StoreResult, accounts, inboxes};

/// An inbox, ready for use.
#[derive(Debug, Clone)]
pub struct Inbox {
    pub id: i64,
    pub account: Arc<account::Model>,
    pub key: String,
    /// Meta `phone_number_id`.
    pub external_id: String,
    pub graph_url: String,
    pub simulated: bool,
    pub credentials: MetaCredentials,
}

impl Inbox {
    /// For logs and labels.
    pub fn channel_name(&self) -> &'static str {
        meta::NAME
    }

    /// Whether the channel gives the file of a message.
    pub fn can_fetch(&self, file: &Media) -> bool {
        file.id.is_some()
    }
}

/// The secrets of a Meta number.
#[derive(Debug, Clone)]
pub struct MetaCredentials {
    pub app_secret: SecretString,
    pub verify_token: SecretString,
    pub access_token: SecretString,
}

/// [`MetaCredentials`] as they are encrypted.
#[derive(Serialize, Deserialize)]
struct StoredCredentials {
    app_secret: String,
    verify_token: String,
    access_token: String,
}

/// The inbox's credentials do not open, or the database does not answer.
#[derive(Debug, thiserror::Error)]
pub enum InboxError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("credentials of an inbox: {0}")]
    Vault(#[from] VaultError),
    #[error("HTTP client: {0}")]
    Http(#[from] reqwest::Error),
}

impl From<sea_orm::DbErr> for InboxError {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

/// A Meta number to be connected.
#[derive(Debug, Clone)]
pub struct NewMetaInbox {
    pub account_id: i64,
    pub phone_number_id: String,
    pub credentials: MetaCredentials,
    pub graph_url: Option<String>,
    pub simulated: bool,
}

/// How long what was read stays good. An operator's change is felt after that at the latest.
const FRESH_FOR: Duration = Duration::from_secs(2);
/// Unknown keys cause at most one reading per so long.
const UNKNOWN_EVERY: Duration = Duration::from_millis(200);

struct Snapshot {
    read_at: Instant,
    by_key: HashMap<String, Arc<Inbox>>,
    by_id: HashMap<i64, Arc<Inbox>>,
}

/// All inboxes. Clones share what was read.
#[derive(Clone)]
pub struct InboxDirectory {
    db: DatabaseConnection,
    vault: Arc<Vault>,
    clock: SharedClock,
    http: reqwest::Client,
    snapshot: Arc<RwLock<Option<Arc<Snapshot>>>>,
}

impl InboxDirectory {
    pub fn new(
        db: DatabaseConnection,
        vault: Arc<Vault>,
        clock: SharedClock,
    ) -> Result<Self, InboxError> {
        let http = crate::http::client(Duration::from_secs(30))?;
        Ok(Self { db, vault, clock, http, snapshot: Arc::default() })
    }

    /// The inbox with this webhook key. When the database does not answer, what was read before
    /// still serves.
    pub async fn by_key(&self, key: &str) -> Result<Option<Arc<Inbox>>, InboxError> {
        let find = |snapshot: &Snapshot| snapshot.by_key.get(key).cloned();
        self.find(find).await
    }

    pub async fn by_id(&self, id: i64) -> Result<Option<Arc<Inbox>>, InboxError> {
        self.find(|snapshot| snapshot.by_id.get(&id).cloned()).await
    }

    /// The inbox of this phone number id among those of the same Meta app as `signed`: one
    /// webhook address receives the events of all numbers of its app (DESIGN §9).
    pub async fn of_same_app(
        &self,
        signed: &Inbox,
        external_id: &str,
    ) -> Result<Option<Arc<Inbox>>, InboxError> {
        let secret = |inbox: &Inbox| inbox.credentials.app_secret.expose_secret().to_owned();
        let app = secret(signed);
        let find = |snapshot: &Snapshot| {
            let mut inboxes = snapshot.by_id.values();
            inboxes.find(|inbox| inbox.external_id == external_id && secret(inbox) == app).cloned()
        };
        self.find(find).await
    }

    /// The way to send through an inbox.
    pub fn channel(&self, inbox: &Inbox) -> Arc<dyn Channel> {
        Arc::new(MetaClient::new(
            self.http.clone(),
            &inbox.graph_url,
            inbox.external_id.clone(),
            inbox.credentials.access_token.clone(),
        ))
    }

    /// Every inbox, by id.
    pub async fn all(&self) -> Result<Vec<Arc<Inbox>>, InboxError> {
        let snapshot = self.read().await?;
        let mut all: Vec<_> = snapshot.by_id.values().cloned().collect();
        all.sort_by_key(|inbox| inbox.id);
        Ok(all)
    }

    /// Connects a Meta number. The webhook path gets a key that nobody can guess.
    pub async fn add_meta(&self, new: NewMetaInbox) -> Result<inbox::Model, InboxError> {
        let random = crate::config::random_bytes::<18>().map_err(|_| VaultError::Randomness)?;
        let inbox_key = URL_SAFE_NO_PAD.encode(random);
        let stored = StoredCredentials {
            app_secret: new.credentials.app_secret.expose_secret().to_owned(),
            verify_token: new.credentials.verify_token.expose_secret().to_owned(),
            access_token: new.credentials.access_token.expose_secret().to_owned(),
        };
        let plain = serde_json::to_string(&stored).map_err(|_| VaultError::Format)?;
        let row = inboxes::NewInbox {
            account_id: new.account_id,
            channel: meta::NAME,
            credentials: self.vault.encrypt(&plain, &inbox_key)?,
            inbox_key,
            external_id: new.phone_number_id,
            base_url: new.graph_url,
            simulated: new.simulated,
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
        let plain = self.vault.decrypt(&row.credentials, &row.inbox_key)?;
        let mut stored: StoredCredentials =
            serde_json::from_str(&plain).map_err(|_| VaultError::Format)?;
        token.expose_secret().clone_into(&mut stored.access_token);
        let plain = serde_json::to_string(&stored).map_err(|_| VaultError::Format)?;
        let sealed = self.vault.encrypt(&plain, &row.inbox_key)?;
        inboxes::set_credentials(&self.db, id, &sealed).await?;
        self.forget();
        Ok(true)
    }

    /// Reads again at the next question.
    pub fn forget(&self) {
        if let Ok(mut slot) = self.snapshot.write() {
            *slot = None;
        }
    }

    fn kept(&self) -> Option<Arc<Snapshot>> {
        self.snapshot.read().ok()?.clone()
    }

    async fn find<T>(
        &self,
        find: impl Fn(&Snapshot) -> Option<T>,
    ) -> Result<Option<T>, InboxError> {
        let kept = self.kept();
        if let Some(snapshot) = &kept {
            let age = snapshot.read_at.elapsed();
            let found = find(snapshot);
            if age < FRESH_FOR && (found.is_some() || age < UNKNOWN_EVERY) {
                return Ok(found);
            }
        }
        match self.read().await {
            Ok(snapshot) => Ok(find(&snapshot)),
            Err(error) => match kept {
                Some(snapshot) => Ok(find(&snapshot)),
                None => Err(error),
            },
        }
    }

    async fn read(&self) -> Result<Arc<Snapshot>, InboxError> {
        let (accounts, rows) = load(&self.db).await?;
        let mut snapshot =
            Snapshot { read_at: Instant::now(), by_key: HashMap::new(), by_id: HashMap::new() };
        for row in rows {
            let Some(account) = accounts.get(&row.account_id) else {
                continue;
            };
            match self.open(row, account) {
                Ok(inbox) => {
                    let inbox = Arc::new(inbox);
                    snapshot.by_key.insert(inbox.key.clone(), inbox.clone());
                    snapshot.by_id.insert(inbox.id, inbox);
                }
                // One inbox of another key must not close the others.
                Err((id, error)) => tracing::error!(inbox.id = id, %error, "inbox left out"),
            }
        }
        let snapshot = Arc::new(snapshot);
        if let Ok(mut slot) = self.snapshot.write() {
            *slot = Some(snapshot.clone());
        }
        Ok(snapshot)
    }

    fn open(
        &self,
        row: inbox::Model,
        account: &Arc<account::Model>,
    ) -> Result<Inbox, (i64, VaultError)> {
        let fail = |error| (row.id, error);
        let plain = self.vault.decrypt(&row.credentials, &row.inbox_key).map_err(fail)?;
        let stored: StoredCredentials =
            serde_json::from_str(&plain).map_err(|_| fail(VaultError::Format))?;
        Ok(Inbox {
            id: row.id,
            account: account.clone(),
            key: row.inbox_key,
            external_id: row.external_id,
            graph_url: row.base_url.unwrap_or_else(|| meta::GRAPH_URL.to_owned()),
            simulated: row.simulated,
            credentials: MetaCredentials {
                app_secret: stored.app_secret.into(),
                verify_token: stored.verify_token.into(),
                access_token: stored.access_token.into(),
            },
        })
    }
}

async fn load(
    db: &DatabaseConnection,
) -> StoreResult<(HashMap<i64, Arc<account::Model>>, Vec<inbox::Model>)> {
    let accounts = accounts::list(db).await?;
    let accounts = accounts.into_iter().map(|row| (row.id, Arc::new(row))).collect();
    Ok((accounts, inboxes::list(db).await?))
}
