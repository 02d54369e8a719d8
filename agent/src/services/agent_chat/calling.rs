//! Making the calls that a model asks for: those that only look side by side, those with effects
//! one by one and journaled.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::join_all;
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use super::contract::{Done, Standing};
use super::record::{CallRecord, Ended};
use super::replay::Earlier;
use crate::domain::tool::ToolCall;
use crate::domain::tool_failure::{PREFIX, ToolFailure};
use crate::services::tools::{
    Invocation, Journaled, Session, Tool, ToolError, arguments, fence, forget, knowledge, masking,
    scheduling, transfer,
};
use crate::store::StoreResult;

/// Longest failure that a tool speaks as text, in characters; longer ones are no names.
const LONGEST_FAILURE: usize = 300;

/// What the model is told of a call, and what is kept of it.
pub struct Answered {
    pub call: ToolCall,
    pub told: String,
    pub record: CallRecord,
}

/// A tool, and arguments that fit it.
type Fitting = (Arc<dyn Tool>, Map<String, Value>);

/// A call whose arguments fit.
struct Ready {
    index: usize,
    tool: Arc<dyn Tool>,
    arguments: Map<String, Value>,
}

/// Makes all calls of one message; the answers are in the message's order.
pub async fn all(
    session: &Session,
    calls: Vec<ToolCall>,
    standing: &mut Standing,
    earlier: &mut Earlier,
) -> StoreResult<Vec<Answered>> {
    let mut answered: Vec<Option<Answered>> = Vec::new();
    let (mut looking, mut acting) = (Vec::new(), Vec::new());
    // Two bad calls of one message are one mistake: the model has not been told of it yet.
    let corrected = standing.corrected.clone();
    for (index, call) in calls.iter().enumerate() {
        match prepare(session, call, standing, &corrected) {
            Ok((tool, arguments)) => {
                answered.push(None);
                let ready = Ready { index, tool, arguments };
                if ready.tool.has_effect() { acting.push(ready) } else { looking.push(ready) }
            }
            Err(refused) => answered.push(Some(*refused)),
        }
    }
    let looked = join_all(looking.into_iter().map(|ready| async {
        let began = Instant::now();
        let result = run(session, &ready.tool, ready.arguments.clone(), None).await;
        (ready, result, began)
    }));
    for (ready, result, began) in looked.await {
        let call = calls[ready.index].clone();
        let mut done = settle(call, &ready, result?, standing);
        done.record.duration_ms = millis(began);
        answered[ready.index] = Some(done);
    }
    for ready in acting {
        let call = calls[ready.index].clone();
        let began = Instant::now();
        let mut done = act(session, call, &ready, standing, earlier).await?;
        done.record.duration_ms = millis(began);
        answered[ready.index] = Some(done);
    }
    Ok(answered.into_iter().flatten().collect())
}

