//! The queues, and how much of each one process does at a time.

/// A queue of its own is a share of a worker's attention: slow work of one never starves another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Queue {
    /// Answers of the model.
    Replies,
    /// Messages on their way to a channel.
    Outbound,
    /// Learning facts and comparing them.
    CaptainHeavy,
    /// Embeddings of facts.
    CaptainEmbeddings,
    /// Housekeeping.
    Maintenance,
}

impl Queue {
    pub const ALL: [Queue; 5] = [
        Queue::Replies,
        Queue::Outbound,
        Queue::CaptainHeavy,
        Queue::CaptainEmbeddings,
        Queue::Maintenance,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Queue::Replies => "replies",
            Queue::Outbound => "outbound",
            Queue::CaptainHeavy => "captain_heavy",
            Queue::CaptainEmbeddings => "captain_embeddings",
            Queue::Maintenance => "maintenance",
        }
    }

    /// Jobs at a time in one process (DESIGN §4).
    pub fn concurrency(self) -> usize {
        match self {
            Queue::Replies | Queue::Outbound => 16,
            Queue::CaptainHeavy => 4,
            Queue::CaptainEmbeddings => 8,
            Queue::Maintenance => 1,
        }
    }
}
