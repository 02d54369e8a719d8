//! What an earlier attempt at the same turn did: it is told to the model, and not done again, also
//! where the model would now choose otherwise (DESIGN §5).

use serde_json::{Map, Value};

use super::calling::finish_begun;
use super::contract::Standing;
use crate::domain::chat::ChatMessage;
use crate::domain::tool::ToolCall;
use crate::services::tools::{Journaled, Session, ToolError};
use crate::store::StoreResult;

/// Calls with effects of earlier attempts that this attempt has not asked for yet.
#[derive(Default)]
pub struct Earlier {
    waiting: Vec<Entry>,
}

/// A call that was made.
pub struct Entry {
    tool: String,
    pub arguments: Map<String, Value>,
    result: String,
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
    /// The earlier call that one of now repeats: the same, or else the next of that tool.
    pub fn take(&mut self, tool: &str, arguments: &Map<String, Value>) -> Option<Entry> {
        let same = |entry: &Entry| entry.tool == tool && entry.arguments == *arguments;
        let next = |entry: &Entry| entry.tool == tool;
        let place =
            self.waiting.iter().position(same).or_else(|| self.waiting.iter().position(next))?;
        Some(self.waiting.remove(place))
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
                finish_begun(session, &journaled, &tool, &made.arguments).await?
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
            let entry = Entry { tool: made.tool, arguments: made.arguments, result: text };
            earlier.waiting.push(entry);
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
