//! The kind of job that gathers figures for pages.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::backoff::Backoff;
use super::kinds::JobKind;
use super::queue::Queue;

/// Fills the buckets of figures that have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollUpStats {}

impl JobKind for RollUpStats {
    const NAME: &'static str = "roll_up_stats";
    const QUEUE: Queue = Queue::Maintenance;
    const MAX_ATTEMPTS: i32 = 3;
    const DEADLINE: Duration = Duration::from_secs(55);
    const BACKOFF: Backoff = Backoff::new(Duration::from_secs(5), Duration::from_secs(60));

    /// Ticks are written once each; of two that run at once, one gets further.
    fn dedup_key(&self) -> Option<String> {
        None
    }
}
