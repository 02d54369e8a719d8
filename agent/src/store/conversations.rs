//! A contact's open conversation on an inbox.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use lembra_entities::conversation;
use sea_orm::sea_query::{Expr, ExprTrait, Query};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Value};

use super::error::{StoreError, StoreResult};
use super::ids::{Table, allocate};
use super::padded;
use crate::domain::conversation::Handler;

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
    pub past_turns_without_tool_call: u32,
    /// It was opened by the event at hand, so nothing was said in it before.
    pub is_new: bool,
}

impl Head {
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
            past_turns_without_tool_call: u32::try_from(row.past_turns_without_tool_call)
                .unwrap_or_default(),
            is_new,
        })
    }
}

/// The open conversation of each place; those that are not there are opened. Answers
/// [`StoreError::Conflict`] when another writer opened one of them at the same moment.
pub async fn open_for(
    tx: &impl ConnectionTrait,
    places: &[Place],
    now: DateTime<Utc>,
) -> StoreResult<HashMap<Place, Head>> {
    let mut contacts: Vec<i64> = places.iter().map(|place| place.contact_id).collect();
    contacts.sort_unstable();
    contacts.dedup();
    let rows = conversation::Entity::find()
        .filter(Expr::cust("state = 'open'"))
        .filter(conversation::Column::ContactId.is_in(padded(contacts)))
        .all(tx)
        .await?;
    let mut heads = HashMap::new();
    for row in rows {
        let head = Head::from_row(&row, false)?;
        heads.insert(head.place, head);
    }
    let mut missing: Vec<Place> = places
        .iter()
        .filter(|place| !heads.contains_key(place))
        .copied()
        .collect();
    missing.sort_by_key(|place| (place.contact_id, place.inbox_id));
    missing.dedup();
    if missing.is_empty() {
        return Ok(heads);
    }
    let ids = allocate(tx, Table::Conversations, missing.len()).await?;
    let rows = ids
        .iter()
        .zip(&missing)
        .map(|(id, place)| conversation::ActiveModel {
            id: Set(*id),
            account_id: Set(place.account_id),
            inbox_id: Set(place.inbox_id),
            contact_id: Set(place.contact_id),
            state: Set("open".to_owned()),
            handler: Set(Handler::Bot.as_str().to_owned()),
            past_turns_without_tool_call: Set(0),
            last_message_at: Set(now),
            created_at: Set(now),
            updated_at: Set(now),
            ..Default::default()
        });
    conversation::Entity::insert_many(rows)
        .exec_without_returning(tx)
        .await?;
    for (id, place) in ids.into_iter().zip(missing) {
        let head = Head {
            id,
            place,
            handler: Handler::Bot,
            paused_until: None,
            past_turns_without_tool_call: 0,
            is_new: true,
        };
        heads.insert(place, head);
    }
    Ok(heads)
}

/// The conversation, whatever its state; `None` when there is none.
pub async fn head(db: &impl ConnectionTrait, id: i64) -> StoreResult<Option<Head>> {
    let row = conversation::Entity::find_by_id(id).one(db).await?;
    row.map(|row| Head::from_row(&row, false)).transpose()
}

/// Something was said in these.
pub async fn touch(
    tx: &impl ConnectionTrait,
    mut ids: Vec<i64>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    if ids.is_empty() {
        return Ok(());
    }
    ids.sort_unstable();
    ids.dedup();
    let update = Query::update()
        .table(conversation::Entity)
        .value(conversation::Column::LastMessageAt, now)
        .and_where(Expr::col(conversation::Column::Id).is_in(padded(ids)))
        .to_owned();
    tx.execute(&update).await?;
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
        .col_expr(
            conversation::Column::PausedUntil,
            Expr::value(Value::ChronoDateTimeUtc(None)),
        )
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

/// The counter of turns that no tool resolved (DESIGN §5).
pub async fn count_turn(tx: &impl ConnectionTrait, id: i64, resolved: bool) -> StoreResult<()> {
    let column = conversation::Column::PastTurnsWithoutToolCall;
    let value = if resolved {
        Expr::value(0)
    } else {
        Expr::col(column).add(1)
    };
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