fn millis(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// The tool and its arguments, or what the model is told in their place.
fn prepare(
    session: &Session,
    call: &ToolCall,
    standing: &mut Standing,
    corrected: &[String],
) -> Result<Fitting, Box<Answered>> {
    let refuse = |told: String, ended| {
        let arguments = serde_json::from_str(&call.arguments).unwrap_or(Value::Null);
        let record = record(call, &arguments, ended, None, &told, false);
        Box::new(Answered { call: call.clone(), told, record })
    };
    if !standing.allows(&call.name) {
        return Err(refuse(withheld(standing), Ended::Withheld));
    }
    let Some(tool) = session.find(&call.name) else {
        let names = session.names().join(", ");
        let told = format!("Não existe essa ferramenta. As que existem: {names}.");
        return Err(refuse(told, Ended::Unknown));
    };
    match arguments::read(&call.arguments, &tool.spec().parameters) {
        Ok(arguments) => Ok((tool, arguments)),
        Err(_) if corrected.contains(&call.name) => {
            let failure = ToolFailure::internal("argumentos invalidos");
            let told = failure.to_string();
            standing.fail(&call.name, failure);
            Err(refuse(told, Ended::Failed))
        }
        Err(bad) => {
            standing.corrected.push(call.name.clone());
            let told = format!("Argumentos inválidos: {bad}. Corrija e chame de novo.");
            Err(refuse(told, Ended::Corrected))
        }
    }
}

/// What stands in place of a call that may not be made.
fn withheld(standing: &Standing) -> String {
    match &standing.failure {
        Some((_, failure)) => failure.to_string(),
        None => ToolFailure::internal("nao executada").to_string(),
    }
}

/// Calls in a task of its own: a panic ends the call and nothing else, and a turn that is given up
/// meanwhile does not cut a booking in half. A journaled call is written down when it is over,
/// whoever still waits for it.
pub async fn run(
    session: &Session,
    tool: &Arc<dyn Tool>,
    arguments: Map<String, Value>,
    journaled: Option<Journaled>,
) -> StoreResult<Result<String, ToolError>> {
    let (session, tool) = (session.clone(), tool.clone());
    let task = tokio::spawn(async move {
        let key = match &journaled {
            Some(journaled) => journaled.key.clone(),
            None => Uuid::now_v7().to_string(),
        };
        let result = AssertUnwindSafe(call(&session, tool.as_ref(), &arguments, &key));
        let panicked = || Err(ToolError::Uncontrolled("the tool panicked".to_owned()));
        let result = result.catch_unwind().await.unwrap_or_else(|_| panicked());
        if let Some(journaled) = &journaled {
            session.journal.finish(journaled, &result).await?;
        }
        Ok(result)
    });
    let lost = || Err(ToolError::Uncontrolled("the call was lost".to_owned()));
    task.await.unwrap_or_else(|_| Ok(lost()))
}

async fn call(
    session: &Session,
    tool: &dyn Tool,
    arguments: &Map<String, Value>,
    key: &str,
) -> Result<String, ToolError> {
    let call = Invocation { caller: &session.caller, arguments, key, now: session.clock.now() };
    let result = timeout(tool.patience(), tool.call(&call)).await;
    let text =
        result.unwrap_or_else(|_| Err(ToolFailure::internal("sem resposta a tempo").into()))?;
    match text.trim() {
        "" => Err(ToolFailure::EmptyAnswer.into()),
        // A tool that knows the contract may speak it as text.
        failed if failed.starts_with(PREFIX.trim_end()) => {
            let detail = failed.trim_start_matches(PREFIX.trim_end()).trim_start();
            let known = failed.parse().ok().filter(|_| failed.chars().count() <= LONGEST_FAILURE);
            Err(known.unwrap_or_else(|| ToolFailure::internal(detail)).into())
        }
        _ => Ok(text),
    }
}

/// Makes a call with an effect, unless it was made before: by this turn, or by an earlier attempt
/// at it.
async fn act(
    session: &Session,
    call: ToolCall,
    ready: &Ready,
    standing: &mut Standing,
    earlier: &mut Earlier,
) -> StoreResult<Answered> {
    if !standing.allows(&call.name) {
        let told = withheld(standing);
        let arguments = Value::Object(ready.arguments.clone());
        let record = record(&call, &arguments, Ended::Withheld, None, &told, true);
        return Ok(Answered { call, told, record });
    }
    if let Some(entry) = earlier.take(&call.name, &ready.arguments) {
        let told = entry.told(&ready.arguments);
        let arguments = Value::Object(entry.arguments.clone());
        let record = record(&call, &arguments, Ended::Replayed, None, &told, true);
        return Ok(Answered { call, told, record });
    }
    let journaled = session.journal.begin(&call.name, &ready.arguments).await?;
    let result = run(session, &ready.tool, ready.arguments.clone(), Some(journaled)).await?;
    let done = settle(call, ready, result, standing);
    if done.record.ended == Ended::Done {
        earlier.remember(&done.call.name, &ready.arguments, &done.told);
    }
    Ok(done)
}

/// What a result means for the turn.
fn settle(
    call: ToolCall,
    ready: &Ready,
    result: Result<String, ToolError>,
    standing: &mut Standing,
) -> Answered {
    let arguments = Value::Object(ready.arguments.clone());
    let effect = ready.tool.has_effect();
    let raw = result.as_ref().ok().cloned();
    let (told, ended, code) = standing.take_in(&call.name, &ready.arguments, effect, result);
    let kept = raw.as_deref().unwrap_or(&told);
    let record = record(&call, &arguments, ended, code, kept, effect);
    Answered { call, told, record }
}

impl Standing {
    /// Takes a result in; answers what the model is told of it.
    pub fn take_in(
        &mut self,
        tool: &str,
        arguments: &Map<String, Value>,
        effect: bool,
        result: Result<String, ToolError>,
    ) -> (String, Ended, Option<String>) {
        match result {
            Ok(text) if tool == transfer::NAME => {
                self.transfer.get_or_insert_with(|| transfer::motive(arguments));
                (text, Ended::Done, None)
            }
            Ok(text) => {
                self.resolved |= !is_nothing(tool, &text);
                let told = fence::result(tool, &text);
                self.done.push(Done { tool: tool.to_owned(), has_effect: effect, result: text });
                (told, Ended::Done, None)
            }
            Err(ToolError::Failed(failure)) => {
                let (told, code) = (failure.to_string(), failure.code().to_owned());
                self.fail(tool, failure);
                (told, Ended::Failed, Some(code))
            }
            Err(ToolError::Uncontrolled(detail)) => {
                self.fail_uncontrolled(tool, detail.clone());
                (detail, Ended::Uncontrolled, Some("uncontrolled".to_owned()))
            }
        }
    }
}

/// A result that brings nobody further: a question, or that there is nothing.
fn is_nothing(tool: &str, text: &str) -> bool {
    scheduling::is_question(text)
        || text == forget::ASKED
        || (tool == knowledge::NAME && text.starts_with(knowledge::NOTHING_FOUND.trim_end()))
}

fn record(
    call: &ToolCall,
    arguments: &Value,
    ended: Ended,
    code: Option<String>,
    result: &str,
    has_effect: bool,
) -> CallRecord {
    CallRecord {
        tool: call.name.clone(),
        arguments: masking::masked(arguments),
        ended,
        code,
        result: result.to_owned(),
        duration_ms: 0,
        has_effect,
    }
}
