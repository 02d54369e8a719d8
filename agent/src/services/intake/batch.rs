//! One transaction: contacts, conversations, messages, verdicts, canonical answers and jobs of up
//! to 64 events, in a handful of statements.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, TimeDelta, Utc};
use lembra_entities::inbox;
use sea_orm::{ConnectionTrait, DatabaseConnection};

use super::decide::{Decision, PROCEED, Situation, decide, unanswerable};
use super::{Item, Settings};
use crate::domain::chat::ChatMessage;
use crate::domain::conversation::Outcome;
use crate::domain::gate::{Gate, RATE_WINDOW};
use crate::domain::message::{Content, Echo, IgnoredWhy, InboundMessage};
use crate::jobs::NewJob;
use crate::jobs::enqueue::{LONGEST_WAIT, enqueue};
use crate::jobs::kinds::{Deliver, Respond};
use crate::services::handoff::{self, Reason};
use crate::services::inboxes::Inbox;
use crate::store::conversations::{self, Head, Place};
use crate::store::messages::{self, Direction, NewMessage, Said, Verdict};
use crate::store::people::{self, Caller};
use crate::store::{StoreResult, db, events, inboxes, outbox, turns};

/// Messages of the past that triage looks at.
const HISTORY: u64 = 12;
/// How long a person who wrote from the phone keeps the bot silent (DESIGN §9).
const HUMAN_PAUSE: TimeDelta = TimeDelta::minutes(60);

/// A message of a known inbox on its way to a row.
struct Incoming<'a> {
    inbox: &'a Inbox,
    direction: Direction,
    message_id: &'a str,
    sender: &'a crate::domain::identity::Sender,
    name: Option<&'a String>,
    content: &'a Content,
    reply_to: Option<&'a String>,
    written_at: DateTime<Utc>,
}

impl<'a> Incoming<'a> {
    fn from_customer(inbox: &'a Inbox, message: &'a InboundMessage) -> Self {
        Self {
            inbox,
            direction: Direction::FromCustomer,
            message_id: &message.message_id,
            sender: &message.sender,
            name: message.profile_name.as_ref(),
            content: &message.content,
            reply_to: message.reply_to.as_ref(),
            written_at: message.timestamp,
        }
    }

    fn from_human(inbox: &'a Inbox, echo: &'a Echo, now: DateTime<Utc>) -> Self {
        Self {
            inbox,
            direction: Direction::FromHuman,
            message_id: &echo.message_id,
            sender: &echo.recipient,
            name: None,
            content: &echo.content,
            reply_to: None,
            written_at: echo.timestamp.unwrap_or(now),
        }
    }

    fn row(&self, head: &Head) -> NewMessage {
        let unread = self.direction == Direction::FromHuman || unanswerable(self.content).is_some();
        let plain = matches!(self.content, Content::Text { .. });
        NewMessage {
            conversation_id: head.id,
            place: head.place,
            direction: self.direction,
            provider_message_id: self.message_id.to_owned(),
            kind: self.content.kind(),
            text: self.content.text().to_owned(),
            content: (!plain).then(|| serde_json::to_value(self.content).unwrap_or_default()),
            reply_to: self.reply_to.cloned(),
            written_at: self.written_at,
            verdict: (!unread).then_some(PROCEED),
        }
    }
}

/// Writes all items; answers whether a job is due at once.
pub async fn write(
    db: &DatabaseConnection,
    settings: &Settings,
    items: &[Item],
    now: DateTime<Utc>,
) -> StoreResult<bool> {
    let tx = db::begin(db).await?;
    let mut jobs = Vec::new();
    write_messages(&tx, settings, items, now, &mut jobs).await?;
    write_statuses_and_kept(&tx, items, now).await?;
    note_events(&tx, items, now).await?;
    let due_now = jobs.iter().any(|job| job.run_at() <= now);
    enqueue(&tx, jobs, now).await?;
    tx.commit().await?;
    Ok(due_now)
}

