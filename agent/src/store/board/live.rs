//! How pages know that something changed: a word per topic that is another one afterwards. Each
//! question finds its rows by an index, within one account, and reads a few hundred at most.

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement, Value};

use crate::store::error::StoreResult;

/// What a page looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    /// The waiting and taken conversations of the account.
    Handoffs,
    /// The account's list of conversations.
    Conversations,
    Conversation(i64),
    Contact(i64),
    /// What changes all the time is looked at every so many seconds.
    Every(u32),
}

impl Topic {
    /// By its name in addresses.
    pub fn parse(name: &str) -> Option<Self> {
        let (kind, id) = name.split_once(':').unwrap_or((name, ""));
        match (kind, id) {
            ("handoffs", "") => Some(Topic::Handoffs),
            ("conversations", "") => Some(Topic::Conversations),
            ("overview", "") => Some(Topic::Every(5)),
            ("queues", "") => Some(Topic::Every(2)),
            ("conversation", id) => Some(Topic::Conversation(id.parse().ok()?)),
            ("contact", id) => Some(Topic::Contact(id.parse().ok()?)),
            _ => None,
        }
    }
}

/// The word for a topic of an account at this moment. A conversation or contact of another account
/// has the word of one that does not exist.
pub async fn version(
    db: &DatabaseConnection,
    account_id: i64,
    topic: Topic,
    now: DateTime<Utc>,
) -> StoreResult<String> {
    let (sql, id) = match topic {
        Topic::Every(seconds) => {
            return Ok((now.timestamp() / i64::from(seconds.max(1))).to_string());
        }
        Topic::Handoffs => (HANDOFFS, None),
        Topic::Conversations => (CONVERSATIONS, None),
        Topic::Conversation(id) => (CONVERSATION, Some(id)),
        Topic::Contact(id) => (CONTACT, Some(id)),
    };
    let backend = db.get_database_backend();
    let mut words = Vec::new();
    for sql in sql {
        let values: Vec<Value> =
            [Some(account_id), id].into_iter().flatten().map(Value::from).collect();
        let row = db.query_one_raw(Statement::from_sql_and_values(backend, *sql, values)).await?;
        let word: Option<String> = match row {
            Some(row) => row.try_get("", "word")?,
            None => None,
        };
        words.push(word.unwrap_or_default());
    }
    Ok(words.join("."))
}

/// Open ones are few; a closed one leaves the count.
const HANDOFFS: &[&str] = &[
    "SELECT count(*) || ',' || coalesce(sum(id), 0) || ',' || count(taken_at) || ',' || count(overdue_at) AS word FROM handoffs WHERE account_id = $1 AND closed_at IS NULL",
];

const CONVERSATIONS: &[&str] = &[
    "SELECT CAST(max(last_message_at) AS text) AS word FROM conversations WHERE account_id = $1",
    HANDOFFS[0],
];

const CONVERSATION: &[&str] = &[
    "SELECT CAST(updated_at AS text) || coalesce(CAST(typing_until AS text), '') || state || handler || coalesce(CAST(paused_until AS text), '') AS word FROM conversations WHERE account_id = $1 AND id = $2",
    "SELECT max(id) || ',' || CAST(max(updated_at) AS text) AS word FROM (SELECT id, updated_at FROM messages WHERE account_id = $1 AND conversation_id = $2 ORDER BY id DESC LIMIT 300) AS shown",
    "SELECT CAST(max(id) AS text) AS word FROM turns WHERE account_id = $1 AND conversation_id = $2",
    "SELECT count(*) || ',' || count(taken_at) || ',' || count(closed_at) AS word FROM handoffs WHERE account_id = $1 AND conversation_id = $2",
];

const CONTACT: &[&str] = &[
    "SELECT CAST(updated_at AS text) AS word FROM contacts WHERE account_id = $1 AND id = $2",
    "SELECT count(*) || ',' || coalesce(CAST(max(updated_at) AS text), '') || ',' || count(deleted_at) || ',' || count(superseded_at) AS word FROM captain_contact_memories WHERE account_id = $1 AND contact_id = $2",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_read_from_addresses() {
        assert_eq!(Topic::parse("conversation:7"), Some(Topic::Conversation(7)));
        assert_eq!(Topic::parse("handoffs"), Some(Topic::Handoffs));
        for none in ["", "conversation", "conversation:", "conversation:x", "handoffs:1", "jobs"] {
            assert_eq!(Topic::parse(none), None, "{none}");
        }
    }
}
