//! The queue of people as they see it: who waits, for how long, and what they said last.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::ConnectionTrait;
use serde::Serialize;
use serde_json::Value as Json;
use utoipa::ToSchema;

use super::actors::Actors;
use super::conversation_rows::{ConversationRow, OpenHandoff, first_line, rows};
use crate::store::StoreResult;
use crate::store::rowset::{any_number, parameter, query};

/// Open rows of a queue that are shown.
const MOST: i64 = 200;
/// Counting ends here.
const MOST_COUNTED: i64 = 1_000;
/// Characters of the customer's last words.
const WORDS_CHARS: usize = 240;

/// A conversation that waits for a person, or that one has taken.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct QueueRow {
    #[serde(flatten)]
    pub handoff: OpenHandoff,
    pub conversation_id: i64,
    /// The first line of what the customer said last in words.
    pub last_words: Option<String>,
    pub last_words_at: Option<DateTime<Utc>>,
    pub conversation: ConversationRow,
}

impl QueueRow {
    /// Whether nobody has taken it.
    pub fn is_waiting(&self) -> bool {
        self.handoff.state == "waiting"
    }

    /// Whether it has waited for too long.
    pub fn is_overdue(&self) -> bool {
        self.is_waiting() && self.handoff.overdue_at.is_some()
    }
}

/// What is open in the account: most urgent first, then longest.
pub async fn open(
    db: &impl ConnectionTrait,
    account_id: i64,
    actors: &Actors,
    now: DateTime<Utc>,
) -> StoreResult<Vec<QueueRow>> {
    let sql = "SELECT conversation_id FROM handoffs WHERE account_id = $1 AND closed_at IS NULL \
               ORDER BY priority, created_at, id LIMIT $2";
    let found = query(db, sql.to_owned(), vec![account_id.into(), MOST.into()]).await?;
    let ids: Result<Vec<i64>, _> =
        found.iter().map(|row| row.try_get("", "conversation_id")).collect();
    let ids = ids?;
    let mut words = last_words(db, &ids).await?;
    let rows = rows(db, account_id, &ids, actors, now).await?;
    let queued = rows.into_iter().filter_map(|mut conversation| {
        let handoff = conversation.handoff.take()?;
        let (last_words, last_words_at) = words.remove(&conversation.id).unzip();
        let conversation_id = conversation.id;
        Some(QueueRow { handoff, conversation_id, last_words, last_words_at, conversation })
    });
    Ok(queued.collect())
}

async fn last_words(
    db: &impl ConnectionTrait,
    ids: &[i64],
) -> StoreResult<HashMap<i64, (String, DateTime<Utc>)>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let any = any_number(db.get_database_backend(), "c.id", 1);
    let sql = format!(
        "WITH last AS MATERIALIZED (SELECT (SELECT m.id FROM messages AS m \
           WHERE m.conversation_id = c.id AND m.direction = 'in' AND m.text <> '' \
           AND m.kind <> 'edit' AND m.revoked_at IS NULL ORDER BY m.id DESC LIMIT 1) AS id \
           FROM conversations AS c WHERE {any}) \
         SELECT messages.conversation_id, messages.text, messages.created_at \
         FROM last JOIN messages ON messages.id = last.id"
    );
    let mut words = HashMap::new();
    for row in query(db, sql, vec![parameter(ids.iter().copied().map(Json::from))]).await? {
        let text: String = row.try_get("", "text")?;
        let said = (first_line(&text, WORDS_CHARS), row.try_get("", "created_at")?);
        words.insert(row.try_get("", "conversation_id")?, said);
    }
    Ok(words)
}

/// How many conversations wait for somebody to take them; two bots that are kept apart wait for
/// nobody. At most 1,000 are counted.
pub async fn count_waiting(db: &impl ConnectionTrait, account_id: i64) -> StoreResult<i64> {
    let sql = "SELECT count(*) AS waiting FROM (SELECT 1 FROM handoffs \
               WHERE account_id = $1 AND closed_at IS NULL AND state = 'waiting' \
               AND reason <> 'bot_loop' LIMIT $2) AS counted";
    let values = vec![account_id.into(), MOST_COUNTED.into()];
    let rows = query(db, sql.to_owned(), values).await?;
    rows.first().map_or(Ok(0), |row| Ok(row.try_get("", "waiting")?))
}
