//! The column `embedding` of a row, read and written; its form is each database's own.

use sea_orm::ConnectionTrait;

use super::{postgres, sqlite};
use crate::store::db::is_postgres;
use crate::store::error::{StoreError, StoreResult};
use crate::store::rowset::{execute, query};

/// A table with embeddings.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    pub name: &'static str,
    /// The columns that are embedded.
    pub texts: &'static [&'static str],
}

pub const FACTS: Table = Table { name: "captain_contact_memories", texts: &["content"] };
pub const ENTRIES: Table =
    Table { name: "captain_assistant_responses", texts: &["question", "answer"] };

/// Writes the embedding of a row whose texts are still `texts`; false when they are others.
pub async fn set(
    tx: &impl ConnectionTrait,
    table: Table,
    id: i64,
    texts: &[&str],
    vector: &[f32],
    model: &str,
) -> StoreResult<bool> {
    let (vector, form) =
        if is_postgres(tx) { postgres::stored(vector) } else { sqlite::stored(vector) };
    let mut sql =
        format!("UPDATE {} SET embedding = {form}, embedding_model = $2 WHERE id = $3", table.name);
    let mut values = vec![vector, model.into(), id.into()];
    for (column, text) in table.texts.iter().zip(texts) {
        values.push((*text).into());
        sql.push_str(&format!(" AND {column} = ${}", values.len()));
    }
    Ok(execute(tx, sql, values).await? == 1)
}

/// The embedding of a row with what made it; `None` when it has none.
pub async fn get(
    db: &impl ConnectionTrait,
    table: Table,
    id: i64,
) -> StoreResult<Option<(String, Vec<f32>)>> {
    let postgres = is_postgres(db);
    let column = if postgres { postgres::COLUMN } else { sqlite::COLUMN };
    let sql = format!(
        "SELECT embedding_model, {column} FROM {} WHERE id = $1 AND embedding IS NOT NULL",
        table.name
    );
    let rows = query(db, sql, vec![id.into()]).await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let vector = if postgres { postgres::shown(row)? } else { sqlite::shown(row)? };
    let vector = vector.ok_or_else(|| StoreError::Inconsistent(format!("embedding of {id}")))?;
    Ok(Some((row.try_get("", "embedding_model")?, vector)))
}
