//! Operators' passwords.

use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Argon2, PasswordHash};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use lembra_entities::operator;
use sea_orm::DatabaseConnection;
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::OnceCell;

use crate::clock::SharedClock;
use crate::store::operators::NewOperator;
use crate::store::{StoreError, operator_sessions, operators};

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
    new: NewOperator,
) -> Result<(operator::Model, SecretString), OperatorError> {
    let password = random_password()?;
    let hashed = hash(password.clone()).await?;
    let row = operators::add(db, new, hashed, clock.now()).await?;
    Ok((row, password))
}

/// Gives an operator a new random password, and answers it.
pub async fn reset_password(
    db: &DatabaseConnection,
    clock: &SharedClock,
    email: &str,
) -> Result<SecretString, OperatorError> {
    let row = operators::by_email(db, email).await?.ok_or(OperatorError::Unknown)?;
    let password = random_password()?;
    set_password(db, clock, row.id, password.clone(), None).await?;
    Ok(password)
}

/// Gives an operator this password. Their sessions end, but the one that is `kept`.
pub async fn set_password(
    db: &DatabaseConnection,
    clock: &SharedClock,
    id: i64,
    password: SecretString,
    kept: Option<i64>,
) -> Result<(), OperatorError> {
    let hashed = hash(password).await?;
    let now = clock.now();
    operators::set_password(db, id, hashed, now).await?;
    // Whoever sat in a browser with the old one has to know the new one.
    operator_sessions::end_all(db, id, kept, now).await?;
    Ok(())
}

/// Whether it is the operator's password.
pub async fn is_password(
    operator: &operator::Model,
    password: SecretString,
) -> Result<bool, OperatorError> {
    verify(operator.password_hash.clone(), password).await
}

async fn verify(stored: String, password: SecretString) -> Result<bool, OperatorError> {
    let matches = tokio::task::spawn_blocking(move || {
        let Ok(parsed) = PasswordHash::new(&stored) else {
            return false;
        };
        Argon2::default().verify_password(password.expose_secret().as_bytes(), &parsed).is_ok()
    });
    matches.await.map_err(|_| OperatorError::Hash)
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
    let row = row.filter(|row| row.disabled_at.is_none());
    let (id, stored) = match row {
        Some(row) => (Some(row.id), row.password_hash),
        None => (None, nobodys_hash().await?),
    };
    let matches = verify(stored, password).await?;
    Ok(id.filter(|_| matches))
}
