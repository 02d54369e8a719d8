//! The kinds of job of memory (seed 002 §7.3).

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::backoff::Backoff;
use super::kinds::JobKind;
use super::queue::Queue;

const DEADLINE: Duration = Duration::from_secs(55);
const MODEL_BACKOFF: Backoff = Backoff::new(Duration::from_secs(10), Duration::from_secs(300));
const UPKEEP_BACKOFF: Backoff = Backoff::new(Duration::from_secs(30), Duration::from_secs(600));

/// Learns what a conversation says of its customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractFromConversation {
    pub conversation_id: i64,
}

impl JobKind for ExtractFromConversation {
    const NAME: &'static str = "extract_from_conversation";
    const QUEUE: Queue = Queue::CaptainHeavy;
    const MAX_ATTEMPTS: i32 = 3;
    const DEADLINE: Duration = DEADLINE;
    const BACKOFF: Backoff = MODEL_BACKOFF;

    fn dedup_key(&self) -> Option<String> {
        Some(format!("extract:{}", self.conversation_id))
    }
}

/// Gives a fact its embedding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpdateEmbedding {
    pub memory_id: i64,
}

impl JobKind for UpdateEmbedding {
    const NAME: &'static str = "update_embedding";
    const QUEUE: Queue = Queue::CaptainEmbeddings;
    const MAX_ATTEMPTS: i32 = 3;
    const DEADLINE: Duration = DEADLINE;
    const BACKOFF: Backoff = MODEL_BACKOFF;

    fn dedup_key(&self) -> Option<String> {
        Some(format!("embed:{}", self.memory_id))
    }
}

/// Finds facts that a fact contradicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckContradiction {
    pub memory_id: i64,
}

impl JobKind for CheckContradiction {
    const NAME: &'static str = "check_contradiction";
    const QUEUE: Queue = Queue::CaptainHeavy;
    const MAX_ATTEMPTS: i32 = 3;
    const DEADLINE: Duration = DEADLINE;
    const BACKOFF: Backoff = MODEL_BACKOFF;

    fn dedup_key(&self) -> Option<String> {
        Some(format!("contradiction:{}", self.memory_id))
    }
}

/// A job without payload, which a schedule starts.
macro_rules! upkeep {
    ($($(#[$doc:meta])* $kind:ident = $name:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        pub struct $kind {}

        impl JobKind for $kind {
            const NAME: &'static str = $name;
            const QUEUE: Queue = Queue::Maintenance;
            const MAX_ATTEMPTS: i32 = 5;
            const DEADLINE: Duration = DEADLINE;
            const BACKOFF: Backoff = UPKEEP_BACKOFF;

            fn dedup_key(&self) -> Option<String> {
                Some($name.to_owned())
            }
        }
    )*};
}

upkeep! {
    /// Finds conversations that fell silent and hold what has not been learnt.
    SilenceDetector = "silence_detector";
    /// Resolves conversations that have been silent for a day.
    AutoResolve = "auto_resolve";
    /// Deletes what expired, and what is beyond a contact's 50 facts.
    Aging = "aging";
    /// Removes what was deleted 30 days ago.
    HardDeleteExpired = "hard_delete_expired";
    /// Gives new embeddings to facts and knowledge entries of another model.
    Reembed = "reembed";
}
