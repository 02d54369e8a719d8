//! On PostgreSQL pgvector computes the distances.
//!
//! The contact's rows and the asked vector stand in materialised CTEs, and nothing is ordered or
//! limited by distance: no planner can choose the ANN index here, which finds 21 % of what it
//! should behind a filter (`facts/STACK.md`). The vector travels in binary, as an array of reals:
//! its text form is 15 kB and takes longer to parse than the whole query.

use std::sync::LazyLock;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, RuntimeErr};
use sqlx::Row as _;
use sqlx::postgres::PgRow;

use super::{Asked, Near, RECALLABLE, Row};
use crate::store::error::{StoreError, StoreResult};
use crate::store::rowset::{execute, query};

static NEAREST: LazyLock<String> = LazyLock::new(|| {
    format!(
        "WITH q AS MATERIALIZED (SELECT $1::real[]::vector AS v), \
              own AS MATERIALIZED ({}) \
         SELECT own.id, own.memory_type, own.scope, own.source_unit_id, own.content, \
                own.confidence, own.expires_at, own.last_verified_at, \
                1 - (own.embedding <=> q.v) AS similarity \
         FROM own, q",
        RECALLABLE.as_str()
    )
});

fn failed(error: sqlx::Error) -> StoreError {
    DbErr::Query(RuntimeErr::SqlxError(error.into())).into()
}

pub async fn of_contact(db: &DatabaseConnection, asked: &Asked<'_>) -> StoreResult<Vec<Near>> {
    let rows = sqlx::query(sqlx::AssertSqlSafe(NEAREST.as_str()))
        .bind(asked.vector)
        .bind(asked.account_id)
        .bind(asked.contact_id)
        .bind(asked.model)
        .bind(asked.unit_id)
        .bind(asked.now)
        .fetch_all(db.get_postgres_connection_pool())
        .await
        .map_err(failed)?;
    let mut near = Vec::with_capacity(rows.len());
    for row in rows {
        near.extend(read(&row).map_err(failed)?);
    }
    Ok(near)
}

fn read(row: &PgRow) -> Result<Option<Near>, sqlx::Error> {
    let similarity = row.try_get("similarity")?;
    let row = Row {
        id: row.try_get("id")?,
        memory_type: row.try_get("memory_type")?,
        scope: row.try_get("scope")?,
        source_unit_id: row.try_get("source_unit_id")?,
        content: row.try_get("content")?,
        confidence: row.try_get("confidence")?,
        expires_at: row.try_get("expires_at")?,
        last_verified_at: row.try_get("last_verified_at")?,
    };
    Ok(row.near(similarity))
}

fn text(vector: &[f32]) -> String {
    let numbers: Vec<String> = vector.iter().map(f32::to_string).collect();
    format!("[{}]", numbers.join(","))
}

pub async fn set_embedding(
    tx: &impl ConnectionTrait,
    id: i64,
    content: &str,
    vector: &[f32],
    model: &str,
) -> StoreResult<bool> {
    let sql = "UPDATE captain_contact_memories SET embedding = $1::vector, embedding_model = $2 \
               WHERE id = $3 AND content = $4";
    let values = vec![text(vector).into(), model.into(), id.into(), content.into()];
    Ok(execute(tx, sql.to_owned(), values).await? == 1)
}

pub async fn embedding_of(
    db: &impl ConnectionTrait,
    id: i64,
) -> StoreResult<Option<(String, Vec<f32>)>> {
    let sql = "SELECT embedding_model, embedding::text AS embedding FROM captain_contact_memories \
               WHERE id = $1 AND embedding IS NOT NULL";
    let rows = query(db, sql.to_owned(), vec![id.into()]).await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let text: String = row.try_get("", "embedding")?;
    let numbers = text.trim_matches(['[', ']']).split(',').map(str::parse);
    let vector: Result<Vec<f32>, _> = numbers.collect();
    let vector = vector.map_err(|_| StoreError::Inconsistent(format!("embedding of {id}")))?;
    Ok(Some((row.try_get("", "embedding_model")?, vector)))
}
