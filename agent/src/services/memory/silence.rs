//! Conversations that fell silent: after half an hour they are learnt from, after a day they are
//! resolved (seed 002 §7.3, DESIGN §7).

use chrono::TimeDelta;

use super::flags::Flag;
use super::{Memories, MemoryError, outcome};
use crate::jobs::enqueue::enqueue;
use crate::jobs::memory_kinds::ExtractFromConversation;
use crate::jobs::{JobOutcome, NewJob};
use crate::services::conversations;
use crate::store::silence::{self, Cursor, Silent};
use crate::store::{db, features};

/// Silence after which a conversation is learnt from.
pub const LEARN_AFTER: TimeDelta = TimeDelta::minutes(30);
/// Silence after which a conversation is over.
pub const RESOLVE_AFTER: TimeDelta = TimeDelta::hours(24);

impl Memories {
    /// Asks for every silent conversation with something fresh in it to be learnt from.
    pub async fn detect_silence(&self) -> JobOutcome {
        outcome(self.try_detect().await)
    }

    async fn try_detect(&self) -> Result<JobOutcome, MemoryError> {
        let now = self.clock.now();
        let accounts = features::accounts_with(&self.db, &Flag::Extraction.name()).await?;
        if accounts.is_empty() {
            return Ok(JobOutcome::Done);
        }
        let since = now - LEARN_AFTER;
        let (mut cursor, mut found) = (Some(Cursor::default()), 0);
        while let Some(after) = cursor {
            let (silent, next) = silence::unlearned(&self.db, &accounts, since, after).await?;
            found += silent.len();
            let job = |one: &Silent| {
                let extract = ExtractFromConversation { conversation_id: one.conversation_id };
                NewJob::of(&extract, Some(one.account_id), now)
            };
            let tx = db::begin(&self.db).await?;
            enqueue(&tx, silent.iter().map(job).collect(), now).await?;
            tx.commit().await?;
            cursor = next;
        }
        tracing::info!(conversations = found, "silence detector");
        Ok(JobOutcome::Done)
    }

    /// Resolves every conversation that has been silent for a day.
    pub async fn resolve_silent(&self) -> JobOutcome {
        outcome(self.try_resolve().await)
    }

    async fn try_resolve(&self) -> Result<JobOutcome, MemoryError> {
        let since = self.clock.now() - RESOLVE_AFTER;
        let (mut cursor, mut resolved) = (Some(Cursor::default()), 0_usize);
        while let Some(after) = cursor {
            let (silent, next) = silence::open(&self.db, since, after).await?;
            for one in silent {
                let id = one.conversation_id;
                let ended = conversations::resolve_silent(&self.db, &self.clock, id, since).await?;
                resolved += usize::from(ended);
            }
            cursor = next;
        }
        if resolved > 0 {
            tracing::info!(conversations = resolved, "silent conversations resolved");
        }
        Ok(JobOutcome::Done)
    }
}
