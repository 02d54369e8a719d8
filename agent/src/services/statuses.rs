//! What becomes of messages after they were accepted.

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection};

use super::alerts::{self, Kind, Place};
use crate::domain::message::DeliveryUpdate;
use crate::store::early_statuses::{self, Early};
use crate::store::outbox::{self, Applied};
use crate::store::{StoreResult, db};

/// Applies a status; one that no message has waits for its message. False when it waits.
pub async fn apply_or_keep(
    tx: &impl ConnectionTrait,
    inbox_id: i64,
    status: &DeliveryUpdate,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let known = apply(tx, inbox_id, status, now).await?;
    if !known {
        early_statuses::keep(tx, inbox_id, status, now).await?;
    }
    Ok(known)
}

/// Applies what came before the provider's id of a message was known.
pub async fn apply_early(
    connection: &DatabaseConnection,
    inbox_id: i64,
    provider_message_id: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let waiting = early_statuses::of_message(connection, inbox_id, provider_message_id).await?;
    for early in waiting {
        apply_one(connection, early, now).await?;
    }
    Ok(())
}

/// Applies what came at the same moment as the id of its message, and forgets what is nobody's;
/// answers how many were applied.
pub async fn sweep(connection: &DatabaseConnection, now: DateTime<Utc>) -> StoreResult<u64> {
    let mut applied = 0;
    for early in early_statuses::of_known_messages(connection).await? {
        apply_one(connection, early, now).await?;
        applied += 1;
    }
    early_statuses::remove_unclaimed(connection, now).await?;
    Ok(applied)
}

async fn apply_one(
    connection: &DatabaseConnection,
    early: Early,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let tx = db::begin(connection).await?;
    if let Some(status) = &early.status {
        apply(&tx, early.inbox_id, status, now).await?;
    }
    early_statuses::remove(&tx, early.id).await?;
    tx.commit().await?;
    Ok(())
}

/// False when no message is known that it is about.
async fn apply(
    tx: &impl ConnectionTrait,
    inbox_id: i64,
    status: &DeliveryUpdate,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    match outbox::apply_status(tx, inbox_id, status, now).await? {
        Applied::NoSuchMessage => return Ok(false),
        Applied::Nothing | Applied::Moved => {}
        Applied::Failed { message_id, account_id, conversation_id } => {
            let place = Place {
                account_id: Some(account_id),
                inbox_id: Some(inbox_id),
                conversation_id: Some(conversation_id),
            };
            let code = status.error_code.map_or_else(|| "none".to_owned(), |code| code.to_string());
            let detail = format!("message {message_id} was accepted and failed later, code {code}");
            let subject = format!("conversation {conversation_id}");
            alerts::raise(tx, Kind::DeliveryFailed, place, subject, detail, now).await?;
        }
    }
    Ok(true)
}
