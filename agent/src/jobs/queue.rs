//! The queues, and how much of each one process does at a time.

/// A queue of its own is a share of a worker's attention: slow work of one never starves another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Queue {
    /// Answers of the model.
    Replies,
    /// Messages on their way to a channel.
    Outbound,
    /// Files of customers.
    Media,
    /// Learning facts and comparing them.
    CaptainHeavy,
    /// Embeddings of facts.
    CaptainEmbeddings,
    /// Housekeeping.
    Maintenance,
}

impl Queue {
    pub const ALL: [Queue; 6] = [
        Queue::Replies,
        Queue::Outbound,
        Queue::Media,
        Queue::CaptainHeavy,
        Queue::CaptainEmbeddings,
        Queue::Maintenance,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Queue::Replies => "replies",
            Queue::Outbound => "outbound",
            Queue::Media => "media",
            Queue::CaptainHeavy => "captain_heavy",
            Queue::CaptainEmbeddings => "captain_embeddings",
            Queue::Maintenance => "maintenance",
        }
    }

    /// By its name; `None` for one that this build does not have.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|queue| queue.as_str() == name)
    }

    /// Jobs at a time in one process (DESIGN §4).
    pub fn concurrency(self) -> usize {
        match self {
            Queue::Replies | Queue::Outbound => 16,
            Queue::Media => 2,
            Queue::CaptainHeavy => 4,
            Queue::CaptainEmbeddings => 8,
            Queue::Maintenance => 1,
        }
    }
}
