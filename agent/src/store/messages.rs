//! Inbound messages: written once, read by triage and turns, ended by an outcome.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use lembra_entities::message;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict, Query, SimpleExpr};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter,
    QueryOrder, QuerySelect, QueryTrait, Statement,
};

use super::conversations::Place;
use super::error::StoreResult;
use super::padded;
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

/// Writes messages that are not there yet and answers the ids of those written, by inbox and
/// provider's id. A redelivered message is not among them.
pub async fn insert(
    tx: &impl ConnectionTrait,
    messages: &[NewMessage],
    now: DateTime<Utc>,
) -> StoreResult<HashMap<(i64, String), i64>> {
    if messages.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = messages.iter().map(|message| {
        let (direction, author, delivery) = match message.direction {
            Direction::FromCustomer => ("in", "customer", None),
            Direction::FromHuman => ("out", "human", Some("sent".to_owned())),
        };
        message::ActiveModel {
            account_id: Set(message.place.account_id),
            inbox_id: Set(message.place.inbox_id),
            conversation_id: Set(message.conversation_id),
            contact_id: Set(message.place.contact_id),
            direction: Set(direction.to_owned()),
            author: Set(author.to_owned()),
            provider_message_id: Set(Some(message.provider_message_id.clone())),
            kind: Set(message.kind.to_owned()),
            text: Set(message.text.clone()),
            content: Set(message.content.clone()),
            reply_to: Set(message.reply_to.clone()),
            written_at: Set(message.written_at),
            verdict: Set(message.verdict.map(str::to_owned)),
            delivery: Set(delivery),
            created_at: Set(now),
            updated_at: Set(now),
            ..Default::default()
        }
    });
    let once = [message::Column::InboxId, message::Column::ProviderMessageId];
    let mut insert = message::Entity::insert_many(rows)
        .on_conflict(OnConflict::columns(once).do_nothing().to_owned());
    let columns = [
        message::Column::Id,
        message::Column::InboxId,
        message::Column::ProviderMessageId,
    ];
    let statement = insert
        .query()
        .returning(Query::returning().columns(columns));
    let rows = tx.query_all(statement).await?;
    let mut ids = HashMap::with_capacity(rows.len());
    for row in rows {
        let key = (
            row.try_get("", "inbox_id")?,
            row.try_get("", "provider_message_id")?,
        );
        ids.insert(key, row.try_get("", "id")?);
    }
    Ok(ids)
}

/// What triage found of a message.
#[derive(Debug, Clone, Copy)]
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
        .col_expr(
            message::Column::OutcomeDetail,
            Expr::value(outcome.detail()),
        )
        .col_expr(message::Column::OutcomeAt, Expr::value(now))
        .col_expr(message::Column::UpdatedAt, Expr::value(now))
        .filter(message::Column::Id.is_in(padded(ids.to_vec())))
        .filter(message::Column::Outcome.is_null());
    if let Some(turn_id) = outcome.turn_id() {
        update = update.col_expr(message::Column::TurnId, Expr::value(turn_id));
    }
    if let Some(found) = verdict {
        update = update
            .col_expr(message::Column::Verdict, Expr::value(found.verdict))
            .col_expr(
                message::Column::Rule,
                Expr::value(found.rule.map(str::to_owned)),
            );
    }
    Ok(update.exec(tx).await?.rows_affected)
}

/// The condition of a message that nobody has answered.
fn waiting(conversation_id: i64) -> SimpleExpr {
    message::Column::ConversationId
        .eq(conversation_id)
        .and(Expr::cust("direction = 'in' AND outcome IS NULL"))
}

/// A message that a turn is to answer.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct Waiting {
    pub id: i64,
    pub kind: String,
    pub text: String,
    pub written_at: DateTime<Utc>,
}

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
            message::Column::WrittenAt,
        ])
        .filter(waiting(conversation_id))
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
    conversation_ids: Vec<i64>,
    most: u64,
) -> StoreResult<HashMap<i64, Vec<Said>>> {
    if conversation_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let backend = tx.get_database_backend();
    let ids = padded(conversation_ids);
    let marks: Vec<String> = (2..ids.len() + 2)
        .map(|index| format!("${index}"))
        .collect();
    let sql = format!(
        "SELECT id, conversation_id, direction, text FROM (\
           SELECT id, conversation_id, direction, text, \
             row_number() OVER (PARTITION BY conversation_id ORDER BY id DESC) AS age \
           FROM messages WHERE conversation_id IN ({}) AND text <> '' \
             AND (delivery IS NULL OR delivery NOT IN ('failed', 'cancelled'))\
         ) AS latest WHERE age <= $1 ORDER BY id",
        marks.join(", ")
    );
    let mut values = vec![sea_orm::Value::from(
        i64::try_from(most).unwrap_or(i64::MAX),
    )];
    values.extend(ids.into_iter().map(sea_orm::Value::from));
    let rows = tx
        .query_all_raw(Statement::from_sql_and_values(backend, sql, values))
        .await?;
    let mut histories: HashMap<i64, Vec<Said>> = HashMap::new();
    for row in rows {
        let direction: String = row.try_get("", "direction")?;
        let role = if direction == "in" {
            Role::User
        } else {
            Role::Assistant
        };
        let message = ChatMessage::new(role, row.try_get::<String>("", "text")?);
        let said = Said {
            id: row.try_get("", "id")?,
            message,
        };
        histories
            .entry(row.try_get("", "conversation_id")?)
            .or_default()
            .push(said);
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
        .columns([
            message::Column::Id,
            message::Column::Direction,
            message::Column::Text,
        ])
        .filter(message::Column::ConversationId.in_subquery(conversations))
        .filter(Expr::cust("text <> ''"))
        .filter(Expr::cust(
            "(delivery IS NULL OR delivery NOT IN ('failed', 'cancelled'))",
        ))
        .order_by_desc(message::Column::Id)
        .limit(most)
        .into_tuple()
        .all(db)
        .await?;
    let said = |(id, direction, text): (i64, String, String)| {
        let role = if direction == "in" {
            Role::User
        } else {
            Role::Assistant
        };
        Said {
            id,
            message: ChatMessage::new(role, text),
        }
    };
    Ok(rows.into_iter().rev().map(said).collect())
}

/// How many answers went to each conversation since then.
pub async fn answers_since(
    tx: &impl ConnectionTrait,
    conversation_ids: Vec<i64>,
    since: DateTime<Utc>,
) -> StoreResult<HashMap<i64, u64>> {
    if conversation_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<(i64, i64)> = message::Entity::find()
        .select_only()
        .column(message::Column::ConversationId)
        .column_as(message::Column::Id.count(), "answers")
        .filter(message::Column::ConversationId.is_in(padded(conversation_ids)))
        .filter(Expr::cust("direction = 'out' AND author = 'bot'"))
        .filter(message::Column::CreatedAt.gt(since))
        .group_by(message::Column::ConversationId)
        .into_tuple()
        .all(tx)
        .await?;
    Ok(rows
        .into_iter()
        .map(|(id, count)| (id, u64::try_from(count).unwrap_or_default()))
        .collect())
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
    use sea_orm::DbBackend;

    #[test]
    fn only_messages_without_outcome_count_as_waiting() {
        let sql = message::Entity::find()
            .filter(waiting(7))
            .build(DbBackend::Sqlite)
            .to_string();
        assert!(sql.contains("outcome IS NULL"), "{sql}");
    }
}
