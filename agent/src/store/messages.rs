//! Inbound messages: written once, read by triage and turns, ended by an outcome.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use lembra_entities::message;
use sea_orm::sea_query::{Expr, ExprTrait, Query, SimpleExpr};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    QueryResult, QuerySelect,
};
use serde_json::{Value as Json, json};

use super::conversations::Place;
use super::error::StoreResult;
use super::rowset::{Columns, Inserts, Kind, any_number, parameter, query, time};
use crate::domain::chat::{ChatMessage, Role};
use crate::domain::conversation::Outcome;

/// A message to be written, as it came.
#[derive(Debug, Clone)]
pub struct NewMessage {
    pub conversation_id: i64,
    pub place: Place,
    pub direction: Direction,
    pub provider_message_id: String,
    pub kind: &'static str,
    pub text: String,
    /// All of the content, where it is more than text.
    pub content: Option<serde_json::Value>,
    pub reply_to: Option<String>,
    pub written_at: DateTime<Utc>,
    /// What triage says unless it finds otherwise; `None` for messages that it does not read.
    pub verdict: Option<&'static str>,
}

/// Who wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    FromCustomer,
    /// A person of the business, outside of Lembra.
    FromHuman,
}

pub(crate) const MESSAGE: Columns = &[
    ("account_id", Kind::BigInt),
    ("inbox_id", Kind::BigInt),
    ("conversation_id", Kind::BigInt),
    ("contact_id", Kind::BigInt),
    ("direction", Kind::Text),
    ("author", Kind::Text),
    ("provider_message_id", Kind::Text),
    ("kind", Kind::Text),
    ("text", Kind::Text),
    ("content", Kind::Json),
    ("reply_to", Kind::Text),
    ("written_at", Kind::Time),
    ("verdict", Kind::Text),
    ("delivery", Kind::Text),
    ("created_at", Kind::Time),
    ("updated_at", Kind::Time),
];

pub(crate) fn rows(messages: &[NewMessage], now: DateTime<Utc>) -> Vec<Json> {
    let row = |message: &NewMessage| {
        let (direction, author, delivery) = match message.direction {
            Direction::FromCustomer => ("in", "customer", None),
            Direction::FromHuman => ("out", "human", Some("sent")),
        };
        json!({
            "account_id": message.place.account_id,
            "inbox_id": message.place.inbox_id,
            "conversation_id": message.conversation_id,
            "contact_id": message.place.contact_id,
            "direction": direction,
            "author": author,
            "provider_message_id": message.provider_message_id,
            "kind": message.kind,
            "text": message.text,
            "content": message.content,
            "reply_to": message.reply_to,
            "written_at": time(message.written_at),
            "verdict": message.verdict,
            "delivery": delivery,
            "created_at": time(now),
            "updated_at": time(now),
        })
    };
    messages.iter().map(row).collect()
}

/// Runs `inserts`, writes messages that are not there yet and answers the ids of those written, by
/// inbox and provider's id. A redelivered message is not among them.
pub async fn insert(
    tx: &impl ConnectionTrait,
    mut inserts: Inserts,
    messages: &[NewMessage],
    now: DateTime<Utc>,
) -> StoreResult<HashMap<(i64, String), i64>> {
    if messages.is_empty() {
        return Ok(HashMap::new());
    }
    inserts.add("messages", MESSAGE, rows(messages, now));
    let clause = format!("{UNLESS_THERE} RETURNING id, inbox_id, provider_message_id");
    ids_of(inserts.run(tx, &clause).await?)
}

/// A redelivered message stays as it is.
pub(crate) const UNLESS_THERE: &str = "ON CONFLICT (inbox_id, provider_message_id) DO NOTHING";

/// The ids of written rows, by inbox and provider's id.
pub(crate) fn ids_of(rows: Vec<QueryResult>) -> StoreResult<HashMap<(i64, String), i64>> {
    let mut ids = HashMap::with_capacity(rows.len());
    for row in rows {
        let key = (row.try_get("", "inbox_id")?, row.try_get("", "provider_message_id")?);
        ids.insert(key, row.try_get("", "id")?);
    }
    Ok(ids)
}

pub async fn find(db: &impl ConnectionTrait, id: i64) -> StoreResult<Option<message::Model>> {
    Ok(message::Entity::find_by_id(id).one(db).await?)
}

