//! Messages that triage answered, and what operators think of the answers.

use chrono::{DateTime, Utc};
use lembra_entities::{account, curation_mark, message};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter,
    QueryOrder, QuerySelect,
};

use super::error::StoreResult;
use super::rowset::query;

/// Most messages of one list.
const MOST: i64 = 500;

/// A message that got a fixed answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preempted {
    pub message_id: i64,
    pub account_id: i64,
    pub conversation_id: i64,
    pub written_at: DateTime<Utc>,
    pub text: String,
    pub verdict: String,
    pub rule: Option<String>,
    /// What the customer wrote after it, if anything.
    pub next: Option<String>,
    /// `right` or `wrong`, once somebody said so.
    pub mark: Option<String>,
}

/// Messages that triage itself answered since then, newest first; those that were answered along
/// with a later one are not among them.
pub async fn preempted_since(
    db: &impl ConnectionTrait,
    account_id: Option<i64>,
    since: DateTime<Utc>,
) -> StoreResult<Vec<Preempted>> {
    let sql = "SELECT m.id, m.account_id, m.conversation_id, m.written_at, m.text, m.verdict, \
                 m.rule, c.mark, \
                 (SELECT n.text FROM messages n WHERE n.contact_id = m.contact_id \
                    AND n.inbox_id = m.inbox_id AND n.id > m.id AND n.direction = 'in' \
                    AND n.text <> '' ORDER BY n.id LIMIT 1) AS next_text \
               FROM messages m LEFT JOIN curation_marks c ON c.message_id = m.id \
               WHERE m.outcome = 'preempted' AND m.rule IS NOT NULL AND m.outcome_at >= $1 \
                 AND m.account_id >= $2 AND m.account_id <= $3 \
               ORDER BY m.id DESC LIMIT $4";
    let values = vec![
        since.into(),
        account_id.unwrap_or(0).into(),
        account_id.unwrap_or(i64::MAX).into(),
        MOST.into(),
    ];
    let mut found = Vec::new();
    for row in query(db, sql.to_owned(), values).await? {
        found.push(Preempted {
            message_id: row.try_get("", "id")?,
            account_id: row.try_get("", "account_id")?,
            conversation_id: row.try_get("", "conversation_id")?,
            written_at: row.try_get("", "written_at")?,
            text: row.try_get("", "text")?,
            verdict: row.try_get("", "verdict")?,
            rule: row.try_get("", "rule")?,
            next: row.try_get("", "next_text")?,
            mark: row.try_get("", "mark")?,
        });
    }
    Ok(found)
}

/// A message that triage answered.
pub async fn find(
    db: &impl ConnectionTrait,
    message_id: i64,
) -> StoreResult<Option<message::Model>> {
    Ok(message::Entity::find_by_id(message_id)
        .filter(message::Column::Outcome.eq("preempted"))
        .filter(Expr::cust("rule IS NOT NULL"))
        .one(db)
        .await?)
}

/// Writes or replaces a mark.
pub async fn mark(
    db: &impl ConnectionTrait,
    message_id: i64,
    account_id: i64,
    mark: &str,
    expected: Option<String>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let row = curation_mark::ActiveModel {
        message_id: Set(message_id),
        account_id: Set(account_id),
        mark: Set(mark.to_owned()),
        expected: Set(expected),
        marked_at: Set(now),
    };
    let again = OnConflict::column(curation_mark::Column::MessageId)
        .update_columns([
            curation_mark::Column::Mark,
            curation_mark::Column::Expected,
            curation_mark::Column::MarkedAt,
        ])
        .to_owned();
    curation_mark::Entity::insert(row).on_conflict(again).exec_without_returning(db).await?;
    Ok(())
}

/// A message whose fixed answer was wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    pub message_id: i64,
    pub conversation_id: i64,
    /// Of the account.
    pub locale: String,
    pub text: String,
    pub verdict: String,
    pub expected: Option<String>,
}

/// The wrong marks of one account, or of all, oldest message first.
pub async fn wrong(db: &impl ConnectionTrait, account_id: Option<i64>) -> StoreResult<Vec<Marked>> {
    #[derive(FromQueryResult)]
    struct Row {
        message_id: i64,
        expected: Option<String>,
    }
    let mut marks = curation_mark::Entity::find().filter(curation_mark::Column::Mark.eq("wrong"));
    if let Some(account_id) = account_id {
        marks = marks.filter(curation_mark::Column::AccountId.eq(account_id));
    }
    let marks: Vec<Row> =
        marks.order_by_asc(curation_mark::Column::MessageId).into_model::<Row>().all(db).await?;
    let accounts = account::Entity::find().all(db).await?;
    let ids: Vec<i64> = marks.iter().map(|mark| mark.message_id).collect();
    let messages = message::Entity::find().filter(message::Column::Id.is_in(ids)).all(db).await?;
    let joined = marks.into_iter().filter_map(|mark| {
        let message = messages.iter().find(|message| message.id == mark.message_id)?;
        let account = accounts.iter().find(|account| account.id == message.account_id)?;
        Some(Marked {
            message_id: message.id,
            conversation_id: message.conversation_id,
            locale: account.locale.clone(),
            text: message.text.clone(),
            verdict: message.verdict.clone()?,
            expected: mark.expected,
        })
    });
    Ok(joined.collect())
}

/// The customer's last `most` texts of the conversation up to and with the marked one, oldest
/// first.
pub async fn said_until(
    db: &impl ConnectionTrait,
    marked: &Marked,
    most: u64,
) -> StoreResult<Vec<String>> {
    let mut texts: Vec<String> = message::Entity::find()
        .select_only()
        .column(message::Column::Text)
        .filter(message::Column::ConversationId.eq(marked.conversation_id))
        .filter(message::Column::Id.lte(marked.message_id))
        .filter(Expr::cust("direction = 'in' AND text <> ''"))
        .order_by_desc(message::Column::Id)
        .limit(most)
        .into_tuple()
        .all(db)
        .await?;
    texts.reverse();
    Ok(texts)
}
