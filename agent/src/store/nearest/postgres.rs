//! On PostgreSQL pgvector computes the distances.
//!
//! The contact's rows and the asked vector stand in materialised CTEs, and nothing is ordered or
//! limited by distance: no planner can choose the ANN index here, which finds 21 % of what it
//! should behind a filter (`facts/STACK.md`). The vector travels in pgvector's own binary
//! form: its text is 15 kB and takes longer to parse than the whole query, and an array of reals is
//! twice as long and read number by number.

use std::sync::LazyLock;

use sea_orm::{DatabaseConnection, DbErr, QueryResult, RuntimeErr, Value};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgRow, PgTypeInfo, Postgres};
use sqlx::{Encode, Row as _, Type};

use super::{Asked, Near, RECALLABLE, Row};
use crate::store::error::{StoreError, StoreResult};

static NEAREST: LazyLock<String> = LazyLock::new(|| {
    format!(
        "WITH q AS MATERIALIZED (SELECT $1 AS v), \
              own AS MATERIALIZED ({}) \
         SELECT own.id, own.memory_type, own.scope, own.source_unit_id, own.content, \
                own.confidence, own.expires_at, own.last_verified_at, \
                1 - (own.embedding <=> q.v) AS similarity \
         FROM own, q",
        RECALLABLE.as_str()
    )
});

/// A failure of the driver, as ours.
pub fn failed(error: sqlx::Error) -> StoreError {
    DbErr::Query(RuntimeErr::SqlxError(error.into())).into()
}

pub async fn of_contact(db: &DatabaseConnection, asked: &Asked<'_>) -> StoreResult<Vec<Near>> {
    let rows = sqlx::query(sqlx::AssertSqlSafe(NEAREST.as_str()))
        .bind(Binary(asked.vector))
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

/// The columns in the statement's order: finding them by name takes as long as reading them.
fn read(row: &PgRow) -> Result<Option<Near>, sqlx::Error> {
    let similarity = row.try_get(8)?;
    let row = Row {
        id: row.try_get(0)?,
        memory_type: row.try_get(1)?,
        scope: row.try_get(2)?,
        source_unit_id: row.try_get(3)?,
        content: row.try_get(4)?,
        confidence: row.try_get(5)?,
        expires_at: row.try_get(6)?,
        last_verified_at: row.try_get(7)?,
    };
    Ok(row.near(similarity))
}

/// A vector as pgvector reads it in binary: its length, nothing, and the numbers, big-endian.
pub struct Binary<'a>(pub &'a [f32]);

impl Type<Postgres> for Binary<'_> {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_name("vector")
    }
}

impl<'q> Encode<'q, Postgres> for Binary<'_> {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let length = u16::try_from(self.0.len())?;
        buffer.extend_from_slice(&length.to_be_bytes());
        buffer.extend_from_slice(&0_u16.to_be_bytes());
        self.0.iter().for_each(|number| buffer.extend_from_slice(&number.to_be_bytes()));
        Ok(IsNull::No)
    }

    fn size_hint(&self) -> usize {
        4 + 4 * self.0.len()
    }
}

/// A vector to be stored, and how a statement takes it.
pub fn stored(vector: &[f32]) -> (Value, &'static str) {
    let numbers: Vec<String> = vector.iter().map(f32::to_string).collect();
    (format!("[{}]", numbers.join(",")).into(), "$1::vector")
}

/// The column, as [`shown`] reads it.
pub const COLUMN: &str = "embedding::text AS embedding";

/// A stored vector; `None` when it is none.
pub fn shown(row: &QueryResult) -> StoreResult<Option<Vec<f32>>> {
    let text: String = row.try_get("", "embedding")?;
    let numbers = text.trim_matches(['[', ']']).split(',').map(str::parse);
    Ok(numbers.collect::<Result<_, _>>().ok())
}

const ALIKE: &str = "WITH q AS MATERIALIZED (SELECT $1 AS v), \
     own AS MATERIALIZED (SELECT id, 1 - (embedding <=> q.v) AS similarity \
         FROM captain_assistant_responses, q \
         WHERE account_id = $2 AND status = 'enabled' \
         AND embedding IS NOT NULL AND embedding_model = $3) \
     SELECT id, similarity FROM own";

/// The account's entries with their similarity.
pub async fn of_account(
    db: &DatabaseConnection,
    account_id: i64,
    model: &str,
    vector: &[f32],
) -> StoreResult<Vec<(i64, f64)>> {
    let rows = sqlx::query(ALIKE)
        .bind(Binary(vector))
        .bind(account_id)
        .bind(model)
        .fetch_all(db.get_postgres_connection_pool())
        .await
        .map_err(failed)?;
    let read = |row: &PgRow| Ok((row.try_get(0)?, row.try_get(1)?));
    rows.iter().map(read).collect::<Result<_, _>>().map_err(failed)
}
