//! Writing what came of a send, and finding out where nobody said.

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::ConnectionTrait;

use super::{Deliveries, STOPPED_WAIT, Step, alert, count_send};
use crate::channels::{Address, Channel, SendError};
use crate::jobs::claim::{ClaimedJob, hold};
use crate::jobs::finish::JobOutcome;
use crate::jobs::journal::Trace;
use crate::services::alerts::{self, Kind};
use crate::services::statuses;
use crate::store::conversations::Head;
use crate::store::outbox::{self, Outbound};
use crate::store::{StoreError, StoreResult, conversations, db, inboxes, own_echoes, turns};

/// Where statuses arrive, a message without any for this long was not sent.
const STATUS_PATIENCE: TimeDelta = TimeDelta::seconds(60);
/// How often an unclear message is looked up.
const LOOK_AGAIN: TimeDelta = TimeDelta::seconds(2);
/// Meta's code for too many messages to one customer.
const PAIR_RATE: i64 = 131_056;

impl Deliveries {
    /// Writes what the provider said. That it was sent is written whatever became of the lease:
    /// whoever took the job over must know it.
    pub(super) async fn record(
        &self,
        job: &ClaimedJob,
        head: &Head,
        outbound: &Outbound,
        result: Result<String, SendError>,
        now: DateTime<Utc>,
    ) -> StoreResult<Step> {
        match result {
            Ok(provider_id) => {
                self.record_sent(head, outbound, &provider_id, now).await?;
                Ok(Step::Next)
            }
            Err(SendError::Retry { code, after }) => {
                // One customer's rate asks for more patience each time (WhatsApp facts 33).
                let doublings = job.attempt.saturating_sub(1).clamp(0, 5).unsigned_abs();
                let after = match code {
                    Some(PAIR_RATE) => after.map(|wait| wait * 2_u32.pow(doublings)),
                    _ => after,
                };
                let tx = db::begin(&self.db).await?;
                hold(&tx, job, now).await?;
                outbox::mark_pending(&tx, outbound.id, now).await?;
                tx.commit().await?;
                let error = format!("not sent (code {code:?})");
                Ok(Step::Stop(JobOutcome::Retry { after, error }))
            }
            // The row is whoever's has the job now, or is cancelled; it is not ours to touch.
            Err(SendError::NotAnnounced(refusal)) => Ok(Step::Stop(JobOutcome::retry(refusal))),
            Err(SendError::Refused { code, detail }) => {
                let tx = db::begin(&self.db).await?;
                hold(&tx, job, now).await?;
                outbox::mark_failed(&tx, outbound, code, &detail, now).await?;
                let detail = format!("message {} was refused, code {}", outbound.id, shown(code));
                alert(&tx, head, Kind::DeliveryFailed, detail, now).await?;
                tx.commit().await?;
                Ok(Step::Next)
            }
            // The line says by itself when it is down, and back.
            Err(SendError::LineDown(why)) => {
                let tx = db::begin(&self.db).await?;
                hold(&tx, job, now).await?;
                outbox::mark_pending(&tx, outbound.id, now).await?;
                alert_line(&tx, head, Kind::Channel, why, now).await?;
                tx.commit().await?;
                Ok(Step::Stop(JobOutcome::Snooze { until: now + STOPPED_WAIT }))
            }
            // It waits for the line, like everything behind it.
            Err(SendError::LineRefused { code, detail }) => {
                let tx = db::begin(&self.db).await?;
                hold(&tx, job, now).await?;
                outbox::mark_pending(&tx, outbound.id, now).await?;
                let why = format!("code {}: {detail}", shown(code));
                inboxes::stop(&tx, head.place.inbox_id, &why, now).await?;
                alert_line(&tx, head, Kind::InboxStopped, why, now).await?;
                tx.commit().await?;
                Ok(Step::Stop(JobOutcome::Snooze { until: now + STOPPED_WAIT }))
            }
            Err(SendError::Unclear { .. }) => {
                Ok(Step::Stop(JobOutcome::Snooze { until: now + LOOK_AGAIN }))
            }
        }
    }