/// What triage found of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    pub verdict: &'static str,
    pub rule: Option<&'static str>,
}

/// Ends messages that still wait, with one outcome; answers how many did.
pub async fn end(
    tx: &impl ConnectionTrait,
    ids: &[i64],
    outcome: &Outcome,
    verdict: Option<Verdict>,
    now: DateTime<Utc>,
) -> StoreResult<u64> {
    if ids.is_empty() {
        return Ok(0);
    }
    let mut update = message::Entity::update_many()
        .col_expr(message::Column::Outcome, Expr::value(outcome.as_str()))
        .col_expr(message::Column::OutcomeDetail, Expr::value(outcome.detail()))
        .col_expr(message::Column::OutcomeAt, Expr::value(now))
        .col_expr(message::Column::UpdatedAt, Expr::value(now))
        .filter(message::Column::Id.is_in(ids.iter().copied()))
        .filter(message::Column::Outcome.is_null());
    if let Some(turn_id) = outcome.turn_id() {
        update = update.col_expr(message::Column::TurnId, Expr::value(turn_id));
    }
    if let Some(found) = verdict {
        update = update
            .col_expr(message::Column::Verdict, Expr::value(found.verdict))
            .col_expr(message::Column::Rule, Expr::value(found.rule.map(str::to_owned)));
    }
    let ended = update.exec(tx).await?.rows_affected;
    metrics::counter!("lembra_message_outcomes_total", "outcome" => outcome.as_str())
        .increment(ended);
    Ok(ended)
}

/// The condition of a message that nobody has answered.
fn waiting(conversation_id: i64) -> SimpleExpr {
    message::Column::ConversationId
        .eq(conversation_id)
        .and(Expr::cust("direction = 'in' AND outcome IS NULL"))
}

/// A message that a turn is to answer.
#[derive(Debug, Clone, PartialEq, FromQueryResult)]
pub struct Waiting {
    pub id: i64,
    pub kind: String,
    pub text: String,
    /// See [`crate::domain::message::Content`]; absent for plain text.
    pub content: Option<Json>,
    pub provider_message_id: Option<String>,
    pub written_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
}

/// A voice that is still to be heard is answered when it was.
const NOT_UNHEARD: &str = "NOT EXISTS (SELECT 1 FROM media_files \
     WHERE media_files.message_id = messages.id AND media_files.state = 'unheard')";

/// The messages of a conversation that have no outcome, in the order in which they were written
/// and, within one second of the provider's clock, in which they arrived.
pub async fn waiting_of(
    db: &impl ConnectionTrait,
    conversation_id: i64,
) -> StoreResult<Vec<Waiting>> {
    Ok(message::Entity::find()
        .select_only()
        .columns([
            message::Column::Id,
            message::Column::Kind,
            message::Column::Text,
            message::Column::Content,
            message::Column::ProviderMessageId,
            message::Column::WrittenAt,
            message::Column::CreatedAt,
        ])
        .filter(waiting(conversation_id))
        .filter(Expr::cust(NOT_UNHEARD))
        .order_by_asc(message::Column::WrittenAt)
        .order_by_asc(message::Column::Id)
        .into_model::<Waiting>()
        .all(db)
        .await?)
}

/// The ids of the messages that wait in a conversation, other than `except`.
pub async fn waiting_ids(
    tx: &impl ConnectionTrait,
    conversation_id: i64,
    except: i64,
) -> StoreResult<Vec<i64>> {
    Ok(message::Entity::find()
        .select_only()
        .column(message::Column::Id)
        .filter(waiting(conversation_id))
        .filter(message::Column::Id.ne(except))
        .into_tuple()
        .all(tx)
        .await?)
}

/// A message of the past, with what it takes to order it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub id: i64,
    pub message: ChatMessage,
}

