//! One transaction: contacts, conversations, messages, verdicts, canonical answers and jobs of up
//! to 64 events, in a handful of statements.

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection};

use super::context::Context;
use super::echoes;
use super::incoming::{Fresh, Incoming};
use super::received::received;
use super::reports::{Noted, note_events, write_statuses_and_kept};
use super::settle::Effects;
use super::takeover::wrote;
use super::{Item, Settings, plain};
use crate::domain::conversation::Outcome;
use crate::jobs::enqueue::enqueue;
use crate::jobs::kinds::{JobKind, Respond};
use crate::jobs::{NewJob, Queue};
use crate::store::conversations::{self, Head, Place};
use crate::store::ids::Ids;
use crate::store::messages::{self, Direction, NewMessage};
use crate::store::people::{self, Caller};
use crate::store::rowset::Inserts;
use crate::store::{StoreResult, db};

/// What a committer remembers from one transaction to the next.
#[derive(Default)]
pub struct Memory {
    pub ids: Ids,
    noted: Noted,
    /// The traces of the messages at hand, by the provider's id.
    pub traces: HashMap<String, String>,
}

/// Writes all items; answers the queues in which a job is due at once.
pub async fn write(
    db: &DatabaseConnection,
    settings: &Settings,
    items: &[&Item],
    memory: &mut Memory,
    now: DateTime<Utc>,
) -> StoreResult<BTreeSet<Queue>> {
    let plain = plain::write(db, settings, items, memory, now).await?;
    let mut due = match plain.rest.is_empty() && !memory.noted.any_due(items, now) {
        true => BTreeSet::new(),
        false => write_all(db, settings, &plain.rest, items, memory, now).await?,
    };
    if plain.due {
        due.insert(Respond::QUEUE);
    }
    Ok(due)
}

/// Writes `items`, and notes that `seen` arrived, in one transaction.
async fn write_all(
    db: &DatabaseConnection,
    settings: &Settings,
    items: &[&Item],
    seen: &[&Item],
    memory: &mut Memory,
    now: DateTime<Utc>,
) -> StoreResult<BTreeSet<Queue>> {
    let tx = db::begin(db).await?;
    let mut effects = Effects::default();
    write_messages(&tx, settings, items, memory, now, &mut effects).await?;
    write_statuses_and_kept(&tx, items, now).await?;
    note_events(&tx, seen, &mut memory.noted, now).await?;
    let jobs = effects.jobs;
    let due = jobs.iter().filter(|job| job.run_at() <= now).map(NewJob::queue).collect();
    enqueue(&tx, jobs, now).await?;
    tx.commit().await?;
    Ok(due)
}

async fn write_messages(
    tx: &impl ConnectionTrait,
    settings: &Settings,
    items: &[&Item],
    memory: &mut Memory,
    now: DateTime<Utc>,
    effects: &mut Effects,
) -> StoreResult<()> {
    let mut seen = HashSet::new();
    let mut incoming: Vec<Incoming<'_>> = Vec::new();
    for item in items {
        let next = match item {
            Item::Message(inbox, message) => Incoming::from_customer(inbox, message),
            Item::Echo(inbox, echo) => {
                if !echoes::is_of_a_person(tx, inbox, echo, now).await? {
                    continue;
                }
                Incoming::from_human(inbox, echo, now)
            }
            Item::History(inbox, past) => Incoming::from_the_past(inbox, past),
            Item::Status(..) | Item::System(..) | Item::Presence(..) | Item::Kept(_) => continue,
        };
        if seen.insert((next.inbox.id, next.message_id)) {
            incoming.push(next);
        }
    }
    if incoming.is_empty() {
        return Ok(());
    }

    let callers: Vec<Caller> = incoming.iter().map(Incoming::caller).collect();
    let mut inserts = Inserts::default();
    let persons = people::resolve(tx, &callers, &mut memory.ids, &mut inserts, now).await?;
    let places: Vec<(Place, bool)> = incoming
        .iter()
        .zip(persons)
        .map(|(next, person)| (next.place(person.contact_id), person.is_new))
        .collect();
    let heads = conversations::open_for(tx, &places, &mut memory.ids, &mut inserts, now).await?;
    let addressed: Vec<(&Incoming<'_>, &Head)> = incoming
        .iter()
        .zip(&places)
        .filter_map(|(next, (place, _))| Some((next, heads.get(place)?)))
        .collect();
    let rows: Vec<NewMessage> = addressed.iter().map(|(next, head)| next.row(head)).collect();
    let ids = messages::insert(tx, inserts, &rows, now).await?;
    // What was there before is a redelivery, and ends here.
    let fresh: Vec<Fresh<'_>> = addressed
        .into_iter()
        .filter_map(|(next, head)| {
            let id = ids.get(&(next.inbox.id, next.message_id.to_owned()))?;
            Some(Fresh { id: *id, next, head, trace: memory.traces.get(next.message_id) })
        })
        .collect();
    let old = fresh.iter().filter(|fresh| !fresh.head.is_new).map(|fresh| fresh.head.id);
    conversations::touch(tx, old.collect(), now).await?;

    let context = Context::load(tx, &fresh, now).await?;
    for fresh in &fresh {
        if fresh.next.silent {
            // What a person of the business wrote has no outcome.
            if fresh.next.direction == Direction::FromCustomer {
                let outcome = Outcome::Ignored { why: "history" };
                messages::end(tx, &[fresh.id], &outcome, None, now).await?;
            }
            continue;
        }
        match fresh.next.direction {
            Direction::FromHuman => wrote(tx, settings, fresh, now, effects).await?,
            Direction::FromCustomer => {
                received(tx, settings, fresh, &context, now, effects).await?;
            }
        }
    }
    Ok(())
}
