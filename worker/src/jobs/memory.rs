//! The jobs of memory and knowledge: each hands itself to `agent::services`.

use async_trait::async_trait;
use lembra_agent::jobs::knowledge_kinds::UpdateKnowledgeEmbedding;
use lembra_agent::jobs::memory_kinds::{
    Aging, AutoResolve, CheckContradiction, ExtractFromConversation, HardDeleteExpired, Reembed,
    SilenceDetector, UpdateEmbedding,
};
use lembra_agent::jobs::{ClaimedJob, JobOutcome};
use lembra_agent::store::StoreResult;

use crate::runtime::Runtime;
use crate::table::RunJob;

#[async_trait]
impl RunJob for ExtractFromConversation {
    async fn run(self, runtime: &Runtime, job: &ClaimedJob) -> JobOutcome {
        runtime.memories.learn(job, self).await
    }

    async fn give_up(self, runtime: &Runtime, job: &ClaimedJob, _: &str) -> StoreResult<()> {
        runtime.memories.give_up_learning(job, self).await
    }
}

/// A kind that owes nothing when it fails: the dead row says it, and the next tick or edit tries
/// again.
macro_rules! run_job {
    ($($kind:ident => |$runtime:ident, $job:ident, $payload:ident| $run:expr;)*) => {$(
        #[async_trait]
        impl RunJob for $kind {
            async fn run(self, $runtime: &Runtime, $job: &ClaimedJob) -> JobOutcome {
                let $payload = self;
                $run.await
            }

            async fn give_up(self, _: &Runtime, _: &ClaimedJob, _: &str) -> StoreResult<()> {
                Ok(())
            }
        }
    )*};
}

run_job! {
    // Without embedding a fact is not recalled; that is all (seed 002 §9).
    UpdateEmbedding => |runtime, job, payload| runtime.memories.embed(job, payload);
    // Without it an entry is found by its words only.
    UpdateKnowledgeEmbedding => |runtime, job, payload| runtime.knowledge.embed(job, payload);
    CheckContradiction => |runtime, job, payload| runtime.memories.check_contradiction(job, payload);
    SilenceDetector => |runtime, _job, _payload| runtime.memories.detect_silence();
    AutoResolve => |runtime, _job, _payload| runtime.memories.resolve_silent();
    Aging => |runtime, _job, _payload| runtime.memories.age();
    HardDeleteExpired => |runtime, _job, _payload| runtime.memories.hard_delete_expired();
    Reembed => |runtime, _job, _payload| reembed(runtime);
}

/// Facts, then entries: both have their embeddings of the same model.
async fn reembed(runtime: &Runtime) -> JobOutcome {
    match runtime.memories.reembed().await {
        JobOutcome::Done => runtime.knowledge.reembed().await,
        other => other,
    }
}
