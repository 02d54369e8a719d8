//! Writing what a turn came to, if it still counts: the job is still ours, the gates are still
//! open, and nobody else has ended a message that it read.

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DatabaseTransaction};

use super::{Turns, aftermath};
use crate::domain::chat::ChatMessage;
use crate::domain::conversation::{Handler, Outcome};
use crate::jobs::claim::{ClaimedJob, hold};
use crate::jobs::enqueue::enqueue;
use crate::jobs::kinds::Deliver;
use crate::jobs::{NewJob, Queue};
use crate::services::agent_chat::{AnsweredBy, Reply, Round, TransferWhy, record};
use crate::services::handoff::{self, Reason};
use crate::services::texts::TECHNICAL_PROBLEM;
use crate::store::conversations::Head;
use crate::store::messages::{Verdict, Waiting};
use crate::store::usage::NewUsage;
use crate::store::{StoreResult, conversations, db, messages, outbox, turns, usage};

/// A turn whose answer is made.
pub struct Finished {
    pub head: Head,
    /// The messages that it read, oldest first; at least one.
    pub waiting: Vec<Waiting>,
    pub prompt: Vec<ChatMessage>,
    pub reply: Reply,
    /// The reply as the channel shows it, in parts that it takes; at least one.
    pub parts: Vec<String>,
    /// What its model calls cost.
    pub calls: Vec<NewUsage>,
    pub recall: Option<turns::Recall>,
    pub started_at: DateTime<Utc>,
}

impl Finished {
    /// A turn that answers with a fixed text and asked no model.
    pub fn of_template(
        head: Head,
        waiting: Vec<Waiting>,
        text: &str,
        started_at: DateTime<Utc>,
    ) -> Self {
        let reply = Reply::fixed(text, AnsweredBy::Template);
        let parts = vec![text.to_owned()];
        let (prompt, calls) = (Vec::new(), Vec::new());
        Self { head, waiting, prompt, reply, parts, calls, recall: None, started_at }
    }
}

/// Whether a turn's outcome is in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    Yes,
    /// Somebody ended a message that it had read; what is left waits for another turn.
    Overtaken,
}

/// Writes the turn, its messages and the outcome of what it read, in one transaction. A turn that
/// was overtaken leaves nothing: what it read has been ended by whoever overtook it, or is read
/// again.
pub async fn answer(turns: &Turns, job: &ClaimedJob, turn: Finished) -> StoreResult<Written> {
    let now = turns.clock.now();
    let head = &turn.head;
    let tx = db::begin(&turns.db).await?;
    hold(&tx, job, now).await?;
    conversations::lock(&tx, head.id, now).await?;
    if let Some(detail) = taken_over(&tx, head, now).await? {
        let ids: Vec<i64> = turn.waiting.iter().map(|message| message.id).collect();
        messages::end(&tx, &ids, &Outcome::Human { detail }, None, now).await?;
        aftermath::abandon(&tx, head, now).await?;
        usage::record(&tx, &turn.calls, now).await?;
        tx.commit().await?;
        return Ok(Written::Yes);
    }
    let (model, verdict) = match &turn.reply.by {
        AnsweredBy::Model { model } => (model.clone(), None),
        AnsweredBy::Template => (turns::TEMPLATE.to_owned(), None),
        AnsweredBy::Guard { kind, rule } => {
            let verdict = Verdict { verdict: kind.as_str(), rule: Some(rule) };
            (turns::TRIAGE.to_owned(), Some(verdict))
        }
    };
    let asked = !turn.reply.rounds.is_empty();
    let sum = |of: fn(&Round) -> i64| asked.then(|| turn.reply.rounds.iter().map(of).sum());
    let row = turns::NewTurn {
        account_id: head.place.account_id,
        conversation_id: head.id,
        job_id: Some(job.id),
        model,
        prompt_tokens: sum(|round| round.prompt_tokens),
        completion_tokens: sum(|round| round.completion_tokens),
        transcript: serde_json::to_value(&turn.prompt).ok(),
        record: asked.then(|| record::to_json(&turn.reply.rounds)),
        brl: (!turn.calls.is_empty()).then(|| turn.calls.iter().map(|call| call.brl).sum()),
        reply: turn.reply.reply.content.clone(),
        received_at: first_came(&turn.waiting),
        recall: turn.recall,
        started_at: turn.started_at,
        finished_at: now,
    };
    let turn_id = turns::insert(&tx, row).await?;
    let answered = answered(&turn.reply, verdict, turn_id);
    if end_read(&tx, &turn.waiting, turn_id, &answered, verdict, now).await?
        < turn.waiting.len() as u64
    {
        // A newer message was answered by triage, or the conversation was resolved, meanwhile.
        tx.rollback().await?;
        usage::record(&turns.db, &turn.calls, now).await?;
        return Ok(Written::Overtaken);
    }
    outbox::write(&tx, head.place, head.id, turn_id, turn.parts.clone(), now).await?;
    usage::record(&tx, &turn.calls, now).await?;
    if matches!(turn.reply.by, AnsweredBy::Model { .. }) {
        conversations::count_turn(&tx, head.id, turn.reply.resolved).await?;
    }
    aftermath::write(&tx, &turn, turn_id, now).await?;
    enqueue_delivery(&tx, head, now).await?;
    tx.commit().await?;
    turns.relay.ring(Queue::Outbound);
    note(&turn, now);
    Ok(Written::Yes)
}

