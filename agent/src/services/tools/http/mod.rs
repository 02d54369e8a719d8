//! HTTP tools that an account declares: kept with their headers encrypted, called through the
//! guarded client ([`crate::http::public`]).
//!
//! Where arguments go: what the address names, there; with POST, PUT and PATCH the others are the
//! JSON body; with GET and DELETE the others are sent only where the query says `{*}`.

pub mod changes;
pub mod declaration;
pub mod headers;
pub mod problem;
mod reading;
pub mod result_path;
pub mod shown;
pub mod template;
pub mod tool;

use std::sync::Arc;

use lembra_entities::tool as row;
use sea_orm::DatabaseConnection;
use serde_json::{Map, Value};
use uuid::Uuid;

use self::changes::Changes;
use self::declaration::{Declaration, Draft, Refused};
use self::headers::GivenHeaders;
use self::tool::{HttpTool, Report};
use super::arguments::{self, BadArguments};
use super::{Caller, Invocation, Tool};
use crate::clock::SharedClock;
use crate::config::{Vault, VaultError};
use crate::http::public::PublicClient;
use crate::store::tools::{self, ToolRow};
use crate::store::{StoreError, StoreResult};

pub use crate::store::tools::Which;

/// Most tools of one account: each is in every prompt.
const MOST: usize = 50;

