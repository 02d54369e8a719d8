//! The journal in the database. What an attempt at a turn did stays unsettled until the turn is
//! written, so another attempt finds it, whatever messages have come or gone meanwhile.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use lembra_entities::tool_call;
use sea_orm::DatabaseConnection;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::session::{Journal, Journaled};
use super::{Caller, ToolError};
use crate::clock::SharedClock;
use crate::domain::conversation::Handler;
use crate::domain::tool_failure::ToolFailure;
use crate::jobs::claim::{ClaimedJob, hold};
use crate::services::agent_chat::replay::Made;
use crate::store::conversations::{self, Head};
use crate::store::tool_calls::{self, NewCall, State};
use crate::store::{StoreError, StoreResult, db};

/// The journal of one turn.
pub struct DatabaseJournal {
    pub db: DatabaseConnection,
    pub clock: SharedClock,
    pub caller: Caller,
    /// The job that makes the turn: one that lost its lease begins nothing.
    pub job: ClaimedJob,
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

/// Whether the bot may act in the conversation.
fn is_free(head: &Head, now: DateTime<Utc>) -> bool {
    head.handler == Handler::Bot && head.paused_until.is_none_or(|until| until <= now)
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
        let rows = tool_calls::unsettled(&self.db, self.caller.conversation_id).await?;
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
            call_key: key.clone(),
            tool: tool.to_owned(),
            arguments: Value::Object(arguments.clone()),
            has_effect: true,
            state: State::Begun,
            code: None,
            result: None,
            begun_at: self.clock.now(),
            finished_at: None,
            settled_at: None,
        };
        let tx = db::begin(&self.db).await?;
        hold(&tx, &self.job, self.clock.now()).await?;
        let head = conversations::head(&tx, self.caller.conversation_id).await?;
        if head.is_none_or(|head| !is_free(&head, self.clock.now())) {
            // A person has it: nothing is begun any more, and the next look ends what waits.
            return Err(StoreError::Conflict);
        }
        let id = tool_calls::insert(&tx, call).await?;
        tx.commit().await?;
        Ok(Journaled { id, key })
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
