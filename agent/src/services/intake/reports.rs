//! Statuses of our own messages, events that led to nothing, and when an inbox last heard anything.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::inbox;
use sea_orm::ConnectionTrait;

use super::{Item, notices};
use crate::domain::message::IgnoredWhy;
use crate::services::inboxes::Inbox;
use crate::services::statuses;
use crate::store::{StoreResult, events, inboxes};

/// Applies statuses, and keeps what is to be kept.
pub async fn write_statuses_and_kept(
    tx: &impl ConnectionTrait,
    items: &[&Item],
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let mut kept = Vec::new();
    for item in items {
        match item {
            Item::Status(inbox, status) => {
                if !statuses::apply_or_keep(tx, inbox.id, status, now).await? {
                    kept.push(item.refused(IgnoredWhy::OrphanStatus, "no such message of ours"));
                }
            }
            Item::Kept(event) => kept.push(event.clone()),
            Item::System(inbox, notice, body) => {
                kept.push(Item::noted(inbox, notice, body.as_ref()));
                notices::apply(tx, inbox, notice, now).await?;
            }
            Item::Presence(inbox, presence) => notices::typing(tx, inbox, presence, now).await?,
            Item::Message(..) | Item::Echo(..) | Item::History(..) => {}
        }
    }
    events::insert(tx, kept, now).await
}

/// How exact the times of an inbox's last event and status are: a row that every webhook updates
/// would be every webhook's bottleneck.
const PRECISION: TimeDelta = TimeDelta::seconds(30);

/// When a committer last noted an event, or a status, of each inbox.
#[derive(Default)]
pub struct Noted(HashMap<(i64, bool), DateTime<Utc>>);

impl Noted {
    fn is_over(&self, inbox_id: i64, status: bool, now: DateTime<Utc>) -> bool {
        self.0.get(&(inbox_id, status)).is_none_or(|last| now - *last >= PRECISION)
    }

    /// Whether something is to be noted of these.
    pub fn any_due(&self, items: &[&Item], now: DateTime<Utc>) -> bool {
        items.iter().filter_map(|item| arrived(item)).any(|(inbox, status)| {
            self.is_over(inbox.id, false, now) || (status && self.is_over(inbox.id, true, now))
        })
    }

    /// Whether it is time to note again; if so it counts as noted.
    fn is_due(&mut self, inbox_id: i64, status: bool, now: DateTime<Utc>) -> bool {
        let is_due = self.is_over(inbox_id, status, now);
        if is_due {
            self.0.insert((inbox_id, status), now);
        }
        is_due
    }
}

/// The inbox that heard of it, and whether it is a status.
fn arrived(item: &Item) -> Option<(&Inbox, bool)> {
    match item {
        Item::Message(inbox, _) | Item::Echo(inbox, _) | Item::History(inbox, _) => {
            Some((inbox, false))
        }
        Item::System(inbox, ..) | Item::Presence(inbox, _) => Some((inbox, false)),
        Item::Status(inbox, _) => Some((inbox, true)),
        Item::Kept(_) => None,
    }
}

/// Notes that events, and statuses among them, arrived.
pub async fn note_events(
    tx: &impl ConnectionTrait,
    items: &[&Item],
    noted: &mut Noted,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let mut any = BTreeSet::new();
    let mut statuses = BTreeSet::new();
    for (inbox, status) in items.iter().filter_map(|item| arrived(item)) {
        if noted.is_due(inbox.id, false, now) {
            any.insert(inbox.id);
        }
        if status && noted.is_due(inbox.id, true, now) {
            statuses.insert(inbox.id);
        }
    }
    inboxes::saw(tx, inbox::Column::LastEventAt, any, now).await?;
    inboxes::saw(tx, inbox::Column::LastStatusAt, statuses, now).await
}
