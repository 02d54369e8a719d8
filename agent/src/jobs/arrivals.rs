//! A batch of messages that nothing but a turn follows from, in one statement: contacts,
//! conversations, messages and jobs. PostgreSQL only; it commits by itself.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::ConnectionTrait;

use super::NewJob;
use super::enqueue::{self, JOB, UNLESS_WAITING};
use crate::store::StoreResult;
use crate::store::messages::{self, MESSAGE, NewMessage, UNLESS_THERE};
use crate::store::rowset::{Inserts, insert_sql, parameter, query};

/// Runs `inserts`, writes messages that are not there yet, notes that something was said in their
/// conversations, and writes those of `jobs` (whose payload names a conversation) that belong to
/// one of them. Answers the ids of the messages written, by inbox and provider's id; when there are
/// `known_conversations` among them, those are noted to be active.
pub async fn write(
    db: &impl ConnectionTrait,
    inserts: Inserts,
    messages: &[NewMessage],
    jobs: Vec<NewJob>,
    known_conversations: bool,
    now: DateTime<Utc>,
) -> StoreResult<HashMap<(i64, String), i64>> {
    let backend = db.get_database_backend();
    let (mut parts, mut values) = inserts.parts(backend);
    values.push(parameter(messages::rows(messages, now)));
    let insert = insert_sql(backend, "messages", MESSAGE, values.len());
    parts.push(format!(
        "said AS ({insert} {UNLESS_THERE} \
         RETURNING id, inbox_id, provider_message_id, conversation_id)"
    ));
    values.push(parameter(enqueue::rows(jobs, now)));
    let insert = insert_sql(backend, "jobs", JOB, values.len());
    parts.push(format!(
        "asked AS ({insert} AND (payload->>'conversation_id')::bigint IN \
         (SELECT conversation_id FROM said) {UNLESS_WAITING})"
    ));
    // The last part is done first: whoever writes takes conversations before jobs, in order.
    if known_conversations {
        values.push(now.into());
        parts.push(format!(
            "touched AS (UPDATE conversations SET last_message_at = ${} WHERE id IN \
             (SELECT id FROM conversations WHERE id IN (SELECT conversation_id FROM said) \
              ORDER BY id FOR NO KEY UPDATE))",
            values.len()
        ));
    }
    let parts = parts.join(", ");
    let sql = format!("WITH {parts} SELECT id, inbox_id, provider_message_id FROM said");
    messages::ids_of(query(db, sql, values).await?)
}
