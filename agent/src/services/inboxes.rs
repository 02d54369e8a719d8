//! The inboxes with their credentials opened, kept in memory for the webhook's path.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use lembra_entities::{account, inbox};
use sea_orm::DatabaseConnection;
use secrecy::{ExposeSecret, SecretString};

use crate::channels::Channel;
use crate::channels::evolution::EvolutionClient;
use crate::channels::meta::{self, MetaClient};
use crate::clock::SharedClock;
use crate::config::{Vault, VaultError};
use crate::domain::message::Media;
use crate::http::allowed::AllowedHosts;
use crate::http::public::{self, PublicClient};
use crate::store::{StoreError, StoreResult, accounts, inboxes};

mod changes;

pub use self::changes::{NewEvolutionInbox, NewLine, NewMetaInbox};
pub use super::credentials::{Credentials, EvolutionCredentials, MetaCredentials};

/// An inbox, ready for use.
#[derive(Debug, Clone)]
pub struct Inbox {
    pub id: i64,
    pub account: Arc<account::Model>,
    pub key: String,
    /// Meta `phone_number_id`, Evolution instance.
    pub external_id: String,
    /// The provider's API, without a slash at the end.
    pub base_url: String,
    pub simulated: bool,
    pub credentials: Credentials,
    http: reqwest::Client,
}

impl Inbox {
    /// The channel's name, as in the webhook's path.
    pub fn channel(&self) -> &'static str {
        self.credentials.channel()
    }

    /// Whether the channel gives the file of a message: Meta by the file's id, Evolution by the
    /// message's.
    pub fn can_fetch(&self, file: &Media) -> bool {
        file.id.is_some() || matches!(self.credentials, Credentials::Evolution(_))
    }

    pub fn meta(&self) -> Option<&MetaCredentials> {
        match &self.credentials {
            Credentials::Meta(credentials) => Some(credentials),
            Credentials::Evolution(_) => None,
        }
    }

    pub fn evolution(&self) -> Option<&EvolutionCredentials> {
        match &self.credentials {
            Credentials::Evolution(credentials) => Some(credentials),
            Credentials::Meta(_) => None,
        }
    }

    /// Whether the same Evolution server of the same company calls with the same secrets.
    fn shares_server(&self, other: &Inbox) -> bool {
        let (Some(mine), Some(theirs)) = (self.evolution(), other.evolution()) else {
            return false;
        };
        let same = |one: &Option<SecretString>, two: &Option<SecretString>| {
            let exposed = |secret: &SecretString| secret.expose_secret().to_owned();
            one.as_ref().map(exposed) == two.as_ref().map(exposed)
        };
        self.account.id == other.account.id
            && self.base_url == other.base_url
            && same(&mine.webhook_secret, &theirs.webhook_secret)
            && same(&mine.jwt_key, &theirs.jwt_key)
    }
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

/// How long what was read stays good. An operator's change is felt after that at the latest.
const FRESH_FOR: Duration = Duration::from_secs(2);
/// A provider is waited for that long.
const LONGEST_CALL: Duration = Duration::from_secs(30);
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
    /// For addresses that accounts chose.
    public: PublicClient,
    snapshot: Arc<RwLock<Option<Arc<Snapshot>>>>,
}

impl InboxDirectory {
    pub fn new(
        db: DatabaseConnection,
        vault: Arc<Vault>,
        clock: SharedClock,
        allowed: AllowedHosts,
    ) -> Result<Self, InboxError> {
        let http = crate::http::client(LONGEST_CALL)?;
        let public = public::client_within(allowed, LONGEST_CALL)?;
        Ok(Self { db, vault, clock, http, public, snapshot: Arc::default() })
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
        let secret =
            |inbox: &Inbox| inbox.meta().map(|meta| meta.app_secret.expose_secret().to_owned());
        let app = secret(signed);
        if app.is_none() {
            return Ok(None);
        }
        let find = |snapshot: &Snapshot| {
            let mut inboxes = snapshot.by_id.values();
            inboxes.find(|inbox| inbox.external_id == external_id && secret(inbox) == app).cloned()
        };
        self.find(find).await
    }

    /// The inbox of this instance among those of the same Evolution server as `addressed`: a global
    /// webhook receives the events of all instances.
    pub async fn of_same_server(
        &self,
        addressed: &Inbox,
        instance: &str,
    ) -> Result<Option<Arc<Inbox>>, InboxError> {
        let find = |snapshot: &Snapshot| {
            let mut inboxes = snapshot.by_id.values();
            inboxes
                .find(|inbox| inbox.external_id == instance && inbox.shares_server(addressed))
                .cloned()
        };
        self.find(find).await
    }

    /// The way to send through an inbox.
    pub fn channel(&self, inbox: &Inbox) -> Arc<dyn Channel> {
        let (http, external_id) = (inbox.http.clone(), inbox.external_id.clone());
        match &inbox.credentials {
            Credentials::Meta(meta) => {
                let token = meta.access_token.clone();
                Arc::new(MetaClient::new(http, &inbox.base_url, external_id, token))
            }
            Credentials::Evolution(evolution) => {
                let key = evolution.api_key.clone();
                Arc::new(EvolutionClient::new(http, &inbox.base_url, external_id, key))
            }
        }
    }

    /// Every inbox, by id.
    pub async fn all(&self) -> Result<Vec<Arc<Inbox>>, InboxError> {
        let snapshot = self.read().await?;
        let mut all: Vec<_> = snapshot.by_id.values().cloned().collect();
        all.sort_by_key(|inbox| inbox.id);
        Ok(all)
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
    ) -> Result<Inbox, (i64, String)> {
        let fail = |error: VaultError| (row.id, error.to_string());
        let credentials = self.credentials(&row).map_err(fail)?;
        let http = self.http_of(&row).map_err(|why| (row.id, why))?;
        Ok(Inbox {
            id: row.id,
            account: account.clone(),
            key: row.inbox_key,
            external_id: row.external_id,
            base_url: row.base_url.unwrap_or_else(|| meta::GRAPH_URL.to_owned()),
            simulated: row.simulated,
            credentials,
            http,
        })
    }

    /// Whether the provider's address may be called at all.
    pub fn may_call(&self, row: &inbox::Model) -> bool {
        self.http_of(row).is_ok()
    }

    /// What the provider is called with.
    fn http_of(&self, row: &inbox::Model) -> Result<reqwest::Client, String> {
        let Some(address) = row.base_url.as_deref().filter(|_| row.public_only) else {
            return Ok(self.http.clone());
        };
        let url = url::Url::parse(address).map_err(|error| error.to_string())?;
        self.public.client_for(&url).cloned().map_err(|why| why.to_string())
    }
}

async fn load(
    db: &DatabaseConnection,
) -> StoreResult<(HashMap<i64, Arc<account::Model>>, Vec<inbox::Model>)> {
    let accounts = accounts::list(db).await?;
    let accounts = accounts.into_iter().map(|row| (row.id, Arc::new(row))).collect();
    Ok((accounts, inboxes::list(db).await?))
}
