//! Exchanging the key that encrypts credentials: everything that an older key encrypted is encrypted
//! anew, while processes run. A value is replaced only if it is still the one that was read, so that
//! nothing that somebody writes meanwhile is lost; what is done already is left alone.

use sea_orm::ConnectionTrait;

use super::agenda;
use super::handoff::notify;
use super::tools::http as tools;
use crate::config::{Vault, VaultError};
use crate::store::sealed::{self, SealedColumn, SealedRow};
use crate::store::{StoreError, StoreResult};

/// Values that are read at once.
const PAGE: i64 = 200;
/// How often what was written meanwhile is looked at again.
const MOST_PASSES: usize = 5;

/// What a column holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    pub column: SealedColumn,
    /// Values that the key opens.
    pub current: usize,
    /// Values that an older key opens.
    pub older: usize,
    /// Values that were encrypted anew.
    pub renewed: usize,
    /// Keys of the rows whose value no key opens.
    pub unreadable: Vec<i64>,
}

impl Standing {
    fn of(column: SealedColumn) -> Self {
        Self { column, current: 0, older: 0, renewed: 0, unreadable: Vec::new() }
    }

    /// The key alone opens everything.
    pub fn is_settled(&self) -> bool {
        self.older == 0 && self.unreadable.is_empty()
    }
}

/// Why the key could not be exchanged.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Vault(#[from] VaultError),
}

/// What each column holds; changes nothing.
pub async fn standing(db: &impl ConnectionTrait, vault: &Vault) -> StoreResult<Vec<Standing>> {
    let mut found = Vec::new();
    for column in SealedColumn::ALL {
        let mut standing = Standing::of(column);
        let mut after = 0;
        while let Some(rows) = next(db, column, &mut after).await? {
            for row in rows {
                let context = context(column, &row);
                match vault.decrypt(&row.sealed, &context) {
                    Ok(_) if vault.is_current(&row.sealed, &context) => standing.current += 1,
                    Ok(_) => standing.older += 1,
                    Err(_) => standing.unreadable.push(row.id),
                }
            }
        }
        found.push(standing);
    }
    Ok(found)
}

/// Encrypts anew what only an older key opens. Done again it changes nothing; broken off, the next
/// one goes on.
pub async fn rotate(db: &impl ConnectionTrait, vault: &Vault) -> Result<Vec<Standing>, KeyError> {
    let mut found = Vec::new();
    for column in SealedColumn::ALL {
        let mut all = Standing::of(column);
        for _ in 0..MOST_PASSES {
            let standing = pass(db, vault, column).await?;
            all = Standing { renewed: all.renewed + standing.renewed, ..standing };
            if all.older == 0 {
                break;
            }
        }
        found.push(all);
    }
    Ok(found)
}

/// Walks once through a column. `older` are those that somebody else wrote to meanwhile.
async fn pass(
    db: &impl ConnectionTrait,
    vault: &Vault,
    column: SealedColumn,
) -> Result<Standing, KeyError> {
    let mut standing = Standing::of(column);
    let mut after = 0;
    while let Some(rows) = next(db, column, &mut after).await? {
        for row in rows {
            let context = context(column, &row);
            if vault.is_current(&row.sealed, &context) {
                standing.current += 1;
                continue;
            }
            let Ok(plain) = vault.decrypt(&row.sealed, &context) else {
                standing.unreadable.push(row.id);
                continue;
            };
            let anew = vault.encrypt(&plain, &context)?;
            if sealed::replace(db, column, &row, anew).await? {
                standing.current += 1;
                standing.renewed += 1;
            } else {
                standing.older += 1;
            }
        }
    }
    Ok(standing)
}

/// The next values of a column; `None` at its end.
async fn next(
    db: &impl ConnectionTrait,
    column: SealedColumn,
    after: &mut i64,
) -> StoreResult<Option<Vec<SealedRow>>> {
    let rows = sealed::page(db, column, *after, PAGE).await?;
    let Some(last) = rows.last() else {
        return Ok(None);
    };
    *after = last.id;
    Ok(Some(rows))
}

/// What a value is bound to: it opens in its own row only.
fn context(column: SealedColumn, row: &SealedRow) -> String {
    match column {
        SealedColumn::InboxCredentials => row.name.clone(),
        SealedColumn::AgendaToken => agenda::context(row.account_id),
        SealedColumn::ToolHeaders => tools::context(row.account_id, &row.name),
        SealedColumn::NotifySecret => notify::context(row.account_id),
    }
}
