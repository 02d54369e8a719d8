//! What an account declares of a tool, read into types: whoever holds a [`Declaration`] may call.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::headers::{GivenHeaders, SecretHeaders};
use super::problem::Problem;
use super::result_path::ResultPath;
use super::template::{Place, UrlTemplate};
use crate::domain::scheduling;
use crate::domain::tool::{ToolSpec, is_tool_name};
use crate::services::tools::arguments;
use crate::services::tools::{forget, knowledge, memories, transfer};

/// Names that tools of Lembra's own have.
pub const TAKEN: [&str; 8] = [
    transfer::NAME,
    memories::NAME,
    forget::NAME,
    knowledge::NAME,
    scheduling::CONSULT,
    scheduling::REGISTER,
    scheduling::BOOK,
    scheduling::CANCEL,
];

/// Longest description in characters, and longest schema as JSON in bytes: both are in every
/// prompt.
const DESCRIPTION_CHARS: usize = 1_000;
const SCHEMA_BYTES: usize = 16 * 1024;
/// One attempt, in milliseconds.
const TIMEOUT_MS: std::ops::RangeInclusive<i64> = 500..=10_000;
const DEFAULT_TIMEOUT_MS: i64 = 5_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    pub fn parse(text: &str) -> Option<Self> {
        match text.trim().to_ascii_uppercase().as_str() {
            "GET" => Some(Method::Get),
            "POST" => Some(Method::Post),
            "PUT" => Some(Method::Put),
            "PATCH" => Some(Method::Patch),
            "DELETE" => Some(Method::Delete),
            _ => None,
        }
    }

    /// Whether arguments without a place in the address are sent as a JSON body.
    pub fn has_body(self) -> bool {
        matches!(self, Method::Post | Method::Put | Method::Patch)
    }

    pub fn as_http(self) -> reqwest::Method {
        match self {
            Method::Get => reqwest::Method::GET,
            Method::Post => reqwest::Method::POST,
            Method::Put => reqwest::Method::PUT,
            Method::Patch => reqwest::Method::PATCH,
            Method::Delete => reqwest::Method::DELETE,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_http().as_str())
    }
}

/// A declaration as it is given: the body of the API, the file of the command line.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[schema(as = ToolDraft)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub description: String,
    /// JSON schema; absent: no arguments.
    #[schema(value_type = Option<Object>)]
    pub parameters: Option<Value>,
    /// Absent: GET.
    pub method: Option<String>,
    /// Template; see [`UrlTemplate`].
    #[serde(default, alias = "url_template")]
    pub url: String,
    /// Names and values; write-only.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, String>)]
    pub headers: GivenHeaders,
    pub timeout_ms: Option<i64>,
    pub result_path: Option<String>,
    /// Absent: whatever is not a GET changes something.
    pub has_effect: Option<bool>,
    /// Absent: yes.
    pub enabled: Option<bool>,
}

/// What is wrong with a declaration. It never holds a header's value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} {problem}")]
pub struct Refused {
    pub field: &'static str,
    pub problem: Problem,
}

pub(super) fn refused(field: &'static str) -> impl Fn(Problem) -> Refused {
    move |problem| Refused { field, problem }
}

/// A tool that may be called.
#[derive(Debug, Clone)]
pub struct Declaration {
    pub spec: ToolSpec,
    pub method: Method,
    pub url: UrlTemplate,
    pub headers: SecretHeaders,
    /// Of one attempt.
    pub timeout: Duration,
    pub result_path: Option<ResultPath>,
    pub has_effect: bool,
    pub enabled: bool,
}

impl Declaration {
    pub fn read(draft: Draft) -> Result<Self, Refused> {
        let name = name(&draft.name)?;
        let description = draft.description.trim().to_owned();
        if description.is_empty() || description.chars().count() > DESCRIPTION_CHARS {
            let problem = "is 1 to 1000 characters: when to call the tool, and what it gives";
            let code = if description.is_empty() { "required" } else { "description_long" };
            return Err(refused("description")(Problem::new(code, problem)));
        }
        let method = draft.method.as_deref().unwrap_or("GET");
        let method = Method::parse(method)
            .ok_or_else(|| Problem::new("no_method", "is GET, POST, PUT, PATCH or DELETE"))
            .map_err(refused("method"))?;
        let no_arguments = || json!({ "type": "object", "properties": {} });
        let parameters = draft.parameters.unwrap_or_else(no_arguments);
        check_schema(&parameters).map_err(refused("parameters"))?;
        let url = UrlTemplate::parse(draft.url.trim()).map_err(refused("url"))?;
        check_places(&url, method, &parameters).map_err(refused("url"))?;
        let timeout_ms = draft.timeout_ms.unwrap_or(DEFAULT_TIMEOUT_MS);
        if !TIMEOUT_MS.contains(&timeout_ms) {
            let problem = Problem::new("timeout_range", "is 500 to 10000, for one attempt");
            return Err(refused("timeout_ms")(problem));
        }
        let result_path = draft.result_path.filter(|path| !path.trim().is_empty());
        let result_path = result_path.map(|path| ResultPath::parse(&path)).transpose();
        Ok(Self {
            spec: ToolSpec { name, description, parameters },
            method,
            url,
            headers: SecretHeaders::read(draft.headers).map_err(refused("headers"))?,
            timeout: Duration::from_millis(timeout_ms.unsigned_abs()),
            result_path: result_path.map_err(refused("result_path"))?,
            has_effect: draft.has_effect.unwrap_or(method != Method::Get),
            enabled: draft.enabled.unwrap_or(true),
        })
    }

