//! The words for how a conversation stands and how a message ended.

use serde::{Deserialize, Serialize};

/// Who answers in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Handler {
    Bot,
    Human,
}

impl Handler {
    pub fn as_str(self) -> &'static str {
        match self {
            Handler::Bot => "bot",
            Handler::Human => "human",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "bot" => Some(Handler::Bot),
            "human" => Some(Handler::Human),
            _ => None,
        }
    }
}

/// How an inbound message ended: each ends in exactly one of these (DESIGN §3.8).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A turn answered it; it is the latest of the messages that the turn read.
    Answered {
        turn_id: i64,
    },
    /// A turn read it together with later ones, and answered them all.
    Coalesced {
        turn_id: i64,
    },
    /// Triage answered, with this verdict; the canonical answer is a turn of its own.
    Preempted {
        verdict: &'static str,
        turn_id: i64,
    },
    /// A person is in charge, or the bot is paused.
    Human {
        detail: &'static str,
    },
    TooOld,
    WindowClosed,
    RateLimited,
    /// There is nothing in it to answer.
    Ignored {
        why: &'static str,
    },
    /// No answer could be made.
    Failed {
        why: String,
    },
}

impl Outcome {
    /// As stored in `messages.outcome`.
    pub fn as_str(&self) -> &'static str {
        match self {
            Outcome::Answered { .. } => "answered",
            Outcome::Coalesced { .. } => "coalesced",
            Outcome::Preempted { .. } => "preempted",
            Outcome::Human { .. } => "human",
            Outcome::TooOld => "too_old",
            Outcome::WindowClosed => "window_closed",
            Outcome::RateLimited => "rate_limited",
            Outcome::Ignored { .. } => "ignored",
            Outcome::Failed { .. } => "failed",
        }
    }

    /// As stored in `messages.outcome_detail`.
    pub fn detail(&self) -> Option<String> {
        match self {
            Outcome::Preempted { verdict, .. } => Some((*verdict).to_owned()),
            Outcome::Human { detail } => Some((*detail).to_owned()),
            Outcome::Ignored { why } => Some((*why).to_owned()),
            Outcome::Failed { why } => Some(why.clone()),
            Outcome::Answered { .. }
            | Outcome::Coalesced { .. }
            | Outcome::TooOld
            | Outcome::WindowClosed
            | Outcome::RateLimited => None,
        }
    }

    pub fn turn_id(&self) -> Option<i64> {
        match self {
            Outcome::Answered { turn_id }
            | Outcome::Coalesced { turn_id }
            | Outcome::Preempted { turn_id, .. } => Some(*turn_id),
            Outcome::Human { .. }
            | Outcome::TooOld
            | Outcome::WindowClosed
            | Outcome::RateLimited
            | Outcome::Ignored { .. }
            | Outcome::Failed { .. } => None,
        }
    }
}

/// Where an outbound message stands. The order of the first five is that of a delivery: a status
/// never moves a message back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Delivery {
    Pending,
    Sending,
    Sent,
    Delivered,
    Read,
    Failed,
    /// It may or may not have been sent, and nobody can tell.
    Unknown,
    /// An earlier part failed, so this one was not sent.
    Cancelled,
}

impl Delivery {
    pub fn as_str(self) -> &'static str {
        match self {
            Delivery::Pending => "pending",
            Delivery::Sending => "sending",
            Delivery::Sent => "sent",
            Delivery::Delivered => "delivered",
            Delivery::Read => "read",
            Delivery::Failed => "failed",
            Delivery::Unknown => "unknown",
            Delivery::Cancelled => "cancelled",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        use Delivery::{Cancelled, Delivered, Failed, Pending, Read, Sending, Sent, Unknown};
        [Pending, Sending, Sent, Delivered, Read, Failed, Unknown, Cancelled]
            .into_iter()
            .find(|delivery| delivery.as_str() == word)
    }
}
