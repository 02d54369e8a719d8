//! Episodic memory (seed 002, DESIGN §7): learning facts from conversations, keeping them true,
//! recalling them, and forgetting.

pub mod age;
mod answer;
pub mod contradict;
pub mod edit;
pub mod embed;
mod extract;
pub mod flags;
pub mod learn;
pub mod metering;
mod nearest_index;
mod prompts;
pub mod recall;
pub mod silence;
pub mod subject;

use std::sync::Arc;

use sea_orm::DatabaseConnection;

use crate::clock::SharedClock;
use crate::config::MemoryConfig;
use crate::jobs::{ClaimedJob, JobOutcome};
use crate::llm::{ChatModel, Embedder, LlmError};
use crate::services::spending;
use crate::store::{StoreError, StoreResult};

/// What memory needs. Clones share it.
#[derive(Clone)]
pub struct Memories {
    pub db: DatabaseConnection,
    /// For recall alone; see [`db::connect_for_recall`](crate::store::db::connect_for_recall).
    pub recall_db: DatabaseConnection,
    pub clock: SharedClock,
    /// Learns and compares.
    pub model: Arc<dyn ChatModel>,
    pub embedder: Arc<dyn Embedder>,
    pub config: Arc<MemoryConfig>,
}

/// Why a job of memory did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Model(#[from] LlmError),
}

impl From<sea_orm::DbErr> for MemoryError {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

impl Memories {
    /// The outcome of a job that would pay for a call and may not; `None` when it may.
    async fn waits_for_money(&self, job: &ClaimedJob) -> StoreResult<Option<JobOutcome>> {
        if self.model.is_offline() {
            return Ok(None);
        }
        spending::wait(&self.db, job, self.clock.now()).await
    }
}

/// What a job that ended so tells the ledger.
pub(super) fn outcome(result: Result<JobOutcome, MemoryError>) -> JobOutcome {
    match result {
        Ok(outcome) => outcome,
        Err(MemoryError::Store(StoreError::LeaseLost)) => JobOutcome::Done,
        Err(MemoryError::Model(error @ LlmError::Refused(_))) => JobOutcome::dead(error),
        Err(MemoryError::Model(error)) => {
            JobOutcome::Retry { after: error.retry_after(), error: error.to_string() }
        }
        Err(MemoryError::Store(error)) => JobOutcome::retry(error),
    }
}
