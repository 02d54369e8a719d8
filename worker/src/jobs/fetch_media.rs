//! Fetches the file of a message.

use async_trait::async_trait;
use lembra_agent::jobs::kinds::FetchMedia;
use lembra_agent::jobs::{ClaimedJob, JobOutcome};
use lembra_agent::store::StoreResult;

use crate::runtime::Runtime;
use crate::table::RunJob;

#[async_trait]
impl RunJob for FetchMedia {
    async fn run(self, runtime: &Runtime, job: &ClaimedJob) -> JobOutcome {
        runtime.media.fetch(job, self).await
    }

    async fn give_up(self, runtime: &Runtime, job: &ClaimedJob, why: &str) -> StoreResult<()> {
        runtime.media.give_up(job, self, why).await
    }
}
