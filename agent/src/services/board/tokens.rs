//! Keys to the API of an account.

use chrono::{DateTime, Utc};
use lembra_entities::api_token;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::admin::{Actor, Admin, AdminError};
use crate::domain::access::{Permission, Permissions, Role};
use crate::domain::fields::{self, Invalid, Reason};
use crate::services::tokens;
use crate::store::api_tokens;

const MOST_NAME_CHARS: usize = 80;

/// A token; what it is itself is shown once, when it is made.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TokenView {
    pub id: i64,
    /// Who or what it is for.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<String>,
    /// To the minute.
    pub last_used_at: Option<DateTime<Utc>>,
    pub revoked_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

/// A token to be made.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TokenDraft {
    pub name: String,
    /// Names of permissions, such as `contacts:read`; at most what one may do oneself.
    pub scopes: Vec<String>,
}

impl Admin<'_> {
    /// The account's tokens, the newest first, revoked ones too.
    pub async fn tokens(&self, account_id: i64) -> Result<Vec<TokenView>, AdminError> {
        let rows = api_tokens::list(self.db, account_id).await?;
        Ok(rows.into_iter().rev().map(shown).collect())
    }

    /// Makes a token, and answers it.
    pub async fn add_token(
        &self,
        account_id: i64,
        draft: &TokenDraft,
        by: Actor<'_>,
    ) -> Result<(TokenView, SecretString), AdminError> {
        let mut invalid = Invalid::default();
        let name = invalid.take("name", fields::line(&draft.name, MOST_NAME_CHARS));
        let scopes = invalid.take("scopes", scopes(&draft.scopes, by.may));
        invalid.check()?;
        let (name, scopes) = (name.unwrap_or_default(), scopes.unwrap_or_default());
        let (row, token) = tokens::add(self.db, self.clock, account_id, &name, scopes).await?;
        tracing::info!(account.id = account_id, token.id = row.id, by = by.name, "token made");
        Ok((shown(row), token))
    }

    /// Ends a token.
    pub async fn revoke_token(
        &self,
        account_id: i64,
        id: i64,
        by: Actor<'_>,
    ) -> Result<(), AdminError> {
        let now = self.clock.now();
        if !api_tokens::revoke(self.db, Some(account_id), id, now).await? {
            return Err(AdminError::NotFound);
        }
        tracing::info!(account.id = account_id, token.id = id, by = by.name, "token revoked");
        Ok(())
    }
}

/// What tokens can be given, as far as `may` reaches.
pub fn grantable(may: Permissions) -> impl Iterator<Item = Permission> {
    let all = Role::Admin.permissions().with(Permission::InstanceRun);
    all.iter().filter(move |permission| may.holds(*permission))
}

fn scopes(names: &[String], may: Permissions) -> Result<Permissions, Reason> {
    let known = || Permission::ALL.map(Permission::as_str).join(", ");
    let set = names.iter().map(|name| name.trim()).try_fold(Permissions::NONE, |set, name| {
        let permission = Permission::parse(name).ok_or_else(|| Reason::NotOneOf(known()))?;
        Ok(set.with(permission))
    })?;
    match set {
        Permissions::NONE => Err(Reason::Required),
        set if !may.covers(set) => Err(Reason::BeyondYou),
        set => Ok(set),
    }
}

fn shown(row: api_token::Model) -> TokenView {
    TokenView {
        id: row.id,
        name: row.name,
        scopes: row.scopes.split_whitespace().map(str::to_owned).collect(),
        last_used_at: row.last_used_at,
        revoked_at: row.revoked_at,
        created_at: row.created_at,
    }
}
