//! Sends the outbox of a conversation.

use async_trait::async_trait;
use lembra_agent::jobs::kinds::Deliver;
use lembra_agent::jobs::{ClaimedJob, JobOutcome};
use lembra_agent::store::StoreResult;

use crate::runtime::Runtime;
use crate::table::RunJob;

#[async_trait]
impl RunJob for Deliver {
    async fn run(self, runtime: &Runtime, job: &ClaimedJob) -> JobOutcome {
        runtime.deliveries.deliver(job, self).await
    }

    async fn give_up(self, runtime: &Runtime, job: &ClaimedJob, why: &str) -> StoreResult<()> {
        runtime.deliveries.give_up(job, self, why).await
    }
}
