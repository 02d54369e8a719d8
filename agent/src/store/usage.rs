//! What model calls cost.

use chrono::{DateTime, Utc};
use lembra_entities::llm_usage;
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait};

use super::error::StoreResult;
use super::rowset::query;

/// A call to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct NewUsage {
    pub account_id: i64,
    pub conversation_id: Option<i64>,
    pub purpose: &'static str,
    pub model: String,
    pub prompt_tokens: i64,
    pub completion_tokens: i64,
    pub brl: f64,
}

/// Writes calls.
pub async fn record(
    tx: &impl ConnectionTrait,
    calls: &[NewUsage],
    now: DateTime<Utc>,
) -> StoreResult<()> {
    if calls.is_empty() {
        return Ok(());
    }
    for call in calls {
        // It only grows; counters of this library know whole numbers only.
        metrics::gauge!("lembra_llm_cost_brl", "purpose" => call.purpose, "model" => call.model.clone())
            .increment(call.brl);
    }
    let rows = calls.iter().map(|call| llm_usage::ActiveModel {
        account_id: Set(call.account_id),
        conversation_id: Set(call.conversation_id),
        purpose: Set(call.purpose.to_owned()),
        model: Set(call.model.clone()),
        prompt_tokens: Set(call.prompt_tokens),
        completion_tokens: Set(call.completion_tokens),
        brl: Set(call.brl),
        created_at: Set(now),
        ..Default::default()
    });
    llm_usage::Entity::insert_many(rows).exec_without_returning(tx).await?;
    Ok(())
}

/// What the account's calls cost since then, by purpose: calls and BRL.
pub async fn since(
    db: &impl ConnectionTrait,
    account_id: i64,
    from: DateTime<Utc>,
) -> StoreResult<Vec<(String, i64, f64)>> {
    let sql = "SELECT purpose, count(*) AS calls, sum(brl) AS brl FROM llm_usage \
               WHERE account_id = $1 AND created_at >= $2 GROUP BY purpose ORDER BY purpose";
    let rows = query(db, sql.to_owned(), vec![account_id.into(), from.into()]).await?;
    let read = rows.iter().map(|row| {
        Ok((row.try_get("", "purpose")?, row.try_get("", "calls")?, row.try_get("", "brl")?))
    });
    read.collect()
}

/// What the account's calls cost since then, in BRL.
pub async fn total_since(
    db: &impl ConnectionTrait,
    account_id: i64,
    from: DateTime<Utc>,
) -> StoreResult<f64> {
    let sql = "SELECT CAST(COALESCE(sum(brl), 0) AS DOUBLE PRECISION) AS brl FROM llm_usage \
               WHERE account_id = $1 AND created_at >= $2";
    let rows = query(db, sql.to_owned(), vec![account_id.into(), from.into()]).await?;
    match rows.first() {
        Some(row) => Ok(row.try_get("", "brl")?),
        None => Ok(0.0),
    }
}
