//! The kind of job of knowledge.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::backoff::Backoff;
use super::kinds::JobKind;
use super::queue::Queue;

/// Gives a knowledge entry its embedding. After three tries it stays without, and is found by its
/// words only, until the daily pass asks again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpdateKnowledgeEmbedding {
    pub entry_id: i64,
}

impl JobKind for UpdateKnowledgeEmbedding {
    const NAME: &'static str = "update_knowledge_embedding";
    const QUEUE: Queue = Queue::CaptainEmbeddings;
    const MAX_ATTEMPTS: i32 = 3;
    const DEADLINE: Duration = Duration::from_secs(55);
    const BACKOFF: Backoff = Backoff::new(Duration::from_secs(10), Duration::from_secs(300));

    fn dedup_key(&self) -> Option<String> {
        Some(format!("embed_knowledge:{}", self.entry_id))
    }
}
