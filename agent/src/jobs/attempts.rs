//! What a job went through before it ended well, or did not: the last few events of its row, kept
//! with it. A first try that succeeds writes nothing here.

use chrono::{DateTime, Utc};
use lembra_entities::job;
use sea_orm::Value;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Events that a row keeps; the oldest go.
pub const KEPT: usize = 10;
/// Longest error text that a row keeps, in characters.
pub const ERROR_CHARS: usize = 500;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// A try failed, and another was to follow.
    Failed,
    /// A try failed, and none was to follow.
    Died,
    /// The worker stopped in the middle of a try.
    Lost,
    /// A person gave a dead job new tries.
    Retried,
    /// A person laid it aside.
    Discarded,
    /// A person wanted it to run before its time.
    Hurried,
}

/// One event in the life of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JobEvent {
    pub at: DateTime<Utc>,
    pub what: What,
    /// The try that this was, or the last one before it.
    pub attempt: i32,
    /// The process that ran it, or the person who acted: `operator:3`, `token:7`, `cli`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How long the try took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<i64>,
}

/// The events of a row, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log(Vec<JobEvent>);

impl Log {
    /// What cannot be read counts as nothing: a log must not keep a job from ending.
    pub fn of(row: &job::Model) -> Self {
        let events = row.attempts_log.clone().map(serde_json::from_value);
        Self(events.and_then(Result::ok).unwrap_or_default())
    }

    pub fn events(&self) -> &[JobEvent] {
        &self.0
    }

    /// The column's value with one event more.
    pub fn with(&self, mut event: JobEvent) -> Value {
        event.error = event.error.as_deref().map(shortened);
        let dropped = (self.0.len() + 1).saturating_sub(KEPT);
        let events: Vec<&JobEvent> = self.0.iter().skip(dropped).chain([&event]).collect();
        serde_json::to_value(events).ok().into()
    }
}

/// An error as rows keep it.
pub fn shortened(error: &str) -> String {
    error.chars().take(ERROR_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(attempt: i32, error: &str) -> JobEvent {
        let at = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        let error = Some(error.to_owned());
        JobEvent { at, what: What::Failed, attempt, by: None, error, ms: Some(5) }
    }

    fn log(value: &Value) -> Log {
        match value {
            Value::Json(Some(json)) => Log(serde_json::from_value((**json).clone()).unwrap()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_log_keeps_the_last_ten_events_and_short_errors() {
        let mut kept = Log::default();
        for attempt in 1..=14 {
            kept = log(&kept.with(event(attempt, &"é".repeat(900))));
        }
        let attempts: Vec<i32> = kept.events().iter().map(|event| event.attempt).collect();
        assert_eq!(attempts, (5..=14).collect::<Vec<_>>());
        let error = kept.events()[0].error.as_deref().unwrap_or_default();
        assert_eq!(error.chars().count(), ERROR_CHARS);
    }
}
