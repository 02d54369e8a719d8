//! On PostgreSQL pgvector compares the facts of an account: exactly where they are named, by the
//! ANN index where there are too many to name.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection, TransactionTrait, Value};
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgRow, PgTypeInfo, PgValueRef, Postgres};
use sqlx::{Decode, Row as _, Type};

use super::account::{Compared, Scored};
use super::postgres::{Binary, failed, stored};
use crate::domain::memory::{Expiry, MemoryKind};
use crate::store::board::fact_search::{FactFilter, FactStatus, UnitIs};
use crate::store::error::StoreResult;
use crate::store::rowset::{any_text, query};

// Distances are computed inside of the fence, so nothing in it is ordered by them and no planner
// can choose the ANN index; what leaves it is a number per fact.
const AMONG: &str = "WITH q AS MATERIALIZED (SELECT $1 AS v), \
     own AS MATERIALIZED (SELECT id, 1 - (embedding <=> q.v) AS similarity \
         FROM captain_contact_memories, q \
         WHERE account_id = $2 AND embedding IS NOT NULL AND embedding_model = $3 \
         AND id = ANY($4)) \
     SELECT id, similarity FROM own";

pub async fn among(
    db: &DatabaseConnection,
    compared: Compared<'_>,
    ids: &[i64],
) -> StoreResult<Vec<Scored>> {
    let rows = sqlx::query(AMONG)
        .bind(Binary(compared.vector))
        .bind(compared.account_id)
        .bind(compared.model)
        .bind(ids)
        .fetch_all(db.get_postgres_connection_pool())
        .await
        .map_err(failed)?;
    let read = |row: &PgRow| Ok((row.try_get(0)?, row.try_get(1)?));
    rows.iter().map(read).collect::<Result<_, _>>().map_err(failed)
}

/// How the index is read. Each list that is probed is read whole; the scan goes on to further lists
/// while too few rows fit, up to so many. Sorting all rows of the account instead is what a planner
/// takes to be cheaper, who thinks a page of 8 kB costs as much as a narrow row. Whoever asks does
/// not wait longer than the last one.
const READING: [&str; 5] = [
    "SET LOCAL ivfflat.probes = 8",
    "SET LOCAL ivfflat.iterative_scan = relaxed_order",
    "SET LOCAL ivfflat.max_probes = 64",
    "SET LOCAL enable_sort = off",
    "SET LOCAL statement_timeout = '3s'",
];

pub async fn by_index(
    db: &DatabaseConnection,
    compared: Compared<'_>,
    filter: &FactFilter,
    limit: usize,
    now: DateTime<Utc>,
) -> StoreResult<Vec<Scored>> {
    let (vector, form) = stored(compared.vector);
    let mut values: Vec<Value> = vec![
        vector,
        compared.account_id.into(),
        compared.model.into(),
        i64::try_from(limit).unwrap_or(i64::MAX).into(),
    ];
    let fits = conditions(db, filter, &mut values, now);
    let sql = format!(
        "WITH near AS MATERIALIZED (SELECT id, embedding <=> {form} AS distance \
             FROM captain_contact_memories \
             WHERE account_id = $2 AND embedding_model = $3{fits} \
             ORDER BY embedding <=> {form} LIMIT $4) \
         SELECT id, 1 - distance AS similarity FROM near"
    );
    let tx = db.begin().await?;
    for setting in READING {
        tx.execute_unprepared(setting).await?;
    }
    let rows = query(&tx, sql, values).await?;
    tx.commit().await?;
    rows.iter().map(|row| Ok((row.try_get("", "id")?, row.try_get("", "similarity")?))).collect()
}

fn conditions(
    db: &impl ConnectionTrait,
    filter: &FactFilter,
    values: &mut Vec<Value>,
    now: DateTime<Utc>,
) -> String {
    let mut fits = String::new();
    let mut add = |values: &mut Vec<Value>, value: Value, condition: &dyn Fn(usize) -> String| {
        values.push(value);
        fits.push_str(" AND ");
        fits.push_str(&condition(values.len()));
    };
    if !filter.kinds.is_empty() {
        let backend = db.get_database_backend();
        add(values, filter.kind_names(), &|n| any_text(backend, "memory_type", n));
    }
    if let Some(UnitIs::Id(id)) = filter.unit {
        add(values, id.into(), &|n| format!("source_unit_id = ${n}"));
    }
    if let Some(id) = filter.contact_id {
        add(values, id.into(), &|n| format!("contact_id = ${n}"));
    }
    if let Some(from) = filter.from {
        add(values, from.into(), &|n| format!("created_at >= ${n}"));
    }
    if let Some(to) = filter.to {
        add(values, to.into(), &|n| format!("created_at < ${n}"));
    }
    let kept: Vec<String> =
        MemoryKind::names_of(Expiry::WeighsLess).map(|name| format!("'{name}'")).collect();
    let kept = kept.join(", ");
    let standing = "deleted_at IS NULL AND superseded_at IS NULL";
    let current =
        |n: usize| format!("(expires_at IS NULL OR expires_at > ${n} OR memory_type IN ({kept}))");
    match filter.status {
        FactStatus::Active => {
            add(values, now.into(), &|n| format!("{standing} AND {}", current(n)));
        }
        FactStatus::Expired => {
            add(values, now.into(), &|n| format!("{standing} AND NOT {}", current(n)));
        }
        FactStatus::History => {
            add(values, now.into(), &|n| format!("NOT ({standing} AND {})", current(n)));
        }
        FactStatus::Deleted => fits.push_str(" AND deleted_at IS NOT NULL"),
        FactStatus::Superseded => {
            fits.push_str(" AND deleted_at IS NULL AND superseded_at IS NOT NULL");
        }
        FactStatus::All => {}
    }
    if filter.unit == Some(UnitIs::Unknown) {
        fits.push_str(" AND source_unit_id IS NULL");
    }
    fits
}

/// A vector in pgvector's own binary form: its length, nothing, and the numbers, big-endian.
struct Numbers(Vec<f32>);

impl Type<Postgres> for Numbers {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_name("vector")
    }
}

impl<'r> Decode<'r, Postgres> for Numbers {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        let bytes = value.as_bytes()?;
        let (numbers, _) = bytes.get(4..).ok_or("no vector")?.as_chunks::<4>();
        Ok(Self(numbers.iter().map(|bytes| f32::from_be_bytes(*bytes)).collect()))
    }
}

pub async fn vectors(
    db: &DatabaseConnection,
    account_id: i64,
    model: &str,
    ids: &[i64],
) -> StoreResult<HashMap<i64, Vec<f32>>> {
    let sql = "SELECT id, embedding FROM captain_contact_memories WHERE account_id = $1 \
               AND embedding_model = $2 AND embedding IS NOT NULL AND id = ANY($3)";
    let rows = sqlx::query(sql)
        .bind(account_id)
        .bind(model)
        .bind(ids)
        .fetch_all(db.get_postgres_connection_pool())
        .await
        .map_err(failed)?;
    let read = |row: &PgRow| Ok((row.try_get(0)?, row.try_get::<Numbers, _>(1)?.0));
    rows.iter().map(read).collect::<Result<_, _>>().map_err(failed)
}
