//! Announces a conversation that waits for a person.

use async_trait::async_trait;
use lembra_agent::jobs::kinds::NotifyHandoff;
use lembra_agent::jobs::{ClaimedJob, JobOutcome};
use lembra_agent::store::StoreResult;

use crate::runtime::Runtime;
use crate::table::RunJob;

#[async_trait]
impl RunJob for NotifyHandoff {
    async fn run(self, runtime: &Runtime, _: &ClaimedJob) -> JobOutcome {
        runtime.announcer.announce(self).await
    }

    async fn give_up(self, _: &Runtime, _: &ClaimedJob, _: &str) -> StoreResult<()> {
        // The queue and its alert say the same, and the dead row says why this did not.
        Ok(())
    }
}
