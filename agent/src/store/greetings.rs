//! Quick words of the business that came again: the Business app greets everybody alike. Kept as
//! digests; the words themselves are in the messages.

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::ConnectionTrait;

use super::error::StoreResult;
use super::rowset::query;

/// A person who says the same twice a month is a person.
const MEMORY: TimeDelta = TimeDelta::hours(24);

/// Notes that these words came quickly in this conversation, and answers in how many
/// conversations they have, one after the other, without a day's break.
pub async fn count(
    tx: &impl ConnectionTrait,
    inbox_id: i64,
    digest: &str,
    conversation_id: i64,
    now: DateTime<Utc>,
) -> StoreResult<i64> {
    let sql = "INSERT INTO quick_echoes \
                 (inbox_id, digest, conversations, last_conversation_id, updated_at) \
               VALUES ($1, $2, 1, $3, $4) \
               ON CONFLICT (inbox_id, digest) DO UPDATE SET \
                 conversations = CASE WHEN quick_echoes.updated_at < $5 THEN 1 \
                   WHEN quick_echoes.last_conversation_id = excluded.last_conversation_id \
                   THEN quick_echoes.conversations \
                   ELSE quick_echoes.conversations + 1 END, \
                 last_conversation_id = excluded.last_conversation_id, \
                 updated_at = excluded.updated_at \
               RETURNING conversations";
    let values = vec![
        inbox_id.into(),
        digest.into(),
        conversation_id.into(),
        now.into(),
        (now - MEMORY).into(),
    ];
    let rows = query(tx, sql.to_owned(), values).await?;
    Ok(rows.first().map(|row| row.try_get("", "conversations")).transpose()?.unwrap_or(1))
}
