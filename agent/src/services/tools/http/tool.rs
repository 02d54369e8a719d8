//! A declared tool as the agent calls it: two attempts, then the contract's failure.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bytes::Bytes;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use serde_json::{Map, Value};

use super::declaration::Declaration;
use super::reading;
use super::template::Place;
use crate::domain::tool::ToolSpec;
use crate::domain::tool_failure::ToolFailure;
use crate::http::public::{Answer, Call, CallError, PublicClient};
use crate::services::tools::{Invocation, Tool, ToolError};

/// What the other side recognises a repetition by.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const ATTEMPTS: u8 = 2;
/// Between the attempts, unless the other side asks for more; and the most that it may ask for.
const PAUSE: Duration = Duration::from_millis(300);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// Most of a body that is read, in bytes.
const BODY_BYTES: usize = 1024 * 1024;

/// A tool that an account declared.
pub struct HttpTool {
    declaration: Arc<Declaration>,
    http: PublicClient,
}

/// A call with what an operator wants to know of it.
#[derive(Debug, Clone)]
pub struct Report {
    pub outcome: Result<String, ToolError>,
    /// Of the last answer; `None` when there was none.
    pub status: Option<u16>,
    pub attempts: u8,
    pub took: Duration,
}

impl HttpTool {
    pub fn new(declaration: Arc<Declaration>, http: PublicClient) -> Self {
        Self { declaration, http }
    }

    /// Calls it and says how that went.
    pub async fn report(&self, invocation: &Invocation<'_>) -> Report {
        let began = Instant::now();
        let mut report =
            Report { outcome: Ok(String::new()), status: None, attempts: 0, took: Duration::ZERO };
        report.outcome = self.attempts(invocation, &mut report).await;
        report.took = began.elapsed();
        report
    }

    async fn attempts(
        &self,
        invocation: &Invocation<'_>,
        report: &mut Report,
    ) -> Result<String, ToolError> {
        let tool = &self.declaration;
        let call = self.prepare(invocation)?;
        loop {
            report.attempts += 1;
            let answered = self.http.send(call.clone()).await;
            report.status = answered.as_ref().ok().map(|answer| answer.status);
            let last = report.attempts == ATTEMPTS;
            match &answered {
                Ok(answer) if !may_pass(answer.status) => return reading::read(tool, answer),
                Err(CallError::Blocked(why)) => {
                    let name = &tool.spec.name;
                    let why = format!("{name}: endereço não permitido ({why})");
                    return Err(ToolError::Uncontrolled(why));
                }
                Err(CallError::TooManyRedirects) => {
                    let name = &tool.spec.name;
                    return Err(
                        ToolFailure::internal(format!("{name}: redirecionamentos demais")).into()
                    );
                }
                Ok(answer) if last && answer.status == 429 => return reading::read(tool, answer),
                // Whether it was done, nobody can tell, and not every server knows a repetition by
                // its key.
                Ok(_) | Err(CallError::TimedOut | CallError::BrokeOff)
                    if tool.has_effect && !refused_for_now(&answered) =>
                {
                    let name = &tool.spec.name;
                    let why = format!("{name} sem resposta: não se sabe se foi feito");
                    return Err(ToolFailure::internal(why).into());
                }
                Ok(_)
                | Err(CallError::TimedOut | CallError::BrokeOff | CallError::NotConnected) => {}
            }
            tracing::warn!(
                tool = tool.spec.name,
                attempt = report.attempts,
                status = report.status,
                error = answered.as_ref().err().map(ToString::to_string),
                "a tool's server did not answer"
            );
            if last {
                let detail = format!("{} sem resposta após {ATTEMPTS} tentativas", tool.spec.name);
                return Err(ToolFailure::internal(detail).into());
            }
            tokio::time::sleep(pause(&answered)).await;
        }
    }

    /// The one call that both attempts make.
    fn prepare(&self, invocation: &Invocation<'_>) -> Result<Call, ToolError> {
        let tool = &self.declaration;
        let (name, arguments) = (&tool.spec.name, invocation.arguments);
        let url = tool.url.fill(arguments);
        let url = url.map_err(|unfit| ToolFailure::internal(format!("{name}: {unfit}")))?;
        let mut headers = tool.headers.to_map();
        let set = |name, value| (name, HeaderValue::from_static(value));
        let mut defaults = vec![set(ACCEPT, "application/json, text/plain;q=0.9, */*;q=0.1")];
        let mut body = None;
        if tool.method.has_body() {
            defaults.push(set(CONTENT_TYPE, "application/json"));
            body = Some(Bytes::from(Value::Object(rest(tool, arguments)).to_string()));
        }
        for (name, value) in defaults {
            headers.entry(name).or_insert(value);
        }
        if tool.has_effect {
            let key = HeaderValue::from_str(invocation.key);
            let key =
                key.map_err(|_| ToolError::Uncontrolled(format!("{name}: chave inválida")))?;
            headers.insert(IDEMPOTENCY_KEY, key);
        }
        Ok(Call {
            method: tool.method.as_http(),
            url,
            headers,
            body,
            timeout: tool.timeout,
            max_bytes: BODY_BYTES,
        })
    }
}

#[async_trait]
impl Tool for HttpTool {
    fn spec(&self) -> &ToolSpec {
        &self.declaration.spec
    }

    fn is_repeatable(&self) -> bool {
        !self.declaration.has_effect
    }

    fn has_effect(&self) -> bool {
        self.declaration.has_effect
    }

    fn patience(&self) -> Duration {
        self.declaration.timeout * ATTEMPTS.into() + LONGEST_PAUSE
    }

    async fn call(&self, call: &Invocation<'_>) -> Result<String, ToolError> {
        self.report(call).await.outcome
    }
}

/// Whether the same call may get another answer a moment later.
fn may_pass(status: u16) -> bool {
    status == 429 || status >= 500
}

fn pause(answered: &Result<Answer, CallError>) -> Duration {
    let asked = answered.as_ref().ok().and_then(|answer| answer.header(RETRY_AFTER).parse().ok());
    asked.map_or(PAUSE, Duration::from_secs).clamp(PAUSE, LONGEST_PAUSE)
}

/// The arguments that have no place in the address, also those that the schema does not name.
fn rest(tool: &Declaration, arguments: &Map<String, Value>) -> Map<String, Value> {
    let places = tool.places();
    let in_body = |name: &str| places.get(name).is_none_or(|place| *place == Place::Body);
    let rest = arguments.iter().filter(|(name, _)| in_body(name));
    rest.map(|(name, value)| (name.clone(), value.clone())).collect()
}
/// A server that says it did nothing: too many calls, or not now.
fn refused_for_now(answered: &Result<Answer, CallError>) -> bool {
    answered.as_ref().is_ok_and(|answer| [429, 503].contains(&answer.status))
}
