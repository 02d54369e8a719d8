//! The kinds of job: their payloads, which hold ids only, and the limits of each. Their handlers
//! are in `worker`.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::backoff::Backoff;
use super::queue::Queue;

/// Longest time that any handler may take. apalis' own timeout lies above it, so that a handler
/// is ended here, with its outcome recorded, and never there.
pub const LONGEST_DEADLINE: Duration = Duration::from_secs(180);

/// A payload, with what the ledger needs to know of its kind.
pub trait JobKind: Serialize + DeserializeOwned + Send + Sync {
    /// Stored in `jobs.kind`. A changed meaning gets a new name.
    const NAME: &'static str;
    const QUEUE: Queue;
    /// Tries before the job is dead.
    const MAX_ATTEMPTS: i32;
    /// One try takes no longer; at most [`LONGEST_DEADLINE`].
    const DEADLINE: Duration;
    const BACKOFF: Backoff;

    /// Rows with one key: at most one waits and at most one runs.
    fn dedup_key(&self) -> Option<String>;
}

/// Answers the waiting messages of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Respond {
    pub conversation_id: i64,
}

impl JobKind for Respond {
    const NAME: &'static str = "respond";
    const QUEUE: Queue = Queue::Replies;
    const MAX_ATTEMPTS: i32 = 4;
    const DEADLINE: Duration = Duration::from_secs(150);
    const BACKOFF: Backoff = Backoff::new(Duration::from_secs(2), Duration::from_secs(30));

    fn dedup_key(&self) -> Option<String> {
        Some(format!("respond:{}", self.conversation_id))
    }
}

/// Drains the outbox of a conversation, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deliver {
    pub conversation_id: i64,
}

impl JobKind for Deliver {
    const NAME: &'static str = "deliver";
    const QUEUE: Queue = Queue::Outbound;
    const MAX_ATTEMPTS: i32 = 8;
    const DEADLINE: Duration = Duration::from_secs(55);
    const BACKOFF: Backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(120));

    fn dedup_key(&self) -> Option<String> {
        Some(format!("deliver:{}", self.conversation_id))
    }
}

/// Announces that a conversation waits for a person, where the account wants that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotifyHandoff {
    pub handoff_id: i64,
    /// It has waited for too long.
    pub overdue: bool,
}

impl JobKind for NotifyHandoff {
    const NAME: &'static str = "notify_handoff";
    const QUEUE: Queue = Queue::Outbound;
    const MAX_ATTEMPTS: i32 = 6;
    const DEADLINE: Duration = Duration::from_secs(20);
    const BACKOFF: Backoff = Backoff::new(Duration::from_secs(5), Duration::from_secs(300));

    fn dedup_key(&self) -> Option<String> {
        Some(format!("notify:{}:{}", self.handoff_id, self.overdue))
    }
}

/// Fetches the file of a message, and hears it when it is a voice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FetchMedia {
    pub message_id: i64,
}

impl JobKind for FetchMedia {
    const NAME: &'static str = "fetch_media";
    const QUEUE: Queue = Queue::Media;
    const MAX_ATTEMPTS: i32 = 4;
    const DEADLINE: Duration = Duration::from_secs(58);
    const BACKOFF: Backoff = Backoff::new(Duration::from_secs(2), Duration::from_secs(20));

    fn dedup_key(&self) -> Option<String> {
        Some(format!("fetch_media:{}", self.message_id))
    }
}

/// Looks after what no event announces: silent lines, messages without an outcome, statuses that
/// wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watch {}

impl JobKind for Watch {
    const NAME: &'static str = "watch";
    const QUEUE: Queue = Queue::Maintenance;
    const MAX_ATTEMPTS: i32 = 1;
    const DEADLINE: Duration = Duration::from_secs(50);
    const BACKOFF: Backoff = Backoff::new(Duration::from_secs(5), Duration::from_secs(5));

    fn dedup_key(&self) -> Option<String> {
        Some("watch".to_owned())
    }
}

/// Deletes what is older than the installation keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retention {}

impl JobKind for Retention {
    const NAME: &'static str = "retention";
    const QUEUE: Queue = Queue::Maintenance;
    const MAX_ATTEMPTS: i32 = 5;
    const DEADLINE: Duration = Duration::from_secs(55);
    const BACKOFF: Backoff = Backoff::new(Duration::from_secs(30), Duration::from_secs(600));

    fn dedup_key(&self) -> Option<String> {
        Some("retention".to_owned())
    }
}
