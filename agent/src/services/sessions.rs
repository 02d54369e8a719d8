//! Signed-in browsers: a session lives in the database, so it can be seen and ended; the browser
//! holds its token, and what is kept is the token's hash.

use lembra_entities::{operator, operator_session};
use sea_orm::DatabaseConnection;
use secrecy::{ExposeSecret, SecretString};

use super::tokens;
use crate::clock::SharedClock;
use crate::domain::access::{Permission, Permissions, Role};
use crate::store::{StoreResult, operator_sessions};

/// Longest description of a browser that is kept, in characters.
const MOST_DEVICE_CHARS: usize = 200;

/// An operator in one of their browsers.
#[derive(Debug, Clone)]
pub struct SignedIn {
    pub session: operator_session::Model,
    pub operator: operator::Model,
}

impl SignedIn {
    /// What the operator may do. A role of another version of the program may nothing.
    pub fn permissions(&self) -> Permissions {
        permissions_of(&self.operator)
    }
}

/// What an operator may do by role and by what was given to them.
pub fn permissions_of(operator: &operator::Model) -> Permissions {
    let role = Role::parse(&operator.role).map(Role::permissions).unwrap_or_default();
    if operator.runs_instance { role.with(Permission::InstanceRun) } else { role }
}

/// Opens a session and answers its token, which is kept nowhere. `device` and `address` are shown
/// to the operator and to admins.
pub async fn open(
    db: &DatabaseConnection,
    clock: &SharedClock,
    operator_id: i64,
    device: &str,
    address: String,
) -> StoreResult<SecretString> {
    let token = tokens::random()?;
    let device = device.chars().take(MOST_DEVICE_CHARS).collect();
    let hash = tokens::hash(token.expose_secret());
    operator_sessions::add(db, operator_id, hash, device, address, clock.now()).await?;
    Ok(token)
}

/// Who holds this token; `None` when the session ended, or its operator may not sign in any more.
pub async fn find(
    db: &DatabaseConnection,
    clock: &SharedClock,
    token: &str,
) -> StoreResult<Option<SignedIn>> {
    let now = clock.now();
    let found = operator_sessions::find(db, &tokens::hash(token), now).await?;
    let Some((session, operator)) = found else {
        return Ok(None);
    };
    operator_sessions::seen(db, session.id, now).await?;
    Ok(Some(SignedIn { session, operator }))
}
