//! What was read to learn facts: which messages are fresh, and the marks on those that are not.

use chrono::{DateTime, Utc};
use lembra_entities::memory_extraction;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ConnectionTrait};
use serde_json::Value as Json;

use super::error::{StoreError, StoreResult};
use super::rowset::{any_number, execute, parameter, query};
use crate::domain::memory::transcript::{Author, Line};

/// Messages read at most of what came before the first fresh one, and after it.
const MOST_BEFORE: i64 = 500;
const MOST_AFTER: i64 = 5_000;

/// A conversation, with what learning from it needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Subject {
    pub conversation_id: i64,
    pub account_id: i64,
    pub contact_id: i64,
    pub inbox_id: i64,
    /// The conversation's own, or that of its inbox.
    pub unit_id: Option<i64>,
    pub last_message_at: DateTime<Utc>,
    pub forgotten_at: Option<DateTime<Utc>>,
}

pub async fn subject(
    db: &impl ConnectionTrait,
    conversation_id: i64,
) -> StoreResult<Option<Subject>> {
    let sql = "SELECT conversations.account_id, conversations.contact_id, conversations.inbox_id, \
               conversations.last_message_at, contacts.forgotten_at, \
               COALESCE(conversations.captain_unit_id, inboxes.unit_id) AS unit_id \
               FROM conversations JOIN contacts ON contacts.id = conversations.contact_id \
               LEFT JOIN inboxes ON inboxes.id = conversations.inbox_id \
               WHERE conversations.id = $1";
    let rows = query(db, sql.to_owned(), vec![conversation_id.into()]).await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    Ok(Some(Subject {
        conversation_id,
        account_id: row.try_get("", "account_id")?,
        contact_id: row.try_get("", "contact_id")?,
        inbox_id: row.try_get("", "inbox_id")?,
        unit_id: row.try_get("", "unit_id")?,
        last_message_at: row.try_get("", "last_message_at")?,
        forgotten_at: row.try_get("", "forgotten_at")?,
    }))
}

/// A line with when it reached us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub line: Line,
    pub created_at: DateTime<Utc>,
}

/// The conversation's messages around those that are fresh, in order; nothing when none is.
pub async fn thread(db: &impl ConnectionTrait, conversation_id: i64) -> StoreResult<Vec<Said>> {
    let fresh = "direction = 'in' AND extraction_id IS NULL AND text <> ''";
    let sql =
        format!("SELECT min(id) AS first FROM messages WHERE conversation_id = $1 AND {fresh}");
    let rows = query(db, sql, vec![conversation_id.into()]).await?;
    let first: Option<i64> = match rows.first() {
        Some(row) => row.try_get("", "first")?,
        None => None,
    };
    let Some(first) = first else {
        return Ok(Vec::new());
    };
    let part = |condition: &str| {
        format!(
            "SELECT id, author, direction, text, created_at, extraction_id FROM messages \
             WHERE conversation_id = $1 AND id {condition} AND text <> '' \
             AND (delivery IS NULL OR delivery NOT IN ('failed', 'cancelled'))"
        )
    };
    let before = format!("{} ORDER BY id DESC LIMIT {MOST_BEFORE}", part("< $2"));
    let after = format!("{} ORDER BY id LIMIT {MOST_AFTER}", part(">= $2"));
    let values = || vec![conversation_id.into(), first.into()];
    let mut rows = query(db, before, values()).await?;
    rows.reverse();
    rows.extend(query(db, after, values()).await?);
    let mut thread = Vec::with_capacity(rows.len());
    for row in rows {
        let direction: String = row.try_get("", "direction")?;
        let author: String = row.try_get("", "author")?;
        let author = match (direction.as_str(), author.as_str()) {
            ("in", _) => Author::Customer,
            (_, "bot") => Author::Bot,
            _ => Author::Operator,
        };
        let extraction: Option<i64> = row.try_get("", "extraction_id")?;
        let fresh = author == Author::Customer && extraction.is_none();
        let (id, text) = (row.try_get("", "id")?, row.try_get("", "text")?);
        let line = Line { id, author, text, fresh };
        thread.push(Said { line, created_at: row.try_get("", "created_at")? });
    }
    Ok(thread)
}

