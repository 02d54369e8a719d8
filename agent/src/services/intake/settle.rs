//! Gates and triage of one message, and what follows from them.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::account;
use sea_orm::ConnectionTrait;

use super::Settings;
use super::context::Context;
use super::decide::{Decision, Situation, decide, words_to_answer};
use super::incoming::Fresh;
use crate::domain::conversation::Outcome;
use crate::domain::gate::Gate;
use crate::jobs::NewJob;
use crate::jobs::enqueue::LONGEST_WAIT;
use crate::jobs::kinds::{Deliver, Respond};
use crate::services::handoff::{self, Reason};
use crate::services::triage;
use crate::store::conversations::Head;
use crate::store::messages::Verdict;
use crate::store::{StoreResult, messages, outbox, turns};

/// What the messages of one batch lead to, beside rows.
#[derive(Default)]
pub struct Effects {
    pub jobs: Vec<NewJob>,
    /// Conversations in which the bot fell silent within this batch.
    pub silenced: HashMap<i64, Gate>,
}

/// A customer's message that is to be decided about.
pub struct Subject<'a> {
    pub id: i64,
    /// Its words; empty for a file or another message without any.
    pub text: &'a str,
    pub written_at: DateTime<Utc>,
    /// When it reached us, where that was earlier.
    pub came_at: Option<DateTime<Utc>>,
    pub head: &'a Head,
    pub account: &'a account::Model,
    pub channel: &'static str,
    /// The trace that what follows belongs to.
    pub trace: Option<&'a str>,
}

impl<'a> From<&'a Fresh<'a>> for Subject<'a> {
    fn from(fresh: &'a Fresh<'a>) -> Self {
        Self {
            id: fresh.id,
            text: words_to_answer(fresh.next.content),
            written_at: fresh.next.written_at,
            came_at: None,
            head: fresh.head,
            account: &fresh.next.inbox.account,
            channel: fresh.next.inbox.channel(),
            trace: fresh.trace.map(String::as_str),
        }
    }
}

/// The job of the turn that answers what waits in a conversation.
pub fn respond(
    settings: &Settings,
    account: &account::Model,
    conversation_id: i64,
    now: DateTime<Utc>,
) -> NewJob {
    let own = account.debounce_ms.map(|ms| TimeDelta::milliseconds(ms.into()));
    let run_at = now + own.unwrap_or(settings.debounce);
    let job = NewJob::of(&Respond { conversation_id }, Some(account.id), run_at);
    job.run_by(now + LONGEST_WAIT.max(run_at - now))
}

/// Decides about a customer's message and writes what follows; jobs are added to `effects`.
pub async fn settle(
    tx: &impl ConnectionTrait,
    settings: &Settings,
    subject: &Subject<'_>,
    context: &Context,
    now: DateTime<Utc>,
    effects: &mut Effects,
) -> StoreResult<()> {
    let account = subject.account;
    let history = match subject.text.trim().is_empty() {
        // Without words there is nothing for triage, and what was said before had its turn.
        true => Vec::new(),
        false => context.history(subject),
    };
    let (decision, found) = decide(&Situation {
        head: subject.head,
        account,
        max_answer_age: settings.max_answer_age,
        history: &history,
        recent_answers: context.answers.get(&subject.head.id).copied().unwrap_or_default(),
        written_at: subject.written_at,
        now,
    });
    let verdict = found.verdict;
    metrics::counter!("lembra_triage_total", "verdict" => verdict.verdict).increment(1);
    let silenced = effects.silenced.get(&subject.head.id);
    match silenced.map_or(decision, |gate| Decision::Closed(*gate)) {
        Decision::Answer => {
            let job = respond(settings, account, subject.head.id, now);
            effects.jobs.push(job.traced_by(subject.trace));
        }
        Decision::Preempt(kind) => {
            let answer = triage::answer(account, &history, kind);
            preempt(tx, subject, verdict, &answer.text, now).await?;
            if let Some(alert) = found.alert {
                triage::raise(tx, subject.head, subject.id, alert, now).await?;
            }
            if let Some(reason) = answer.hand_over {
                handoff::hand_over(tx, subject.head, reason, None, now).await?;
                effects.silenced.insert(subject.head.id, Gate::HumanInCharge);
            }
            let deliver = Deliver { conversation_id: subject.head.id };
            let job = NewJob::of(&deliver, Some(account.id), now);
            effects.jobs.push(job.traced_by(subject.trace));
        }
        Decision::Closed(gate) => {
            let outcome = gate.outcome();
            messages::end(tx, &[subject.id], &outcome, Some(verdict), now).await?;
            // A person must hear of it also where the bot may not speak.
            if let Some(alert) = found.alert.filter(|_| found.is_crisis()) {
                triage::raise(tx, subject.head, subject.id, alert, now).await?;
            }
            if gate == Gate::RateLimited {
                handoff::hand_over(tx, subject.head, Reason::BotLoop, None, now).await?;
                effects.silenced.insert(subject.head.id, Gate::HumanInCharge);
            }
        }
    }
    Ok(())
}

/// Stores the canonical answer like any turn. It answers what waited before it, too: the customer
/// has moved on.
async fn preempt(
    tx: &impl ConnectionTrait,
    subject: &Subject<'_>,
    verdict: Verdict,
    response: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let head = subject.head;
    let turn = turns::NewTurn {
        received_at: Some(subject.came_at.unwrap_or(now)),
        ..turns::NewTurn::fixed(head, turns::TRIAGE, response, now)
    };
    let turn_id = turns::insert(tx, turn).await?;
    outbox::write(tx, head.place, head.id, turn_id, vec![response.to_owned()], now).await?;
    let outcome = Outcome::Preempted { verdict: verdict.verdict, turn_id };
    messages::end(tx, &[subject.id], &outcome, Some(verdict), now).await?;
    let mut earlier = messages::waiting_ids(tx, head.id, subject.id).await?;
    earlier.retain(|id| *id < subject.id);
    messages::end(tx, &earlier, &outcome, None, now).await?;
    metrics::counter!(
        "lembra_preempts_total",
        "verdict" => verdict.verdict,
        "rule" => verdict.rule.unwrap_or_default(),
        "channel" => subject.channel,
    )
    .increment(1);
    tracing::info!(
        conversation.id = head.id,
        message.id = subject.id,
        verdict = verdict.verdict,
        rule = verdict.rule,
        channel = subject.channel,
        "preempted"
    );
    Ok(())
}
