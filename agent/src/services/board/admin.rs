//! What the administration of an account needs: its settings, lines, units, agenda and people.

use sea_orm::DatabaseConnection;

use crate::clock::SharedClock;
use crate::config::{Config, VaultError};
use crate::domain::access::Permissions;
use crate::domain::fields::{Invalid, Reason};
use crate::http::public::PublicClient;
use crate::services::agenda::Agendas;
use crate::services::inboxes::{InboxDirectory, InboxError};
use crate::services::operators::OperatorError;
use crate::store::StoreError;

/// The parts of a process that administration uses.
#[derive(Clone, Copy)]
pub struct Admin<'a> {
    pub db: &'a DatabaseConnection,
    pub clock: &'a SharedClock,
    pub config: &'a Config,
    pub inboxes: &'a InboxDirectory,
    pub agendas: &'a Agendas,
    /// Judges addresses that accounts choose.
    pub public: &'a PublicClient,
}

/// Who does something: what is kept of them, and what they may.
#[derive(Debug, Clone, Copy)]
pub struct Actor<'a> {
    /// `operator:3`, `token:7`, `cli`.
    pub name: &'a str,
    pub may: Permissions,
    /// The operator, when it is one, and the session that they act in.
    pub operator_id: Option<i64>,
    pub session_id: Option<i64>,
}

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    #[error("there is no such thing in this account")]
    NotFound,
    #[error("{0}")]
    Invalid(#[from] Invalid),
    /// It belongs to somebody who may do more than the one who asks.
    #[error("only somebody who may do as much may do this")]
    BeyondYou,
    #[error("secrets: {0}")]
    Vault(#[from] VaultError),
    #[error("the password cannot be hashed")]
    Hash,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AdminError {
    pub(super) fn field(field: &'static str, reason: Reason) -> Self {
        Self::Invalid(Invalid::one(field, reason))
    }

    /// An error of the database, with the one field that must be unique.
    pub(super) fn unique(field: &'static str) -> impl Fn(StoreError) -> Self {
        move |error| match error {
            StoreError::Conflict => Self::field(field, Reason::Taken),
            other => Self::Store(other),
        }
    }
}

impl From<sea_orm::DbErr> for AdminError {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

impl From<InboxError> for AdminError {
    fn from(error: InboxError) -> Self {
        match error {
            InboxError::Store(error) => Self::Store(error),
            InboxError::Vault(error) => Self::Vault(error),
            InboxError::Http(error) => {
                Self::Store(StoreError::Inconsistent(format!("HTTP client: {error}")))
            }
        }
    }
}

impl From<OperatorError> for AdminError {
    fn from(error: OperatorError) -> Self {
        match error {
            OperatorError::Hash => Self::Hash,
            OperatorError::Unknown => Self::NotFound,
            OperatorError::Store(error) => Self::Store(error),
        }
    }
}
