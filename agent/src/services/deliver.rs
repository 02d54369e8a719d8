//! Sending a conversation's outbox, one message after the other.
//!
//! Every step is recorded before the call that it announces. A message found in `sending` was
//! announced by a process that died, or whose call ended without an answer: it is looked up
//! before anything is sent again (DESIGN §3.7).

mod record;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::{ConnectionTrait, DatabaseConnection};
use tracing::Instrument;

use crate::channels::{Address, Announcement, Channel, NotAnnounced, OutboundText, SendError};
use crate::clock::SharedClock;
use crate::domain::conversation::Delivery;
use crate::domain::gate::CHANNEL_WINDOW;
use crate::jobs::NewJob;
use crate::jobs::claim::{ClaimedJob, hold};
use crate::jobs::enqueue::enqueue;
use crate::jobs::finish::JobOutcome;
use crate::jobs::journal::{ProcessJournal, Ticket};
use crate::jobs::kinds::Deliver;
use crate::services::alerts::{self, Kind};
use crate::services::inboxes::{InboxDirectory, InboxError};
use crate::store::conversations::Head;
use crate::store::outbox::{self, Outbound};
use crate::store::{StoreError, StoreResult, conversations, db, inboxes, messages, people};

/// How often a stopped line is asked whether it is open again.
const STOPPED_WAIT: TimeDelta = TimeDelta::seconds(30);

/// What a delivery needs.
#[derive(Clone)]
pub struct Deliveries {
    pub db: DatabaseConnection,
    pub clock: SharedClock,
    pub inboxes: InboxDirectory,
    pub journal: ProcessJournal,
    /// An answer that could not be sent for so long is no answer any more.
    pub longest_wait: TimeDelta,
}

/// How the sending of one message went.
enum Step {
    Next,
    Stop(JobOutcome),
}

impl Deliveries {
    /// Sends what waits in the outbox of the conversation.
    pub async fn deliver(&self, job: &ClaimedJob, payload: Deliver) -> JobOutcome {
        match self.try_deliver(job, payload.conversation_id).await {
            Ok(outcome) => outcome,
            Err(InboxError::Store(StoreError::LeaseLost)) => JobOutcome::Done,
            Err(error) => JobOutcome::retry(error),
        }
    }

    /// Every try failed: the message is marked so, where it surely was not sent.
    pub async fn give_up(&self, job: &ClaimedJob, payload: Deliver, why: &str) -> StoreResult<()> {
        let now = self.clock.now();
        let Some(outbound) = outbox::next(&self.db, payload.conversation_id).await? else {
            return Ok(());
        };
        let tx = db::begin(&self.db).await?;
        hold(&tx, job, now).await?;
        match outbound.delivery {
            Delivery::Sending => {
                outbox::mark_unknown(&tx, outbound.id, now).await?;
            }
            _ => outbox::mark_failed(&tx, &outbound, None, why, now).await?,
        }
        if let Some(head) = conversations::head(&tx, payload.conversation_id).await? {
            let detail = format!("message {} could not be sent", outbound.id);
            alert(&tx, &head, Kind::DeliveryFailed, detail, now).await?;
        }
        // Other answers may wait behind it, and this job was theirs, too.
        let next = NewJob::of(&payload, job.account_id, now);
        enqueue(&tx, vec![next], now).await?;
        tx.commit().await?;
        count_send("gave_up");
        Ok(())
    }

    async fn try_deliver(
        &self,
        job: &ClaimedJob,
        conversation_id: i64,
    ) -> Result<JobOutcome, InboxError> {
        let Some(head) = conversations::head(&self.db, conversation_id).await? else {
            return Ok(JobOutcome::dead("no such conversation"));
        };
        let Some(inbox) = self.inboxes.by_id(head.place.inbox_id).await? else {
            return Ok(JobOutcome::retry("no such inbox"));
        };
        if inboxes::stopped_why(&self.db, inbox.id).await?.is_some() {
            return Ok(JobOutcome::Snooze { until: self.clock.now() + STOPPED_WAIT });
        }
        let channel = self.inboxes.channel(&inbox);
        let address = people::address_of(&self.db, head.place.contact_id).await?;
        let Some((kind, value)) = address else {
            return Ok(JobOutcome::dead("the contact has no address"));
        };
        let address = Address { kind, value };
        let deadline = self.clock.now() + TimeDelta::seconds(20);
        while let Some(outbound) = outbox::next(&self.db, conversation_id).await? {
            let step = match outbound.delivery {
                Delivery::Sending => {
                    self.look_up(job, &head, &*channel, &address, &outbound).await?
                }
                _ => self.send(job, &head, &*channel, &address, &outbound).await?,
            };
            if let Step::Stop(outcome) = step {
                return Ok(outcome);
            }
            // A long answer to a slow provider goes on under a new claim.
            if self.clock.now() > deadline {
                return Ok(JobOutcome::Snooze { until: self.clock.now() });
            }
        }
        Ok(JobOutcome::Done)
    }

