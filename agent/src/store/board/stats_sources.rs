//! Where figures come from: what was written within a span of time. Each query is served by an
//! index over time.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, QueryResult};
use serde_json::Value as Json;

use crate::domain::memory::{Expiry, MemoryKind};
use crate::domain::stats::{Cost, Figures};
use crate::store::error::StoreResult;
use crate::store::rowset::{any_text, parameter, query};

/// A span of time, of one account or of all; from each table at most so many rows are read.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    pub from: DateTime<Utc>,
    /// Not itself in it.
    pub until: DateTime<Utc>,
    pub account_id: Option<i64>,
    pub most: i64,
}

/// Edits and withdrawals change a message that is counted already; a reaction says nothing.
const MESSAGES: &str = "SELECT account_id, direction, author, count(*) AS n FROM \
    (SELECT account_id, direction, author FROM messages \
     WHERE created_at >= $1 AND created_at < $2 AND ($3 = 0 OR account_id = $3) \
       AND kind NOT IN ('edit', 'revoke', 'reaction') LIMIT $4) AS written \
    GROUP BY account_id, direction, author";

const PREEMPTS: &str = "SELECT account_id, verdict AS name, count(*) AS n FROM \
    (SELECT account_id, verdict FROM messages \
     WHERE outcome = 'preempted' AND outcome_at >= $1 AND outcome_at < $2 \
       AND rule IS NOT NULL AND verdict IS NOT NULL AND ($3 = 0 OR account_id = $3) \
     LIMIT $4) AS preempted GROUP BY account_id, verdict";

const ANSWERS: &str = "SELECT account_id, received_at, answered_at FROM turns \
    WHERE answered_at >= $1 AND answered_at < $2 AND received_at IS NOT NULL \
      AND ($3 = 0 OR account_id = $3) LIMIT $4";

const RECALLS: &str = "SELECT account_id, recall_ms, recalled FROM turns \
    WHERE recall_ms IS NOT NULL AND finished_at >= $1 AND finished_at < $2 \
      AND ($3 = 0 OR account_id = $3) LIMIT $4";

const LEARNT: &str = "SELECT account_id, count(*) AS n FROM \
    (SELECT account_id FROM captain_contact_memories \
     WHERE created_at >= $1 AND created_at < $2 AND ($3 = 0 OR account_id = $3) \
     LIMIT $4) AS learnt GROUP BY account_id";

const SUPERSEDED: &str = "SELECT account_id, count(*) AS n FROM \
    (SELECT account_id FROM captain_contact_memories \
     WHERE superseded_at >= $1 AND superseded_at < $2 AND ($3 = 0 OR account_id = $3) \
     LIMIT $4) AS superseded GROUP BY account_id";

const FAILURES: &str = "SELECT account_id, error_type AS name, count(*) AS n FROM \
    (SELECT account_id, error_type FROM dashboard_errors \
     WHERE created_at >= $1 AND created_at < $2 AND ($3 = 0 OR account_id = $3) \
     LIMIT $4) AS failed GROUP BY account_id, error_type";

const COSTS: &str = "SELECT account_id, purpose AS name, count(*) AS n, sum(brl) AS brl FROM \
    (SELECT account_id, purpose, brl FROM llm_usage \
     WHERE created_at >= $1 AND created_at < $2 AND ($3 = 0 OR account_id = $3) \
     LIMIT $4) AS paid GROUP BY account_id, purpose";

