//! What the agent can do beside talking: each tool says what it is, and is called with arguments
//! that fit its schema.

pub mod arguments;
pub mod fence;
pub mod forget;
pub mod http;
pub mod journal;
pub mod knowledge;
pub mod masking;
pub mod memories;
pub mod scheduling;
mod session;
pub mod transfer;

use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use crate::domain::tool::ToolSpec;
use crate::domain::tool_failure::ToolFailure;

pub use session::{Journal, Journaled, NoJournal, Session};

/// Longest a tool may take unless it says otherwise: two attempts and a pause.
pub const PATIENCE: Duration = Duration::from_secs(12);

/// For whom a tool is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub account_id: i64,
    pub inbox_id: i64,
    pub contact_id: i64,
    pub conversation_id: i64,
}

/// One call of a tool.
#[derive(Debug, Clone)]
pub struct Invocation<'a> {
    pub caller: &'a Caller,
    /// They fit the tool's schema.
    pub arguments: &'a Map<String, Value>,
    /// The same for every attempt of the same call, also after a crash: what the other side
    /// recognises a repetition by.
    pub key: &'a str,
    pub now: DateTime<Utc>,
}

/// Why a call gave nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// The contract's failure, told to the model (seed 004).
    #[error("{0}")]
    Failed(ToolFailure),
    /// Nobody foresaw it: the turn ends with the canonical technical sentence, and a person. For
    /// operators; never message text, personal data or secrets.
    #[error("{0}")]
    Uncontrolled(String),
}

impl From<ToolFailure> for ToolError {
    fn from(failure: ToolFailure) -> Self {
        Self::Failed(failure)
    }
}

/// A tool that a model may call.
#[async_trait]
pub trait Tool: Send + Sync {
    fn spec(&self) -> &ToolSpec;

    /// Whether it changes something: then it is journaled, run alone and never repeated.
    fn has_effect(&self) -> bool {
        false
    }

    /// Whether a call whose end nobody saw may be made again under its key: the other side knows
    /// repetitions by it.
    fn is_repeatable(&self) -> bool {
        true
    }

    /// Longest that all attempts of one call may take together.
    fn patience(&self) -> Duration {
        PATIENCE
    }

    /// Calls it. The result is text for the model, not empty; attempts are the tool's own affair.
    async fn call(&self, call: &Invocation<'_>) -> Result<String, ToolError>;
}
