//! What can go wrong between us and the database.

use sea_orm::{DbErr, RuntimeErr, SqlErr};

/// An error of the database, told apart by what the caller does about it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be reached, or gave up under load: the same request may succeed later.
    #[error("database unavailable: {0}")]
    Unavailable(String),
    /// A uniqueness rule said that somebody else was first: reading again tells the new state.
    #[error("overtaken by another writer")]
    Conflict,
    /// The job's lease was lost: whatever it wanted to write must not be written.
    #[error("the job's lease was lost")]
    LeaseLost,
    /// The values themselves were refused: writing them again would be refused again.
    #[error("refused: {0}")]
    Refused(String),
    /// A row does not say what rows of its table say.
    #[error("inconsistent row: {0}")]
    Inconsistent(String),
    #[error("database: {0}")]
    Database(#[source] DbErr),
}

impl StoreError {
    /// Whether the database itself is out of reach.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, StoreError::Unavailable(_))
    }
}

/// SQLSTATE classes that pass by themselves: connection trouble, operator intervention, resources.
const PASSING_CLASSES: [&str; 3] = ["08", "57", "53"];
/// SQLSTATE classes that say something of the values: data exceptions, limits of the program.
const CONTENT_CLASSES: [&str; 2] = ["22", "54"];
/// Serialization failure and deadlock: the transaction may be tried again as it is.
const TRY_AGAIN: [&str; 2] = ["40001", "40P01"];

impl From<DbErr> for StoreError {
    fn from(error: DbErr) -> Self {
        if let Some(SqlErr::UniqueConstraintViolation(_)) = error.sql_err() {
            return StoreError::Conflict;
        }
        let runtime = match &error {
            DbErr::Conn(runtime) | DbErr::Exec(runtime) | DbErr::Query(runtime) => runtime,
            DbErr::ConnectionAcquire(_) => return StoreError::Unavailable(error.to_string()),
            _ => return StoreError::Database(error),
        };
        let RuntimeErr::SqlxError(sqlx_error) = runtime else {
            return StoreError::Database(error);
        };
        match sqlx_error.as_ref() {
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed => StoreError::Unavailable(error.to_string()),
            sqlx::Error::Database(reported) => {
                let code = reported.code().unwrap_or_default().into_owned();
                by_code(&code, error)
            }
            _ => StoreError::Database(error),
        }
    }
}

/// PostgreSQL's codes have five characters; SQLite's are numbers whose low byte is the kind.
fn by_code(code: &str, error: DbErr) -> StoreError {
    let class = code.get(..2).unwrap_or_default();
    if code.len() == 5 {
        return match code {
            _ if TRY_AGAIN.contains(&code) => StoreError::Conflict,
            _ if PASSING_CLASSES.contains(&class) => StoreError::Unavailable(error.to_string()),
            _ if CONTENT_CLASSES.contains(&class) => StoreError::Refused(error.to_string()),
            _ => StoreError::Database(error),
        };
    }
    match code.parse::<u32>().map(|code| code & 0xff) {
        // Busy and locked.
        Ok(5 | 6) => StoreError::Unavailable(error.to_string()),
        // Too big.
        Ok(18) => StoreError::Refused(error.to_string()),
        _ => StoreError::Database(error),
    }
}

pub type StoreResult<T> = Result<T, StoreError>;