/// What happened within the span, by account. Accounts in which nothing happened are not in it.
pub async fn figures(
    db: &impl ConnectionTrait,
    span: &Span,
) -> StoreResult<BTreeMap<i64, Figures>> {
    let mut of: BTreeMap<i64, Figures> = BTreeMap::new();
    for row in rows(db, MESSAGES, span).await? {
        let count = count(&row)?;
        let figures = of.entry(account(&row)?).or_default();
        let direction: String = row.try_get("", "direction")?;
        let author: String = row.try_get("", "author")?;
        match (direction.as_str(), author.as_str()) {
            ("in", _) => figures.messages_in += count,
            (_, "bot") => figures.sent_by_bot += count,
            _ => figures.sent_by_people += count,
        }
    }
    for row in rows(db, PREEMPTS, span).await? {
        let figures = of.entry(account(&row)?).or_default();
        *figures.preempts.entry(row.try_get("", "name")?).or_default() += count(&row)?;
    }
    for row in rows(db, ANSWERS, span).await? {
        let received: DateTime<Utc> = row.try_get("", "received_at")?;
        let answered: DateTime<Utc> = row.try_get("", "answered_at")?;
        let took = (answered - received).num_milliseconds().max(0);
        of.entry(account(&row)?).or_default().answers.add(took.unsigned_abs());
    }
    for row in rows(db, RECALLS, span).await? {
        let figures = of.entry(account(&row)?).or_default();
        let took: i64 = row.try_get("", "recall_ms")?;
        let facts: Option<i64> = row.try_get("", "recalled")?;
        figures.recalls.add(took.max(0).unsigned_abs());
        figures.recall_hits += u64::from(facts.unwrap_or_default() > 0);
    }
    for row in rows(db, LEARNT, span).await? {
        of.entry(account(&row)?).or_default().learnt += count(&row)?;
    }
    for row in rows(db, SUPERSEDED, span).await? {
        of.entry(account(&row)?).or_default().superseded += count(&row)?;
    }
    for row in rows(db, FAILURES, span).await? {
        let figures = of.entry(account(&row)?).or_default();
        *figures.failures.entry(row.try_get("", "name")?).or_default() += count(&row)?;
    }
    for row in rows(db, COSTS, span).await? {
        let cost = Cost { calls: count(&row)?, brl: row.try_get("", "brl")? };
        let figures = of.entry(account(&row)?).or_default();
        figures.costs.entry(row.try_get("", "name")?).or_default().add(cost);
    }
    Ok(of)
}

async fn rows(db: &impl ConnectionTrait, sql: &str, span: &Span) -> StoreResult<Vec<QueryResult>> {
    let account_id = span.account_id.unwrap_or(0);
    let values = vec![span.from.into(), span.until.into(), account_id.into(), span.most.into()];
    query(db, sql.to_owned(), values).await
}

fn account(row: &QueryResult) -> StoreResult<i64> {
    Ok(row.try_get("", "account_id")?)
}

fn count(row: &QueryResult) -> StoreResult<u64> {
    Ok(row.try_get::<i64>("", "n")?.unsigned_abs())
}

/// When something next happened, at that instant or after it; `None` when nothing did.
pub async fn next_event(
    db: &impl ConnectionTrait,
    from: DateTime<Utc>,
) -> StoreResult<Option<DateTime<Utc>>> {
    let columns = [
        ("messages", "created_at", ""),
        ("messages", "outcome_at", "outcome = 'preempted' AND "),
        ("turns", "answered_at", ""),
        ("turns", "finished_at", "recall_ms IS NOT NULL AND "),
        ("captain_contact_memories", "created_at", ""),
        ("captain_contact_memories", "superseded_at", ""),
        ("dashboard_errors", "created_at", ""),
        ("llm_usage", "created_at", ""),
    ];
    let mut next: Option<DateTime<Utc>> = None;
    for (table, column, condition) in columns {
        let sql = format!(
            "SELECT {column} AS at FROM {table} WHERE {condition}{column} >= $1 \
             ORDER BY {column} LIMIT 1"
        );
        if let Some(row) = query(db, sql, vec![from.into()]).await?.first() {
            let at: DateTime<Utc> = row.try_get("", "at")?;
            next = Some(next.map_or(at, |next| next.min(at)));
        }
    }
    Ok(next)
}

/// The newest message.
pub async fn newest_message(db: &impl ConnectionTrait) -> StoreResult<i64> {
    let sql = "SELECT id FROM messages ORDER BY id DESC LIMIT 1";
    match query(db, sql.to_owned(), Vec::new()).await?.first() {
        Some(row) => Ok(row.try_get("", "id")?),
        None => Ok(0),
    }
}

