//! Our own messages, seen from outside.

use chrono::{DateTime, Utc};
use lembra_entities::message;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};

use super::error::StoreResult;
use super::outbox::mark_sent;

/// Whether a message of ours has this id at the provider.
pub async fn is_ours(
    tx: &impl ConnectionTrait,
    inbox_id: i64,
    provider_message_id: &str,
) -> StoreResult<bool> {
    let found = message::Entity::find()
        .filter(message::Column::InboxId.eq(inbox_id))
        .filter(message::Column::ProviderMessageId.eq(provider_message_id))
        .one(tx)
        .await?;
    Ok(found.is_some_and(|row| row.direction == "out" && row.author != "human"))
}

/// Gives the id to the message that we are sending to this contact in these words, if there is one:
/// it was sent.
pub async fn claim_echo(
    tx: &impl ConnectionTrait,
    inbox_id: i64,
    contact_id: i64,
    provider_message_id: &str,
    text: &str,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let candidates = message::Entity::find()
        .filter(message::Column::ContactId.eq(contact_id))
        .filter(message::Column::InboxId.eq(inbox_id))
        .filter(message::Column::ProviderMessageId.is_null())
        .filter(Expr::cust("delivery IN ('sending', 'unknown')"))
        .order_by_asc(message::Column::Id)
        .all(tx)
        .await?;
    let Some(ours) = candidates.into_iter().find(|row| row.text.trim() == text.trim()) else {
        return Ok(false);
    };
    mark_sent(tx, ours.id, provider_message_id, now).await?;
    Ok(true)
}

/// Takes back the row of a person's message that turned out to be ours: the provider's answer gave
/// its id to us. Answers whether there was one.
pub async fn absorb_echo(
    tx: &impl ConnectionTrait,
    inbox_id: i64,
    provider_message_id: &str,
) -> StoreResult<Option<i64>> {
    let taken = message::Entity::find()
        .filter(message::Column::InboxId.eq(inbox_id))
        .filter(message::Column::ProviderMessageId.eq(provider_message_id))
        .filter(Expr::cust("direction = 'out' AND author = 'human'"))
        .one(tx)
        .await?;
    let Some(taken) = taken else {
        return Ok(None);
    };
    message::Entity::delete_by_id(taken.id).exec(tx).await?;
    Ok(Some(taken.conversation_id))
}
