//! One conversation as operators read it: messages in pages, and beside them how it stands.

mod message;

use chrono::{DateTime, Utc};
use lembra_entities::{alert, conversation, handoff};
use sea_orm::DatabaseConnection;
use serde::Serialize;
use serde_json::Value as Json;
use utoipa::ToSchema;

pub use self::message::{File, Quoted, Reaction, SentPlace, ThreadMessage, needs_attention};
pub use crate::store::board::thread::Window;

use crate::domain::gate::CHANNEL_WINDOW;
use crate::store::board::actors::{self, Actors};
use crate::store::board::conversation_rows::{ConversationRow, rows};
use crate::store::board::thread::{self, TurnLine};
use crate::store::conversations::Place;
use crate::store::{StoreResult, messages};

/// Messages of one page.
pub const PAGE: u64 = 50;
/// Other conversations of the contact that are named.
const OTHERS: u64 = 10;

/// A page of a conversation.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Thread {
    /// Oldest first.
    pub messages: Vec<ThreadMessage>,
    /// The turns that answered in these messages.
    pub turns: Vec<TurnMark>,
    /// When the conversation was left to people, oldest first.
    pub handoffs: Vec<HandoffMark>,
    /// For `before` of the page with older messages; absent at the beginning.
    pub older: Option<i64>,
    /// For `after` of the page with newer ones; absent at the end.
    pub newer: Option<i64>,
}

/// A turn beside the messages that it wrote.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TurnMark {
    pub id: i64,
    /// The model's own name; `triage` and `template` for fixed answers, `none` where none was made.
    pub model: String,
    pub prompt_tokens: Option<i64>,
    pub completion_tokens: Option<i64>,
    /// What its model calls cost.
    pub brl: Option<f64>,
    pub started_at: DateTime<Utc>,
    pub duration_ms: i64,
    /// The tools called, in order.
    pub tools: Vec<ToolMark>,
}

/// A call of a tool in a turn.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ToolMark {
    pub tool: String,
    /// `begun`, `done`, `failed` or `uncontrolled`.
    pub state: String,
}

/// A time in which a conversation was left to people.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct HandoffMark {
    pub id: i64,
    pub reason: String,
    pub detail: Option<String>,
    /// `waiting`, `taken`, `returned`, `resolved`, `expired`, `unanswered` or `merged`.
    pub state: String,
    pub created_at: DateTime<Utc>,
    pub taken_at: Option<DateTime<Utc>>,
    pub taken_by: Option<String>,
    /// What they are called, where they are of the account.
    pub taken_by_name: Option<String>,
    pub overdue_at: Option<DateTime<Utc>>,
    pub closed_at: Option<DateTime<Utc>>,
}

/// How a conversation stands.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ConversationDetail {
    #[serde(flatten)]
    pub conversation: ConversationRow,
    /// Until when the channel lets the business write; absent where it does not.
    pub window_open_until: Option<DateTime<Utc>>,
    /// The ad or post that the customer came from.
    pub referral: Option<Json>,
    /// Answers of the bot, and what its model calls cost.
    pub turns: i64,
    pub turns_brl: f64,
    /// What operators must look at.
    pub alerts: Vec<AlertMark>,
    /// Other conversations of the contact, latest first.
    pub others: Vec<OtherConversation>,
}

/// An open alert about a conversation.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AlertMark {
    pub id: i64,
    pub kind: String,
    pub detail: String,
    pub times: i32,
    pub last_raised_at: DateTime<Utc>,
}

/// Another conversation of the same contact.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct OtherConversation {
    pub id: i64,
    pub inbox_id: i64,
    pub state: String,
    pub created_at: DateTime<Utc>,
    pub last_message_at: DateTime<Utc>,
}