/// Facts that the conversation's extractions have written so far, whatever became of them.
pub async fn facts_so_far(db: &impl ConnectionTrait, conversation_id: i64) -> StoreResult<usize> {
    let sql = "SELECT CAST(COALESCE(sum(facts), 0) AS BIGINT) AS n FROM memory_extractions \
               WHERE conversation_id = $1";
    let rows = query(db, sql.to_owned(), vec![conversation_id.into()]).await?;
    let count: i64 = match rows.first() {
        Some(row) => row.try_get("", "n")?,
        None => 0,
    };
    Ok(usize::try_from(count).unwrap_or_default())
}

/// An extraction to be written.
#[derive(Debug, Clone)]
pub struct NewExtraction<'a> {
    pub subject: &'a Subject,
    pub outcome: &'static str,
    pub model: Option<String>,
    /// The fresh messages that it read.
    pub read: &'a [i64],
    pub facts: usize,
    pub discarded: Json,
}

/// Writes the extraction and marks what it read. [`StoreError::Conflict`] when another has marked
/// some of it in the meantime.
pub async fn insert(
    tx: &impl ConnectionTrait,
    new: NewExtraction<'_>,
    now: DateTime<Utc>,
) -> StoreResult<i64> {
    let row = memory_extraction::ActiveModel {
        account_id: Set(new.subject.account_id),
        contact_id: Set(new.subject.contact_id),
        conversation_id: Set(new.subject.conversation_id),
        outcome: Set(new.outcome.to_owned()),
        model: Set(new.model),
        messages: Set(i64::try_from(new.read.len()).unwrap_or_default()),
        facts: Set(i64::try_from(new.facts).unwrap_or_default()),
        discarded: Set(new.discarded),
        created_at: Set(now),
        ..Default::default()
    };
    let id = row.insert(tx).await?.id;
    let any = any_number(tx.get_database_backend(), "id", 2);
    let sql =
        format!("UPDATE messages SET extraction_id = $1 WHERE {any} AND extraction_id IS NULL");
    let ids = parameter(new.read.iter().copied().map(Json::from));
    if execute(tx, sql, vec![id.into(), ids]).await? != new.read.len() as u64 {
        return Err(StoreError::Conflict);
    }
    Ok(id)
}

/// Everything of the conversation that had come by then was learnt from, or given up.
pub async fn learned(
    tx: &impl ConnectionTrait,
    conversation_id: i64,
    until: DateTime<Utc>,
) -> StoreResult<()> {
    let sql = "UPDATE conversations SET learned_until = $1 WHERE id = $2";
    execute(tx, sql.to_owned(), vec![until.into(), conversation_id.into()]).await?;
    Ok(())
}

/// Takes the contact's row for this transaction and answers when they asked to be forgotten: who
/// forgets waits for who learns, and the other way round.
pub async fn lock_contact(
    tx: &impl ConnectionTrait,
    contact_id: i64,
) -> StoreResult<Option<DateTime<Utc>>> {
    let sql =
        "UPDATE contacts SET forgotten_at = forgotten_at WHERE id = $1 RETURNING forgotten_at";
    let rows = query(tx, sql.to_owned(), vec![contact_id.into()]).await?;
    let Some(row) = rows.first() else {
        return Err(StoreError::Inconsistent(format!("no contact {contact_id}")));
    };
    Ok(row.try_get("", "forgotten_at")?)
}

/// The contact asked to be forgotten now.
pub async fn forgotten(
    tx: &impl ConnectionTrait,
    contact_id: i64,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let sql = "UPDATE contacts SET forgotten_at = $1 WHERE id = $2";
    execute(tx, sql.to_owned(), vec![now.into(), contact_id.into()]).await?;
    Ok(())
}