/// When the customer began to wait.
fn first_came(waiting: &[Waiting]) -> Option<DateTime<Utc>> {
    waiting.iter().map(|message| message.created_at).min()
}

/// What the last of the messages read came to.
fn answered(reply: &Reply, verdict: Option<Verdict>, turn_id: i64) -> Outcome {
    let unforeseen =
        reply.transfer.as_ref().filter(|transfer| transfer.why == TransferWhy::Uncontrolled);
    match (verdict, unforeseen) {
        (Some(found), _) => Outcome::Preempted { verdict: found.verdict, turn_id },
        (None, Some(transfer)) => Outcome::Failed { why: transfer.detail.clone() },
        (None, None) => Outcome::Answered { turn_id },
    }
}

/// The last of the messages read was answered, the others with it.
async fn end_read(
    tx: &DatabaseTransaction,
    read: &[Waiting],
    turn_id: i64,
    answered: &Outcome,
    verdict: Option<Verdict>,
    now: DateTime<Utc>,
) -> StoreResult<u64> {
    let Some((last, earlier)) = read.split_last() else {
        return Ok(0);
    };
    let earlier: Vec<i64> = earlier.iter().map(|message| message.id).collect();
    let coalesced = messages::end(tx, &earlier, &Outcome::Coalesced { turn_id }, None, now).await?;
    Ok(coalesced + messages::end(tx, &[last.id], answered, verdict, now).await?)
}

/// Whether the bot may not speak any more in this conversation, and why.
pub async fn taken_over(
    tx: &impl ConnectionTrait,
    head: &Head,
    now: DateTime<Utc>,
) -> StoreResult<Option<&'static str>> {
    if super::is_account_paused(tx, head).await? {
        return Ok(Some("bot_paused"));
    }
    let Some(current) = conversations::head(tx, head.id).await? else {
        return Ok(Some("conversation_gone"));
    };
    if current.handler == Handler::Human {
        return Ok(Some("human_in_charge"));
    }
    Ok(current.paused_until.is_some_and(|until| now < until).then_some("paused_by_human"))
}

async fn enqueue_delivery(
    tx: &DatabaseTransaction,
    head: &Head,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let deliver = Deliver { conversation_id: head.id };
    enqueue(tx, vec![NewJob::of(&deliver, Some(head.place.account_id), now)], now).await
}

/// The canonical technical sentence goes out and the conversation is left to a person (seed 004),
/// for this reason; `why` is for operators.
pub async fn technical_problem(
    turns: &Turns,
    job: &ClaimedJob,
    head: &Head,
    why: &str,
    reason: Reason,
) -> StoreResult<()> {
    let now = turns.clock.now();
    let tx = db::begin(&turns.db).await?;
    hold(&tx, job, now).await?;
    conversations::lock(&tx, head.id, now).await?;
    let waiting = messages::waiting_of(&tx, head.id).await?;
    let ids: Vec<i64> = waiting.iter().map(|message| message.id).collect();
    if ids.is_empty() {
        tx.commit().await?;
        return Ok(());
    }
    aftermath::abandon(&tx, head, now).await?;
    if let Some(detail) = taken_over(&tx, head, now).await? {
        messages::end(&tx, &ids, &Outcome::Human { detail }, None, now).await?;
        tx.commit().await?;
        return Ok(());
    }
    let row = turns::NewTurn {
        job_id: Some(job.id),
        received_at: first_came(&waiting),
        ..turns::NewTurn::fixed(head, "none", TECHNICAL_PROBLEM, now)
    };
    let turn_id = turns::insert(&tx, row).await?;
    let parts = vec![TECHNICAL_PROBLEM.to_owned()];
    outbox::write(&tx, head.place, head.id, turn_id, parts, now).await?;
    let why: String = why.chars().take(200).collect();
    messages::end(&tx, &ids, &Outcome::Failed { why: why.clone() }, None, now).await?;
    if reason == Reason::TechnicalProblem {
        aftermath::uncontrolled(&tx, head, turn_id, &why, now).await?;
    }
    handoff::hand_over(&tx, head, reason, Some(why), now).await?;
    enqueue_delivery(&tx, head, now).await?;
    tx.commit().await?;
    turns.relay.ring(Queue::Outbound);
    Ok(())
}

fn note(turn: &Finished, now: DateTime<Utc>) {
    let took = (now - turn.started_at).to_std().unwrap_or_default();
    metrics::histogram!("lembra_turn_seconds").record(took.as_secs_f64());
    // What the customer waited for: the debounce and the queue are in it.
    if let Some(came) = first_came(&turn.waiting) {
        let waited = (now - came).to_std().unwrap_or_default();
        metrics::histogram!("lembra_answer_seconds").record(waited.as_secs_f64());
    }
    tracing::info!(
        conversation.id = turn.head.id,
        messages = turn.waiting.len(),
        duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        "turn"
    );
}
