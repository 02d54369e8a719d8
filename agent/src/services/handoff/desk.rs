//! What operators do with a conversation from their desk. Everything is asked of one account, and
//! says who does it.

use chrono::{DateTime, Utc};
use lembra_entities::conversation;
use sea_orm::{DatabaseConnection, DatabaseTransaction};

use super::{Reason, close, hand_over, silence, taken};
use crate::clock::SharedClock;
use crate::services::conversations as resolving;
use crate::store::board::thread;
use crate::store::{StoreError, StoreResult, conversations, db, handoffs};

/// Why nothing was done.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    #[error("there is no such conversation")]
    NoConversation,
    /// Somebody has it: `operator:3`, `token:7`, or `phone` for a person outside of Lembra.
    #[error("the conversation was taken by {by}")]
    Taken { by: String },
    #[error("the conversation is over")]
    Over,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sea_orm::DbErr> for DeskError {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

/// A conversation that is open, locked for this transaction.
async fn open(
    tx: &DatabaseTransaction,
    account_id: i64,
    conversation_id: i64,
    now: DateTime<Utc>,
) -> Result<conversation::Model, DeskError> {
    let own = thread::conversation(tx, account_id, conversation_id).await?;
    if own.is_none() {
        return Err(DeskError::NoConversation);
    }
    conversations::lock(tx, conversation_id, now).await?;
    // Read again, behind the lock.
    let row = thread::conversation(tx, account_id, conversation_id).await?;
    let row = row.ok_or(DeskError::NoConversation)?;
    if row.state == "open" { Ok(row) } else { Err(DeskError::Over) }
}

/// `by` takes the conversation: from the queue, or from the bot. One takes it, whoever comes second
/// is told who has it.
pub async fn take(
    db: &DatabaseConnection,
    clock: &SharedClock,
    account_id: i64,
    conversation_id: i64,
    by: &str,
) -> Result<(), DeskError> {
    let now = clock.now();
    let tx = db::begin(db).await?;
    open(&tx, account_id, conversation_id, now).await?;
    match handoffs::open_of(&tx, conversation_id).await? {
        Some(row) if row.state != "waiting" => {
            return Err(DeskError::Taken { by: row.taken_by.unwrap_or_default() });
        }
        // What the bot said when it left the conversation still goes out.
        Some(_) => {}
        None => {
            give_to_people(&tx, conversation_id, now).await?;
            silence(&tx, conversation_id, now).await?;
        }
    }
    taken(&tx, conversation_id, by, now).await?;
    tx.commit().await?;
    Ok(())
}

async fn give_to_people(
    tx: &DatabaseTransaction,
    conversation_id: i64,
    now: DateTime<Utc>,
) -> Result<(), DeskError> {
    let head = conversations::head(tx, conversation_id).await?;
    let head = head.ok_or(DeskError::NoConversation)?;
    Ok(hand_over(tx, &head, Reason::Operator, None, now).await?)
}

/// Keeps the bot silent until then; what it was about to say is not said. A conversation that waits
/// for a person is taken with it.
pub async fn pause(
    db: &DatabaseConnection,
    clock: &SharedClock,
    account_id: i64,
    conversation_id: i64,
    until: DateTime<Utc>,
    by: &str,
) -> Result<(), DeskError> {
    let now = clock.now();
    let tx = db::begin(db).await?;
    open(&tx, account_id, conversation_id, now).await?;
    conversations::pause(&tx, conversation_id, until, now).await?;
    taken(&tx, conversation_id, by, now).await?;
    silence(&tx, conversation_id, now).await?;
    tx.commit().await?;
    Ok(())
}

/// Gives the conversation back to the bot, whatever kept it silent.
pub async fn give_back(
    db: &DatabaseConnection,
    clock: &SharedClock,
    account_id: i64,
    conversation_id: i64,
) -> Result<(), DeskError> {
    let now = clock.now();
    let tx = db::begin(db).await?;
    open(&tx, account_id, conversation_id, now).await?;
    conversations::hand_back(&tx, conversation_id, now).await?;
    close(&tx, conversation_id, "returned", now).await?;
    tx.commit().await?;
    Ok(())
}

/// Ends the conversation.
pub async fn resolve(
    db: &DatabaseConnection,
    clock: &SharedClock,
    account_id: i64,
    conversation_id: i64,
) -> Result<(), DeskError> {
    if thread::conversation(db, account_id, conversation_id).await?.is_none() {
        return Err(DeskError::NoConversation);
    }
    match resolving::resolve(db, clock, conversation_id).await? {
        true => Ok(()),
        false => Err(DeskError::Over),
    }
}

/// Who has the conversation, where somebody has it.
pub async fn holder(db: &DatabaseConnection, conversation_id: i64) -> StoreResult<Option<String>> {
    let row = handoffs::open_of(db, conversation_id).await?;
    Ok(row.filter(|row| row.state == "taken").and_then(|row| row.taken_by))
}