/// The earliest of the messages with these ids that was written before `filled_until`: a
/// transaction that took long, or rows from elsewhere.
pub async fn late_message(
    db: &impl ConnectionTrait,
    after: i64,
    newest: i64,
    filled_until: DateTime<Utc>,
) -> StoreResult<Option<DateTime<Utc>>> {
    // The limit keeps planners from walking through the index over time in place of the ids.
    let sql = "SELECT created_at FROM (SELECT created_at FROM messages \
                 WHERE id > $1 AND id <= $2 ORDER BY id LIMIT 10000000) AS fresh \
               WHERE created_at < $3 ORDER BY created_at LIMIT 1";
    let values = vec![after.into(), newest.into(), filled_until.into()];
    match query(db, sql.to_owned(), values).await?.first() {
        Some(row) => Ok(Some(row.try_get("", "created_at")?)),
        None => Ok(None),
    }
}

/// The condition of an active fact (DESIGN §7); `$1` is now, `$2` the kinds that stay active.
fn active(db: &impl ConnectionTrait) -> String {
    let weighs_less = any_text(db.get_database_backend(), "memory_type", 2);
    format!(
        "deleted_at IS NULL AND superseded_at IS NULL \
         AND (expires_at IS NULL OR expires_at > $1 OR {weighs_less})"
    )
}

fn weighing_less() -> sea_orm::Value {
    parameter(MemoryKind::names_of(Expiry::WeighsLess).map(Json::from))
}

/// Active facts of every account by kind; accounts without any are there, too.
pub async fn facts_of_all(
    db: &impl ConnectionTrait,
    now: DateTime<Utc>,
) -> StoreResult<BTreeMap<i64, BTreeMap<String, u64>>> {
    let mut all = BTreeMap::new();
    for row in query(db, "SELECT id FROM accounts".to_owned(), Vec::new()).await? {
        all.insert(row.try_get("", "id")?, BTreeMap::new());
    }
    let sql = format!(
        "SELECT account_id, memory_type, count(*) AS n FROM captain_contact_memories \
         WHERE {} GROUP BY account_id, memory_type",
        active(db)
    );
    for row in query(db, sql, vec![now.into(), weighing_less()]).await? {
        let kinds: &mut BTreeMap<String, u64> = all.entry(account(&row)?).or_default();
        kinds.insert(row.try_get("", "memory_type")?, count(&row)?);
    }
    Ok(all)
}

/// Active facts of an account by kind; `None` when it has more than `most` that stand, which are
/// too many to be counted while somebody waits.
pub async fn facts_of(
    db: &impl ConnectionTrait,
    account_id: i64,
    most: i64,
    now: DateTime<Utc>,
) -> StoreResult<Option<BTreeMap<String, u64>>> {
    let weighs_less = any_text(db.get_database_backend(), "memory_type", 2);
    let sql = format!(
        "SELECT memory_type, count(*) AS n, \
           sum(CASE WHEN expires_at IS NULL OR expires_at > $1 OR {weighs_less} \
               THEN 1 ELSE 0 END) AS active \
         FROM (SELECT memory_type, expires_at FROM captain_contact_memories \
               WHERE account_id = $3 AND deleted_at IS NULL AND superseded_at IS NULL \
               LIMIT $4) AS standing GROUP BY memory_type"
    );
    let values = vec![now.into(), weighing_less(), account_id.into(), (most + 1).into()];
    let (mut kinds, mut standing) = (BTreeMap::new(), 0);
    for row in query(db, sql, values).await? {
        standing += row.try_get::<i64>("", "n")?;
        let active: i64 = row.try_get("", "active")?;
        if active > 0 {
            kinds.insert(row.try_get("", "memory_type")?, active.unsigned_abs());
        }
    }
    Ok((standing <= most).then_some(kinds))
}
