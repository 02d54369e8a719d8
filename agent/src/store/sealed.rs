//! The columns that hold something encrypted, read and replaced when the key is exchanged.

use sea_orm::ConnectionTrait;

use super::error::StoreResult;
use super::rowset::{execute, query};

/// A column whose values are encrypted with the installation's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SealedColumn {
    /// What a line proves itself with.
    InboxCredentials,
    /// What an account's agenda asks for.
    AgendaToken,
    /// What a declared tool is called with.
    ToolHeaders,
    /// What an account's announcements are signed with.
    NotifySecret,
}

/// A value of such a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedRow {
    /// The row's key: for agendas and announcements the account's id.
    pub id: i64,
    pub account_id: i64,
    /// The inbox's key, the tool's name; empty where the row has no name.
    pub name: String,
    /// As it is stored.
    pub sealed: String,
}

impl SealedColumn {
    pub const ALL: [Self; 4] =
        [Self::InboxCredentials, Self::AgendaToken, Self::ToolHeaders, Self::NotifySecret];

    /// Table and column, for people.
    pub fn as_str(self) -> &'static str {
        match self {
            SealedColumn::InboxCredentials => "inboxes.credentials",
            SealedColumn::AgendaToken => "agendas.token",
            SealedColumn::ToolHeaders => "tools.headers",
            SealedColumn::NotifySecret => "accounts.notify_secret",
        }
    }

    fn page_sql(self) -> &'static str {
        match self {
            SealedColumn::InboxCredentials => {
                "SELECT id, account_id, inbox_key AS name, credentials AS sealed FROM inboxes \
                 WHERE id > $1 ORDER BY id LIMIT $2"
            }
            SealedColumn::AgendaToken => {
                "SELECT account_id AS id, account_id, '' AS name, token AS sealed FROM agendas \
                 WHERE account_id > $1 AND token IS NOT NULL ORDER BY account_id LIMIT $2"
            }
            SealedColumn::ToolHeaders => {
                "SELECT id, account_id, name, headers AS sealed FROM tools \
                 WHERE id > $1 ORDER BY id LIMIT $2"
            }
            SealedColumn::NotifySecret => {
                "SELECT id, id AS account_id, '' AS name, notify_secret AS sealed FROM accounts \
                 WHERE id > $1 AND notify_secret IS NOT NULL ORDER BY id LIMIT $2"
            }
        }
    }

    fn replace_sql(self) -> &'static str {
        match self {
            SealedColumn::InboxCredentials => {
                "UPDATE inboxes SET credentials = $1 WHERE id = $2 AND credentials = $3"
            }
            SealedColumn::AgendaToken => {
                "UPDATE agendas SET token = $1 WHERE account_id = $2 AND token = $3"
            }
            SealedColumn::ToolHeaders => {
                "UPDATE tools SET headers = $1 WHERE id = $2 AND headers = $3"
            }
            SealedColumn::NotifySecret => {
                "UPDATE accounts SET notify_secret = $1 WHERE id = $2 AND notify_secret = $3"
            }
        }
    }
}

/// The column's values behind the row `after`, in the order of their keys; at most `limit`.
pub async fn page(
    db: &impl ConnectionTrait,
    column: SealedColumn,
    after: i64,
    limit: i64,
) -> StoreResult<Vec<SealedRow>> {
    let rows = query(db, column.page_sql().to_owned(), vec![after.into(), limit.into()]).await?;
    let read = rows.iter().map(|row| {
        Ok(SealedRow {
            id: row.try_get("", "id")?,
            account_id: row.try_get("", "account_id")?,
            name: row.try_get("", "name")?,
            sealed: row.try_get("", "sealed")?,
        })
    });
    read.collect()
}

/// Puts `anew` in the place of what was read; false when somebody has written there meanwhile.
pub async fn replace(
    db: &impl ConnectionTrait,
    column: SealedColumn,
    read: &SealedRow,
    anew: String,
) -> StoreResult<bool> {
    let values = vec![anew.into(), read.id.into(), read.sealed.clone().into()];
    Ok(execute(db, column.replace_sql().to_owned(), values).await? > 0)
}