    /// It was sent under this id; statuses may have come before.
    async fn record_sent(
        &self,
        head: &Head,
        outbound: &Outbound,
        provider_id: &str,
        now: DateTime<Utc>,
    ) -> StoreResult<()> {
        match outbox::mark_sent(&self.db, outbound.id, provider_id, now).await {
            Err(StoreError::Conflict) => self.absorb_echo(head, outbound, provider_id, now).await?,
            written => written?,
        }
        if let Some(turn_id) = outbound.turn_id {
            turns::mark_answered(&self.db, turn_id, now).await?;
        }
        statuses::apply_early(&self.db, head.place.inbox_id, provider_id, now).await
    }

    /// Our own message was seen from outside before the provider answered, and taken for a
    /// person's: it was not, and nobody was to be silenced.
    async fn absorb_echo(
        &self,
        head: &Head,
        outbound: &Outbound,
        provider_id: &str,
        now: DateTime<Utc>,
    ) -> StoreResult<()> {
        let tx = db::begin(&self.db).await?;
        if let Some(id) = own_echoes::absorb_echo(&tx, head.place.inbox_id, provider_id).await? {
            conversations::unpause(&tx, id).await?;
        }
        outbox::mark_sent(&tx, outbound.id, provider_id, now).await?;
        tx.commit().await?;
        Ok(())
    }

    /// A message that may have been sent. What the process that announced it had not begun to
    /// write was not; that is known at once. For the rest the provider is asked, where it can be,
    /// and a status that carries our id says that it was sent (and has then moved it on already).
    /// Where such statuses of other messages have arrived since, its absence says that it was not;
    /// elsewhere, and the second time, nobody can tell, and a person decides. Statuses of before
    /// say nothing: we may have been out of reach ourselves.
    pub(super) async fn look_up(
        &self,
        job: &ClaimedJob,
        head: &Head,
        channel: &dyn Channel,
        address: &Address,
        outbound: &Outbound,
    ) -> StoreResult<Step> {
        let now = self.clock.now();
        let trace = outbound.send_ticket.as_deref().map(|ticket| self.journal.trace(ticket));
        if trace == Some(Trace::NotBegun) {
            let tx = db::begin(&self.db).await?;
            hold(&tx, job, now).await?;
            outbox::mark_pending(&tx, outbound.id, now).await?;
            tx.commit().await?;
            count_send("never_begun");
            return Ok(Step::Next);
        }
        let since = outbound.sending_at.unwrap_or(now);
        match channel.find_sent(address, &outbound.text, since).await {
            Ok(Some(provider_id))
                if !own_echoes::is_ours(&self.db, head.place.inbox_id, &provider_id).await? =>
            {
                self.record_sent(head, outbound, &provider_id, now).await?;
                count_send("found");
                return Ok(Step::Next);
            }
            // Or an earlier one of the same words.
            Ok(_) => {}
            Err(error) => tracing::debug!(message.id = outbound.id, error, "not looked up"),
        }
        if now - since < STATUS_PATIENCE {
            return Ok(Step::Stop(JobOutcome::Snooze { until: now + LOOK_AGAIN }));
        }
        let last_status = inboxes::last_status_at(&self.db, head.place.inbox_id).await?;
        let arrive = last_status.is_some_and(|at| at > since)
            && channel.statuses_carry_our_id()
            && !outbound.sent_again;
        let tx = db::begin(&self.db).await?;
        hold(&tx, job, now).await?;
        if arrive {
            outbox::mark_to_send_again(&tx, outbound.id, now).await?;
        } else {
            outbox::mark_unknown(&tx, outbound.id, now).await?;
            let detail = format!("nobody can tell whether message {} was sent", outbound.id);
            alert(&tx, head, Kind::DeliveryUnknown, detail, now).await?;
        }
        tx.commit().await?;
        count_send(if arrive { "sent_again" } else { "unknown" });
        tracing::warn!(message.id = outbound.id, sent_again = arrive, "outcome of a send unclear");
        Ok(Step::Next)
    }
}

/// Tells operators of the line itself, once per line.
async fn alert_line(
    tx: &impl ConnectionTrait,
    head: &Head,
    kind: Kind,
    why: String,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let place = alerts::Place {
        account_id: Some(head.place.account_id),
        inbox_id: Some(head.place.inbox_id),
        conversation_id: None,
    };
    alerts::raise(tx, kind, place, format!("inbox {}", head.place.inbox_id), why, now).await
}

fn shown(code: Option<i64>) -> String {
    code.map_or_else(|| "none".to_owned(), |code| code.to_string())
}
