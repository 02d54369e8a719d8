//! The account's agenda: where it is, and whether it answers.

use chrono::{DateTime, Utc};
use lembra_entities::agenda;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::admin::{Actor, Admin, AdminError};
use super::inbox_changes::{bare, is_public_only};
use super::settings::given;
use crate::domain::fields::{Invalid, Reason};
use crate::services::agenda::{AgendaError, CallError, Checked, explain};
use crate::store::{StoreError, accounts, agendas};

const MOST_TOKEN_CHARS: usize = 2_000;

/// An agenda; its token is never shown.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AgendaView {
    /// What the contract's paths follow.
    pub base_url: String,
    pub has_token: bool,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// Where the agenda is from now on.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AgendaChange {
    #[serde(default)]
    pub base_url: String,
    /// Sent as bearer token. Left out: the one before at the same address, none at another. Null:
    /// none.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    pub token: Option<Option<SecretString>>,
}

/// What an agenda said of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct AgendaTrial {
    pub answers: bool,
    pub doctors: usize,
    /// Those whose times the assistant may offer.
    pub with_scheduling: usize,
    pub insurances: usize,
    pub procedures: usize,
    /// Why it did not answer: `unreachable`, `refused`, `empty` or `unusable`.
    pub problem: Option<String>,
    /// The same in words.
    pub detail: Option<String>,
    /// The status of a refusal.
    pub status: Option<u16>,
}

impl Admin<'_> {
    /// The account's agenda; `None` when it has none.
    pub async fn agenda(&self, account_id: i64) -> Result<Option<AgendaView>, AdminError> {
        Ok(agendas::find(self.db, account_id).await?.map(shown))
    }

    /// Says where the account's agenda is.
    pub async fn set_agenda(
        &self,
        account_id: i64,
        change: &AgendaChange,
        by: Actor<'_>,
    ) -> Result<AgendaView, AdminError> {
        if accounts::find(self.db, account_id).await?.is_none() {
            return Err(AdminError::NotFound);
        }
        let old = agendas::find(self.db, account_id).await?;
        let mut invalid = Invalid::default();
        let address = self.address(&change.base_url, by).await;
        let address = invalid.take("base_url", address);
        let given = change.token.as_ref().map(|token| token.as_ref().map(token_of).transpose());
        let given = given.and_then(|token| invalid.take("token", token));
        invalid.check()?;
        let Some(url) = address else { return Err(AdminError::NotFound) };
        let stays = old.as_ref().filter(|old| old.base_url == bare(&url));
        let token = match (given, stays) {
            (Some(token), _) => token,
            (None, Some(old)) => self.agendas.token(old)?,
            (None, None) => None,
        };
        let set = match is_public_only(by) {
            true => self.agendas.choose(account_id, &url, token.as_ref()).await,
            false => self.agendas.set(account_id, &url, token.as_ref()).await,
        };
        set.map_err(|error| match error {
            AgendaError::Store(error) => AdminError::Store(error),
            AgendaError::NoAccount(_) => AdminError::NotFound,
            AgendaError::Address(_) => AdminError::field("base_url", Reason::UntidyAddress),
            AgendaError::Vault(error) => AdminError::Vault(error),
        })?;
        tracing::info!(account.id = account_id, by = by.name, "agenda set");
        self.agenda(account_id).await?.ok_or(AdminError::NotFound)
    }

    /// The agent offers no times any more.
    pub async fn remove_agenda(&self, account_id: i64, by: &str) -> Result<(), AdminError> {
        if !agendas::remove(self.db, account_id).await? {
            return Err(AdminError::NotFound);
        }
        tracing::info!(account.id = account_id, by, "agenda removed");
        Ok(())
    }

    /// Asks the agenda what it has.
    pub async fn try_agenda(&self, account_id: i64) -> Result<AgendaTrial, AdminError> {
        match self.agendas.check(account_id).await {
            Ok(Some(answered)) => Ok(trial(answered)),
            Ok(None) => Err(AdminError::NotFound),
            // Its token does not open, or its address is not allowed any more.
            Err(StoreError::Inconsistent(why)) => Ok(AgendaTrial {
                problem: Some("unusable".to_owned()),
                detail: Some(why),
                ..AgendaTrial::default()
            }),
            Err(error) => Err(error.into()),
        }
    }
}

fn shown(row: agenda::Model) -> AgendaView {
    AgendaView {
        base_url: row.base_url,
        has_token: row.token.is_some(),
        created_at: row.created_at,
        updated_at: row.updated_at,
    }
}

fn token_of(given: &SecretString) -> Result<SecretString, Reason> {
    let text = given.expose_secret().trim();
    match text.chars().count() {
        0 => Err(Reason::Required),
        length if length > MOST_TOKEN_CHARS => Err(Reason::TooLong(MOST_TOKEN_CHARS)),
        _ => Ok(text.into()),
    }
}

fn trial(answered: Result<Checked, CallError>) -> AgendaTrial {
    let error = match answered {
        Ok(has) => {
            return AgendaTrial {
                answers: true,
                doctors: has.doctors,
                with_scheduling: has.with_scheduling,
                insurances: has.insurances,
                procedures: has.procedures,
                ..AgendaTrial::default()
            };
        }
        Err(error) => error,
    };
    let (problem, status) = match &error {
        CallError::Unreachable { .. } => ("unreachable", None),
        CallError::Refused { status, .. } => ("refused", Some(*status)),
        CallError::Empty => ("empty", None),
        CallError::Unusable(_) => ("unusable", None),
    };
    AgendaTrial {
        problem: Some(problem.to_owned()),
        detail: Some(explain(&error)),
        status,
        ..AgendaTrial::default()
    }
}
