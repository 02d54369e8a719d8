//! An operator answers a customer through Lembra.

use std::collections::BTreeSet;

use sea_orm::DatabaseConnection;

use super::{Reason, hand_over, silence};
use crate::clock::SharedClock;
use crate::domain::conversation::Handler;
use crate::domain::gate::CHANNEL_WINDOW;
use crate::domain::whatsapp_text;
use crate::jobs::NewJob;
use crate::jobs::enqueue::enqueue;
use crate::jobs::kinds::Deliver;
use crate::store::board::thread;
use crate::store::{StoreError, conversations, db, messages, outbox};

/// Why nothing was sent.
#[derive(Debug, thiserror::Error)]
pub enum SpeakError {
    #[error("there is no such conversation")]
    NoConversation,
    #[error("the message is empty")]
    Empty,
    /// What the customer writes next opens another conversation.
    #[error("the conversation is over")]
    Over,
    /// Nothing reaches the customer until they write again.
    #[error("more than 24 hours since the customer wrote: the channel's window is closed")]
    WindowClosed,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sea_orm::DbErr> for SpeakError {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

/// Sends `text` as a person of the business, who takes the conversation with it. The text goes out
/// as it was written, in parts where it is too long for one message.
pub async fn say(
    db: &DatabaseConnection,
    clock: &SharedClock,
    account_id: i64,
    conversation_id: i64,
    by: &str,
    text: &str,
) -> Result<(), SpeakError> {
    let parts = whatsapp_text::split(text.trim(), whatsapp_text::MAX_BODY);
    if parts.is_empty() {
        return Err(SpeakError::Empty);
    }
    let now = clock.now();
    let tx = db::begin(db).await?;
    conversations::lock(&tx, conversation_id, now).await?;
    let row = thread::conversation(&tx, account_id, conversation_id).await?;
    let head = conversations::head(&tx, conversation_id).await?;
    let Some((row, head)) = row.zip(head) else { return Err(SpeakError::NoConversation) };
    if row.state != "open" {
        return Err(SpeakError::Over);
    }
    let written = messages::last_written_at(&tx, head.place).await?;
    if written.is_none_or(|at| now - at >= CHANNEL_WINDOW) {
        return Err(SpeakError::WindowClosed);
    }
    if head.handler == Handler::Bot {
        hand_over(&tx, &head, Reason::Operator, None, now).await?;
    }
    silence(&tx, head.id, now).await?;
    outbox::write_as_operator(&tx, head.place, head.id, by, parts, now).await?;
    conversations::touch(&tx, BTreeSet::from([head.id]), now).await?;
    let deliver = Deliver { conversation_id: head.id };
    enqueue(&tx, vec![NewJob::of(&deliver, Some(account_id), now)], now).await?;
    super::taken(&tx, conversation_id, by, now).await?;
    tx.commit().await?;
    Ok(())
}
