//! Tools and trials as pages, API and command line show them.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::Declared;
use super::result_path::ResultPath;
use super::tool::Report;
use crate::services::tools::ToolError;

/// A declared tool; of headers the names.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ToolView {
    pub id: i64,
    pub name: String,
    /// For the model: when to call it, and what it gives.
    pub description: String,
    /// JSON schema of the arguments.
    #[schema(value_type = Object)]
    pub parameters: Value,
    pub method: String,
    /// Address with `{name}` for arguments.
    pub url: String,
    /// Names of its headers.
    pub headers: Vec<String>,
    /// Where each argument goes: `path`, `query`, `body` or `not sent`.
    pub arguments: BTreeMap<String, String>,
    /// Of one attempt.
    pub timeout_ms: i64,
    /// Which part of a JSON answer is the result; all of it when absent.
    pub result_path: Option<String>,
    /// It changes something on the other side.
    pub has_effect: bool,
    pub enabled: bool,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// What came of a trial: `result`, or `failure` with its `code` as the model would be told, or
/// `error` as operators would.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TrialReport {
    pub ok: bool,
    pub result: Option<String>,
    pub failure: Option<String>,
    pub code: Option<String>,
    pub error: Option<String>,
    /// Of the last answer; absent when there was none.
    pub status: Option<u16>,
    pub attempts: u8,
    pub took_ms: u64,
}

impl Declared {
    pub fn view(&self) -> ToolView {
        let tool = &self.declaration;
        let places = tool.places();
        let places = places.iter().map(|(name, place)| ((*name).to_owned(), place.to_string()));
        ToolView {
            id: self.id,
            name: tool.spec.name.clone(),
            description: tool.spec.description.clone(),
            parameters: tool.spec.parameters.clone(),
            method: tool.method.to_string(),
            url: tool.url.as_str().to_owned(),
            headers: tool.headers.names().map(str::to_owned).collect(),
            arguments: places.collect(),
            timeout_ms: tool.timeout_ms(),
            result_path: tool.result_path.as_ref().map(ResultPath::as_str).map(str::to_owned),
            has_effect: tool.has_effect,
            enabled: tool.enabled,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }

    pub fn json(&self) -> Value {
        json!(self.view())
    }
}

impl Report {
    pub fn view(&self) -> TrialReport {
        let (result, failure, code, error) = match &self.outcome {
            Ok(result) => (Some(result.clone()), None, None, None),
            Err(ToolError::Failed(failure)) => {
                (None, Some(failure.to_string()), Some(failure.code().to_owned()), None)
            }
            Err(ToolError::Uncontrolled(why)) => (None, None, None, Some(why.clone())),
        };
        TrialReport {
            ok: self.outcome.is_ok(),
            result,
            failure,
            code,
            error,
            status: self.status,
            attempts: self.attempts,
            took_ms: u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX),
        }
    }

    pub fn json(&self) -> Value {
        json!(self.view())
    }
}