/// A page of the account's conversation; `None` when it has no such conversation.
pub async fn read(
    db: &DatabaseConnection,
    account_id: i64,
    conversation_id: i64,
    window: Window,
) -> StoreResult<Option<Thread>> {
    let Some(row) = thread::conversation(db, account_id, conversation_id).await? else {
        return Ok(None);
    };
    let actors = actors::of_account(db, account_id).await?;
    let page = thread::messages(db, row.id, window, PAGE).await?;
    let messages = message::assemble(db, &row, &page, &actors).await?;
    let mut turn_ids: Vec<i64> = page.messages.iter().filter_map(|row| row.turn_id).collect();
    turn_ids.sort_unstable();
    turn_ids.dedup();
    let turns = thread::turns(db, row.id, &turn_ids).await?;
    let handoffs = thread::handoffs(db, row.id).await?;
    let first = page.messages.first().map(|row| row.id).filter(|_| page.has_older);
    let last = page.messages.last().map(|row| row.id).filter(|_| page.has_newer);
    Ok(Some(Thread {
        messages,
        turns: turns.into_iter().map(turn_mark).collect(),
        handoffs: handoffs.into_iter().map(|row| handoff_mark(row, &actors)).collect(),
        older: first,
        newer: last,
    }))
}

/// How the account's conversation stands; `None` when it has no such conversation.
pub async fn detail(
    db: &DatabaseConnection,
    account_id: i64,
    conversation_id: i64,
    now: DateTime<Utc>,
) -> StoreResult<Option<ConversationDetail>> {
    let Some(row) = thread::conversation(db, account_id, conversation_id).await? else {
        return Ok(None);
    };
    let actors = actors::of_account(db, account_id).await?;
    let mut shown = rows(db, account_id, &[row.id], &actors, now).await?;
    let Some(conversation) = shown.pop() else {
        return Ok(None);
    };
    let place = Place { account_id, inbox_id: row.inbox_id, contact_id: row.contact_id };
    let written = messages::last_written_at(db, place).await?;
    let (turns, turns_brl) = thread::spent(db, row.id).await?;
    let alerts = thread::alerts(db, row.id).await?;
    let others = thread::others_of_contact(db, account_id, row.contact_id, row.id, OTHERS).await?;
    Ok(Some(ConversationDetail {
        conversation,
        window_open_until: written.map(|at| at + CHANNEL_WINDOW).filter(|until| now < *until),
        referral: row.referral,
        turns,
        turns_brl,
        alerts: alerts.into_iter().map(alert_mark).collect(),
        others: others.into_iter().map(other).collect(),
    }))
}

fn turn_mark(turn: TurnLine) -> TurnMark {
    TurnMark {
        id: turn.id,
        duration_ms: (turn.finished_at - turn.started_at).num_milliseconds(),
        model: turn.model,
        prompt_tokens: turn.prompt_tokens,
        completion_tokens: turn.completion_tokens,
        brl: turn.brl,
        started_at: turn.started_at,
        tools: turn.calls.into_iter().map(|(tool, state)| ToolMark { tool, state }).collect(),
    }
}

fn handoff_mark(row: handoff::Model, actors: &Actors) -> HandoffMark {
    HandoffMark {
        id: row.id,
        reason: row.reason,
        detail: row.detail,
        state: row.state,
        created_at: row.created_at,
        taken_at: row.taken_at,
        taken_by_name: row.taken_by.as_deref().and_then(|by| actors.name(by)).map(str::to_owned),
        taken_by: row.taken_by,
        overdue_at: row.overdue_at,
        closed_at: row.closed_at,
    }
}

fn alert_mark(row: alert::Model) -> AlertMark {
    AlertMark {
        id: row.id,
        kind: row.kind,
        detail: row.detail,
        times: row.times,
        last_raised_at: row.last_raised_at,
    }
}

fn other(row: conversation::Model) -> OtherConversation {
    OtherConversation {
        id: row.id,
        inbox_id: row.inbox_id,
        state: row.state,
        created_at: row.created_at,
        last_message_at: row.last_message_at,
    }
}
