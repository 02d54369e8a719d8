//! What an HTTP answer means to the model: a result, the contract's failure (seed 004), or
//! something that nobody foresaw.

use encoding_rs::{Encoding, UTF_8};
use reqwest::header::CONTENT_TYPE;
use serde_json::Value;

use super::declaration::Declaration;
use crate::domain::tool_failure::{PREFIX, ToolFailure};
use crate::http::public::Answer;
use crate::services::tools::ToolError;

/// Longest result that a model is given, in bytes.
const RESULT_BYTES: usize = 16 * 1024;

/// What a body says that it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Promise {
    Json,
    Html,
    Text,
    /// A picture, a file, whatever is no text.
    Other,
    Nothing,
}

/// Reads the answer of a call that came through: 2xx, 3xx that was not followed, or 4xx.
pub fn read(tool: &Declaration, answer: &Answer) -> Result<String, ToolError> {
    let name = &tool.spec.name;
    let content_type = answer.header(CONTENT_TYPE).to_ascii_lowercase();
    let promise = promise(&content_type);
    let text = decoded(&answer.body, &content_type);
    let text = text.trim();
    // A text that says it failed has failed, whatever the status.
    if let Some(failure) = said_failure(text) {
        return Err(failure.into());
    }
    if !(200..300).contains(&answer.status) {
        return Err(ToolFailure::internal(format!("{name}: {}", answer.status)).into());
    }
    if !answer.complete {
        return Err(ToolFailure::internal(format!("{name}: resposta grande demais")).into());
    }
    if text.is_empty() {
        // No Content is how HTTP says that a change was made and there is nothing to tell.
        if answer.status == 204 && tool.has_effect && tool.result_path.is_none() {
            return Ok("feito (204, sem conteúdo)".to_owned());
        }
        return Err(ToolFailure::EmptyAnswer.into());
    }
    let uncontrolled = |what: &str| Err(ToolError::Uncontrolled(format!("{name}: {what}")));
    let json_is_due = promise == Promise::Json || tool.result_path.is_some();
    match (serde_json::from_str::<Value>(text), promise) {
        (_, Promise::Other) => uncontrolled("resposta que não é texto"),
        // PHP calls everything HTML unless told otherwise.
        (Ok(value), Promise::Html) if value.is_object() || value.is_array() => {
            of_json(tool, &value, text)
        }
        (_, Promise::Html) => uncontrolled("HTML em vez de dados"),
        (Ok(value), _) => of_json(tool, &value, text),
        (Err(_), _) if looks_like_html(text) => uncontrolled("HTML em vez de dados"),
        (Err(_), _) if json_is_due => uncontrolled("resposta que não é JSON"),
        (Err(_), _) => Ok(cut(text)),
    }
}

fn of_json(tool: &Declaration, value: &Value, text: &str) -> Result<String, ToolError> {
    let part = match &tool.result_path {
        Some(path) => path.of(value).unwrap_or(&Value::Null),
        None => value,
    };
    let result = match part {
        Value::Null => String::new(),
        Value::String(text) => text.trim().to_owned(),
        // As it came where that is no longer: figures keep their form.
        whole if tool.result_path.is_none() => {
            let compact = whole.to_string();
            if text.len() <= compact.len() { text.to_owned() } else { compact }
        }
        part => part.to_string(),
    };
    if result.is_empty() {
        return Err(ToolFailure::EmptyAnswer.into());
    }
    match said_failure(&result) {
        Some(failure) => Err(failure.into()),
        None => Ok(cut(&result)),
    }
}

/// Longest failure that is taken at its word, in characters: longer ones hold no name.
const LONGEST_FAILURE: usize = 300;

/// A text, or a JSON string, that begins as the contract's failures do. One that is none of the
/// twelve is a failure all the same, and no result.
fn said_failure(text: &str) -> Option<ToolFailure> {
    let unquoted = text.starts_with('"').then(|| serde_json::from_str::<String>(text).ok());
    let said = unquoted.flatten().unwrap_or_else(|| text.to_owned());
    let said = said.trim();
    let marker = PREFIX.trim_end_matches([':', ' ']);
    let detail = said.strip_prefix(marker)?.trim_start_matches([':', ' ']);
    let short = said.chars().count() <= LONGEST_FAILURE && !said.contains('\n');
    let known = said.parse().ok().filter(|_| short);
    Some(known.unwrap_or_else(|| ToolFailure::internal(detail)))
}

fn promise(content_type: &str) -> Promise {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    match kind {
        "" => Promise::Nothing,
        "application/json" | "text/json" => Promise::Json,
        "text/html" | "application/xhtml+xml" => Promise::Html,
        kind if kind.ends_with("+json") => Promise::Json,
        kind if kind.starts_with("text/") || kind.ends_with("xml") => Promise::Text,
        "application/x-ndjson" | "application/yaml" => Promise::Text,
        _ => Promise::Other,
    }
}

/// Older systems write ISO-8859-1, and say so.
fn decoded(body: &[u8], content_type: &str) -> String {
    let charset = content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        (name.trim() == "charset").then(|| value.trim().trim_matches('"'))
    });
    let encoding = charset.and_then(|label| Encoding::for_label(label.as_bytes()));
    encoding.unwrap_or(UTF_8).decode(body).0.into_owned()
}

fn looks_like_html(text: &str) -> bool {
    let start: String = text.chars().take(15).collect::<String>().to_ascii_lowercase();
    ["<!doctype html", "<html", "<head", "<body"].iter().any(|tag| start.starts_with(tag))
}

/// The beginning of a result that is too long, with a mark that says so.
fn cut(text: &str) -> String {
    if text.len() <= RESULT_BYTES {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(RESULT_BYTES);
    let (shown, whole) = (RESULT_BYTES / 1024, text.len().div_ceil(1024));
    format!("{}\n[resultado cortado: primeiros {shown} KiB de {whole} KiB]", &text[..end])
}

#[cfg(test)]
mod tests;
