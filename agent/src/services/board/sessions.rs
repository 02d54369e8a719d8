//! Browsers in which operators are signed in, and their own password.

use chrono::{DateTime, Utc};
use lembra_entities::{operator, operator_session};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::admin::{Actor, Admin, AdminError};
use super::operators::within_reach;
use crate::domain::fields::{Invalid, Reason};
use crate::services::operators;
use crate::store::board::operators as rows;
use crate::store::operator_sessions;

/// Shortest password that a person chooses, in characters.
pub const LEAST_PASSWORD_CHARS: usize = 10;
const MOST_PASSWORD_CHARS: usize = 200;

/// A browser.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SessionView {
    pub id: i64,
    /// What the browser calls itself.
    pub device: String,
    /// Where it signed in from.
    pub address: String,
    /// Whether it is the one that asks.
    pub is_current: bool,
    pub created_at: DateTime<Utc>,
    /// To the minute.
    pub last_seen_at: DateTime<Utc>,
}

/// A change of one's own password.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordChange {
    #[serde(default)]
    #[schema(value_type = String)]
    pub old_password: SecretString,
    /// At least 10 characters.
    #[serde(default)]
    #[schema(value_type = String)]
    pub new_password: SecretString,
}

impl Admin<'_> {
    /// The browsers of an operator, the last used first.
    pub async fn sessions(
        &self,
        account_id: i64,
        operator_id: i64,
        by: Actor<'_>,
    ) -> Result<Vec<SessionView>, AdminError> {
        self.operator_row(account_id, operator_id).await?;
        let rows = operator_sessions::list(self.db, operator_id, self.clock.now()).await?;
        Ok(rows.into_iter().map(|row| shown(row, by)).collect())
    }

    /// Signs a browser out.
    pub async fn end_session(
        &self,
        account_id: i64,
        operator_id: i64,
        id: i64,
        by: Actor<'_>,
    ) -> Result<(), AdminError> {
        within_reach(&self.operator_row(account_id, operator_id).await?, by)?;
        if !operator_sessions::end(self.db, operator_id, id, self.clock.now()).await? {
            return Err(AdminError::NotFound);
        }
        tracing::info!(operator.id = operator_id, session.id = id, by = by.name, "session ended");
        Ok(())
    }

    /// Signs all browsers of an operator out, but the one that asks; answers how many.
    pub async fn end_sessions(
        &self,
        account_id: i64,
        operator_id: i64,
        by: Actor<'_>,
    ) -> Result<u64, AdminError> {
        within_reach(&self.operator_row(account_id, operator_id).await?, by)?;
        let now = self.clock.now();
        let ended = operator_sessions::end_all(self.db, operator_id, by.session_id, now).await?;
        tracing::info!(operator.id = operator_id, ended, by = by.name, "sessions ended");
        Ok(ended)
    }

    /// Changes one's own password; the other browsers are signed out.
    pub async fn change_password(
        &self,
        account_id: i64,
        operator_id: i64,
        session_id: Option<i64>,
        change: &PasswordChange,
    ) -> Result<(), AdminError> {
        let row = self.operator_row(account_id, operator_id).await?;
        let mut invalid = Invalid::default();
        invalid.take("new_password", fits(change, &row));
        // Not verified for one that would be refused anyway.
        invalid.check()?;
        if !operators::is_password(&row, change.old_password.clone()).await? {
            return Err(AdminError::field("old_password", Reason::Wrong));
        }
        let new = change.new_password.clone();
        operators::set_password(self.db, self.clock, operator_id, new, session_id).await?;
        tracing::info!(operator.id = operator_id, "password changed");
        Ok(())
    }

    async fn operator_row(
        &self,
        account_id: i64,
        operator_id: i64,
    ) -> Result<operator::Model, AdminError> {
        rows::find(self.db, account_id, operator_id).await?.ok_or(AdminError::NotFound)
    }
}

fn shown(row: operator_session::Model, by: Actor<'_>) -> SessionView {
    SessionView {
        id: row.id,
        device: row.device,
        address: row.address,
        is_current: by.session_id == Some(row.id),
        created_at: row.created_at,
        last_seen_at: row.last_seen_at,
    }
}

fn fits(change: &PasswordChange, row: &operator::Model) -> Result<(), Reason> {
    let new = change.new_password.expose_secret();
    let same = new == change.old_password.expose_secret() || new.eq_ignore_ascii_case(&row.email);
    match new.chars().count() {
        0 => Err(Reason::Required),
        length if length < LEAST_PASSWORD_CHARS => Err(Reason::TooShort(LEAST_PASSWORD_CHARS)),
        length if length > MOST_PASSWORD_CHARS => Err(Reason::TooLong(MOST_PASSWORD_CHARS)),
        _ if same => Err(Reason::Same),
        _ => Ok(()),
    }
}
