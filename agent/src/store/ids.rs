//! Keys given out before the rows are written, so that a batch of related rows needs no reading
//! back: the second of the places where the two databases differ.

use sea_orm::{ConnectionTrait, DbBackend};

use super::error::StoreResult;
use super::rowset::query;

/// Tables whose keys are given out ahead.
#[derive(Debug, Clone, Copy)]
pub enum Table {
    Contacts,
    Conversations,
}

impl Table {
    fn name(self) -> &'static str {
        match self {
            Table::Contacts => "contacts",
            Table::Conversations => "conversations",
        }
    }
}

/// `count` keys of `table` that nobody else gets. On SQLite the caller holds the write lock, so
/// the numbers after the last one given out are its own.
pub async fn allocate(
    tx: &impl ConnectionTrait,
    table: Table,
    count: usize,
) -> StoreResult<Vec<i64>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let name = table.name();
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    if tx.get_database_backend() == DbBackend::Postgres {
        let sql = format!("SELECT nextval('{name}_id_seq') AS id FROM generate_series(1, $1)");
        let rows = query(tx, sql, vec![count.into()]).await?;
        return rows.iter().map(|row| Ok(row.try_get("", "id")?)).collect();
    }
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = $1".to_owned();
    let rows = query(tx, sql, vec![name.into()]).await?;
    let last: i64 = match rows.first() {
        Some(row) => row.try_get("", "seq")?,
        None => 0,
    };
    Ok((last + 1..=last + count).collect())
}
