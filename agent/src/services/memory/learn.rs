//! Learning from a conversation (seed 002 §8.1): reads what is fresh, asks the model outside of any
//! transaction, and in one transaction writes the facts and marks exactly what was read.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DatabaseTransaction};
use serde_json::json;
use tokio::time::Instant;

use super::extract::{Extraction, Limits, extract};
use super::metering::{self, Payer};
use super::{Memories, MemoryError, flags, outcome};
use crate::domain::memory::aging::MOST_PER_CONVERSATION;
use crate::domain::memory::contradiction::is_same;
use crate::domain::memory::transcript::{Excerpt, cut};
use crate::domain::memory::{Discard, Fact, MemoryKind, Scope};
use crate::jobs::claim::{ClaimedJob, hold};
use crate::jobs::enqueue::enqueue;
use crate::jobs::memory_kinds::{ExtractFromConversation, UpdateEmbedding};
use crate::jobs::{JobOutcome, NewJob};
use crate::llm::Purpose;
use crate::store::extractions::{self, NewExtraction, Subject};
use crate::store::memories::{self, Origin};
use crate::store::usage::NewUsage;
use crate::store::{StoreResult, db, usage};

/// Asks for the conversation to be learnt from, if its account wants that.
pub async fn request(
    tx: &impl ConnectionTrait,
    account_id: i64,
    conversation_id: i64,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    if !flags::wishes(tx, account_id).await?.extraction {
        return Ok(());
    }
    let job = NewJob::of(&ExtractFromConversation { conversation_id }, Some(account_id), now);
    enqueue(tx, vec![job], now).await
}

/// What one reading of a conversation came to.
struct Reading {
    subject: Subject,
    excerpt: Excerpt,
    /// Fresh messages that are marked and not learnt from: their writer asked to be forgotten.
    forgotten: Vec<i64>,
    /// When each message reached us.
    times: BTreeMap<i64, DateTime<Utc>>,
    extraction: Option<Extraction>,
    outcome: &'static str,
    took: Duration,
}

impl Memories {
    /// Learns from the conversation.
    pub async fn learn(&self, job: &ClaimedJob, payload: ExtractFromConversation) -> JobOutcome {
        outcome(self.try_learn(job, payload.conversation_id).await)
    }

    /// Every try failed: the next message of the conversation makes another chance.
    pub async fn give_up_learning(
        &self,
        job: &ClaimedJob,
        payload: ExtractFromConversation,
    ) -> StoreResult<()> {
        let Some(subject) = extractions::subject(&self.db, payload.conversation_id).await? else {
            return Ok(());
        };
        let tx = db::begin(&self.db).await?;
        hold(&tx, job, self.clock.now()).await?;
        extractions::learned(&tx, subject.conversation_id, subject.last_message_at).await?;
        tx.commit().await?;
        tracing::error!(conversation.id = subject.conversation_id, "conversation not learnt from");
        Ok(())
    }

    async fn try_learn(&self, job: &ClaimedJob, id: i64) -> Result<JobOutcome, MemoryError> {
        if let Some(waits) = self.waits_for_money(job).await? {
            return Ok(waits);
        }
        let Some(subject) = extractions::subject(&self.db, id).await? else {
            return Ok(JobOutcome::Done);
        };
        let wishes = flags::wishes(&self.db, subject.account_id).await?;
        if !wishes.extraction {
            return Ok(JobOutcome::Done);
        }
        let thread = extractions::thread(&self.db, id).await?;
        let times = thread.iter().map(|said| (said.line.id, said.created_at)).collect();
        let (forgotten, kept): (Vec<_>, Vec<_>) = thread
            .into_iter()
            .partition(|said| subject.forgotten_at.is_some_and(|at| said.created_at <= at));
        let forgotten = forgotten.iter().filter(|said| said.line.fresh).map(|said| said.line.id);
        let lines: Vec<_> = kept.into_iter().map(|said| said.line).collect();
        let mut reading = Reading {
            excerpt: cut(&lines, self.config.transcript_chars),
            forgotten: forgotten.collect(),
            times,
            extraction: None,
            outcome: "learnt",
            took: Duration::ZERO,
            subject,
        };
        let most =
            MOST_PER_CONVERSATION.saturating_sub(extractions::facts_so_far(&self.db, id).await?);
        if most == 0 {
            reading.outcome = "full";
        } else if reading.excerpt.fresh().next().is_some() {
            let began = Instant::now();
            let limits = Limits { most, kinds_off: &wishes.kinds_off };
            let extraction = extract(&*self.model, &reading.excerpt, &limits).await?;
            reading.took = began.elapsed();
            if extraction.unreadable.is_some() {
                reading.outcome = "unreadable";
            }
            reading.extraction = Some(extraction);
        }
        self.commit(job, reading).await?;
        Ok(JobOutcome::Done)
    }