/// The latest `most` messages of each conversation, oldest first; messages without words and those
/// that never went out are left out.
pub async fn histories(
    tx: &impl ConnectionTrait,
    conversation_ids: &BTreeSet<i64>,
    most: u64,
) -> StoreResult<HashMap<i64, Vec<Said>>> {
    if conversation_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let any = any_number(tx.get_database_backend(), "conversation_id", 2);
    let sql = format!(
        "SELECT id, conversation_id, direction, text FROM (\
           SELECT id, conversation_id, direction, text, \
             row_number() OVER (PARTITION BY conversation_id ORDER BY id DESC) AS age \
           FROM messages WHERE {any} AND text <> '' AND kind <> 'edit' AND revoked_at IS NULL \
             AND (delivery IS NULL OR delivery NOT IN ('failed', 'cancelled'))\
         ) AS latest WHERE age <= $1 ORDER BY id"
    );
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let values = vec![most.into(), parameter(conversation_ids.iter().copied().map(Json::from))];
    let mut histories: HashMap<i64, Vec<Said>> = HashMap::new();
    for row in query(tx, sql, values).await? {
        let direction: String = row.try_get("", "direction")?;
        let role = if direction == "in" { Role::User } else { Role::Assistant };
        let message = ChatMessage::new(role, row.try_get::<String>("", "text")?);
        let said = Said { id: row.try_get("", "id")?, message };
        histories.entry(row.try_get("", "conversation_id")?).or_default().push(said);
    }
    Ok(histories)
}

/// What a contact and the business said last on an inbox, oldest first, over all its
/// conversations: the working memory (seed 002 §4).
pub async fn working_memory(
    db: &impl ConnectionTrait,
    place: Place,
    most: u64,
) -> StoreResult<Vec<Said>> {
    let conversations = Query::select()
        .column(lembra_entities::conversation::Column::Id)
        .from(lembra_entities::conversation::Entity)
        .and_where(lembra_entities::conversation::Column::ContactId.eq(place.contact_id))
        .and_where(lembra_entities::conversation::Column::InboxId.eq(place.inbox_id))
        .to_owned();
    let rows: Vec<(i64, String, String)> = message::Entity::find()
        .select_only()
        .columns([message::Column::Id, message::Column::Direction, message::Column::Text])
        .filter(message::Column::ConversationId.in_subquery(conversations))
        .filter(Expr::cust("text <> '' AND kind <> 'edit' AND revoked_at IS NULL"))
        .filter(Expr::cust("(delivery IS NULL OR delivery NOT IN ('failed', 'cancelled'))"))
        .order_by_desc(message::Column::Id)
        .limit(most)
        .into_tuple()
        .all(db)
        .await?;
    let said = |(id, direction, text): (i64, String, String)| {
        let role = if direction == "in" { Role::User } else { Role::Assistant };
        Said { id, message: ChatMessage::new(role, text) }
    };
    Ok(rows.into_iter().rev().map(said).collect())
}

/// How many answers went to each conversation since then.
pub async fn answers_since(
    tx: &impl ConnectionTrait,
    conversation_ids: &BTreeSet<i64>,
    since: DateTime<Utc>,
) -> StoreResult<HashMap<i64, u64>> {
    if conversation_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let any = any_number(tx.get_database_backend(), "conversation_id", 2);
    let sql = format!(
        "SELECT conversation_id, count(*) AS answers FROM messages \
         WHERE {any} AND direction = 'out' AND author = 'bot' AND created_at > $1 \
         GROUP BY conversation_id"
    );
    let values = vec![since.into(), parameter(conversation_ids.iter().copied().map(Json::from))];
    let mut answers = HashMap::new();
    for row in query(tx, sql, values).await? {
        let count: i64 = row.try_get("", "answers")?;
        let count = u64::try_from(count).unwrap_or_default();
        answers.insert(row.try_get("", "conversation_id")?, count);
    }
    Ok(answers)
}

/// When the customer wrote last, by the provider's time.
pub async fn last_written_at(
    db: &impl ConnectionTrait,
    place: Place,
) -> StoreResult<Option<DateTime<Utc>>> {
    let latest: Option<Option<DateTime<Utc>>> = message::Entity::find()
        .select_only()
        .column_as(message::Column::WrittenAt.max(), "latest")
        .filter(message::Column::ContactId.eq(place.contact_id))
        .filter(message::Column::InboxId.eq(place.inbox_id))
        .filter(Expr::cust("direction = 'in'"))
        .into_tuple()
        .one(db)
        .await?;
    Ok(latest.flatten())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sea_orm::{DbBackend, QueryTrait};

    #[test]
    fn only_messages_without_outcome_count_as_waiting() {
        let sql = message::Entity::find().filter(waiting(7)).build(DbBackend::Sqlite).to_string();
        assert!(sql.contains("outcome IS NULL"), "{sql}");
    }
}
