//! Ending a conversation.

use chrono::{DateTime, Utc};
use sea_orm::{DatabaseConnection, DatabaseTransaction};

use crate::clock::SharedClock;
use crate::domain::conversation::Outcome;
use crate::services::handoff;
use crate::services::memory::learn;
use crate::services::triage::has_people;
use crate::services::turn::aftermath;
use crate::store::{StoreResult, accounts, conversations, db, handoffs, messages, silence};

/// Resolves the conversation; what still waits in it is nobody's any more, with that outcome, and
/// what was said in it is learnt. False when it was not open.
pub async fn resolve(
    connection: &DatabaseConnection,
    clock: &SharedClock,
    conversation_id: i64,
) -> StoreResult<bool> {
    let now = clock.now();
    let tx = db::begin(connection).await?;
    let resolved = conversations::resolve(&tx, conversation_id, now).await?;
    end(tx, conversation_id, resolved, now).await
}

/// Resolves the conversation if nobody wrote in it since `since`.
pub async fn resolve_silent(
    connection: &DatabaseConnection,
    clock: &SharedClock,
    conversation_id: i64,
    since: DateTime<Utc>,
) -> StoreResult<bool> {
    let now = clock.now();
    let tx = db::begin(connection).await?;
    let handoff = handoffs::open_of(&tx, conversation_id).await?;
    let waiting = handoff.filter(|handoff| handoff.state == "waiting");
    if let Some(handoff) = &waiting
        && accounts::find(&tx, handoff.account_id).await?.is_some_and(|row| has_people(&row))
    {
        // Whoever waits for a person is not done because they wait politely.
        return Ok(false);
    }
    let resolved = silence::is_silent(&tx, conversation_id, since).await?
        && conversations::resolve(&tx, conversation_id, now).await?;
    if resolved && waiting.is_some() {
        // Nobody was there to take it. The alert that says so stays.
        handoffs::close(&tx, conversation_id, "unanswered", now).await?;
    }
    end(tx, conversation_id, resolved, now).await
}

async fn end(
    tx: DatabaseTransaction,
    conversation_id: i64,
    resolved: bool,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    if resolved {
        let waiting = messages::waiting_ids(&tx, conversation_id, 0).await?;
        let outcome = Outcome::Ignored { why: "conversation_resolved" };
        messages::end(&tx, &waiting, &outcome, None, now).await?;
        handoff::close(&tx, conversation_id, "resolved", now).await?;
        if let Some(head) = conversations::head(&tx, conversation_id).await? {
            aftermath::abandon(&tx, &head, now).await?;
            learn::request(&tx, head.place.account_id, conversation_id, now).await?;
        }
    }
    tx.commit().await?;
    Ok(resolved)
}
