//! `AgentChat::ask`, the entry of seed 000: the guard first, and only then the model.

use std::sync::Arc;

use crate::domain::chat::{ChatMessage, Role};
use crate::domain::triage::guard::{ConversationGuard, GuardInput, GuardKind, GuardVerdict};
use crate::llm::{ChatModel, ChatRequest, LlmError};

/// What is asked.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The conversation, oldest first; instructions may stand before it.
    pub messages: Vec<ChatMessage>,
    /// Turns in a row that no tool resolved, where the caller knows; without it no loop is seen.
    pub past_turns_without_tool_call: Option<u32>,
    /// Whom the conversation is with, and which it is: for the traces of the caller.
    pub resource_id: Option<String>,
    pub thread_id: Option<String>,
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub reply: ChatMessage,
    pub tool_calls: Vec<ToolCall>,
    pub by: AnsweredBy,
}

/// A tool that the model called in making the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    pub name: String,
}

/// Who made the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnsweredBy {
    /// The guard; no model was called.
    Guard {
        kind: GuardKind,
        rule: &'static str,
    },
    /// A fixed text, to messages that say nothing to a model.
    Template,
    Model {
        model: String,
        prompt_tokens: Option<i64>,
        completion_tokens: Option<i64>,
    },
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

    pub async fn ask(&self, ask: Ask) -> Result<Reply, LlmError> {
        let input = GuardInput {
            messages: &ask.messages,
            past_turns_without_tool_call: ask.past_turns_without_tool_call,
        };
        if let GuardVerdict::Preempt { kind, response, rule } = ConversationGuard::evaluate(&input)
        {
            return Ok(Reply {
                reply: ChatMessage::assistant(response),
                tool_calls: Vec::new(),
                by: AnsweredBy::Guard { kind, rule },
            });
        }
        let request = ChatRequest { messages: ask.messages, ..ChatRequest::default() };
        let completion = self.model.complete(&request).await?;
        Ok(Reply {
            reply: ChatMessage::new(Role::Assistant, completion.content),
            tool_calls: Vec::new(),
            by: AnsweredBy::Model {
                model: completion.model,
                prompt_tokens: completion.prompt_tokens,
                completion_tokens: completion.completion_tokens,
            },
        })
    }
}
