//! Gates and triage of one message, and what follows from them.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::ConnectionTrait;

use super::Settings;
use super::context::Context;
use super::decide::{Decision, Situation, decide, unanswerable};
use super::incoming::Fresh;
use crate::domain::conversation::Outcome;
use crate::domain::gate::Gate;
use crate::jobs::NewJob;
use crate::jobs::enqueue::LONGEST_WAIT;
use crate::jobs::kinds::{Deliver, Respond};
use crate::services::handoff::{self, Reason};
use crate::services::triage::{self, Alert};
use crate::store::messages::Verdict;
use crate::store::{StoreResult, conversations, messages, outbox, turns};

/// How long a person who wrote from the phone keeps the bot silent (DESIGN §9).
const HUMAN_PAUSE: TimeDelta = TimeDelta::minutes(60);

/// What the messages of one batch lead to, beside rows.
#[derive(Default)]
pub struct Effects {
    pub jobs: Vec<NewJob>,
    /// Conversations in which the bot fell silent within this batch.
    pub silenced: HashMap<i64, Gate>,
}

/// Decides about a customer's message and writes what follows; jobs are added to `effects`.
pub async fn settle(
    tx: &impl ConnectionTrait,
    settings: &Settings,
    fresh: &Fresh<'_>,
    context: &Context,
    now: DateTime<Utc>,
    effects: &mut Effects,
) -> StoreResult<()> {
    if let Some(why) = unanswerable(fresh.next.content) {
        messages::end(tx, &[fresh.id], &Outcome::Ignored { why }, None, now).await?;
        return Ok(());
    }
    let account = &fresh.next.inbox.account;
    let history = context.history(fresh);
    let (decision, found) = decide(&Situation {
        head: fresh.head,
        account,
        max_answer_age: settings.max_answer_age,
        history: &history,
        recent_answers: context.answers.get(&fresh.head.id).copied().unwrap_or_default(),
        written_at: fresh.next.written_at,
        now,
    });
    let verdict = found.verdict;
    metrics::counter!("lembra_triage_total", "verdict" => verdict.verdict).increment(1);
    let silenced = effects.silenced.get(&fresh.head.id);
    match silenced.map_or(decision, |gate| Decision::Closed(*gate)) {
        Decision::Answer => {
            let own = account.debounce_ms.map(|ms| TimeDelta::milliseconds(ms.into()));
            let respond = Respond { conversation_id: fresh.head.id };
            let run_at = now + own.unwrap_or(settings.debounce);
            let job = NewJob::of(&respond, Some(account.id), run_at);
            effects.jobs.push(job.run_by(now + LONGEST_WAIT.max(run_at - now)));
        }
        Decision::Preempt(kind) => {
            let answer = triage::answer(account, &history, kind);
            preempt(tx, fresh, verdict, &answer.text, now).await?;
            if let Some(alert) = found.alert {
                raise(tx, fresh, alert, now).await?;
            }
            if let Some(reason) = answer.hand_over {
                handoff::hand_over(tx, fresh.head.id, reason, now).await?;
                effects.silenced.insert(fresh.head.id, Gate::HumanInCharge);
            }
            let deliver = Deliver { conversation_id: fresh.head.id };
            effects.jobs.push(NewJob::of(&deliver, Some(account.id), now));
        }
        Decision::Closed(gate) => {
            let outcome = gate.outcome();
            messages::end(tx, &[fresh.id], &outcome, Some(verdict), now).await?;
            // A person must hear of it also where the bot may not speak.
            if found.alert == Some(Alert::Crisis) {
                raise(tx, fresh, Alert::Crisis, now).await?;
            }
            if gate == Gate::RateLimited {
                handoff::hand_over(tx, fresh.head.id, Reason::BotLoop, now).await?;
                effects.silenced.insert(fresh.head.id, Gate::HumanInCharge);
            }
        }
    }
    Ok(())
}

async fn raise(
    tx: &impl ConnectionTrait,
    fresh: &Fresh<'_>,
    alert: Alert,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    triage::raise(tx, fresh.head.place, fresh.head.id, fresh.id, alert, now).await
}

/// Stores the canonical answer like any turn. It answers what waited before it, too: the customer
/// has moved on.
async fn preempt(
    tx: &impl ConnectionTrait,
    fresh: &Fresh<'_>,
    verdict: Verdict,
    response: &str,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let head = fresh.head;
    let turn = turns::NewTurn {
        account_id: head.place.account_id,
        conversation_id: head.id,
        job_id: None,
        model: turns::TRIAGE.to_owned(),
        prompt_tokens: None,
        completion_tokens: None,
        transcript: None,
        reply: response.to_owned(),
        started_at: now,
        finished_at: now,
    };
    let turn_id = turns::insert(tx, turn).await?;
    outbox::write(tx, head.place, head.id, turn_id, vec![response.to_owned()], now).await?;
    let outcome = Outcome::Preempted { verdict: verdict.verdict, turn_id };
    messages::end(tx, &[fresh.id], &outcome, Some(verdict), now).await?;
    let mut earlier = messages::waiting_ids(tx, head.id, fresh.id).await?;
    earlier.retain(|id| *id < fresh.id);
    messages::end(tx, &earlier, &outcome, None, now).await?;
    metrics::counter!(
        "lembra_preempts_total",
        "verdict" => verdict.verdict,
        "rule" => verdict.rule.unwrap_or_default(),
        "channel" => crate::channels::meta::NAME,
    )
    .increment(1);
    tracing::info!(
        conversation.id = head.id,
        message.id = fresh.id,
        verdict = verdict.verdict,
        rule = verdict.rule,
        channel = crate::channels::meta::NAME,
        "preempted"
    );
    Ok(())
}

/// A person wrote from the phone: the bot falls silent, and what waited is theirs.
pub async fn take_over(
    tx: &impl ConnectionTrait,
    fresh: &Fresh<'_>,
    now: DateTime<Utc>,
    effects: &mut Effects,
) -> StoreResult<()> {
    let id = fresh.head.id;
    effects.silenced.insert(id, Gate::PausedByHuman);
    conversations::pause(tx, id, now + HUMAN_PAUSE, now).await?;
    outbox::cancel_pending(tx, id, now).await?;
    let mut waiting = messages::waiting_ids(tx, id, fresh.id).await?;
    waiting.retain(|waiting| *waiting < fresh.id);
    let outcome = Outcome::Human { detail: "answered_by_human" };
    messages::end(tx, &waiting, &outcome, None, now).await?;
    Ok(())
}
