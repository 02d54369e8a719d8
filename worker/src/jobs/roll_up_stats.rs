//! Gathers figures for pages.

use async_trait::async_trait;
use lembra_agent::jobs::board_kinds::RollUpStats;
use lembra_agent::jobs::{ClaimedJob, JobOutcome};
use lembra_agent::services::board::roll_up;
use lembra_agent::store::StoreResult;

use crate::runtime::Runtime;
use crate::table::RunJob;

#[async_trait]
impl RunJob for RollUpStats {
    async fn run(self, runtime: &Runtime, job: &ClaimedJob) -> JobOutcome {
        roll_up::roll_up(&runtime.db, job, &runtime.clock).await
    }

    async fn give_up(self, _: &Runtime, _: &ClaimedJob, _: &str) -> StoreResult<()> {
        // The next tick goes on from where this one stopped.
        Ok(())
    }
}
