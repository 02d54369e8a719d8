//! A contact's open conversation on an inbox.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use lembra_entities::conversation;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Statement,
    Value,
};
use serde_json::{Value as Json, json};

use super::error::{StoreError, StoreResult};
use super::ids::{Ids, Table};
use super::rowset::{Columns, Inserts, Kind, any_number, execute, parameter, time};
use crate::domain::conversation::Handler;
use crate::domain::message::Referral;

/// Where a contact writes to: who they are, and on which line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    pub account_id: i64,
    pub inbox_id: i64,
    pub contact_id: i64,
}

/// What intake and a turn need to know of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    pub id: i64,
    pub place: Place,
    pub handler: Handler,
    pub paused_until: Option<DateTime<Utc>>,
    /// The channel says that the customer is typing, and that holds until then.
    pub typing_until: Option<DateTime<Utc>>,
    pub past_turns_without_tool_call: u32,
    /// It was opened by the event at hand, so nothing was said in it before.
    pub is_new: bool,
}

impl Head {
    /// A conversation in which nothing was said yet, before it has an id.
    pub fn unknown(place: Place) -> Self {
        Self {
            id: 0,
            place,
            handler: Handler::Bot,
            paused_until: None,
            typing_until: None,
            past_turns_without_tool_call: 0,
            is_new: true,
        }
    }

    fn from_row(row: &conversation::Model, is_new: bool) -> StoreResult<Self> {
        let handler = Handler::parse(&row.handler)
            .ok_or_else(|| StoreError::Inconsistent(format!("conversation {} handler", row.id)))?;
        Ok(Self {
            id: row.id,
            place: Place {
                account_id: row.account_id,
                inbox_id: row.inbox_id,
                contact_id: row.contact_id,
            },
            handler,
            paused_until: row.paused_until,
            typing_until: row.typing_until,
            past_turns_without_tool_call: u32::try_from(row.past_turns_without_tool_call)
                .unwrap_or_default(),
            is_new,
        })
    }
}

const CONVERSATION: Columns = &[
    ("id", Kind::BigInt),
    ("account_id", Kind::BigInt),
    ("inbox_id", Kind::BigInt),
    ("contact_id", Kind::BigInt),
    ("state", Kind::Text),
    ("handler", Kind::Text),
    ("last_message_at", Kind::Time),
    ("created_at", Kind::Time),
    ("updated_at", Kind::Time),
];

/// The open conversation of each place. A place that is said to be new is not looked for. Those
/// that are not there are added to `inserts`, whose run answers [`StoreError::Conflict`] when
/// another writer opened one of them at the same moment.
pub async fn open_for(
    tx: &impl ConnectionTrait,
    places: &[(Place, bool)],
    ids: &mut Ids,
    inserts: &mut Inserts,
    now: DateTime<Utc>,
) -> StoreResult<HashMap<Place, Head>> {
    let known: BTreeSet<i64> =
        places.iter().filter(|(_, is_new)| !is_new).map(|(place, _)| place.contact_id).collect();
    let mut heads = HashMap::new();
    for row in open_of(tx, known).await? {
        let head = Head::from_row(&row, false)?;
        heads.insert(head.place, head);
    }
    let mut missing: Vec<Place> = places
        .iter()
        .filter(|(place, _)| !heads.contains_key(place))
        .map(|(place, _)| *place)
        .collect();
    missing.sort_by_key(|place| (place.contact_id, place.inbox_id));
    missing.dedup();
    let ids = ids.take(tx, Table::Conversations, missing.len()).await?;
    let rows = ids.iter().zip(&missing).map(|(id, place)| {
        json!({
            "id": id,
            "account_id": place.account_id,
            "inbox_id": place.inbox_id,
            "contact_id": place.contact_id,
            "state": "open",
            "handler": Handler::Bot.as_str(),
            "last_message_at": time(now),
            "created_at": time(now),
            "updated_at": time(now),
        })
    });
    inserts.add("conversations", CONVERSATION, rows.collect());
    for (id, place) in ids.into_iter().zip(missing) {
        heads.insert(place, Head { id, ..Head::unknown(place) });
    }
    Ok(heads)
}

async fn open_of(
    tx: &impl ConnectionTrait,
    contacts: BTreeSet<i64>,
) -> StoreResult<Vec<conversation::Model>> {
    if contacts.is_empty() {
        return Ok(Vec::new());
    }
    let backend = tx.get_database_backend();
    let any = any_number(backend, "contact_id", 1);
    let sql = format!("SELECT * FROM conversations WHERE state = 'open' AND {any}");
    let values = vec![parameter(contacts.into_iter().map(Json::from))];
    let statement = Statement::from_sql_and_values(backend, sql, values);
    Ok(conversation::Entity::find().from_raw_sql(statement).all(tx).await?)
}

/// The conversation, whatever its state; `None` when there is none.
pub async fn head(db: &impl ConnectionTrait, id: i64) -> StoreResult<Option<Head>> {
    let row = conversation::Entity::find_by_id(id).one(db).await?;
    row.map(|row| Head::from_row(&row, false)).transpose()
}

