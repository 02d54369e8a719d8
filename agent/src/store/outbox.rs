//! Outbound messages: written with the turn that says them, sent one after the other.

use chrono::{DateTime, Utc};
use lembra_entities::message;
use sea_orm::sea_query::{Expr, ExprTrait, Query};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, Value,
};

use super::conversations::Place;
use super::error::StoreResult;
use crate::domain::conversation::Delivery;
use crate::domain::message::{DeliveryStatus, DeliveryUpdate};

/// Writes the parts of one answer into the outbox, in order.
pub async fn write(
    tx: &impl ConnectionTrait,
    place: Place,
    conversation_id: i64,
    turn_id: i64,
    parts: Vec<String>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    insert(tx, place, conversation_id, Author::Turn(turn_id), parts, now).await
}

/// Writes what an operator, or a program in their place, says into the outbox, in parts.
pub async fn write_as_operator(
    tx: &impl ConnectionTrait,
    place: Place,
    conversation_id: i64,
    by: &str,
    parts: Vec<String>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    insert(tx, place, conversation_id, Author::Operator(by), parts, now).await
}

/// Who says it.
enum Author<'a> {
    Turn(i64),
    Operator(&'a str),
}

async fn insert(
    tx: &impl ConnectionTrait,
    place: Place,
    conversation_id: i64,
    author: Author<'_>,
    parts: Vec<String>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    if parts.is_empty() {
        return Ok(());
    }
    let (author, turn_id, said_by) = match author {
        Author::Turn(id) => ("bot", Some(id), None),
        Author::Operator(by) => ("operator", None, Some(by.to_owned())),
    };
    let rows = parts.into_iter().map(|text| message::ActiveModel {
        account_id: Set(place.account_id),
        inbox_id: Set(place.inbox_id),
        conversation_id: Set(conversation_id),
        contact_id: Set(place.contact_id),
        direction: Set("out".to_owned()),
        author: Set(author.to_owned()),
        said_by: Set(said_by.clone()),
        kind: Set("text".to_owned()),
        text: Set(text),
        written_at: Set(now),
        turn_id: Set(turn_id),
        delivery: Set(Some(Delivery::Pending.as_str().to_owned())),
        created_at: Set(now),
        updated_at: Set(now),
        ..Default::default()
    });
    message::Entity::insert_many(rows).exec_without_returning(tx).await?;
    Ok(())
}

/// A message on its way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outbound {
    pub id: i64,
    pub turn_id: Option<i64>,
    pub text: String,
    pub delivery: Delivery,
    pub sending_at: Option<DateTime<Utc>>,
    /// Names the last announcement in the journal of the process that made it.
    pub send_ticket: Option<String>,
    /// It was unclear once already, and sent again.
    pub sent_again: bool,
    pub created_at: DateTime<Utc>,
}

/// The first message of the conversation that is not out yet.
pub async fn next(
    db: &impl ConnectionTrait,
    conversation_id: i64,
) -> StoreResult<Option<Outbound>> {
    let row = message::Entity::find()
        .filter(message::Column::ConversationId.eq(conversation_id))
        .filter(Expr::cust("delivery IN ('pending', 'sending')"))
        .order_by_asc(message::Column::Id)
        .one(db)
        .await?;
    Ok(row.map(|row| Outbound {
        id: row.id,
        turn_id: row.turn_id,
        text: row.text,
        delivery: match row.delivery.as_deref() {
            Some("sending") => Delivery::Sending,
            _ => Delivery::Pending,
        },
        sending_at: row.sending_at,
        send_ticket: row.send_ticket,
        sent_again: row.error_detail.as_deref() == Some(SENT_AGAIN),
        created_at: row.created_at,
    }))
}

/// Moves one message from `from` to another state; false when it was not in it any more.
async fn step(
    tx: &impl ConnectionTrait,
    id: i64,
    from: Delivery,
    to: Delivery,
    changes: Vec<(message::Column, Value)>,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let mut update = message::Entity::update_many()
        .col_expr(message::Column::Delivery, Expr::value(to.as_str()))
        .col_expr(message::Column::UpdatedAt, Expr::value(now))
        .filter(message::Column::Id.eq(id))
        .filter(message::Column::Delivery.eq(from.as_str()));
    for (column, value) in changes {
        update = update.col_expr(column, Expr::value(value));
    }
    Ok(update.exec(tx).await?.rows_affected == 1)
}

