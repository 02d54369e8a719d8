//! The people who work in the browser: who they are and what they may. Nobody gives or takes more
//! than they have, and an account always keeps an administrator.

use chrono::{DateTime, Utc};
use lembra_entities::operator;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::admin::{Actor, Admin, AdminError};
use crate::domain::access::{Permission, Permissions, Role};
use crate::domain::fields::{self, Invalid, Reason};
use crate::services::operators;
use crate::services::sessions::permissions_of;
use crate::store::board::operators as rows;
use crate::store::operators::NewOperator;
use crate::store::{db, operator_sessions};

const MOST_NAME_CHARS: usize = 80;

/// An operator.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OperatorView {
    pub id: i64,
    pub email: String,
    /// What colleagues call them; may be empty.
    pub name: String,
    /// `admin`, `agent` or `viewer`.
    pub role: String,
    /// May do what concerns every account.
    pub runs_instance: bool,
    /// Since when they may not sign in.
    pub disabled_at: Option<DateTime<Utc>>,
    /// In how many browsers they are signed in.
    pub sessions: i64,
    /// When one of those was last seen.
    pub last_seen_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

/// Somebody to be added.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OperatorDraft {
    pub email: String,
    pub name: String,
    /// `admin`, `agent` or `viewer`.
    pub role: String,
    /// Only who runs the installation may say yes.
    pub runs_instance: bool,
}

/// What is to be changed of an operator; what is left out stays.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OperatorChange {
    pub name: Option<String>,
    pub email: Option<String>,
    pub role: Option<String>,
    pub runs_instance: Option<bool>,
    /// True: they may not sign in any more.
    pub disabled: Option<bool>,
}