    async fn commit(&self, job: &ClaimedJob, mut reading: Reading) -> Result<(), MemoryError> {
        let now = self.clock.now();
        let subject = reading.subject.clone();
        let tx = db::begin(&self.db).await?;
        hold(&tx, job, now).await?;
        let forgotten_at = extractions::lock_contact(&tx, subject.contact_id).await?;
        let call = self.call(&reading);
        usage::record(&tx, call.as_slice(), now).await?;
        if !flags::wishes(&tx, subject.account_id).await?.extraction {
            // Turned off while the model was reading: the call is paid, its answer is not wanted.
            tx.commit().await?;
            return Ok(());
        }
        let mut facts = Vec::new();
        let mut discarded = BTreeMap::new();
        if let Some(extraction) = reading.extraction.take() {
            discarded = extraction.discarded;
            let before = |fact: &Fact| {
                let said = reading.times.get(&fact.message_id);
                forgotten_at.is_some_and(|at| said.is_none_or(|said| *said <= at))
            };
            let (barred, kept): (Vec<_>, Vec<_>) = extraction.facts.into_iter().partition(before);
            if !barred.is_empty() {
                discarded.insert(Discard::BeforeForgetting, barred.len());
            }
            facts = kept;
            if let Some(why) = extraction.unreadable {
                tracing::warn!(
                    conversation.id = subject.conversation_id,
                    why,
                    "extraction unreadable"
                );
            }
        }
        let (written, refreshed) = write(&tx, &subject, &facts, now).await?;
        let read: Vec<i64> =
            reading.excerpt.fresh().map(|line| line.id).chain(reading.forgotten.clone()).collect();
        let reasons: BTreeMap<&str, usize> =
            discarded.iter().map(|(reason, count)| (reason.as_str(), *count)).collect();
        let mut extraction_id = None;
        if !read.is_empty() {
            let row = NewExtraction {
                subject: &subject,
                outcome: reading.outcome,
                model: call.as_ref().map(|call| call.model.clone()),
                read: &read,
                facts: written.len(),
                discarded: json!(reasons),
            };
            extraction_id = Some(extractions::insert(&tx, row, now).await?);
        }
        let embed = |(id, _): &(i64, usize)| {
            NewJob::of(&UpdateEmbedding { memory_id: *id }, Some(subject.account_id), now)
        };
        let mut jobs: Vec<NewJob> = written.iter().map(embed).collect();
        if reading.excerpt.more {
            let conversation_id = subject.conversation_id;
            let rest = ExtractFromConversation { conversation_id };
            jobs.push(NewJob::of(&rest, Some(subject.account_id), now));
        } else {
            extractions::learned(&tx, subject.conversation_id, subject.last_message_at).await?;
        }
        enqueue(&tx, jobs, now).await?;
        tx.commit().await?;

        let new: Vec<Fact> = written.iter().filter_map(|(_, at)| facts.get(*at).cloned()).collect();
        metering::extracted(subject.account_id, &new);
        metering::discarded(&discarded);
        if let Some(call) = &call {
            metering::extraction_called(subject.account_id, reading.took, call.brl);
        }
        tracing::info!(
            conversation.id = subject.conversation_id,
            extraction.id = extraction_id,
            messages = read.len(),
            facts = metering::listed(new.iter().map(|fact| format!(
                "{}:{:.2}",
                fact.kind.as_str(),
                fact.confidence
            ))),
            refreshed,
            discarded = metering::listed(reasons.iter().map(|(why, n)| format!("{why}:{n}"))),
            outcome = reading.outcome,
            duration_ms = u64::try_from(reading.took.as_millis()).unwrap_or(u64::MAX),
            "memory extraction"
        );
        Ok(())
    }

    fn call(&self, reading: &Reading) -> Option<NewUsage> {
        let completion = &reading.extraction.as_ref()?.completion;
        let payer = Payer {
            account_id: reading.subject.account_id,
            conversation_id: Some(reading.subject.conversation_id),
        };
        Some(metering::of_chat(&self.config.prices, payer, Purpose::Extraction, completion))
    }
}

/// Writes what is new and refreshes what is known. Answers the ids of new facts with their places
/// in `facts`, and how many were known.
async fn write(
    tx: &DatabaseTransaction,
    subject: &Subject,
    facts: &[Fact],
    now: DateTime<Utc>,
) -> StoreResult<(Vec<(i64, usize)>, usize)> {
    if facts.is_empty() {
        return Ok((Vec::new(), 0));
    }
    let origin = Origin {
        account_id: subject.account_id,
        contact_id: subject.contact_id,
        conversation_id: subject.conversation_id,
        inbox_id: subject.inbox_id,
        unit_id: subject.unit_id,
    };
    let known = memories::active_of(tx, subject.account_id, subject.contact_id, now).await?;
    let mut known: Vec<(i64, MemoryKind, Option<i64>, String)> = known
        .into_iter()
        .filter_map(|row| {
            let kind = MemoryKind::parse(&row.memory_type)?;
            Some((row.id, kind, row.source_unit_id, row.content))
        })
        .collect();
    let (mut written, mut refreshed) = (Vec::new(), 0);
    for (place, fact) in facts.iter().enumerate() {
        let same = known.iter().find(|(_, kind, unit, content)| {
            let here = fact.scope() == Scope::Global || *unit == subject.unit_id;
            *kind == fact.kind && here && is_same(fact.kind, content, &fact.content, 0.0)
        });
        if let Some((id, ..)) = same {
            memories::refresh(tx, *id, fact.kind, now).await?;
            refreshed += 1;
            continue;
        }
        let id = memories::insert(tx, origin, fact, now).await?;
        known.push((id, fact.kind, subject.unit_id, fact.content.clone()));
        written.push((id, place));
    }
    Ok((written, refreshed))
}
