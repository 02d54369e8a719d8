//! One conversation, read in pages: its messages, and what stands beside them.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use lembra_entities::{alert, conversation, handoff, media_file, message};
use sea_orm::sea_query::{Expr, SimpleExpr};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};
use serde_json::Value as Json;

use crate::store::StoreResult;
use crate::store::rowset::{any_number, parameter, query};

/// Reactions read beside a page of messages.
const REACTIONS: u64 = 500;
/// Messages of a page that grows.
const MOST: u64 = 300;
/// Handoffs and alerts shown of a conversation.
const BESIDE: u64 = 50;

/// Which page of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    Newest,
    /// Older than this message.
    Before(i64),
    /// Newer than this message.
    After(i64),
    /// With this message in the middle.
    Around(i64),
    /// This message and all behind it, as far as a page goes that was open for long.
    Since(i64),
}

/// A page of messages, oldest first. Changes, withdrawals and reactions are not among them.
#[derive(Debug, Clone, Default)]
pub struct Page {
    pub messages: Vec<message::Model>,
    pub has_older: bool,
    pub has_newer: bool,
}

/// The conversation, if it is the account's.
pub async fn conversation(
    db: &impl ConnectionTrait,
    account_id: i64,
    id: i64,
) -> StoreResult<Option<conversation::Model>> {
    Ok(conversation::Entity::find_by_id(id)
        .filter(conversation::Column::AccountId.eq(account_id))
        .one(db)
        .await?)
}

/// A message of a conversation of the account.
pub async fn message(
    db: &impl ConnectionTrait,
    account_id: i64,
    conversation_id: i64,
    id: i64,
) -> StoreResult<Option<message::Model>> {
    Ok(message::Entity::find_by_id(id)
        .filter(message::Column::AccountId.eq(account_id))
        .filter(message::Column::ConversationId.eq(conversation_id))
        .one(db)
        .await?)
}

/// At most `limit` messages of the conversation.
pub async fn messages(
    db: &impl ConnectionTrait,
    conversation_id: i64,
    window: Window,
    limit: u64,
) -> StoreResult<Page> {
    let before = |only| side(db, conversation_id, only, true, limit);
    let after =
        |id: i64, most| side(db, conversation_id, Some(message::Column::Id.gt(id)), false, most);
    Ok(match window {
        Window::Newest => {
            let (messages, has_older) = before(None).await?;
            Page { messages, has_older, has_newer: false }
        }
        Window::Before(id) => {
            let (messages, has_older) = before(Some(message::Column::Id.lt(id))).await?;
            Page { messages, has_older, has_newer: true }
        }
        Window::After(id) => {
            let (messages, has_newer) = after(id, limit).await?;
            Page { messages, has_older: true, has_newer }
        }
        Window::Since(id) => {
            let since = Some(message::Column::Id.gte(id));
            let (messages, _) = side(db, conversation_id, since, true, MOST).await?;
            let first = messages.first().map_or(id, |row| row.id);
            let before = Some(message::Column::Id.lt(first));
            let has_older = !side(db, conversation_id, before, true, 1).await?.0.is_empty();
            Page { messages, has_older, has_newer: false }
        }
        Window::Around(id) => {
            let half = limit / 2;
            let older = Some(message::Column::Id.lte(id));
            let (mut messages, has_older) = side(db, conversation_id, older, true, half).await?;
            let (newer, has_newer) = after(id, half).await?;
            messages.extend(newer);
            Page { messages, has_older, has_newer }
        }
    })
}

/// Messages on one side of a place, oldest first, and whether there are more on that side.
async fn side(
    db: &impl ConnectionTrait,
    conversation_id: i64,
    only: Option<SimpleExpr>,
    backwards: bool,
    limit: u64,
) -> StoreResult<(Vec<message::Model>, bool)> {
    let only = only.map_or_else(Condition::all, |condition| Condition::all().add(condition));
    let found = message::Entity::find()
        .filter(message::Column::ConversationId.eq(conversation_id))
        .filter(Expr::cust("kind NOT IN ('edit', 'revoke', 'reaction')"))
        .filter(only)
        .limit(limit + 1);
    let found = match backwards {
        true => found.order_by_desc(message::Column::Id),
        false => found.order_by_asc(message::Column::Id),
    };
    let mut rows = found.all(db).await?;
    let more = rows.len() as u64 > limit;
    rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    if backwards {
        rows.reverse();
    }
    Ok((rows, more))
}

/// Reactions of the conversation since that message, oldest first.
pub async fn reactions(
    db: &impl ConnectionTrait,
    conversation_id: i64,
    since: i64,
) -> StoreResult<Vec<message::Model>> {
    Ok(message::Entity::find()
        .filter(message::Column::ConversationId.eq(conversation_id))
        .filter(message::Column::Id.gte(since))
        .filter(message::Column::Kind.eq("reaction"))
        .order_by_asc(message::Column::Id)
        .limit(REACTIONS)
        .all(db)
        .await?)
}

