//! Deciding about a message that could not be read when it came: a voice that was heard since, or
//! that nobody can hear.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use lembra_entities::message;
use sea_orm::ConnectionTrait;

use super::Settings;
use super::context::Context;
use super::settle::{Effects, Subject, settle};
use crate::jobs::enqueue::enqueue;
use crate::jobs::{NewJob, Queue};
use crate::services::inboxes::Inbox;
use crate::store::{StoreResult, changes, conversations, messages};

/// Gates and triage of the message, with the words that were heard in it, or without any. Answers
/// the queues in which a job is due.
pub async fn answer_later(
    tx: &impl ConnectionTrait,
    settings: &Settings,
    inbox: &Inbox,
    row: &message::Model,
    words: Option<String>,
    now: DateTime<Utc>,
) -> StoreResult<BTreeSet<Queue>> {
    let Some(head) = conversations::head(tx, row.conversation_id).await? else {
        return Ok(BTreeSet::new());
    };
    let text = words.unwrap_or_default();
    if !text.is_empty() {
        changes::set_heard(tx, row.id, &text, now).await?;
    }
    // Somebody ended it, or it was withdrawn, while it was being heard.
    let current = messages::find(tx, row.id).await?;
    if current.is_none_or(|row| row.outcome.is_some() || row.revoked_at.is_some()) {
        return Ok(BTreeSet::new());
    }
    let context = Context::of_conversation(tx, head.id, now).await?;
    let subject = Subject {
        id: row.id,
        text: &text,
        written_at: row.written_at,
        came_at: Some(row.created_at),
        head: &head,
        account: &inbox.account,
        channel: inbox.channel(),
        trace: None,
    };
    let mut effects = Effects::default();
    settle(tx, settings, &subject, &context, now, &mut effects).await?;
    let due = effects.jobs.iter().filter(|job| job.run_at() <= now).map(NewJob::queue).collect();
    enqueue(tx, effects.jobs, now).await?;
    Ok(due)
}