    async fn send(
        &self,
        job: &ClaimedJob,
        head: &Head,
        channel: &dyn Channel,
        address: &Address,
        outbound: &Outbound,
    ) -> Result<Step, InboxError> {
        let now = self.clock.now();
        let written = messages::last_written_at(&self.db, head.place).await?;
        if written.is_none_or(|at| now - at >= CHANNEL_WINDOW) {
            let tx = db::begin(&self.db).await?;
            hold(&tx, job, now).await?;
            outbox::mark_failed(&tx, outbound, None, "window_closed", now).await?;
            let detail = format!("message {}: the channel's window is closed", outbound.id);
            alert(&tx, head, Kind::DeliveryFailed, detail, now).await?;
            tx.commit().await?;
            count_send("window_closed");
            return Ok(Step::Next);
        }
        if now - outbound.created_at > self.longest_wait {
            let tx = db::begin(&self.db).await?;
            hold(&tx, job, now).await?;
            outbox::mark_failed(&tx, outbound, None, "too_old", now).await?;
            let detail = format!("message {} waited too long to be sent", outbound.id);
            alert(&tx, head, Kind::DeliveryFailed, detail, now).await?;
            tx.commit().await?;
            count_send("too_old");
            return Ok(Step::Next);
        }
        let text = OutboundText {
            to: address.clone(),
            text: outbound.text.clone(),
            callback_data: outbox::callback_data(outbound.id),
        };
        let ticket = self.journal.ticket();
        let name = ticket.as_ref().map(Ticket::name);
        let sending = tracing::info_span!("send", otel.kind = "client", message.id = outbound.id);
        let announcement = self.announcement(job, outbound.id, ticket);
        let result = channel.send_text(&text, announcement).instrument(sending).await;
        let done = self.clock.now();
        record_send(head, now, done, &result);
        let unclear = matches!(result, Err(SendError::Unclear { .. }));
        let step = self.record(job, head, outbound, result, done).await?;
        if let (Some(name), false) = (name, unclear) {
            self.journal.settle(&name);
        }
        Ok(step)
    }

    /// Records the message as being sent, if the job is still ours and nobody cancelled it; then
    /// that its body is begun.
    fn announcement(
        &self,
        job: &ClaimedJob,
        message_id: i64,
        mut ticket: Option<Ticket>,
    ) -> Announcement {
        let (deliveries, job) = (self.clone(), job.clone());
        Box::pin(async move {
            let refuse = |error: StoreError| NotAnnounced(error.to_string());
            let name = ticket.as_ref().map(Ticket::name);
            if let Some(ticket) = ticket.as_mut() {
                ticket.announce();
            }
            let now = deliveries.clock.now();
            let tx = db::begin(&deliveries.db).await.map_err(refuse)?;
            hold(&tx, &job, now).await.map_err(refuse)?;
            let ours = outbox::mark_sending(&tx, message_id, name, now).await.map_err(refuse)?;
            tx.commit().await.map_err(|error| refuse(error.into()))?;
            if !ours {
                return Err(NotAnnounced("no longer wanted".to_owned()));
            }
            ticket
                .map_or(Ok(()), Ticket::begin)
                .map_err(|error| NotAnnounced(format!("no journal of sends: {error}")))
        })
    }
}

/// Tells operators of a message that did not arrive, once per conversation.
async fn alert(
    tx: &impl ConnectionTrait,
    head: &Head,
    kind: Kind,
    detail: String,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let place = alerts::Place {
        account_id: Some(head.place.account_id),
        inbox_id: Some(head.place.inbox_id),
        conversation_id: Some(head.id),
    };
    alerts::raise(tx, kind, place, format!("conversation {}", head.id), detail, now).await
}

fn count_send(result: &'static str) {
    metrics::counter!("lembra_sends_total", "result" => result).increment(1);
}

fn record_send(
    head: &Head,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    result: &Result<String, SendError>,
) {
    let took: Duration = (until - from).to_std().unwrap_or_default();
    metrics::histogram!("lembra_send_seconds").record(took.as_secs_f64());
    let (label, code) = match result {
        Ok(_) => ("sent", None),
        Err(SendError::Retry { code, .. }) => ("retry", *code),
        Err(SendError::LineDown(_)) => ("line_down", None),
        Err(SendError::LineRefused { code, .. }) => ("line_refused", *code),
        Err(SendError::Refused { code, .. }) => ("refused", *code),
        Err(SendError::Unclear { .. }) => ("unclear", None),
        Err(SendError::NotAnnounced(_)) => ("not_announced", None),
    };
    count_send(label);
    tracing::info!(
        conversation.id = head.id,
        result = label,
        code,
        duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        "send"
    );
}
