//! Finding conversations by name, number or words.
//!
//! Words of messages have no index: it would be written with every webhook, and again with each
//! change of a message. The account's conversations are read instead, latest first, until enough is
//! found or the time is up; the answer says where to go on, so that everything can be found in steps
//! that each take a known time.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use sea_orm::ConnectionTrait;
use serde_json::Value as Json;
use tokio::time::Instant;

use super::contacts;
use super::conversations::{Bound, Cursor};
use crate::domain::contact_search::Wanted;
use crate::domain::sought::Sought;
use crate::store::StoreResult;
use crate::store::rowset::{any_number, parameter, query};

/// Contacts that a search answers.
const MOST_CONTACTS: usize = 20;
/// Conversations read by one statement.
const CHUNK: usize = 100;
/// Latest messages read of each.
const MESSAGES: i64 = 200;

/// A message that holds what is sought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    pub conversation_id: i64,
    pub message_id: i64,
    /// The words around it.
    pub excerpt: String,
}

/// What one step of a search found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hits {
    /// The latest message of each conversation, latest conversations first.
    pub hits: Vec<Hit>,
    /// Where to go on; absent at the end.
    pub next: Option<Cursor>,
}

/// The latest conversation, on each line, of the contacts whose name or number was typed.
pub async fn of_contacts(
    db: &impl ConnectionTrait,
    account_id: i64,
    typed: &str,
) -> StoreResult<Vec<i64>> {
    let wanted = Wanted::read(typed);
    if wanted == Wanted::Everybody {
        return Ok(Vec::new());
    }
    let found = contacts::list(db, account_id, &wanted, None, MOST_CONTACTS).await?;
    let any = any_number(db.get_database_backend(), "contact_id", 2);
    let sql = format!(
        "SELECT id, contact_id, inbox_id FROM conversations WHERE account_id = $1 AND {any} \
         ORDER BY last_message_at DESC, id DESC LIMIT 500"
    );
    let keys = found.contacts.iter().map(|contact| Json::from(contact.id));
    let mut places: HashSet<(i64, i64)> = HashSet::new();
    let mut ids = Vec::new();
    for row in query(db, sql, vec![account_id.into(), parameter(keys)]).await? {
        if places.insert((row.try_get("", "contact_id")?, row.try_get("", "inbox_id")?)) {
            ids.push(row.try_get("", "id")?);
        }
    }
    Ok(ids)
}

/// Messages that hold what is sought, in the conversations behind `before`, until `limit` of them
/// are found or it is `until`; at least one chunk is read.
pub async fn of_messages(
    db: &impl ConnectionTrait,
    account_id: i64,
    sought: &Sought,
    before: Option<Cursor>,
    limit: usize,
    until: Instant,
) -> StoreResult<Hits> {
    let mut found = Hits { hits: Vec::new(), next: before };
    loop {
        let said = chunk(db, account_id, found.next).await?;
        let mut conversations = 0;
        let mut read: Option<Cursor> = None;
        let mut taken = false;
        for said in said {
            if read != Some(said.cursor) {
                if found.hits.len() == limit {
                    found.next = read.or(found.next);
                    return Ok(found);
                }
                (read, taken) = (Some(said.cursor), false);
                conversations += 1;
            }
            let Some((message_id, text)) = said.message.filter(|_| !taken) else { continue };
            if sought.is_in(&text) {
                taken = true;
                let excerpt = sought.excerpt(&text);
                found.hits.push(Hit { conversation_id: said.cursor.id, message_id, excerpt });
            }
        }
        found.next = read.filter(|_| conversations == CHUNK);
        if found.next.is_none() || found.hits.len() >= limit || Instant::now() >= until {
            return Ok(found);
        }
    }
}

/// A message that was read, or a conversation without any.
struct Said {
    cursor: Cursor,
    message: Option<(i64, String)>,
}

async fn chunk(
    db: &impl ConnectionTrait,
    account_id: i64,
    before: Option<Cursor>,
) -> StoreResult<Vec<Said>> {
    let mut bound = Bound::default();
    let account = bound.add(account_id);
    let behind = match before {
        None => String::new(),
        Some(before) => {
            let (at, id) = (bound.add(before.at), bound.add(before.id));
            format!("AND (c.last_message_at, c.id) < ({at}, {id})")
        }
    };
    let skipped = MESSAGES - 1;
    let sql = format!(
        "WITH looked_at AS MATERIALIZED (\
           SELECT c.id, c.last_message_at, COALESCE((SELECT m.id FROM messages AS m \
             WHERE m.conversation_id = c.id ORDER BY m.id DESC LIMIT 1 OFFSET {skipped}), 0) \
             AS oldest_id \
           FROM conversations AS c WHERE c.account_id = {account} {behind} \
           ORDER BY c.last_message_at DESC, c.id DESC LIMIT {CHUNK}) \
         SELECT looked_at.id AS conversation_id, looked_at.last_message_at, \
           messages.id AS message_id, messages.text \
         FROM looked_at LEFT JOIN messages ON messages.conversation_id = looked_at.id \
           AND messages.id >= looked_at.oldest_id AND messages.text <> '' \
           AND messages.kind <> 'edit' AND messages.revoked_at IS NULL \
         ORDER BY looked_at.last_message_at DESC, looked_at.id DESC, messages.id DESC"
    );
    let mut said = Vec::new();
    for row in query(db, sql, bound.0).await? {
        let at: DateTime<Utc> = row.try_get("", "last_message_at")?;
        let message_id: Option<i64> = row.try_get("", "message_id")?;
        let text: Option<String> = row.try_get("", "text")?;
        said.push(Said {
            cursor: Cursor { at, id: row.try_get("", "conversation_id")? },
            message: message_id.zip(text),
        });
    }
    Ok(said)
}