impl Admin<'_> {
    /// The account's operators by e-mail.
    pub async fn operators(&self, account_id: i64) -> Result<Vec<OperatorView>, AdminError> {
        self.operator_views(rows::list(self.db, account_id).await?).await
    }

    /// One operator.
    pub async fn operator(&self, account_id: i64, id: i64) -> Result<OperatorView, AdminError> {
        let row = rows::find(self.db, account_id, id).await?.ok_or(AdminError::NotFound)?;
        self.operator_views(vec![row]).await?.pop().ok_or(AdminError::NotFound)
    }

    /// Adds an operator, and answers a password that is shown once.
    pub async fn add_operator(
        &self,
        account_id: i64,
        draft: &OperatorDraft,
        by: Actor<'_>,
    ) -> Result<(OperatorView, SecretString), AdminError> {
        let mut invalid = Invalid::default();
        let email = invalid.take("email", fields::email(&draft.email));
        let name = invalid.take("name", name(&draft.name));
        let role = invalid.take("role", role(&draft.role, by.may));
        if draft.runs_instance && !by.may.holds(Permission::InstanceRun) {
            invalid.note("runs_instance", Reason::BeyondYou);
        }
        invalid.check()?;
        let new = NewOperator {
            account_id,
            email: email.unwrap_or_default(),
            name: name.unwrap_or_default(),
            role: role.unwrap_or(Role::Viewer),
            runs_instance: draft.runs_instance,
        };
        let added = operators::add(self.db, self.clock, new).await.map_err(AdminError::from);
        let (row, password) = added.map_err(|error| match error {
            AdminError::Store(error) => AdminError::unique("email")(error),
            other => other,
        })?;
        tracing::info!(
            account.id = account_id,
            operator.id = row.id,
            by = by.name,
            "operator added"
        );
        Ok((self.operator(account_id, row.id).await?, password))
    }

    /// Changes an operator. With another role, or disabled, their other sessions end.
    pub async fn change_operator(
        &self,
        account_id: i64,
        id: i64,
        change: &OperatorChange,
        by: Actor<'_>,
    ) -> Result<OperatorView, AdminError> {
        let now = self.clock.now();
        let tx = db::begin(self.db).await?;
        rows::take_turn(&tx, account_id).await?;
        let old = rows::find(&tx, account_id, id).await?.ok_or(AdminError::NotFound)?;
        within_reach(&old, by)?;
        let mut invalid = Invalid::default();
        let mut new = old.clone();
        if let Some(read) = change.name.as_deref().and_then(|text| invalid.take("name", name(text)))
        {
            new.name = read;
        }
        let email = change.email.as_deref().map(fields::email);
        if let Some(read) = email.and_then(|email| invalid.take("email", email)) {
            new.email = read;
        }
        let wanted = change.role.as_deref().filter(|wanted| *wanted != old.role);
        if let Some(read) = wanted.and_then(|text| invalid.take("role", role(text, by.may))) {
            new.role = read.as_str().to_owned();
        }
        if let Some(runs) = change.runs_instance.filter(|runs| *runs != old.runs_instance) {
            new.runs_instance = runs;
            if !by.may.holds(Permission::InstanceRun) {
                invalid.note("runs_instance", Reason::BeyondYou);
            }
        }
        match change.disabled {
            Some(true) => new.disabled_at = old.disabled_at.or(Some(now)),
            Some(false) => new.disabled_at = None,
            None => {}
        }
        invalid.check()?;
        rows::rewrite(&tx, &new, now).await.map_err(AdminError::unique("email"))?;
        if !rows::has_admin(&tx, account_id).await? {
            let field = if new.disabled_at.is_some() { "disabled" } else { "role" };
            return Err(AdminError::field(field, Reason::LastAdmin));
        }
        let may_other = new.role != old.role || new.runs_instance != old.runs_instance;
        if new.disabled_at.is_some() {
            operator_sessions::end_all(&tx, id, None, now).await?;
        } else if may_other {
            let own = by.session_id.filter(|_| by.operator_id == Some(id));
            operator_sessions::end_all(&tx, id, own, now).await?;
        }
        tx.commit().await?;
        tracing::info!(account.id = account_id, operator.id = id, by = by.name, "operator changed");
        self.operator(account_id, id).await
    }

    /// Gives an operator a new password, shown once, and ends their sessions.
    pub async fn reset_password(
        &self,
        account_id: i64,
        id: i64,
        by: Actor<'_>,
    ) -> Result<SecretString, AdminError> {
        let row = rows::find(self.db, account_id, id).await?.ok_or(AdminError::NotFound)?;
        within_reach(&row, by)?;
        let password = operators::random_password()?;
        let own = by.session_id.filter(|_| by.operator_id == Some(id));
        operators::set_password(self.db, self.clock, id, password.clone(), own).await?;
        tracing::info!(account.id = account_id, operator.id = id, by = by.name, "password reset");
        Ok(password)
    }

    async fn operator_views(
        &self,
        rows: Vec<operator::Model>,
    ) -> Result<Vec<OperatorView>, AdminError> {
        let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
        let presence = rows::presence(self.db, &ids, self.clock.now()).await?;
        let view = |row: operator::Model| {
            let present = presence.get(&row.id);
            OperatorView {
                id: row.id,
                email: row.email,
                name: row.name,
                role: row.role,
                runs_instance: row.runs_instance,
                disabled_at: row.disabled_at,
                sessions: present.map_or(0, |(sessions, _)| *sessions),
                last_seen_at: present.map(|(_, seen)| *seen),
                created_at: row.created_at,
            }
        };
        Ok(rows.into_iter().map(view).collect())
    }
}

/// Whoever could change one who may do more could become them.
pub(super) fn within_reach(row: &operator::Model, by: Actor<'_>) -> Result<(), AdminError> {
    let own = by.operator_id == Some(row.id);
    if own || by.may.covers(permissions_of(row)) { Ok(()) } else { Err(AdminError::BeyondYou) }
}

fn name(text: &str) -> Result<String, Reason> {
    match fields::line(text, MOST_NAME_CHARS) {
        Err(Reason::Required) => Ok(String::new()),
        read => read,
    }
}

fn role(name: &str, may: Permissions) -> Result<Role, Reason> {
    let known = || Role::ALL.map(Role::as_str).join(", ");
    let role = Role::parse(name).ok_or_else(|| Reason::NotOneOf(known()))?;
    if may.covers(role.permissions()) { Ok(role) } else { Err(Reason::BeyondYou) }
}