async fn write_messages(
    tx: &impl ConnectionTrait,
    settings: &Settings,
    items: &[Item],
    now: DateTime<Utc>,
    jobs: &mut Vec<NewJob>,
) -> StoreResult<()> {
    let mut seen = HashSet::new();
    let mut incoming: Vec<Incoming<'_>> = Vec::new();
    for item in items {
        let next = match item {
            Item::Message(inbox, message) => Incoming::from_customer(inbox, message),
            Item::Echo(inbox, echo) => Incoming::from_human(inbox, echo, now),
            Item::Status(..) | Item::Kept(_) => continue,
        };
        if seen.insert((next.inbox.id, next.message_id)) {
            incoming.push(next);
        }
    }
    if incoming.is_empty() {
        return Ok(());
    }

    let caller = |next: &Incoming<'_>| Caller {
        account_id: next.inbox.account.id,
        sender: next.sender.clone(),
        name: next.name.cloned(),
    };
    let callers: Vec<Caller> = incoming.iter().map(caller).collect();
    let contacts = people::resolve(tx, &callers, now).await?;
    let places = incoming
        .iter()
        .zip(contacts)
        .map(|(next, contact_id)| Place {
            account_id: next.inbox.account.id,
            inbox_id: next.inbox.id,
            contact_id,
        });
    let places: Vec<Place> = places.collect();
    let heads = conversations::open_for(tx, &places, now).await?;
    let addressed: Vec<(&Incoming<'_>, &Head)> = incoming
        .iter()
        .zip(&places)
        .filter_map(|(next, place)| Some((next, heads.get(place)?)))
        .collect();
    let rows: Vec<NewMessage> = addressed
        .iter()
        .map(|(next, head)| next.row(head))
        .collect();
    let ids = messages::insert(tx, &rows, now).await?;
    // What was there before is a redelivery, and ends here.
    let fresh: Vec<Fresh<'_>> = addressed
        .into_iter()
        .filter_map(|(next, head)| {
            let id = ids.get(&(next.inbox.id, next.message_id.to_owned()))?;
            Some(Fresh {
                id: *id,
                next,
                head,
            })
        })
        .collect();
    let old = fresh
        .iter()
        .filter(|fresh| !fresh.head.is_new)
        .map(|fresh| fresh.head.id);
    conversations::touch(tx, old.collect(), now).await?;

    let context = Context::load(tx, &fresh, now).await?;
    for fresh in &fresh {
        match fresh.next.direction {
            Direction::FromHuman => take_over(tx, fresh, now).await?,
            Direction::FromCustomer => {
                settle(tx, settings, fresh, &context, now, jobs).await?;
            }
        }
    }
    Ok(())
}

/// A message that was not there before.
struct Fresh<'a> {
    id: i64,
    next: &'a Incoming<'a>,
    head: &'a Head,
}

/// What was said before, where anything was.
struct Context {
    histories: HashMap<i64, Vec<Said>>,
    answers: HashMap<i64, u64>,
}

impl Context {
    async fn load(
        tx: &impl ConnectionTrait,
        fresh: &[Fresh<'_>],
        now: DateTime<Utc>,
    ) -> StoreResult<Self> {
        let mut messages_of: HashMap<i64, usize> = HashMap::new();
        for fresh in fresh {
            *messages_of.entry(fresh.head.id).or_default() += 1;
        }
        let known = |fresh: &&Fresh<'_>| {
            !fresh.head.is_new
                || messages_of
                    .get(&fresh.head.id)
                    .is_some_and(|count| *count > 1)
        };
        let mut ids: Vec<i64> = fresh
            .iter()
            .filter(known)
            .map(|fresh| fresh.head.id)
            .collect();
        ids.sort_unstable();
        ids.dedup();
        Ok(Self {
            histories: messages::histories(tx, ids.clone(), HISTORY).await?,
            answers: messages::answers_since(tx, ids, now - RATE_WINDOW).await?,
        })
    }

    /// The conversation up to and with this message.
    fn history(&self, fresh: &Fresh<'_>) -> Vec<ChatMessage> {
        match self.histories.get(&fresh.head.id) {
            Some(said) => {
                let until = said.iter().filter(|said| said.id <= fresh.id);
                until.map(|said| said.message.clone()).collect()
            }
            None => vec![ChatMessage::user(fresh.next.content.text())],
        }
    }
}

