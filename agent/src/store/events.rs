//! Webhook events that led to nothing, kept with their reason.

use chrono::{DateTime, Utc};
use lembra_entities::webhook_event;
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait};

use super::error::StoreResult;

/// Longest part of a raw body that is kept, in bytes.
const BODY_BYTES: usize = 64 * 1024;

/// An event to be kept.
#[derive(Debug, Clone)]
pub struct NewEvent {
    pub inbox_id: Option<i64>,
    pub channel: &'static str,
    pub external_id: Option<String>,
    pub provider_message_id: Option<String>,
    pub why: String,
    pub detail: String,
    pub body: Option<String>,
}

/// The readable part of a raw body: cut, and without the character that no database text holds.
pub fn readable(body: &[u8]) -> String {
    let part = body.get(..BODY_BYTES).unwrap_or(body);
    String::from_utf8_lossy(part).replace('\0', "\u{fffd}")
}

pub async fn insert(
    tx: &impl ConnectionTrait,
    events: Vec<NewEvent>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    if events.is_empty() {
        return Ok(());
    }
    let rows = events.into_iter().map(|event| webhook_event::ActiveModel {
        inbox_id: Set(event.inbox_id),
        channel: Set(event.channel.to_owned()),
        external_id: Set(event.external_id),
        provider_message_id: Set(event.provider_message_id),
        why: Set(event.why),
        detail: Set(event.detail),
        body: Set(event.body),
        created_at: Set(now),
        ..Default::default()
    });
    webhook_event::Entity::insert_many(rows).exec_without_returning(tx).await?;
    Ok(())
}
