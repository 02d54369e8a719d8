//! What an earlier attempt at the same turn did: it is told to the model, and not done again, also
//! where the model would now choose otherwise (DESIGN §5).

use serde_json::{Map, Value};

use super::calling::run;
use super::contract::Standing;
use crate::domain::chat::ChatMessage;
use crate::domain::tool::ToolCall;
use crate::domain::tool_failure::ToolFailure;
use crate::services::tools::{Journaled, Session, ToolError};
use crate::store::StoreResult;

/// Calls with effects that were made already: by earlier attempts, and by this one.
#[derive(Default)]
pub struct Earlier {
    made: Vec<Entry>,
}

/// A call that was made.
#[derive(Clone)]
pub struct Entry {
    tool: String,
    pub arguments: Map<String, Value>,
    result: String,
    /// An earlier attempt made it, and this one has not asked for it.
    waiting: bool,
}

impl Entry {
    /// What a model is told that asks for it again.
    pub fn told(&self, asked: &Map<String, Value>) -> String {
        if *asked == self.arguments {
            return self.result.clone();
        }
        let arguments = Value::Object(self.arguments.clone());
        format!(
            "Já foi feito antes, com estes dados e não com os de agora: {arguments}. \
             Resultado: {}",
            self.result
        )
    }
}

impl Earlier {
    /// The call that one of now repeats: the same, however often it is asked for, or else the next
    /// of that tool that an earlier attempt made.
    pub fn take(&mut self, tool: &str, arguments: &Map<String, Value>) -> Option<Entry> {
        let same = |entry: &Entry| entry.tool == tool && entry.arguments == *arguments;
        let next = |entry: &Entry| entry.tool == tool && entry.waiting;
        let place = self.made.iter().position(same).or_else(|| self.made.iter().position(next))?;
        let entry = self.made.get_mut(place)?;
        entry.waiting = false;
        Some(entry.clone())
    }

    /// This attempt has made a call.
    pub fn remember(&mut self, tool: &str, arguments: &Map<String, Value>, told: &str) {
        self.made.push(Entry {
            tool: tool.to_owned(),
            arguments: arguments.clone(),
            result: told.to_owned(),
            waiting: false,
        });
    }
}

/// Finishes what was begun, and answers the calls of earlier attempts with the messages that tell
/// the model of them.
pub async fn replay(
    session: &Session,
    standing: &mut Standing,
) -> StoreResult<(Earlier, Vec<ChatMessage>)> {
    let mut earlier = Earlier::default();
    let mut told = Vec::new();
    for made in session.journal.earlier().await? {
        let result = match made.result {
            Some(result) => result,
            None => {
                let Some(tool) = session.find(&made.tool) else {
                    // The tool was taken away meanwhile: nobody can tell whether it was called.
                    standing.fail_uncontrolled(&made.tool, "the tool is gone".to_owned());
                    continue;
                };
                let journaled = Journaled { id: made.id, key: made.key.clone() };
                if tool.is_repeatable() {
                    run(session, &tool, made.arguments.clone(), Some(journaled)).await?
                } else {
                    let unclear = ToolFailure::internal("nao se sabe se foi feito");
                    let unclear = Err(ToolError::Failed(unclear));
                    session.journal.finish(&journaled, &unclear).await?;
                    unclear
                }
            }
        };
        let known = result.is_ok();
        let (text, ..) = standing.take_in(&made.tool, &made.arguments, true, result);
        let id = format!("antes_{}", made.id);
        let arguments = Value::Object(made.arguments.clone()).to_string();
        let call = ToolCall { id: id.clone(), name: made.tool.clone(), arguments };
        told.push(ChatMessage::calling("", vec![call]));
        told.push(ChatMessage::tool_result(id, text.clone()));
        if known {
            earlier.made.push(Entry {
                tool: made.tool,
                arguments: made.arguments,
                result: text,
                waiting: true,
            });
        }
    }
    Ok((earlier, told))
}

/// A call of an earlier attempt, as the journal keeps it.
#[derive(Debug, Clone)]
pub struct Made {
    pub id: i64,
    pub key: String,
    pub tool: String,
    pub arguments: Map<String, Value>,
    /// Absent where nobody wrote down how it ended.
    pub result: Option<Result<String, ToolError>>,
}