/// Something was said in these.
pub async fn touch(
    tx: &impl ConnectionTrait,
    ids: BTreeSet<i64>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let any = any_number(tx.get_database_backend(), "id", 2);
    let sql = format!("UPDATE conversations SET last_message_at = $1 WHERE {any}");
    let values = vec![now.into(), parameter(ids.into_iter().map(Json::from))];
    execute(tx, sql, values).await?;
    Ok(())
}

/// The open conversations that a person is in charge of, longest first.
pub async fn left_to_people(db: &impl ConnectionTrait) -> StoreResult<Vec<conversation::Model>> {
    Ok(conversation::Entity::find()
        .filter(Expr::cust("state = 'open' AND handler = 'human'"))
        .order_by_asc(conversation::Column::HandlerSince)
        .limit(200)
        .all(db)
        .await?)
}

/// Takes the conversation's row for this transaction: whoever changes who is in charge of it waits,
/// or has been waited for.
pub async fn lock(tx: &impl ConnectionTrait, id: i64, now: DateTime<Utc>) -> StoreResult<()> {
    conversation::Entity::update_many()
        .col_expr(conversation::Column::UpdatedAt, Expr::value(now))
        .filter(conversation::Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(())
}

/// Leaves the conversation to a person, with the reason.
pub async fn hand_over(
    tx: &impl ConnectionTrait,
    id: i64,
    reason: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    set_handler(tx, id, Handler::Human, Some(reason), now).await
}

/// Gives the conversation back to the bot.
pub async fn hand_back(tx: &impl ConnectionTrait, id: i64, now: DateTime<Utc>) -> StoreResult<()> {
    set_handler(tx, id, Handler::Bot, None, now).await
}

async fn set_handler(
    tx: &impl ConnectionTrait,
    id: i64,
    handler: Handler,
    reason: Option<&str>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let reason: Value = reason.map(str::to_owned).into();
    conversation::Entity::update_many()
        .col_expr(conversation::Column::Handler, Expr::value(handler.as_str()))
        .col_expr(conversation::Column::HandlerReason, Expr::value(reason))
        .col_expr(conversation::Column::HandlerSince, Expr::value(now))
        .col_expr(conversation::Column::PausedUntil, Expr::value(Value::ChronoDateTimeUtc(None)))
        .col_expr(conversation::Column::UpdatedAt, Expr::value(now))
        .filter(conversation::Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(())
}

/// Keeps the bot silent until then, since a person wrote.
pub async fn pause(
    tx: &impl ConnectionTrait,
    id: i64,
    until: DateTime<Utc>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    conversation::Entity::update_many()
        .col_expr(conversation::Column::PausedUntil, Expr::value(until))
        .col_expr(conversation::Column::UpdatedAt, Expr::value(now))
        .filter(conversation::Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(())
}

/// Lets the bot speak again where only a pause of a person's message kept it silent.
pub async fn unpause(tx: &impl ConnectionTrait, id: i64) -> StoreResult<()> {
    conversation::Entity::update_many()
        .col_expr(conversation::Column::PausedUntil, Expr::value(Value::ChronoDateTimeUtc(None)))
        .filter(conversation::Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(())
}

/// Until when the customer is taken to be typing; `None` when they stopped.
pub async fn set_typing(
    tx: &impl ConnectionTrait,
    inbox_id: i64,
    contact_id: i64,
    until: Option<DateTime<Utc>>,
) -> StoreResult<()> {
    conversation::Entity::update_many()
        .col_expr(conversation::Column::TypingUntil, Expr::value(until))
        .filter(conversation::Column::ContactId.eq(contact_id))
        .filter(conversation::Column::InboxId.eq(inbox_id))
        .filter(Expr::cust("state = 'open'"))
        .exec(tx)
        .await?;
    Ok(())
}

/// Keeps the ad or post that the customer came from; a later one replaces it.
pub async fn set_referral(
    tx: &impl ConnectionTrait,
    id: i64,
    referral: &Referral,
) -> StoreResult<()> {
    let referral = serde_json::to_value(referral).unwrap_or_default();
    conversation::Entity::update_many()
        .col_expr(conversation::Column::Referral, Expr::value(referral))
        .filter(conversation::Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(())
}

/// The counter of turns that no tool resolved (DESIGN §5).
pub async fn count_turn(tx: &impl ConnectionTrait, id: i64, resolved: bool) -> StoreResult<()> {
    let column = conversation::Column::PastTurnsWithoutToolCall;
    let value = if resolved { Expr::value(0) } else { Expr::col(column).add(1) };
    conversation::Entity::update_many()
        .col_expr(column, value)
        .filter(conversation::Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(())
}

/// Ends the conversation; the contact's next message opens another. False when it was not open.
pub async fn resolve(tx: &impl ConnectionTrait, id: i64, now: DateTime<Utc>) -> StoreResult<bool> {
    let changed = conversation::Entity::update_many()
        .col_expr(conversation::Column::State, Expr::value("resolved"))
        .col_expr(conversation::Column::ResolvedAt, Expr::value(now))
        .col_expr(conversation::Column::UpdatedAt, Expr::value(now))
        .filter(conversation::Column::Id.eq(id))
        .filter(conversation::Column::State.eq("open"))
        .exec(tx)
        .await?;
    Ok(changed.rows_affected == 1)
}
