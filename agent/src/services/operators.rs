//! Operators' passwords.

use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Argon2, PasswordHash};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sea_orm::DatabaseConnection;
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::OnceCell;

use crate::clock::SharedClock;
use crate::store::{StoreError, operators};

/// Why an operator could not be written.
#[derive(Debug, thiserror::Error)]
pub enum OperatorError {
    #[error("the password cannot be hashed")]
    Hash,
    #[error("no operator has this e-mail")]
    Unknown,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Hashing takes tens of milliseconds by design, so it never runs on a thread that serves.
async fn hash(password: SecretString) -> Result<String, OperatorError> {
    let hashed = tokio::task::spawn_blocking(move || {
        let bytes = password.expose_secret().as_bytes();
        Argon2::default().hash_password(bytes).map(|hash| hash.to_string())
    });
    hashed.await.map_err(|_| OperatorError::Hash)?.map_err(|_| OperatorError::Hash)
}

/// A password of 128 random bits.
pub fn random_password() -> Result<SecretString, OperatorError> {
    let bytes = crate::config::random_bytes::<16>().map_err(|_| OperatorError::Hash)?;
    Ok(SecretString::from(URL_SAFE_NO_PAD.encode(bytes)))
}

/// Makes an operator with a random password, and answers it; it is kept nowhere.
pub async fn add(
    db: &DatabaseConnection,
    clock: &SharedClock,
    account_id: i64,
    email: &str,
) -> Result<SecretString, OperatorError> {
    let password = random_password()?;
    let hashed = hash(password.clone()).await?;
    operators::add(db, account_id, email, hashed, clock.now()).await?;
    Ok(password)
}

/// Gives an operator a new random password, and answers it.
pub async fn reset_password(
    db: &DatabaseConnection,
    clock: &SharedClock,
    email: &str,
) -> Result<SecretString, OperatorError> {
    let row = operators::by_email(db, email).await?.ok_or(OperatorError::Unknown)?;
    let password = random_password()?;
    let hashed = hash(password.clone()).await?;
    operators::set_password(db, row.id, hashed, clock.now()).await?;
    Ok(password)
}

/// A hash that no password fits, made once: an unknown e-mail costs one verification like a known
/// one.
async fn nobodys_hash() -> Result<String, OperatorError> {
    static HASH: OnceCell<String> = OnceCell::const_new();
    let made = HASH.get_or_try_init(|| async { hash(random_password()?).await }).await?;
    Ok(made.clone())
}

/// The operator's id when e-mail and password belong together. An unknown e-mail takes as long
/// as a wrong password.
pub async fn sign_in(
    db: &DatabaseConnection,
    email: &str,
    password: SecretString,
) -> Result<Option<i64>, OperatorError> {
    let row = operators::by_email(db, email).await?;
    let (id, stored) = match row {
        Some(row) => (Some(row.id), row.password_hash),
        None => (None, nobodys_hash().await?),
    };
    let matches = tokio::task::spawn_blocking(move || {
        let Ok(parsed) = PasswordHash::new(&stored) else {
            return false;
        };
        Argon2::default().verify_password(password.expose_secret().as_bytes(), &parsed).is_ok()
    });
    let matches = matches.await.map_err(|_| OperatorError::Hash)?;
    Ok(id.filter(|_| matches))
}