/// The files of these messages, by message.
pub async fn files(
    db: &impl ConnectionTrait,
    message_ids: Vec<i64>,
) -> StoreResult<HashMap<i64, media_file::Model>> {
    if message_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let found = media_file::Entity::find()
        .filter(media_file::Column::MessageId.is_in(message_ids))
        .all(db)
        .await?;
    Ok(found.into_iter().map(|row| (row.message_id, row)).collect())
}

/// Messages of the inbox with these ids of the provider.
pub async fn quoted(
    db: &impl ConnectionTrait,
    inbox_id: i64,
    provider_ids: Vec<String>,
) -> StoreResult<Vec<message::Model>> {
    if provider_ids.is_empty() {
        return Ok(Vec::new());
    }
    Ok(message::Entity::find()
        .filter(message::Column::InboxId.eq(inbox_id))
        .filter(message::Column::ProviderMessageId.is_in(provider_ids))
        .all(db)
        .await?)
}

/// What a thread shows of a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnLine {
    pub id: i64,
    pub model: String,
    pub prompt_tokens: Option<i64>,
    pub completion_tokens: Option<i64>,
    pub brl: Option<f64>,
    pub started_at: DateTime<Utc>,
    pub finished_at: DateTime<Utc>,
    /// The tools called, in order, with how each ended.
    pub calls: Vec<(String, String)>,
}

/// The turns of the conversation with these ids.
pub async fn turns(
    db: &impl ConnectionTrait,
    conversation_id: i64,
    ids: &[i64],
) -> StoreResult<Vec<TurnLine>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let backend = db.get_database_backend();
    let ids = || parameter(ids.iter().copied().map(Json::from));
    let any = any_number(backend, "turn_id", 2);
    let sql = format!(
        "SELECT turn_id, tool, state FROM tool_calls WHERE conversation_id = $1 AND {any} \
         ORDER BY id"
    );
    let mut calls: HashMap<i64, Vec<(String, String)>> = HashMap::new();
    for row in query(db, sql, vec![conversation_id.into(), ids()]).await? {
        let call = (row.try_get("", "tool")?, row.try_get("", "state")?);
        calls.entry(row.try_get("", "turn_id")?).or_default().push(call);
    }
    let any = any_number(backend, "id", 2);
    let sql = format!(
        "SELECT id, model, prompt_tokens, completion_tokens, brl, started_at, finished_at \
         FROM turns WHERE conversation_id = $1 AND {any} ORDER BY id"
    );
    let mut turns = Vec::new();
    for row in query(db, sql, vec![conversation_id.into(), ids()]).await? {
        let id = row.try_get("", "id")?;
        turns.push(TurnLine {
            id,
            model: row.try_get("", "model")?,
            prompt_tokens: row.try_get("", "prompt_tokens")?,
            completion_tokens: row.try_get("", "completion_tokens")?,
            brl: row.try_get("", "brl")?,
            started_at: row.try_get("", "started_at")?,
            finished_at: row.try_get("", "finished_at")?,
            calls: calls.remove(&id).unwrap_or_default(),
        });
    }
    Ok(turns)
}

/// How many turns the conversation had, and what they cost.
pub async fn spent(db: &impl ConnectionTrait, conversation_id: i64) -> StoreResult<(i64, f64)> {
    let sql = "SELECT count(*) AS turns, COALESCE(sum(brl), 0.0) AS brl FROM turns \
               WHERE conversation_id = $1";
    let rows = query(db, sql.to_owned(), vec![conversation_id.into()]).await?;
    rows.first()
        .map_or(Ok((0, 0.0)), |row| Ok((row.try_get("", "turns")?, row.try_get("", "brl")?)))
}

/// When the conversation was left to people, latest last.
pub async fn handoffs(
    db: &impl ConnectionTrait,
    conversation_id: i64,
) -> StoreResult<Vec<handoff::Model>> {
    let mut rows = handoff::Entity::find()
        .filter(handoff::Column::ConversationId.eq(conversation_id))
        .order_by_desc(handoff::Column::Id)
        .limit(BESIDE)
        .all(db)
        .await?;
    rows.reverse();
    Ok(rows)
}

/// The open alerts about the conversation.
pub async fn alerts(
    db: &impl ConnectionTrait,
    conversation_id: i64,
) -> StoreResult<Vec<alert::Model>> {
    Ok(alert::Entity::find()
        .filter(alert::Column::ConversationId.eq(conversation_id))
        .filter(alert::Column::ResolvedAt.is_null())
        .order_by_asc(alert::Column::Id)
        .limit(BESIDE)
        .all(db)
        .await?)
}

/// The contact's other conversations, latest first.
pub async fn others_of_contact(
    db: &impl ConnectionTrait,
    account_id: i64,
    contact_id: i64,
    except: i64,
    limit: u64,
) -> StoreResult<Vec<conversation::Model>> {
    Ok(conversation::Entity::find()
        .filter(conversation::Column::AccountId.eq(account_id))
        .filter(conversation::Column::ContactId.eq(contact_id))
        .filter(conversation::Column::Id.ne(except))
        .order_by_desc(conversation::Column::Id)
        .limit(limit)
        .all(db)
        .await?)
}
