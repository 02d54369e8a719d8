//! What is changed of a declaration; what is absent stays.

use std::collections::BTreeMap;

use secrecy::SecretString;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use utoipa::ToSchema;

use super::declaration::{Declaration, Draft, Method, Refused, refused};
use super::headers::GivenHeaders;
use super::problem::Problem;

/// A change, as it is given.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[schema(as = ToolChange)]
#[serde(deny_unknown_fields)]
pub struct Changes {
    pub name: Option<String>,
    pub description: Option<String>,
    #[schema(value_type = Option<Object>)]
    pub parameters: Option<Value>,
    pub method: Option<String>,
    #[serde(alias = "url_template")]
    pub url: Option<String>,
    /// A value replaces or adds a header, null takes it away.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, Option<String>>)]
    pub headers: ChangedHeaders,
    pub timeout_ms: Option<i64>,
    /// Null: the whole answer.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    pub result_path: Option<Option<String>>,
    pub has_effect: Option<bool>,
    pub enabled: Option<bool>,
}

/// Null is something else than nothing.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Headers to be set (`Some`) or taken away.
#[derive(Debug, Clone, Default)]
pub struct ChangedHeaders(pub BTreeMap<String, Option<SecretString>>);

impl<'de> Deserialize<'de> for ChangedHeaders {
    /// An error of serde's own would repeat what was given.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let problem = "headers are an object of names and texts, or null to take one away";
        let read = BTreeMap::deserialize(deserializer);
        read.map(Self).map_err(|_| serde::de::Error::custom(problem))
    }
}

impl Changes {
    /// The changed declaration. Headers do not follow to another origin by themselves: who may
    /// change an address must not learn secrets that way.
    pub fn apply(self, to: &Declaration) -> Result<Declaration, Refused> {
        let old = to.to_draft();
        let touched = |name: &String| {
            self.headers.0.keys().any(|changed| changed.trim().eq_ignore_ascii_case(name))
        };
        let mut headers: BTreeMap<String, SecretString> = old.headers.0;
        let kept: Vec<String> = headers.keys().filter(|name| !touched(name)).cloned().collect();
        headers.retain(|name, _| kept.contains(name));
        let set = self.headers.0.into_iter();
        headers.extend(set.filter_map(|(name, value)| Some((name, value?))));
        let changed = Declaration::read(Draft {
            name: self.name.unwrap_or(old.name),
            description: self.description.unwrap_or(old.description),
            parameters: self.parameters.or(old.parameters),
            // Whether it has an effect follows from another method unless it is said.
            has_effect: match &self.method {
                Some(method) if Method::parse(method) != Some(to.method) => self.has_effect,
                _ => self.has_effect.or(old.has_effect),
            },
            method: self.method.or(old.method),
            url: self.url.unwrap_or(old.url),
            headers: GivenHeaders(headers),
            timeout_ms: self.timeout_ms.or(old.timeout_ms),
            result_path: self.result_path.unwrap_or(old.result_path),
            enabled: self.enabled.or(old.enabled),
        })?;
        let moved = changed.url.base().origin() != to.url.base().origin();
        match kept.first() {
            Some(name) if moved => {
                let text = format!(
                    "leads to another origin: give the header {name} again, or take it away"
                );
                Err(refused("url")(Problem::of("moved", name, text)))
            }
            _ => Ok(changed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn old() -> Declaration {
        let draft = json!({
            "name": "preco",
            "description": "Quanto custa.",
            "url": "https://a.br/preco",
            "headers": { "Authorization": "jabuticaba", "X-Loja": "7" },
            "result_path": "total",
        });
        Declaration::read(serde_json::from_value(draft).unwrap()).unwrap()
    }

    fn change(changes: Value) -> Result<Declaration, Refused> {
        serde_json::from_value::<Changes>(changes).unwrap().apply(&old())
    }

    #[test]
    fn what_is_absent_stays() {
        let same = change(json!({})).unwrap();
        assert_eq!(format!("{same:?}"), format!("{:?}", old()));
        let changed = change(json!({
            "description": "Preço.",
            "headers": { "authorization": "nova", "X-LOJA": null, "X-B": "2" },
            "result_path": null,
            "enabled": false,
        }));
        let changed = changed.unwrap();
        assert_eq!(changed.headers.names().collect::<Vec<_>>(), ["authorization", "x-b"]);
        assert_eq!(changed.headers.to_map()["authorization"], "nova");
        assert_eq!((changed.result_path, changed.enabled), (None, false));
        assert_eq!(changed.spec.name, "preco");
    }

    #[test]
    fn another_method_says_anew_whether_there_is_an_effect() {
        assert!(change(json!({ "method": "POST" })).unwrap().has_effect);
        assert!(!change(json!({ "method": "POST", "has_effect": false })).unwrap().has_effect);
        let looks = change(json!({ "has_effect": true })).unwrap();
        assert!(looks.has_effect);
        let same: Changes = serde_json::from_value(json!({ "method": "get" })).unwrap();
        assert!(same.apply(&looks).unwrap().has_effect);
    }

    #[test]
    fn headers_do_not_follow_to_another_origin() {
        for url in ["https://b.br/preco", "http://a.br/preco", "https://a.br:8443/preco"] {
            assert_eq!(change(json!({ "url": url })).unwrap_err().field, "url", "{url}");
            let again = json!({ "Authorization": "outra", "X-Loja": null });
            assert!(change(json!({ "url": url, "headers": again })).is_ok(), "{url}");
        }
        assert!(change(json!({ "url": "https://A.br:443/outro" })).is_ok());
    }

    #[test]
    fn what_is_wrong_is_refused_without_repeating_secrets() {
        assert_eq!(change(json!({ "name": "" })).unwrap_err().field, "name");
        assert_eq!(change(json!({ "headers": { "Host": "x" } })).unwrap_err().field, "headers");
        let wrong = json!({ "headers": { "X-A": 31415 } });
        let error = serde_json::from_value::<Changes>(wrong).unwrap_err().to_string();
        assert!(!error.contains("31415"), "{error}");
        assert!(serde_json::from_value::<Changes>(json!({ "timeout": 1 })).is_err());
    }
}