/// Recorded before the call to the provider, so that a crash leaves a trace.
pub async fn mark_sending(
    tx: &impl ConnectionTrait,
    id: i64,
    ticket: Option<String>,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let changes = vec![
        (message::Column::SendingAt, now.into()),
        (message::Column::SendTicket, ticket.into()),
    ];
    step(tx, id, Delivery::Pending, Delivery::Sending, changes, now).await
}

/// The provider accepted it under this id, whatever we believed of it. A status may have come
/// first; then only the id is new.
pub async fn mark_sent(
    tx: &impl ConnectionTrait,
    id: i64,
    provider_message_id: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let provider_id = || Value::from(provider_message_id.to_owned());
    for before in [Delivery::Sending, Delivery::Pending, Delivery::Unknown] {
        let changes = vec![
            (message::Column::ProviderMessageId, provider_id()),
            (message::Column::SentAt, now.into()),
        ];
        if step(tx, id, before, Delivery::Sent, changes, now).await? {
            return Ok(());
        }
    }
    message::Entity::update_many()
        .col_expr(message::Column::ProviderMessageId, Expr::value(provider_id()))
        .filter(message::Column::Id.eq(id))
        .filter(message::Column::ProviderMessageId.is_null())
        .exec(tx)
        .await?;
    Ok(())
}

/// It surely was not sent, and will be tried again.
pub async fn mark_pending(
    tx: &impl ConnectionTrait,
    id: i64,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let nothing = vec![(message::Column::SendingAt, Value::ChronoDateTimeUtc(None))];
    step(tx, id, Delivery::Sending, Delivery::Pending, nothing, now).await
}

/// What `error_detail` says of a message whose first sending stayed unclear.
const SENT_AGAIN: &str = "sent_again";

/// It was most likely not sent, and is sent once more; not a third time.
pub async fn mark_to_send_again(
    tx: &impl ConnectionTrait,
    id: i64,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let changes = vec![
        (message::Column::SendingAt, Value::ChronoDateTimeUtc(None)),
        (message::Column::ErrorDetail, SENT_AGAIN.into()),
    ];
    step(tx, id, Delivery::Sending, Delivery::Pending, changes, now).await
}

/// Nobody can tell whether it was sent.
pub async fn mark_unknown(
    tx: &impl ConnectionTrait,
    id: i64,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    step(tx, id, Delivery::Sending, Delivery::Unknown, Vec::new(), now).await
}

/// It cannot be sent; the later parts of the same turn are not sent either.
pub async fn mark_failed(
    tx: &impl ConnectionTrait,
    outbound: &Outbound,
    code: Option<i64>,
    detail: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    message::Entity::update_many()
        .col_expr(message::Column::Delivery, Expr::value(Delivery::Failed.as_str()))
        .col_expr(message::Column::ErrorCode, Expr::value(code))
        .col_expr(message::Column::ErrorDetail, Expr::value(detail))
        .col_expr(message::Column::UpdatedAt, Expr::value(now))
        .filter(message::Column::Id.eq(outbound.id))
        .filter(Expr::cust("delivery IN ('pending', 'sending')"))
        .exec(tx)
        .await?;
    cancel_rest_of_turn(tx, outbound.turn_id, outbound.id, now).await
}

/// Cancels what is written and not on its way in a conversation that a person took over.
pub async fn cancel_pending(
    tx: &impl ConnectionTrait,
    conversation_id: i64,
    now: DateTime<Utc>,
) -> StoreResult<u64> {
    let cancelled = message::Entity::update_many()
        .col_expr(message::Column::Delivery, Expr::value(Delivery::Cancelled.as_str()))
        .col_expr(message::Column::UpdatedAt, Expr::value(now))
        .filter(message::Column::ConversationId.eq(conversation_id))
        .filter(Expr::cust("delivery = 'pending' AND author = 'bot'"))
        .exec(tx)
        .await?;
    Ok(cancelled.rows_affected)
}

/// Our own id of a message as the provider gives it back.
pub fn callback_data(message_id: i64) -> String {
    format!("lembra:{message_id}")
}