/// Why nothing was done.
#[derive(Debug, thiserror::Error)]
pub enum HttpToolError {
    #[error("there is no such tool in this account")]
    NotFound,
    #[error("{0}")]
    Refused(#[from] Refused),
    #[error("the account has a tool with this name")]
    NameTaken,
    #[error("the tool was changed at the same time; try again")]
    Overtaken,
    #[error("an account has at most {MOST} tools")]
    TooMany,
    #[error("the arguments do not fit: {0}")]
    Arguments(#[from] BadArguments),
    #[error("the tool changes something: a trial must be confirmed")]
    Unconfirmed,
    /// `LEMBRA_KEY` is another one than when they were given.
    #[error("headers of {0} do not open ({1}): remove the tool and declare it again")]
    Sealed(String, VaultError),
    #[error("headers of a tool: {0}")]
    Vault(#[from] VaultError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A declared tool with its row. It prints and shows no header's value.
#[derive(Debug, Clone)]
pub struct Declared {
    pub id: i64,
    pub declaration: Arc<Declaration>,
    pub created_at: chrono::DateTime<chrono::Utc>,
    pub updated_at: chrono::DateTime<chrono::Utc>,
}

/// The HTTP tools of all accounts. Clones share everything.
#[derive(Clone)]
pub struct HttpTools {
    pub db: DatabaseConnection,
    pub clock: SharedClock,
    pub vault: Arc<Vault>,
    pub http: PublicClient,
}

impl HttpTools {
    /// The enabled tools of an account, for the agent. One that does not open must not close the
    /// others: it is logged and left out.
    pub async fn of_account(&self, account_id: i64) -> StoreResult<Vec<Arc<dyn Tool>>> {
        let rows = tools::list(&self.db, account_id).await?;
        let mut found: Vec<Arc<dyn Tool>> = Vec::new();
        for row in rows.into_iter().filter(|row| row.enabled) {
            let id = row.id;
            match self.open(row) {
                Ok(tool) => {
                    found.push(Arc::new(HttpTool::new(tool.declaration, self.http.clone())));
                }
                Err(error) => tracing::error!(tool.id = id, %error, "tool left out"),
            }
        }
        Ok(found)
    }

    /// By name.
    pub async fn list(&self, account_id: i64) -> Result<Vec<Declared>, HttpToolError> {
        let rows = tools::list(&self.db, account_id).await?;
        rows.into_iter().map(|row| self.open(row)).collect()
    }

    /// By name, with the names of those whose headers do not open: one must not close the others.
    pub async fn list_opened(
        &self,
        account_id: i64,
    ) -> StoreResult<(Vec<Declared>, Vec<(i64, String)>)> {
        let (mut opened, mut closed) = (Vec::new(), Vec::new());
        for row in tools::list(&self.db, account_id).await? {
            let (id, name) = (row.id, row.name.clone());
            match self.open(row) {
                Ok(tool) => opened.push(tool),
                Err(error) => {
                    tracing::error!(tool.id = id, %error, "tool does not open");
                    closed.push((id, name));
                }
            }
        }
        Ok((opened, closed))
    }

    pub async fn find(&self, account_id: i64, which: &Which) -> Result<Declared, HttpToolError> {
        self.open(self.row(account_id, which).await?)
    }

    pub async fn add(&self, account_id: i64, draft: Draft) -> Result<Declared, HttpToolError> {
        let declaration = Declaration::read(draft)?;
        if tools::list(&self.db, account_id).await?.len() >= MOST {
            return Err(HttpToolError::TooMany);
        }
        let new = self.close(account_id, &declaration)?;
        let added = tools::add(&self.db, account_id, new, self.clock.now()).await;
        added.map_err(name_taken).and_then(|row| self.open(row))
    }

    pub async fn change(
        &self,
        account_id: i64,
        which: &Which,
        changes: Changes,
    ) -> Result<Declared, HttpToolError> {
        let row = self.row(account_id, which).await?;
        let (id, seen) = (row.id, row.updated_at);
        let changed = changes.apply(&self.open(row)?.declaration)?;
        let new = self.close(account_id, &changed)?;
        let written = tools::replace(&self.db, (account_id, id), seen, new, self.clock.now()).await;
        match written.map_err(name_taken)? {
            true => self.find(account_id, &Which::Id(id)).await,
            false => Err(HttpToolError::Overtaken),
        }
    }

    pub async fn remove(&self, account_id: i64, which: &Which) -> Result<(), HttpToolError> {
        match tools::remove(&self.db, account_id, which).await? {
            true => Ok(()),
            false => Err(HttpToolError::NotFound),
        }
    }

    /// Calls a tool as an operator, for no conversation; also one that is not enabled.
    pub async fn try_out(
        &self,
        account_id: i64,
        which: &Which,
        arguments: &Map<String, Value>,
        confirmed: bool,
    ) -> Result<Report, HttpToolError> {
        let declared = self.find(account_id, which).await?;
        let schema = &declared.declaration.spec.parameters;
        let text = Value::Object(arguments.clone()).to_string();
        let arguments = arguments::read(&text, schema)?;
        if declared.declaration.has_effect && !confirmed {
            return Err(HttpToolError::Unconfirmed);
        }
        let caller = Caller { account_id, inbox_id: 0, contact_id: 0, conversation_id: 0 };
        let key = format!("try-{}", Uuid::now_v7().simple());
        let invocation =
            Invocation { caller: &caller, arguments: &arguments, key: &key, now: self.clock.now() };
        Ok(HttpTool::new(declared.declaration, self.http.clone()).report(&invocation).await)
    }

    async fn row(&self, account_id: i64, which: &Which) -> Result<row::Model, HttpToolError> {
        tools::find(&self.db, account_id, which).await?.ok_or(HttpToolError::NotFound)
    }

    fn open(&self, row: row::Model) -> Result<Declared, HttpToolError> {
        let plain = self.vault.decrypt(&row.headers, &context(row.account_id, &row.name));
        let headers = plain.and_then(|plain| {
            serde_json::from_str::<GivenHeaders>(&plain).map_err(|_| VaultError::Format)
        });
        let headers = headers.map_err(|error| HttpToolError::Sealed(row.name.clone(), error))?;
        let declaration = Declaration::read(Draft {
            name: row.name,
            description: row.description,
            parameters: Some(row.parameters),
            method: Some(row.method),
            url: row.url_template,
            headers,
            timeout_ms: Some(row.timeout_ms.into()),
            result_path: row.result_path,
            has_effect: Some(row.has_effect),
            enabled: Some(row.enabled),
        })?;
        Ok(Declared {
            id: row.id,
            declaration: Arc::new(declaration),
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }

    fn close(&self, account_id: i64, tool: &Declaration) -> Result<ToolRow, HttpToolError> {
        let context = context(account_id, &tool.spec.name);
        Ok(ToolRow {
            name: tool.spec.name.clone(),
            description: tool.spec.description.clone(),
            parameters: tool.spec.parameters.clone(),
            method: tool.method.to_string(),
            url_template: tool.url.as_str().to_owned(),
            headers: self.vault.encrypt(&tool.headers.to_plain()?, &context)?,
            timeout_ms: i32::try_from(tool.timeout.as_millis()).unwrap_or(i32::MAX),
            result_path: tool.result_path.as_ref().map(|path| path.as_str().to_owned()),
            has_effect: tool.has_effect,
            enabled: tool.enabled,
        })
    }
}

/// What encrypted headers are bound to: they open for their own tool only.
pub(crate) fn context(account_id: i64, name: &str) -> String {
    format!("tool:{account_id}:{name}")
}

fn name_taken(error: StoreError) -> HttpToolError {
    match error {
        StoreError::Conflict => HttpToolError::NameTaken,
        other => HttpToolError::Store(other),
    }
}
