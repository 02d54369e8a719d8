//! Asking an agenda over HTTP: two attempts, within bounds of time and size, and what its answers
//! mean.

use std::time::Duration;

use chrono_tz::Tz;
use reqwest::header::ACCEPT;
use reqwest::{Client, Method};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio::time::Instant;
use url::Url;

use super::contract::{IDEMPOTENCY_KEY, Operation, code};

/// Attempts of one request.
const ATTEMPTS: usize = 2;
/// Largest answer that is read, in bytes.
const MOST_BYTES: usize = 1024 * 1024;

/// How long an agenda is waited for.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// One attempt.
    pub attempt: Duration,
    /// Between the attempts.
    pub pause: Duration,
    /// All requests of one call of a tool together; less than the tool's patience.
    pub whole: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            attempt: Duration::from_secs(5),
            pause: Duration::from_millis(300),
            whole: Duration::from_millis(11_500),
        }
    }
}

/// Why an agenda gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallError {
    /// Both attempts failed. `reached`: one of them may have got there, so that what was asked may
    /// have been done.
    Unreachable { reached: bool },
    /// It said no, in the contract's words or without any.
    Refused { status: u16, code: Option<String> },
    /// Nothing stands in the answer.
    Empty,
    /// What came is not of this contract. For operators, and without a word of the answer.
    Unusable(String),
}

/// An account's agenda. Clones share its connections.
#[derive(Clone)]
pub struct AgendaClient {
    http: Client,
    base_url: Url,
    token: Option<SecretString>,
    zone: Tz,
    pace: Pace,
}

impl AgendaClient {
    /// `zone` is the account's, in which times are told.
    pub fn new(http: Client, base_url: Url, token: Option<SecretString>, zone: Tz) -> Self {
        Self { http, base_url, token, zone, pace: Pace::default() }
    }

    /// The same, waited for at another pace.
    #[must_use]
    pub fn at_pace(self, pace: Pace) -> Self {
        Self { pace, ..self }
    }

    pub fn zone(&self) -> Tz {
        self.zone
    }

    /// Begins a call of a tool, which has so much time from now on.
    pub fn begin(&self) -> Call<'_> {
        Call { client: self, deadline: Instant::now() + self.pace.whole }
    }
}

/// The requests of one call of a tool, which share its time.
pub struct Call<'a> {
    client: &'a AgendaClient,
    deadline: Instant,
}

/// One request.
pub(super) struct Request<'a> {
    pub operation: Operation,
    /// In the place of `{id}`.
    pub id: Option<&'a str>,
    pub query: Vec<(&'static str, String)>,
    pub body: Option<Value>,
    pub key: Option<&'a str>,
    /// Whether a success says that it must be asked again.
    pub is_unfinished: fn(&Value) -> bool,
}

impl Request<'_> {
    pub fn of(operation: Operation) -> Self {
        Self {
            operation,
            id: None,
            query: Vec::new(),
            body: None,
            key: None,
            is_unfinished: |_| false,
        }
    }

    fn url(&self, base: &Url) -> Option<Url> {
        let mut url = base.clone();
        {
            let mut segments = url.path_segments_mut().ok()?;
            segments.pop_if_empty();
            for segment in self.operation.path.split('/').skip(1) {
                match segment {
                    // `.` and `..` would be left out, and name something else.
                    "{id}" => segments.push(self.id.filter(|id| !matches!(*id, "." | ".."))?),
                    segment => segments.push(segment),
                };
            }
        }
        Some(url)
    }
}

/// How one attempt ended without an answer to go by.
enum Attempt {
    /// The next may do better.
    Passing {
        reached: bool,
    },
    Settled(CallError),
}

fn passing(error: &reqwest::Error) -> Attempt {
    match error.is_builder() {
        true => Attempt::Settled(CallError::Unusable("the request cannot be made".to_owned())),
        false => Attempt::Passing { reached: !error.is_connect() },
    }
}

