//! Statuses of our own messages, events that led to nothing, and when an inbox last heard anything.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use lembra_entities::inbox;
use sea_orm::ConnectionTrait;

use super::Item;
use crate::domain::message::IgnoredWhy;
use crate::store::{StoreResult, events, inboxes, outbox};

/// Applies statuses, and keeps what is to be kept.
pub async fn write_statuses_and_kept(
    tx: &impl ConnectionTrait,
    items: &[Item],
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let mut kept = Vec::new();
    for item in items {
        match item {
            Item::Status(inbox, status) => {
                if !outbox::apply_status(tx, inbox.id, status, now).await? {
                    kept.push(item.refused(IgnoredWhy::OrphanStatus, "no such message of ours"));
                }
            }
            Item::Kept(event) => kept.push(event.clone()),
            Item::Message(..) | Item::Echo(..) => {}
        }
    }
    events::insert(tx, kept, now).await
}

/// Notes that events, and statuses among them, arrived.
pub async fn note_events(
    tx: &impl ConnectionTrait,
    items: &[Item],
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let mut any = HashSet::new();
    let mut statuses = HashSet::new();
    for item in items {
        match item {
            Item::Message(inbox, _) | Item::Echo(inbox, _) => {
                any.insert(inbox.id);
            }
            Item::Status(inbox, _) => {
                any.insert(inbox.id);
                statuses.insert(inbox.id);
            }
            Item::Kept(_) => {}
        }
    }
    let sorted = |ids: HashSet<i64>| {
        let mut ids: Vec<i64> = ids.into_iter().collect();
        ids.sort_unstable();
        ids
    };
    inboxes::saw(tx, inbox::Column::LastEventAt, sorted(any), now).await?;
    inboxes::saw(tx, inbox::Column::LastStatusAt, sorted(statuses), now).await
}
