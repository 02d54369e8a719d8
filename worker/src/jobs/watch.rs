//! Looks after what no event announces.

use async_trait::async_trait;
use lembra_agent::jobs::kinds::Watch;
use lembra_agent::jobs::{ClaimedJob, JobOutcome};
use lembra_agent::services::watch;
use lembra_agent::store::StoreResult;

use crate::runtime::Runtime;
use crate::table::RunJob;

#[async_trait]
impl RunJob for Watch {
    async fn run(self, runtime: &Runtime, _: &ClaimedJob) -> JobOutcome {
        let silence = runtime.config.answering.silence_alert;
        match watch::look(&runtime.db, silence, runtime.clock.now()).await {
            Ok(()) => JobOutcome::Done,
            Err(error) => JobOutcome::retry(error),
        }
    }

    async fn give_up(self, _: &Runtime, _: &ClaimedJob, _: &str) -> StoreResult<()> {
        // The next tick looks again.
        Ok(())
    }
}
