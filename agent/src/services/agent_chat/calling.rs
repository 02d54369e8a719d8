//! Making the calls that a model asks for: those that only look side by side, those with effects
//! one by one and journaled.

use std::sync::Arc;

use futures::future::join_all;
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout};

use super::contract::{Done, Standing};
use super::record::{CallRecord, Ended};
use super::replay::Earlier;
use crate::domain::tool::ToolCall;
use crate::domain::tool_failure::{PREFIX, ToolFailure};
use crate::services::tools::{
    Invocation, Journaled, Session, Tool, ToolError, arguments, fence, masking, transfer,
};
use crate::store::StoreResult;

/// What the model is told of a call, and what is kept of it.
pub struct Answered {
    pub call: ToolCall,
    pub told: String,
    pub record: CallRecord,
}

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
    for (index, call) in calls.iter().enumerate() {
        match prepare(session, call, standing) {
            Ok((tool, arguments)) => {
                answered.push(None);
                let ready = Ready { index, tool, arguments };
                if ready.tool.has_effect() { acting.push(ready) } else { looking.push(ready) }
            }
            Err(refused) => answered.push(Some(refused)),
        }
    }
    let looked = join_all(looking.into_iter().map(|ready| async {
        let began = Instant::now();
        let key = uuid::Uuid::now_v7().to_string();
        let result = run(session, &ready.tool, ready.arguments.clone(), &key).await;
        (ready, result, began)
    }));
    for (ready, result, began) in looked.await {
        let call = calls[ready.index].clone();
        let mut done = settle(call, &ready, result, standing);
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
) -> Result<(Arc<dyn Tool>, Map<String, Value>), Answered> {
    let refuse = |told: String, ended| {
        let arguments = serde_json::from_str(&call.arguments).unwrap_or(Value::Null);
        let record = record(call, &arguments, ended, None, &told, false);
        Answered { call: call.clone(), told, record }
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
        Err(_) if standing.corrected.contains(&call.name) => {
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
/// meanwhile does not cut a booking in half.
pub async fn run(
    session: &Session,
    tool: &Arc<dyn Tool>,
    arguments: Map<String, Value>,
    key: &str,
) -> Result<String, ToolError> {
    let (tool, caller, key) = (tool.clone(), session.caller.clone(), key.to_owned());
    let (now, patience) = (session.clock.now(), tool.patience());
    let task = tokio::spawn(async move {
        let call = Invocation { caller: &caller, arguments: &arguments, key: &key, now };
        timeout(patience, tool.call(&call)).await
    });
    let result = match task.await {
        Ok(Ok(result)) => result,
        Ok(Err(_)) => return Err(ToolFailure::internal("sem resposta a tempo").into()),
        Err(_) => return Err(ToolError::Uncontrolled("the tool panicked".to_owned())),
    };
    let text = result?;
    match text.trim() {
        "" => Err(ToolFailure::EmptyAnswer.into()),
        // A tool that knows the contract may speak it as text.
        failed if failed.starts_with(PREFIX.trim_end()) => {
            let detail = failed.trim_start_matches(PREFIX.trim_end()).trim_start();
            Err(failed.parse().unwrap_or_else(|_| ToolFailure::internal(detail)).into())
        }
        _ => Ok(text),
    }
}

/// Makes a call with an effect, unless an earlier attempt at the turn has made it.
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
    let result = run(session, &ready.tool, ready.arguments.clone(), &journaled.key).await;
    session.journal.finish(&journaled, &result).await?;
    Ok(settle(call, ready, result, standing))
}

/// Runs what an earlier attempt had begun and not finished, with its arguments and its key.
pub async fn finish_begun(
    session: &Session,
    journaled: &Journaled,
    tool: &Arc<dyn Tool>,
    arguments: &Map<String, Value>,
) -> StoreResult<Result<String, ToolError>> {
    let result = run(session, tool, arguments.clone(), &journaled.key).await;
    session.journal.finish(journaled, &result).await?;
    Ok(result)
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
    let (told, ended, code) = standing.take_in(&call.name, &ready.arguments, effect, result);
    let record = record(&call, &arguments, ended, code, &told, effect);
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
                self.resolved = true;
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

fn record(
    call: &ToolCall,
    arguments: &Value,
    ended: Ended,
    code: Option<String>,
    told: &str,
    has_effect: bool,
) -> CallRecord {
    CallRecord {
        tool: call.name.clone(),
        arguments: masking::masked(arguments),
        ended,
        code,
        result: told.to_owned(),
        duration_ms: 0,
        has_effect,
    }
}
