//! Leaving a conversation to a person, and giving it back.

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection};

use crate::clock::SharedClock;
use crate::domain::conversation::Outcome;
use crate::store::{StoreResult, conversations, db, messages, outbox};

/// Why a conversation was left to a person. The stable names are stored in
/// `conversations.handler_reason`.
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
}

impl Reason {
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::TechnicalProblem => "technical_problem",
            Reason::BotLoop => "bot_loop",
            Reason::HumanRequest => "human_request",
            Reason::Crisis => "crisis",
            Reason::Operator => "operator",
        }
    }
}

/// Marks the conversation for a person; the bot is silent in it from then on.
pub async fn hand_over(
    tx: &impl ConnectionTrait,
    conversation_id: i64,
    reason: Reason,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    conversations::hand_over(tx, conversation_id, reason.as_str(), now).await?;
    metrics::counter!("lembra_handoffs_total", "reason" => reason.as_str()).increment(1);
    tracing::warn!(conversation.id = conversation_id, reason = reason.as_str(), "handed over");
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
    if conversations::head(&tx, conversation_id).await?.is_none() {
        return Ok(false);
    }
    match until {
        Some(until) => conversations::pause(&tx, conversation_id, until, now).await?,
        None => hand_over(&tx, conversation_id, Reason::Operator, now).await?,
    }
    outbox::cancel_pending(&tx, conversation_id, now).await?;
    let waiting = messages::waiting_ids(&tx, conversation_id, 0).await?;
    let outcome = Outcome::Human { detail: "paused_by_operator" };
    messages::end(&tx, &waiting, &outcome, None, now).await?;
    tx.commit().await?;
    Ok(true)
}

/// Gives the conversation back to the bot.
pub async fn hand_back(
    db: &DatabaseConnection,
    clock: &SharedClock,
    conversation_id: i64,
) -> StoreResult<()> {
    conversations::hand_back(db, conversation_id, clock.now()).await
}
