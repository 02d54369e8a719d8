//! Answers what waits in a conversation.

use async_trait::async_trait;
use lembra_agent::jobs::kinds::Respond;
use lembra_agent::jobs::{ClaimedJob, JobOutcome};
use lembra_agent::store::StoreResult;

use crate::runtime::Runtime;
use crate::table::RunJob;

#[async_trait]
impl RunJob for Respond {
    async fn run(self, runtime: &Runtime, job: &ClaimedJob) -> JobOutcome {
        runtime.turns.respond(job, self).await
    }

    async fn give_up(self, runtime: &Runtime, job: &ClaimedJob, why: &str) -> StoreResult<()> {
        runtime.turns.give_up(job, self, why).await
    }
}
