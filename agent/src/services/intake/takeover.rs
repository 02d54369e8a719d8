//! A person of the business wrote: the bot falls silent.

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::ConnectionTrait;
use sha2::{Digest, Sha256};

use super::Settings;
use super::incoming::Fresh;
use super::settle::Effects;
use crate::domain::conversation::Outcome;
use crate::domain::gate::Gate;
use crate::services::handoff;
use crate::store::{StoreResult, conversations, greetings, messages, outbox};

/// Nobody reads and answers faster; the Business app's greetings do.
const QUICK: TimeDelta = TimeDelta::seconds(3);
/// The same quick words in so many conversations are an automaton's.
const GREETED: i64 = 3;

/// The bot falls silent, what waited is the person's, and what it had written is cancelled. Words
/// that the Business app says to everybody by itself are nobody's (WhatsApp facts 67).
pub async fn wrote(
    tx: &impl ConnectionTrait,
    settings: &Settings,
    fresh: &Fresh<'_>,
    now: DateTime<Utc>,
    effects: &mut Effects,
) -> StoreResult<()> {
    if is_greeting(tx, fresh, now).await? {
        tracing::info!(conversation.id = fresh.head.id, "automatic greeting");
        return Ok(());
    }
    let id = fresh.head.id;
    let until = fresh.next.written_at + settings.human_pause;
    if until <= now {
        // It comes late, after a lost connection: whatever it silenced is over.
        return Ok(());
    }
    // A longer pause that somebody asked for stays.
    let until = fresh.head.paused_until.map_or(until, |paused| paused.max(until));
    effects.silenced.insert(id, Gate::PausedByHuman);
    conversations::pause(tx, id, until, now).await?;
    // Whoever waits for a person has one.
    handoff::taken(tx, id, "phone", now).await?;
    outbox::cancel_pending(tx, id, now).await?;
    let waiting = messages::waiting_of(tx, id).await?;
    let before = waiting
        .iter()
        .filter(|waiting| waiting.id < fresh.id && waiting.written_at <= fresh.next.written_at);
    let waiting: Vec<i64> = before.map(|waiting| waiting.id).collect();
    let outcome = Outcome::Human { detail: "answered_by_human" };
    messages::end(tx, &waiting, &outcome, None, now).await?;
    Ok(())
}

async fn is_greeting(
    tx: &impl ConnectionTrait,
    fresh: &Fresh<'_>,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let text = fresh.next.content.text().trim();
    let asked = messages::last_written_at(tx, fresh.head.place).await?;
    let quick = asked.is_some_and(|asked| {
        (TimeDelta::zero()..=QUICK).contains(&(fresh.next.written_at - asked))
    });
    if text.is_empty() || !quick {
        return Ok(false);
    }
    let digest = hex::encode(Sha256::digest(text));
    let inbox_id = fresh.head.place.inbox_id;
    let conversations = greetings::count(tx, inbox_id, &digest, fresh.head.id, now).await?;
    Ok(conversations >= GREETED)
}