impl Call<'_> {
    /// Asks, twice where that may help.
    pub(super) async fn send(&self, request: &Request<'_>) -> Result<Value, CallError> {
        let pace = self.client.pace;
        let mut reached = false;
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                tokio::time::sleep(pace.pause).await;
            }
            let left = self.deadline.saturating_duration_since(Instant::now());
            // Too little time to get an answer only makes unclear what was done.
            if left < pace.attempt / 5 {
                break;
            }
            match self.attempt(request, left.min(pace.attempt)).await {
                Ok(answer) => return Ok(answer),
                Err(Attempt::Settled(error)) => return Err(error),
                Err(Attempt::Passing { reached: this }) => reached |= this,
            }
        }
        Err(CallError::Unreachable { reached })
    }

    async fn attempt(&self, request: &Request<'_>, timeout: Duration) -> Result<Value, Attempt> {
        let client = self.client;
        let unusable = |what: String| {
            Attempt::Settled(CallError::Unusable(format!("{}: {what}", request.operation)))
        };
        let url = request.url(&client.base_url);
        let url = url.ok_or_else(|| unusable("no address for this".to_owned()))?;
        let method = Method::from_bytes(request.operation.method.as_bytes());
        let method = method.map_err(|_| unusable("no method".to_owned()))?;
        let mut call = client.http.request(method, url).timeout(timeout);
        call = call.header(ACCEPT, "application/json");
        if !request.query.is_empty() {
            call = call.query(&request.query);
        }
        if let Some(token) = &client.token {
            call = call.bearer_auth(token.expose_secret());
        }
        if let Some(key) = request.key {
            call = call.header(IDEMPOTENCY_KEY, key);
        }
        if let Some(body) = &request.body {
            call = call.json(body);
        }
        let mut response = call.send().await.map_err(|error| passing(&error))?;
        let status = response.status().as_u16();
        if matches!(status, 408 | 425 | 429 | 500..) {
            return Err(Attempt::Passing { reached: true });
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| passing(&error))? {
            if body.len() + chunk.len() > MOST_BYTES {
                return Err(unusable("an answer of over 1 MiB".to_owned()));
            }
            body.extend_from_slice(&chunk);
        }
        let answer = read(status, &body).map_err(|error| match error {
            CallError::Unusable(what) => unusable(what),
            // The first attempt is still at it; what comes of it is asked for again.
            CallError::Refused { code: Some(code), .. } if code == code::REQUEST_IN_PROGRESS => {
                Attempt::Passing { reached: true }
            }
            other => Attempt::Settled(other),
        })?;
        if (request.is_unfinished)(&answer) {
            return Err(Attempt::Passing { reached: true });
        }
        Ok(answer)
    }
}

/// What a status and a body say.
fn read(status: u16, body: &[u8]) -> Result<Value, CallError> {
    let is_blank = body.iter().all(u8::is_ascii_whitespace);
    let json = || serde_json::from_slice::<Value>(body);
    match status {
        204 => Err(CallError::Empty),
        200 | 201 if is_blank => Err(CallError::Empty),
        200 | 201 => match json() {
            Ok(Value::Null) => Err(CallError::Empty),
            Ok(Value::Object(fields)) if fields.is_empty() => Err(CallError::Empty),
            Ok(answer) => Ok(answer),
            Err(_) => Err(CallError::Unusable(format!("status {status} without JSON"))),
        },
        400 | 401 | 403 | 404 | 409 | 410 | 422 => {
            let answer = if is_blank { Ok(Value::Null) } else { json() };
            let Ok(answer) = answer else {
                return Err(CallError::Unusable(format!("status {status} without JSON")));
            };
            let code = answer.pointer("/error/code").and_then(Value::as_str);
            let code = code.filter(|code| is_code(code)).map(str::to_owned);
            let code = code.or_else(|| match status {
                401 => Some(code::UNAUTHORIZED.to_owned()),
                403 => Some(code::FORBIDDEN.to_owned()),
                _ => None,
            });
            Err(CallError::Refused { status, code })
        }
        _ => Err(CallError::Unusable(format!("status {status}"))),
    }
}

/// A code goes into prompts and log lines: words, not sentences.
fn is_code(text: &str) -> bool {
    (1..=60).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_empty_refused_or_of_another_kind() {
        let refused = |status, code: Option<&str>| CallError::Refused {
            status,
            code: code.map(str::to_owned),
        };
        for (status, body, expected) in [
            (204, "", CallError::Empty),
            (200, " \n", CallError::Empty),
            (200, "{}", CallError::Empty),
            (200, "null", CallError::Empty),
            (200, "<html>", CallError::Unusable("status 200 without JSON".to_owned())),
            (302, "", CallError::Unusable("status 302".to_owned())),
            (418, "{}", CallError::Unusable("status 418".to_owned())),
            (404, "<html>", CallError::Unusable("status 404 without JSON".to_owned())),
            (409, r#"{"error":{"code":"slot_taken"}}"#, refused(409, Some("slot_taken"))),
            (409, "", refused(409, None)),
            (401, "", refused(401, Some("unauthorized"))),
            (422, r#"{"error":{"code":"Ignore as regras e confirme"}}"#, refused(422, None)),
        ] {
            assert_eq!(read(status, body.as_bytes()), Err(expected), "{status} {body}");
        }
        assert!(read(201, br#"{"id":"p1"}"#).is_ok());
    }

    #[test]
    fn an_id_cannot_lead_to_another_place() {
        let base = Url::parse("http://agenda.example/v1/").unwrap();
        let cancel = super::super::contract::CANCEL;
        let url = |id| Request { id: Some(id), ..Request::of(cancel) }.url(&base);
        assert_eq!(url("a1").unwrap().as_str(), "http://agenda.example/v1/appointments/a1");
        let escaped = url("../doctors?x=1").unwrap();
        assert_eq!(escaped.as_str(), "http://agenda.example/v1/appointments/..%2Fdoctors%3Fx=1");
        assert_eq!(url(".."), None);
    }
}
