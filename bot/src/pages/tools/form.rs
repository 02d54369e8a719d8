//! A tool as it is typed: the schema as JSON, headers as lines of "name: value".

use std::collections::BTreeMap;

use lembra_agent::services::tools::http::changes::{ChangedHeaders, Changes};
use lembra_agent::services::tools::http::declaration::Draft;
use lembra_agent::services::tools::http::headers::GivenHeaders;
use lembra_agent::services::tools::http::shown::ToolView;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use crate::pages::forms::Errors;
use crate::pages::words;

/// What the schema of a new tool begins as.
const EMPTY_SCHEMA: &str =
    "{\n  \"type\": \"object\",\n  \"properties\": {},\n  \"required\": []\n}";

/// The fields. What headers hold does not come back into the page.
#[derive(Debug, Clone, Default)]
pub(super) struct ToolForm {
    pub name: String,
    pub description: String,
    pub method: String,
    pub url: String,
    pub parameters: String,
    headers: SecretString,
    /// Names of headers to be taken away.
    pub dropped: Vec<String>,
    pub timeout_ms: String,
    pub result_path: String,
    /// `yes`, `no`, or by the method.
    pub effect: String,
    pub enabled: bool,
}

impl ToolForm {
    /// A form of nothing yet.
    pub fn fresh() -> Self {
        Self {
            method: "GET".to_owned(),
            parameters: EMPTY_SCHEMA.to_owned(),
            timeout_ms: "5000".to_owned(),
            enabled: true,
            ..Self::default()
        }
    }

    pub fn of(tool: &ToolView) -> Self {
        Self {
            name: tool.name.clone(),
            description: tool.description.clone(),
            method: tool.method.clone(),
            url: tool.url.clone(),
            parameters: format!("{:#}", tool.parameters),
            timeout_ms: tool.timeout_ms.to_string(),
            result_path: tool.result_path.clone().unwrap_or_default(),
            effect: if tool.has_effect { "yes" } else { "no" }.to_owned(),
            enabled: tool.enabled,
            ..Self::default()
        }
    }

    /// Boxes of one name come several times, so a form is read as pairs.
    pub fn read(pairs: Vec<(String, String)>) -> Self {
        let mut form = Self::default();
        for (field, value) in pairs {
            match field.as_str() {
                "name" => form.name = value,
                "description" => form.description = value,
                "method" => form.method = value,
                "url" => form.url = value,
                "parameters" => form.parameters = value,
                "headers" => form.headers = value.into(),
                "dropped" => form.dropped.push(value),
                "timeout_ms" => form.timeout_ms = value,
                "result_path" => form.result_path = value,
                "effect" => form.effect = value,
                "enabled" => form.enabled = true,
                _ => {}
            }
        }
        form
    }

    /// A declaration, as far as the form alone tells.
    pub fn draft(&self) -> Result<Draft, Errors> {
        Ok(Draft {
            name: self.name.clone(),
            description: self.description.clone(),
            parameters: Some(self.schema()?),
            method: Some(self.method.clone()),
            url: self.url.clone(),
            headers: GivenHeaders(self.headers()?),
            timeout_ms: Some(self.timeout()?),
            result_path: Some(self.result_path.clone()),
            has_effect: self.effect(),
            enabled: Some(self.enabled),
        })
    }

    /// What is changed of a tool that there is.
    pub fn changes(&self) -> Result<Changes, Errors> {
        let mut headers: BTreeMap<String, Option<SecretString>> =
            self.dropped.iter().map(|name| (name.clone(), None)).collect();
        headers.extend(self.headers()?.into_iter().map(|(name, value)| (name, Some(value))));
        let path = self.result_path.trim();
        Ok(Changes {
            name: Some(self.name.clone()),
            description: Some(self.description.clone()),
            parameters: Some(self.schema()?),
            method: Some(self.method.clone()),
            url: Some(self.url.clone()),
            headers: ChangedHeaders(headers),
            timeout_ms: Some(self.timeout()?),
            result_path: Some((!path.is_empty()).then(|| path.to_owned())),
            has_effect: self.effect(),
            enabled: Some(self.enabled),
        })
    }

    fn effect(&self) -> Option<bool> {
        match self.effect.as_str() {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        }
    }

    fn schema(&self) -> Result<Value, Errors> {
        serde_json::from_str(&self.parameters).map_err(|error| {
            let (line, column) = (error.line().to_string(), error.column().to_string());
            let values = [("line", line.as_str()), ("column", column.as_str())];
            Errors::one("parameters", words::filled("problem.no_json", &values))
        })
    }

    fn timeout(&self) -> Result<i64, Errors> {
        let read = self.timeout_ms.trim().parse();
        read.map_err(|_| Errors::one("timeout_ms", words::word("problem.timeout_range")))
    }

    fn headers(&self) -> Result<BTreeMap<String, SecretString>, Errors> {
        let lines = self.headers.expose_secret().lines().filter(|line| !line.trim().is_empty());
        let pair = |line: &str| {
            let (name, value) = line.split_once(':')?;
            Some((name.trim().to_owned(), SecretString::from(value.trim())))
        };
        let read: Option<BTreeMap<_, _>> = lines.map(pair).collect();
        read.ok_or_else(|| Errors::one("headers", words::word("problem.no_header_line")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(pairs: &[(&str, &str)]) -> ToolForm {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        ToolForm::read(pairs.collect())
    }

    #[test]
    fn lines_become_headers_and_boxes_take_them_away() {
        let changes = form(&[
            ("parameters", "{}"),
            ("timeout_ms", "800"),
            ("headers", "Authorization: Bearer a:b\r\n\r\nX-Loja:7"),
            ("dropped", "x-velho"),
            ("dropped", "x-outro"),
            ("effect", ""),
        ])
        .changes()
        .unwrap();
        let headers = changes.headers.0;
        assert_eq!(headers.len(), 4);
        assert_eq!(headers["Authorization"].as_ref().unwrap().expose_secret(), "Bearer a:b");
        assert!(headers["x-velho"].is_none());
        assert_eq!((changes.has_effect, changes.enabled), (None, Some(false)));
        assert_eq!(changes.result_path, Some(None));
    }

    #[test]
    fn what_cannot_be_read_is_said_beside_its_field() {
        let base = [("parameters", "{}"), ("timeout_ms", "800")];
        for (field, value) in
            [("parameters", "{\n  a"), ("timeout_ms", "5 s"), ("headers", "sem dois pontos")]
        {
            let mut pairs: Vec<_> = base.into_iter().filter(|(name, _)| *name != field).collect();
            pairs.push((field, value));
            let errors = form(&pairs).draft().unwrap_err();
            assert!(errors.has(field), "{field}");
            assert!(!errors.first().contains('{'), "{}", errors.first());
        }
    }
}
