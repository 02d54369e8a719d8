//! Keys to the API. A token is shown once; what is kept is its hash.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use lembra_entities::api_token;
use sea_orm::DatabaseConnection;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

use crate::clock::SharedClock;
use crate::domain::access::{Permission, Permissions, Role};
use crate::store::{StoreError, StoreResult, api_tokens};

/// What tokens begin with, so that people and scanners know one when they see it.
const PREFIX: &str = "lembra_";

/// A token is 256 random bits, so a plain hash keeps it: there is nothing to guess.
pub(crate) fn hash(token: &str) -> String {
    hex::encode(Sha256::digest(token.as_bytes()))
}

/// 256 random bits, as text that an address or a header carries.
pub(crate) fn random() -> StoreResult<SecretString> {
    let bytes = crate::config::random_bytes::<32>()
        .map_err(|_| StoreError::Inconsistent("no randomness from the system".to_owned()))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes).into())
}

/// What a token is good for when nobody says: all of one account but its operators.
pub fn usual_scopes() -> Permissions {
    let usual = |permission: &Permission| *permission != Permission::OperatorsWrite;
    Role::Admin.permissions().iter().filter(usual).fold(Permissions::NONE, Permissions::with)
}

/// Makes a token for an account, and answers it; it is kept nowhere.
pub async fn add(
    db: &DatabaseConnection,
    clock: &SharedClock,
    account_id: i64,
    name: &str,
    scopes: Permissions,
) -> StoreResult<(api_token::Model, SecretString)> {
    let token = format!("{PREFIX}{}", random()?.expose_secret());
    let (hash, scopes) = (hash(&token), scopes.to_string());
    let row = api_tokens::add(db, account_id, name, hash, scopes, clock.now()).await?;
    Ok((row, token.into()))
}

/// What the holder of a token may do. Names of another version of the program count for nothing.
pub fn permissions_of(token: &api_token::Model) -> Permissions {
    let known = token.scopes.split_whitespace().filter_map(Permission::parse);
    known.fold(Permissions::NONE, Permissions::with)
}

/// Whose token it is; `None` when it is nobody's, or was revoked.
pub async fn authenticate(
    db: &DatabaseConnection,
    clock: &SharedClock,
    token: &str,
) -> StoreResult<Option<api_token::Model>> {
    if !token.starts_with(PREFIX) {
        return Ok(None);
    }
    // Found by its hash: how long the search takes says nothing of the token.
    let row = api_tokens::by_hash(db, &hash(token)).await?;
    if let Some(row) = &row {
        api_tokens::used(db, row.id, clock.now()).await?;
    }
    Ok(row)
}
