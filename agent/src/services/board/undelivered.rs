//! Messages of ours that failed, or of which nobody knows: an operator sends them again, or says
//! that they were not sent.

use chrono::{DateTime, Utc};
use lembra_entities::message;
use sea_orm::{DatabaseConnection, DatabaseTransaction};

use super::thread::needs_attention;
use crate::clock::SharedClock;
use crate::domain::conversation::Delivery;
use crate::domain::gate::CHANNEL_WINDOW;
use crate::jobs::NewJob;
use crate::jobs::enqueue::enqueue;
use crate::jobs::kinds::Deliver;
use crate::services::alerts::{self, Kind};
use crate::store::board::{thread, undelivered};
use crate::store::conversations::Place;
use crate::store::{StoreError, conversations, db, messages, outbox};

/// Why nothing was done.
#[derive(Debug, thiserror::Error)]
pub enum AttendError {
    #[error("there is no such message")]
    NoMessage,
    /// It is on its way, arrived, or somebody has dealt with it.
    #[error("the message does not need anything")]
    NotNeeded,
    /// Nothing reaches the customer until they write again.
    #[error("more than 24 hours since the customer wrote: the channel's window is closed")]
    WindowClosed,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sea_orm::DbErr> for AttendError {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

/// The message, which needs attention, with its conversation locked.
async fn needed(
    tx: &DatabaseTransaction,
    account_id: i64,
    (conversation_id, message_id): (i64, i64),
    now: DateTime<Utc>,
) -> Result<message::Model, AttendError> {
    let find = || thread::message(tx, account_id, conversation_id, message_id);
    if find().await?.is_none() {
        return Err(AttendError::NoMessage);
    }
    conversations::lock(tx, conversation_id, now).await?;
    let row = find().await?.ok_or(AttendError::NoMessage)?;
    if needs_attention(&row) { Ok(row) } else { Err(AttendError::NotNeeded) }
}

/// Sends the message again as `by`, as a message of its own, and with it the parts of the same
/// answer that were not sent because of it. `at` names conversation and message.
pub async fn send_again(
    db: &DatabaseConnection,
    clock: &SharedClock,
    account_id: i64,
    at: (i64, i64),
    by: &str,
) -> Result<(), AttendError> {
    let now = clock.now();
    let tx = db::begin(db).await?;
    let row = needed(&tx, account_id, at, now).await?;
    let place = Place { account_id, inbox_id: row.inbox_id, contact_id: row.contact_id };
    let written = messages::last_written_at(&tx, place).await?;
    if written.is_none_or(|at| now - at >= CHANNEL_WINDOW) {
        return Err(AttendError::WindowClosed);
    }
    let behind = undelivered::cancelled_behind(&tx, &row).await?;
    let ids: Vec<i64> = [row.id].into_iter().chain(behind.iter().map(|row| row.id)).collect();
    let texts = [row.text.clone()].into_iter().chain(behind.into_iter().map(|row| row.text));
    let conversation_id = row.conversation_id;
    outbox::write_as_operator(&tx, place, conversation_id, by, texts.collect(), now).await?;
    undelivered::attend(&tx, &ids, "resent", by, now).await?;
    settle(&tx, account_id, conversation_id, now).await?;
    let deliver = NewJob::of(&Deliver { conversation_id }, Some(account_id), now);
    enqueue(&tx, vec![deliver], now).await?;
    tx.commit().await?;
    Ok(())
}

/// `by` says that the message was not sent, and leaves it at that: no model reads it as said.
pub async fn leave(
    db: &DatabaseConnection,
    clock: &SharedClock,
    account_id: i64,
    at: (i64, i64),
    by: &str,
) -> Result<(), AttendError> {
    let now = clock.now();
    let tx = db::begin(db).await?;
    let row = needed(&tx, account_id, at, now).await?;
    let unclear = row.delivery.as_deref() == Some(Delivery::Unknown.as_str());
    if unclear {
        undelivered::mark_not_sent(&tx, row.id, now).await?;
    }
    let how = if unclear { "not_sent" } else { "seen" };
    undelivered::attend(&tx, &[row.id], how, by, now).await?;
    settle(&tx, account_id, row.conversation_id, now).await?;
    tx.commit().await?;
    Ok(())
}

/// What operators were told of the conversation's messages is over when none is left.
async fn settle(
    tx: &DatabaseTransaction,
    account_id: i64,
    conversation_id: i64,
    now: DateTime<Utc>,
) -> Result<(), AttendError> {
    if undelivered::any_left(tx, account_id, conversation_id).await? {
        return Ok(());
    }
    let subject = format!("conversation {conversation_id}");
    for kind in [Kind::DeliveryFailed, Kind::DeliveryUnknown] {
        alerts::settle(tx, kind, &subject, now).await?;
    }
    Ok(())
}
