//! `AgentChat::ask`, the entry of seed 000: the guard first, and only then the model, with tools in
//! several rounds.

mod calling;
mod contract;
pub mod record;
pub mod replay;
mod rounds;

use std::sync::Arc;

use async_trait::async_trait;

use crate::domain::chat::ChatMessage;
use crate::domain::grounding;
use crate::domain::tool::ToolCall;
use crate::domain::triage::guard::{ConversationGuard, GuardInput, GuardKind, GuardVerdict};
use crate::llm::{ChatModel, LlmError};
use crate::services::tools::Session;
use crate::store::StoreError;

pub use contract::{Done, Incident, IncidentKind, Transfer, TransferWhy};
pub use record::Round;

/// What is asked.
#[derive(Clone, Default)]
pub struct Ask {
    /// The conversation, oldest first; instructions may stand before it.
    pub messages: Vec<ChatMessage>,
    /// Turns in a row that no tool resolved, where the caller knows; without it no loop is seen.
    pub past_turns_without_tool_call: Option<u32>,
    /// Whom the conversation is with, and which it is: for the traces of the caller.
    pub resource_id: Option<String>,
    pub thread_id: Option<String>,
    /// What may be called; without it the model has words only.
    pub tools: Option<Session>,
    /// From then on nothing is called any more, and the model answers with what it has.
    pub until: Option<tokio::time::Instant>,
    /// What the answer's figures must come from; without it they are not checked.
    pub grounds: Option<Grounds>,
}

/// Where an answer's figures may come from (DESIGN §6.4), beside the tool results of the turn.
#[derive(Clone)]
pub struct Grounds {
    /// Results of earlier turns, knowledge, memory, what is known of customer and account, and the
    /// customer's own words.
    pub sources: Vec<String>,
    /// What the business says of itself: knowledge and facts.
    pub house: Vec<String>,
    /// What tools did before in this conversation.
    pub done: Vec<Done>,
    pub context: grounding::Context,
    /// Everything that the account knows, read when an answer is objected to.
    pub more: Option<Arc<dyn MoreSources>>,
    /// In place of an answer whose figures nothing holds.
    pub instead: String,
    /// In place of an answer after a tool's failure that says what nobody knows.
    pub after_failure: String,
}

/// More sources than a turn starts with.
#[async_trait]
pub trait MoreSources: Send + Sync {
    /// Texts; none when they cannot be read.
    async fn texts(&self) -> Vec<String>;
}

/// What is answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    pub reply: ChatMessage,
    /// Tools that were called and gave a result or a failure, in order.
    pub tool_calls: Vec<ToolCall>,
    pub by: AnsweredBy,
    /// The conversation goes to a person with the answer.
    pub transfer: Option<Transfer>,
    /// What operators must see of it.
    pub incidents: Vec<Incident>,
    /// A tool gave what was asked of it.
    pub resolved: bool,
    /// Model calls, with what each led to.
    pub rounds: Vec<Round>,
}

impl Reply {
    /// A text that no model wrote.
    pub fn fixed(text: &str, by: AnsweredBy) -> Self {
        Self {
            reply: ChatMessage::assistant(text),
            tool_calls: Vec::new(),
            by,
            transfer: None,
            incidents: Vec::new(),
            resolved: false,
            rounds: Vec::new(),
        }
    }
}

/// Who made the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnsweredBy {
    /// The guard; no model was called.
    Guard { kind: GuardKind, rule: &'static str },
    /// A fixed text, to messages that say nothing to a model.
    Template,
    /// A model, by its own name for itself.
    Model { model: String },
}

/// Why there is no answer; the rounds before it were paid for.
#[derive(Debug, thiserror::Error)]
#[error("{cause}")]
pub struct AskError {
    pub cause: Cause,
    pub rounds: Vec<Round>,
}

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    #[error(transparent)]
    Model(#[from] LlmError),
    /// The journal of calls cannot be written: nothing with an effect may be called.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Answers conversations. Clones share the model.
#[derive(Clone)]
pub struct AgentChat {
    model: Arc<dyn ChatModel>,
}

impl AgentChat {
    pub fn new(model: Arc<dyn ChatModel>) -> Self {
        Self { model }
    }

    /// Whether the model is the rule-based stand-in.
    pub fn is_offline(&self) -> bool {
        self.model.is_offline()
    }

    pub async fn ask(&self, ask: Ask) -> Result<Reply, AskError> {
        let input = GuardInput {
            messages: &ask.messages,
            past_turns_without_tool_call: ask.past_turns_without_tool_call,
        };
        if let GuardVerdict::Preempt { kind, response, rule } = ConversationGuard::evaluate(&input)
        {
            return Ok(Reply::fixed(response, AnsweredBy::Guard { kind, rule }));
        }
        rounds::run(self.model.as_ref(), ask).await
    }
}
