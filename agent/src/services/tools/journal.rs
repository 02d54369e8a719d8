//! The journal in the database. Its key is made from the messages that triggered the turn, so that
//! another attempt finds what the first one did.

use async_trait::async_trait;
use lembra_entities::tool_call;
use sea_orm::DatabaseConnection;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::session::{Journal, Journaled};
use super::{Caller, ToolError};
use crate::clock::SharedClock;
use crate::domain::tool_failure::ToolFailure;
use crate::services::agent_chat::replay::Made;
use crate::store::StoreResult;
use crate::store::tool_calls::{self, NewCall, State};

/// The journal of one turn.
pub struct DatabaseJournal {
    pub db: DatabaseConnection,
    pub clock: SharedClock,
    pub caller: Caller,
    pub turn_key: String,
}

/// The key of the turn that answers from this message on. Messages that come before another attempt
/// change nothing of it: the oldest that waits stays the same until the turn is written.
pub fn turn_key(conversation_id: i64, oldest_waiting_id: i64) -> String {
    format!("{conversation_id}:{oldest_waiting_id}")
}

/// State, code and text of a result, as stored.
pub fn stored(result: &Result<String, ToolError>) -> (State, Option<String>, String) {
    match result {
        Ok(text) => (State::Done, None, text.clone()),
        Err(ToolError::Failed(failure)) => {
            (State::Failed, Some(failure.code().to_owned()), failure.to_string())
        }
        Err(ToolError::Uncontrolled(detail)) => {
            (State::Uncontrolled, Some("uncontrolled".to_owned()), detail.clone())
        }
    }
}

fn read(row: &tool_call::Model) -> Option<Result<String, ToolError>> {
    let text = row.result.clone().unwrap_or_default();
    match row.state.as_str() {
        "done" => Some(Ok(text)),
        "failed" => {
            let failure = text.parse().unwrap_or_else(|_| ToolFailure::internal(&text));
            Some(Err(ToolError::Failed(failure)))
        }
        "uncontrolled" => Some(Err(ToolError::Uncontrolled(text))),
        _ => None,
    }
}

#[async_trait]
impl Journal for DatabaseJournal {
    async fn earlier(&self) -> StoreResult<Vec<Made>> {
        let conversation = self.caller.conversation_id;
        let rows = tool_calls::of_turn(&self.db, conversation, &self.turn_key).await?;
        let made = rows.into_iter().map(|row| Made {
            id: row.id,
            result: read(&row),
            key: row.call_key,
            tool: row.tool,
            arguments: match row.arguments {
                Value::Object(arguments) => arguments,
                _ => Map::new(),
            },
        });
        Ok(made.collect())
    }

    async fn begin(&self, tool: &str, arguments: &Map<String, Value>) -> StoreResult<Journaled> {
        let key = Uuid::now_v7().to_string();
        let call = NewCall {
            account_id: self.caller.account_id,
            conversation_id: self.caller.conversation_id,
            turn_id: None,
            turn_key: self.turn_key.clone(),
            call_key: key.clone(),
            tool: tool.to_owned(),
            arguments: Value::Object(arguments.clone()),
            has_effect: true,
            state: State::Begun,
            code: None,
            result: None,
            begun_at: self.clock.now(),
            finished_at: None,
        };
        Ok(Journaled { id: tool_calls::insert(&self.db, call).await?, key })
    }

    async fn finish(
        &self,
        call: &Journaled,
        result: &Result<String, ToolError>,
    ) -> StoreResult<()> {
        let (state, code, text) = stored(result);
        let now = self.clock.now();
        tool_calls::finish(&self.db, call.id, state, code.as_deref(), &text, now).await
    }
}
