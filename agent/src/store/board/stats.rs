//! Buckets of figures, how far they are filled, and what accounts hold.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use lembra_entities::{stats_bucket, stats_gauge, stats_progress};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseConnection, EntityTrait, QueryFilter,
    QueryOrder,
};
use serde_json::{Value as Json, json};

use crate::domain::stats::Figures;
use crate::store::error::{StoreError, StoreResult};
use crate::store::rowset::{Columns, Kind, execute, insert_sql, parameter, time};

/// The name of the only row of `stats_progress`.
const PROGRESS: &str = "buckets";

/// The figures of an account within one bucket.
#[derive(Debug, Clone, PartialEq)]
pub struct Bucket {
    pub start: DateTime<Utc>,
    pub figures: Figures,
}

/// How far buckets are filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub filled_until: DateTime<Utc>,
    /// From here on buckets are filled once more.
    pub redo_from: Option<DateTime<Utc>>,
    /// The newest message when it was last looked for late ones.
    pub last_message_id: i64,
}

/// The account's buckets that begin within that time, oldest first.
pub async fn between(
    db: &impl ConnectionTrait,
    account_id: i64,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> StoreResult<Vec<Bucket>> {
    let rows = stats_bucket::Entity::find()
        .filter(stats_bucket::Column::AccountId.eq(account_id))
        .filter(stats_bucket::Column::BucketStart.gte(from))
        .filter(stats_bucket::Column::BucketStart.lt(until))
        .order_by_asc(stats_bucket::Column::BucketStart)
        .all(db)
        .await?;
    let read = |row: stats_bucket::Model| {
        let figures = serde_json::from_value(row.figures)
            .map_err(|error| StoreError::Inconsistent(format!("figures: {error}")))?;
        Ok(Bucket { start: row.bucket_start, figures })
    };
    rows.into_iter().map(read).collect()
}

const BUCKET: Columns =
    &[("account_id", Kind::BigInt), ("bucket_start", Kind::Time), ("figures", Kind::Json)];

/// Writes what accounts did within one bucket, in place of what was written of it before.
pub async fn write(
    tx: &impl ConnectionTrait,
    start: DateTime<Utc>,
    figures: &BTreeMap<i64, Figures>,
) -> StoreResult<()> {
    if figures.is_empty() {
        return Ok(());
    }
    let rows = figures.iter().map(|(account_id, figures)| {
        json!({ "account_id": account_id, "bucket_start": time(start), "figures": figures })
    });
    let sql = format!(
        "{} ON CONFLICT (account_id, bucket_start) DO UPDATE SET figures = excluded.figures",
        insert_sql(tx.get_database_backend(), "stats_buckets", BUCKET, 1)
    );
    execute(tx, sql, vec![parameter(rows)]).await?;
    Ok(())
}

/// `None` before anything was gathered.
pub async fn progress(db: &impl ConnectionTrait) -> StoreResult<Option<Progress>> {
    let row = stats_progress::Entity::find_by_id(PROGRESS).one(db).await?;
    Ok(row.map(|row| Progress {
        filled_until: row.filled_until,
        redo_from: row.redo_from,
        last_message_id: row.last_message_id,
    }))
}

/// Writes the first progress; false when another process did.
pub async fn begin(tx: &impl ConnectionTrait, progress: &Progress) -> StoreResult<bool> {
    let row = stats_progress::ActiveModel {
        name: Set(PROGRESS.to_owned()),
        filled_until: Set(progress.filled_until),
        redo_from: Set(progress.redo_from),
        last_message_id: Set(progress.last_message_id),
    };
    let there = OnConflict::column(stats_progress::Column::Name).do_nothing().to_owned();
    let written =
        stats_progress::Entity::insert(row).on_conflict(there).exec_without_returning(tx).await?;
    Ok(written == 1)
}

/// Moves on from where this run found it; false when another process was faster, and what was
/// counted is that one's to write.
pub async fn advance(
    tx: &impl ConnectionTrait,
    from: &Progress,
    to: &Progress,
) -> StoreResult<bool> {
    let mut update = stats_progress::Entity::update_many()
        .col_expr(stats_progress::Column::FilledUntil, Expr::value(to.filled_until))
        .col_expr(stats_progress::Column::RedoFrom, Expr::value(to.redo_from))
        .col_expr(stats_progress::Column::LastMessageId, Expr::value(to.last_message_id))
        .filter(stats_progress::Column::Name.eq(PROGRESS))
        .filter(stats_progress::Column::FilledUntil.eq(from.filled_until))
        .filter(stats_progress::Column::LastMessageId.eq(from.last_message_id));
    update = match from.redo_from {
        Some(redo) => update.filter(stats_progress::Column::RedoFrom.eq(redo)),
        None => update.filter(stats_progress::Column::RedoFrom.is_null()),
    };
    Ok(update.exec(tx).await?.rows_affected == 1)
}

/// Active facts of an account by kind, with when they were counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gauge {
    pub facts: BTreeMap<String, u64>,
    pub measured_at: DateTime<Utc>,
}

/// What the account held when it was last counted.
pub async fn gauge(db: &impl ConnectionTrait, account_id: i64) -> StoreResult<Option<Gauge>> {
    let row = stats_gauge::Entity::find_by_id(account_id).one(db).await?;
    row.map(|row| {
        let facts = serde_json::from_value(row.facts)
            .map_err(|error| StoreError::Inconsistent(format!("gauge: {error}")))?;
        Ok(Gauge { facts, measured_at: row.measured_at })
    })
    .transpose()
}

/// When accounts were last counted.
pub async fn measured_at(db: &impl ConnectionTrait) -> StoreResult<Option<DateTime<Utc>>> {
    let latest =
        stats_gauge::Entity::find().order_by_desc(stats_gauge::Column::MeasuredAt).one(db).await?;
    Ok(latest.map(|row| row.measured_at))
}

/// Writes what each account holds, in place of what was written before.
pub async fn write_gauges(
    db: &DatabaseConnection,
    facts: &BTreeMap<i64, BTreeMap<String, u64>>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    if facts.is_empty() {
        return Ok(());
    }
    let rows = facts.iter().map(|(account_id, facts)| stats_gauge::ActiveModel {
        account_id: Set(*account_id),
        facts: Set(serde_json::to_value(facts).unwrap_or(Json::Null)),
        measured_at: Set(now),
    });
    let again = OnConflict::column(stats_gauge::Column::AccountId)
        .update_columns([stats_gauge::Column::Facts, stats_gauge::Column::MeasuredAt])
        .to_owned();
    stats_gauge::Entity::insert_many(rows).on_conflict(again).exec_without_returning(db).await?;
    Ok(())
}
