//! Leaving a conversation to a person, and giving it back.

pub mod desk;
pub mod notify;
pub mod speak;
pub mod waiting;

use chrono::{DateTime, Utc};
use lembra_entities::handoff;
use sea_orm::{ConnectionTrait, DatabaseConnection};
use serde_json::{Value, json};

use crate::clock::SharedClock;
use crate::domain::conversation::Outcome;
use crate::jobs::NewJob;
use crate::jobs::enqueue::enqueue;
use crate::jobs::kinds::NotifyHandoff;
use crate::services::alerts;
use crate::store::conversations::Head;
use crate::store::handoffs::{self, NewHandoff};
use crate::store::{StoreResult, conversations, db, messages, outbox};

/// Why a conversation was left to a person. The stable names are stored in
/// `conversations.handler_reason` and `handoffs.reason`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// No answer could be made.
    TechnicalProblem,
    /// It looks like two bots talking to each other.
    BotLoop,
    /// The customer asked for a person, and people are available.
    HumanRequest,
    /// Somebody's life is in danger.
    Crisis,
    /// An operator took it.
    Operator,
    /// The model asked for a person.
    Asked,
    /// A tool failed (seed 004).
    ToolFailure,
    /// The account's month is paid for: no model may be asked.
    SpendCeiling,
}

impl Reason {
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::TechnicalProblem => "technical_problem",
            Reason::BotLoop => "bot_loop",
            Reason::HumanRequest => "human_request",
            Reason::Crisis => "crisis",
            Reason::Operator => "operator",
            Reason::Asked => "asked",
            Reason::ToolFailure => "falha_consulta",
            Reason::SpendCeiling => "spend_ceiling",
        }
    }

    /// 0 before 1 before 2: a life, then a customer who waits for an answer, then the rest.
    pub fn priority(self) -> i32 {
        match self {
            Reason::Crisis => 0,
            Reason::TechnicalProblem
            | Reason::HumanRequest
            | Reason::Asked
            | Reason::ToolFailure
            | Reason::SpendCeiling => 1,
            Reason::BotLoop | Reason::Operator => 2,
        }
    }
}

/// Marks the conversation for a person and puts it into the queue; the bot is silent in it from
/// then on. `detail` is for operators.
pub async fn hand_over(
    tx: &impl ConnectionTrait,
    head: &Head,
    reason: Reason,
    detail: Option<String>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    conversations::hand_over(tx, head.id, reason.as_str(), now).await?;
    let account_id = head.place.account_id;
    let new = NewHandoff {
        account_id,
        conversation_id: head.id,
        reason: reason.as_str(),
        detail,
        priority: reason.priority(),
    };
    if let Some(handoff_id) = handoffs::open(tx, new, now).await? {
        let notify = NotifyHandoff { handoff_id, overdue: false };
        enqueue(tx, vec![NewJob::of(&notify, Some(account_id), now)], now).await?;
    }
    metrics::counter!("lembra_handoffs_total", "reason" => reason.as_str()).increment(1);
    tracing::warn!(conversation.id = head.id, reason = reason.as_str(), "handed over");
    Ok(())
}

/// Keeps the bot silent until then, or until it is given back: what it has written and not begun
/// to send is cancelled, a turn that is being made writes nothing, and what waits is a person's.
/// False when there is no such conversation.
pub async fn pause(
    db: &DatabaseConnection,
    clock: &SharedClock,
    conversation_id: i64,
    until: Option<DateTime<Utc>>,
) -> StoreResult<bool> {
    let now = clock.now();
    let tx = db::begin(db).await?;
    let Some(head) = conversations::head(&tx, conversation_id).await? else {
        return Ok(false);
    };
    match until {
        Some(until) => conversations::pause(&tx, conversation_id, until, now).await?,
        None => hand_over(&tx, &head, Reason::Operator, None, now).await?,
    }
    taken(&tx, conversation_id, "operator", now).await?;
    silence(&tx, conversation_id, now).await?;
    tx.commit().await?;
    Ok(true)
}

/// What the bot was about to say is not said, and what waits for it is a person's.
async fn silence(
    tx: &impl ConnectionTrait,
    conversation_id: i64,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    outbox::cancel_pending(tx, conversation_id, now).await?;
    let waiting = messages::waiting_ids(tx, conversation_id, 0).await?;
    let outcome = Outcome::Human { detail: "paused_by_operator" };
    messages::end(tx, &waiting, &outcome, None, now).await?;
    Ok(())
}

/// A person takes the conversation from the queue; false when it does not wait there.
pub async fn take(
    db: &DatabaseConnection,
    clock: &SharedClock,
    conversation_id: i64,
    by: &str,
) -> StoreResult<bool> {
    taken(db, conversation_id, by, clock.now()).await
}

/// The same inside a transaction.
pub async fn taken(
    tx: &impl ConnectionTrait,
    conversation_id: i64,
    by: &str,
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let taken = handoffs::take(tx, conversation_id, by, now).await?;
    if taken {
        alerts::settle(tx, alerts::Kind::HandoffWaiting, &subject(conversation_id), now).await?;
    }
    Ok(taken)
}

/// Gives the conversation back to the bot.
pub async fn hand_back(
    db: &DatabaseConnection,
    clock: &SharedClock,
    conversation_id: i64,
) -> StoreResult<()> {
    let now = clock.now();
    let tx = db::begin(db).await?;
    conversations::hand_back(&tx, conversation_id, now).await?;
    close(&tx, conversation_id, "returned", now).await?;
    tx.commit().await?;
    Ok(())
}

/// Nobody is waited for any more in this conversation.
pub async fn close(
    tx: &impl ConnectionTrait,
    conversation_id: i64,
    state: &'static str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    if handoffs::close(tx, conversation_id, state, now).await? {
        alerts::settle(tx, alerts::Kind::HandoffWaiting, &subject(conversation_id), now).await?;
    }
    Ok(())
}

/// A row of the queue, for programs.
pub fn json(row: &handoff::Model, now: DateTime<Utc>) -> Value {
    json!({
        "id": row.id,
        "conversation_id": row.conversation_id,
        "reason": row.reason,
        "detail": row.detail,
        "priority": row.priority,
        "state": row.state,
        "waiting_since": row.created_at,
        "waiting_seconds": (row.taken_at.unwrap_or(now) - row.created_at).num_seconds(),
        "taken_by": row.taken_by,
        "taken_at": row.taken_at,
    })
}

/// What alerts about a conversation are about.
fn subject(conversation_id: i64) -> String {
    format!("conversation {conversation_id}")
}