fn message_id_of(callback_data: Option<&str>) -> Option<i64> {
    callback_data?.strip_prefix("lembra:")?.parse().ok()
}

/// What a status did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    NoSuchMessage,
    /// It is known already, or older than what is known.
    Nothing,
    Moved,
    /// The message that the provider had accepted failed after all.
    Failed {
        message_id: i64,
        account_id: i64,
        conversation_id: i64,
    },
}

/// Applies what the provider reports; never backwards. A message that failed takes the later parts
/// of its answer with it.
pub async fn apply_status(
    tx: &impl ConnectionTrait,
    inbox_id: i64,
    status: &DeliveryUpdate,
    now: DateTime<Utc>,
) -> StoreResult<Applied> {
    let (to, before, time) = match status.status {
        DeliveryStatus::Sent => {
            (Delivery::Sent, "'pending', 'sending', 'unknown'", message::Column::SentAt)
        }
        DeliveryStatus::Delivered => (
            Delivery::Delivered,
            "'pending', 'sending', 'unknown', 'sent'",
            message::Column::DeliveredAt,
        ),
        DeliveryStatus::Read | DeliveryStatus::Played => (
            Delivery::Read,
            "'pending', 'sending', 'unknown', 'sent', 'delivered'",
            message::Column::ReadAt,
        ),
        DeliveryStatus::Failed => (
            Delivery::Failed,
            "'pending', 'sending', 'unknown', 'sent'",
            message::Column::UpdatedAt,
        ),
        // Nothing can be concluded from these.
        DeliveryStatus::Pending | DeliveryStatus::Deleted | DeliveryStatus::Unknown => {
            return Ok(Applied::Nothing);
        }
    };
    let mut ours = Expr::col(message::Column::ProviderMessageId).eq(status.message_id.as_str());
    if let Some(id) = message_id_of(status.callback_data.as_deref()) {
        ours = ours.or(Expr::col(message::Column::Id).eq(id));
    }
    let at = status.timestamp.unwrap_or(now);
    let keep = |column: message::Column, value: Value| {
        Expr::expr(sea_orm::sea_query::Func::coalesce([Expr::col(column), Expr::val(value)]))
    };
    let mut update = Query::update()
        .table(message::Entity)
        .value(message::Column::Delivery, to.as_str())
        .value(
            message::Column::ProviderMessageId,
            keep(message::Column::ProviderMessageId, status.message_id.clone().into()),
        )
        .value(message::Column::UpdatedAt, now)
        .and_where(Expr::col(message::Column::InboxId).eq(inbox_id))
        .and_where(ours.clone())
        .and_where(Expr::cust(format!("direction = 'out' AND delivery IN ({before})")))
        .to_owned();
    if to == Delivery::Failed {
        update.value(message::Column::ErrorCode, status.error_code);
    } else {
        update.value(time, at);
    }
    if let Some(pricing) = &status.pricing {
        update.value(message::Column::Pricing, pricing.clone());
    }
    let moved = tx.execute(&update).await?.rows_affected() > 0;
    if moved && to != Delivery::Failed {
        return Ok(Applied::Moved);
    }
    let known = message::Entity::find()
        .filter(message::Column::InboxId.eq(inbox_id))
        .filter(ours)
        .one(tx)
        .await?;
    let Some(known) = known else {
        return Ok(Applied::NoSuchMessage);
    };
    if !moved {
        return Ok(Applied::Nothing);
    }
    cancel_rest_of_turn(tx, known.turn_id, known.id, now).await?;
    Ok(Applied::Failed {
        message_id: known.id,
        account_id: known.account_id,
        conversation_id: known.conversation_id,
    })
}

/// The parts of an answer behind one that failed are not sent.
async fn cancel_rest_of_turn(
    tx: &impl ConnectionTrait,
    turn_id: Option<i64>,
    after: i64,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let Some(turn_id) = turn_id else {
        return Ok(());
    };
    message::Entity::update_many()
        .col_expr(message::Column::Delivery, Expr::value(Delivery::Cancelled.as_str()))
        .col_expr(message::Column::UpdatedAt, Expr::value(now))
        .filter(message::Column::TurnId.eq(turn_id))
        .filter(message::Column::Id.gt(after))
        .filter(Expr::cust("delivery = 'pending'"))
        .exec(tx)
        .await?;
    Ok(())
}