/// Gates and triage of one message, and what follows from them.
async fn settle(
    tx: &impl ConnectionTrait,
    settings: &Settings,
    fresh: &Fresh<'_>,
    context: &Context,
    now: DateTime<Utc>,
    jobs: &mut Vec<NewJob>,
) -> StoreResult<()> {
    if let Some(why) = unanswerable(fresh.next.content) {
        count_outcome("ignored");
        messages::end(tx, &[fresh.id], &Outcome::Ignored { why }, None, now).await?;
        return Ok(());
    }
    let account = &fresh.next.inbox.account;
    let history = context.history(fresh);
    let (decision, verdict) = decide(&Situation {
        head: fresh.head,
        account_paused: account.bot_paused,
        max_answer_age: settings.max_answer_age,
        history: &history,
        recent_answers: context
            .answers
            .get(&fresh.head.id)
            .copied()
            .unwrap_or_default(),
        written_at: fresh.next.written_at,
        now,
    });
    metrics::counter!("lembra_triage_total", "verdict" => verdict.verdict).increment(1);
    match decision {
        Decision::Answer => {
            let own = account
                .debounce_ms
                .map(|ms| TimeDelta::milliseconds(ms.into()));
            let respond = Respond {
                conversation_id: fresh.head.id,
            };
            let run_at = now + own.unwrap_or(settings.debounce);
            let job = NewJob::of(&respond, Some(account.id), run_at);
            jobs.push(job.run_by(now + LONGEST_WAIT.max(run_at - now)));
        }
        Decision::Preempt { response } => {
            preempt(tx, fresh, verdict, response, now).await?;
            let deliver = Deliver {
                conversation_id: fresh.head.id,
            };
            jobs.push(NewJob::of(&deliver, Some(account.id), now));
        }
        Decision::Closed(gate) => {
            let outcome = gate.outcome();
            count_outcome(outcome.as_str());
            messages::end(tx, &[fresh.id], &outcome, Some(verdict), now).await?;
            if gate == Gate::RateLimited {
                handoff::hand_over(tx, fresh.head.id, Reason::BotLoop, now).await?;
            }
        }
    }
    Ok(())
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
    outbox::write(
        tx,
        head.place,
        head.id,
        turn_id,
        vec![response.to_owned()],
        now,
    )
    .await?;
    let outcome = Outcome::Preempted {
        verdict: verdict.verdict,
        turn_id,
    };
    messages::end(tx, &[fresh.id], &outcome, Some(verdict), now).await?;
    let mut earlier = messages::waiting_ids(tx, head.id, fresh.id).await?;
    earlier.retain(|id| *id < fresh.id);
    messages::end(tx, &earlier, &outcome, None, now).await?;
    count_outcome(outcome.as_str());
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
async fn take_over(
    tx: &impl ConnectionTrait,
    fresh: &Fresh<'_>,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let id = fresh.head.id;
    conversations::pause(tx, id, now + HUMAN_PAUSE, now).await?;
    outbox::cancel_pending(tx, id, now).await?;
    let mut waiting = messages::waiting_ids(tx, id, fresh.id).await?;
    waiting.retain(|waiting| *waiting < fresh.id);
    let outcome = Outcome::Human {
        detail: "answered_by_human",
    };
    messages::end(tx, &waiting, &outcome, None, now).await?;
    Ok(())
}

fn count_outcome(outcome: &'static str) {
    metrics::counter!("lembra_message_outcomes_total", "outcome" => outcome).increment(1);
}

async fn write_statuses_and_kept(
    tx: &impl ConnectionTrait,
    items: &[Item],
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let mut kept = Vec::new();
    for item in items {
        match item {
            Item::Status(inbox, status) => {
                if !outbox::apply_status(tx, inbox.id, status, now).await? {
                    kept.push(item.refused(IgnoredWhy::OrphanStatus, "no such message of ours"));
                }
            }
            Item::Kept(event) => kept.push(event.clone()),
            Item::Message(..) | Item::Echo(..) => {}
        }
    }
    events::insert(tx, kept, now).await
}

async fn note_events(
    tx: &impl ConnectionTrait,
    items: &[Item],
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let mut any = HashSet::new();
    let mut statuses = HashSet::new();
    for item in items {
        match item {
            Item::Message(inbox, _) | Item::Echo(inbox, _) => {
                any.insert(inbox.id);
            }
            Item::Status(inbox, _) => {
                any.insert(inbox.id);
                statuses.insert(inbox.id);
            }
            Item::Kept(_) => {}
        }
    }
    let sorted = |ids: HashSet<i64>| {
        let mut ids: Vec<i64> = ids.into_iter().collect();
        ids.sort_unstable();
        ids
    };
    inboxes::saw(tx, inbox::Column::LastEventAt, sorted(any), now).await?;
    inboxes::saw(tx, inbox::Column::LastStatusAt, sorted(statuses), now).await
}
