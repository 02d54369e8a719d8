//! All kinds of job, in one table: what is not in it cannot run.

use std::time::Duration;

use async_trait::async_trait;
use futures::future::BoxFuture;
use lembra_agent::jobs::backoff::Backoff;
use lembra_agent::jobs::board_kinds::RollUpStats;
use lembra_agent::jobs::kinds::{Deliver, FetchMedia, NotifyHandoff, Respond, Retention, Watch};
use lembra_agent::jobs::knowledge_kinds::UpdateKnowledgeEmbedding;
use lembra_agent::jobs::memory_kinds::{
    Aging, AutoResolve, CheckContradiction, ExtractFromConversation, HardDeleteExpired, Reembed,
    SilenceDetector, UpdateEmbedding,
};
use lembra_agent::jobs::{ClaimedJob, JobKind, JobOutcome};
use lembra_agent::store::StoreResult;

use crate::runtime::Runtime;

/// Does the work of a kind of job. One file per job in `jobs/`.
#[async_trait]
pub trait RunJob: JobKind {
    async fn run(self, runtime: &Runtime, job: &ClaimedJob) -> JobOutcome;

    /// Trying has ended without success: what the customer or operator must see is written here.
    async fn give_up(self, runtime: &Runtime, job: &ClaimedJob, why: &str) -> StoreResult<()>;
}

/// What the runner needs to know of a kind.
#[derive(Clone, Copy)]
pub struct Entry {
    pub name: &'static str,
    pub deadline: Duration,
    pub backoff: Backoff,
    pub run: for<'a> fn(&'a Runtime, &'a ClaimedJob) -> BoxFuture<'a, JobOutcome>,
    pub give_up: for<'a> fn(&'a Runtime, &'a ClaimedJob, &'a str) -> BoxFuture<'a, StoreResult<()>>,
}

const TABLE: &[Entry] = &[
    entry::<Deliver>(),
    entry::<FetchMedia>(),
    entry::<NotifyHandoff>(),
    entry::<Respond>(),
    entry::<Retention>(),
    entry::<RollUpStats>(),
    entry::<Watch>(),
    entry::<ExtractFromConversation>(),
    entry::<UpdateEmbedding>(),
    entry::<UpdateKnowledgeEmbedding>(),
    entry::<CheckContradiction>(),
    entry::<SilenceDetector>(),
    entry::<AutoResolve>(),
    entry::<Aging>(),
    entry::<HardDeleteExpired>(),
    entry::<Reembed>(),
];

/// The entry of a kind; `None` for one that this build does not know.
pub fn find(kind: &str) -> Option<&'static Entry> {
    TABLE.iter().find(|entry| entry.name == kind)
}

const fn entry<K: RunJob + 'static>() -> Entry {
    Entry {
        name: K::NAME,
        deadline: K::DEADLINE,
        backoff: K::BACKOFF,
        run: |runtime, job| {
            Box::pin(async move {
                match read::<K>(job) {
                    Ok(payload) => payload.run(runtime, job).await,
                    Err(error) => JobOutcome::dead(format!("payload: {error}")),
                }
            })
        },
        give_up: |runtime, job, why| {
            Box::pin(async move {
                match read::<K>(job) {
                    Ok(payload) => payload.give_up(runtime, job, why).await,
                    // Nothing can be said of a payload that cannot be read; the row is dead.
                    Err(_) => Ok(()),
                }
            })
        },
    }
}

fn read<K: JobKind>(job: &ClaimedJob) -> Result<K, serde_json::Error> {
    serde_json::from_value(job.payload.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lembra_agent::jobs::kinds::LONGEST_DEADLINE;

    #[test]
    fn no_handler_may_outlive_the_transports_timeout() {
        for entry in TABLE {
            assert!(entry.deadline <= LONGEST_DEADLINE, "{}", entry.name);
        }
    }

    #[test]
    fn operators_can_filter_by_every_kind() {
        use lembra_agent::jobs::board::KINDS;
        for entry in TABLE {
            assert!(KINDS.iter().any(|(name, _)| *name == entry.name), "{}", entry.name);
        }
        assert_eq!(KINDS.len(), TABLE.len());
    }
}