    /// The same as it could be given, every field set.
    pub fn to_draft(&self) -> Draft {
        Draft {
            name: self.spec.name.clone(),
            description: self.spec.description.clone(),
            parameters: Some(self.spec.parameters.clone()),
            method: Some(self.method.to_string()),
            url: self.url.as_str().to_owned(),
            headers: self.headers.to_given(),
            timeout_ms: Some(self.timeout_ms()),
            result_path: self.result_path.as_ref().map(|path| path.as_str().to_owned()),
            has_effect: Some(self.has_effect),
            enabled: Some(self.enabled),
        }
    }

    pub fn timeout_ms(&self) -> i64 {
        i64::try_from(self.timeout.as_millis()).unwrap_or(DEFAULT_TIMEOUT_MS)
    }

    /// Where each argument of the schema goes.
    pub fn places(&self) -> BTreeMap<&str, Place> {
        let (in_path, in_query) = (self.url.in_path(), self.url.in_query());
        let place = |name: &str| match name {
            name if in_path.contains(name) => Place::Path,
            name if in_query.contains(name) || self.url.spreads() => Place::Query,
            _ if self.method.has_body() => Place::Body,
            _ => Place::Nowhere,
        };
        properties(&self.spec.parameters).map(|name| (name, place(name))).collect()
    }
}

fn name(text: &str) -> Result<String, Refused> {
    let (name, refused) = (text.trim(), refused("name"));
    if !is_tool_name(name) || !name.contains(|c: char| c.is_ascii_alphabetic()) {
        let rule = "is 1 to 64 letters without accents, digits, _ and -, at least one a letter";
        let code = if name.is_empty() { "required" } else { "tool_name" };
        return Err(refused(Problem::new(code, rule)));
    }
    if TAKEN.iter().any(|taken| taken.eq_ignore_ascii_case(name)) {
        let text = format!("{name} is a tool of Lembra's own");
        return Err(refused(Problem::of("own_tool", name, text)));
    }
    Ok(name.to_owned())
}

fn check_schema(schema: &Value) -> Result<(), Problem> {
    if schema.to_string().len() > SCHEMA_BYTES {
        let text = format!("are longer than {SCHEMA_BYTES} bytes");
        return Err(Problem::of("too_long", SCHEMA_BYTES, text));
    }
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        let text = "must be a JSON schema with \"type\": \"object\"";
        return Err(Problem::new("schema_type", text));
    }
    if schema.get("properties").is_some_and(|properties| !properties.is_object()) {
        let text = "have \"properties\" that are no JSON object";
        return Err(Problem::new("schema_properties", text));
    }
    arguments::validator(schema).map(|_| ()).map_err(|error| {
        let text = format!("cannot be used: {error}");
        Problem::of("schema", error, text)
    })
}

fn properties(schema: &Value) -> impl Iterator<Item = &str> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flat_map(|properties| properties.keys().map(String::as_str))
}

fn check_places(url: &UrlTemplate, method: Method, schema: &Value) -> Result<(), Problem> {
    let (in_path, in_query) = (url.in_path(), url.in_query());
    for name in in_path.iter().chain(&in_query) {
        if !properties(schema).any(|property| property == *name) {
            let text = format!("names {{{name}}}, which is no property of the parameters");
            return Err(Problem::of("url_unknown_argument", name, text));
        }
    }
    let required = schema.get("required").and_then(Value::as_array);
    let required: Vec<&str> = required.into_iter().flatten().filter_map(Value::as_str).collect();
    if let Some(name) = in_path.iter().find(|name| !required.contains(name)) {
        let text = format!("names {{{name}}} in its path, so the parameters must require it");
        return Err(Problem::of("url_optional_argument", name, text));
    }
    if url.spreads() && method.has_body() {
        let text = format!("ends in {{*}}, but with {method} the other arguments are the body");
        return Err(Problem::of("url_spread", method, text));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
