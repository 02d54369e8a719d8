//! Deletes what the installation does not keep.

use async_trait::async_trait;
use lembra_agent::jobs::board::minutes;
use lembra_agent::jobs::kinds::Retention;
use lembra_agent::jobs::{ClaimedJob, JobOutcome, processes};
use lembra_agent::services::board::roll_up;
use lembra_agent::store::{StoreResult, retention};

use crate::runtime::Runtime;
use crate::table::RunJob;

#[async_trait]
impl RunJob for Retention {
    async fn run(self, runtime: &Runtime, _: &ClaimedJob) -> JobOutcome {
        let before = runtime.clock.now() - runtime.config.answering.retention;
        let files_before = runtime.clock.now() - runtime.config.media.retention;
        match runtime.media.remove_older(files_before).await {
            Ok(files) => tracing::info!(files, "files removed"),
            Err(error) => return JobOutcome::retry(error),
        }
        let now = runtime.clock.now();
        if let Err(error) = minutes::forget_before(&runtime.db, now - minutes::KEPT).await {
            return JobOutcome::retry(error);
        }
        if let Err(error) = processes::forget_before(&runtime.db, now - processes::KEPT).await {
            return JobOutcome::retry(error);
        }
        if let Err(error) = retention::remove_buckets(&runtime.db, now - roll_up::KEPT).await {
            return JobOutcome::retry(error);
        }
        match retention::remove_older(&runtime.db, before).await {
            Ok(removed) => {
                tracing::info!(
                    webhook_events = removed.webhook_events,
                    transcripts = removed.transcripts,
                    tool_calls = removed.tool_calls,
                    jobs = removed.jobs,
                    "retention"
                );
                JobOutcome::Done
            }
            Err(error) => JobOutcome::retry(error),
        }
    }

    async fn give_up(self, _: &Runtime, _: &ClaimedJob, _: &str) -> StoreResult<()> {
        // The dead row says it, and tomorrow's tick tries again.
        Ok(())
    }
}
