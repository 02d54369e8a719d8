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

/// Keys fetched at a time from PostgreSQL; what is not used now is used later.
const BLOCK: usize = 128;

/// Keys at hand. A writer keeps one between transactions; keys that it never uses are gaps.
#[derive(Default)]
pub struct Ids {
    contacts: Vec<i64>,
    conversations: Vec<i64>,
}

impl Ids {
    /// `count` keys of `table` that nobody else gets. On SQLite the caller holds the write lock,
    /// so the numbers after the last one given out are its own, and none is kept.
    pub async fn take(
        &mut self,
        tx: &impl ConnectionTrait,
        table: Table,
        count: usize,
    ) -> StoreResult<Vec<i64>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        if tx.get_database_backend() != DbBackend::Postgres {
            return next_numbers(tx, table, count).await;
        }
        let kept = match table {
            Table::Contacts => &mut self.contacts,
            Table::Conversations => &mut self.conversations,
        };
        if kept.len() < count {
            let name = table.name();
            let sql = format!("SELECT nextval('{name}_id_seq') AS id FROM generate_series(1, $1)");
            let block = i64::try_from(BLOCK.max(count)).unwrap_or(i64::MAX);
            for row in query(tx, sql, vec![block.into()]).await?.iter().rev() {
                kept.insert(0, row.try_get("", "id")?);
            }
        }
        Ok(kept.split_off(kept.len() - count).into_iter().rev().collect())
    }
}

async fn next_numbers(
    tx: &impl ConnectionTrait,
    table: Table,
    count: usize,
) -> StoreResult<Vec<i64>> {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = $1".to_owned();
    let rows = query(tx, sql, vec![table.name().into()]).await?;
    let last: i64 = match rows.first() {
        Some(row) => row.try_get("", "seq")?,
        None => 0,
    };
    Ok((last + 1..=last + i64::try_from(count).unwrap_or(i64::MAX)).collect())
}
