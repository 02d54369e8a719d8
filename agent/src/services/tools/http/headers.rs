//! The headers of a tool: names that anybody may see, values that nobody does.

use std::collections::BTreeMap;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::problem::Problem;
use crate::config::VaultError;

/// Most headers of one tool, and the longest value in bytes.
const MOST: usize = 20;
const LONGEST: usize = 4_096;

/// Headers that are the connection's own, or set by Lembra.
const NOT_YOURS: [&str; 13] = [
    "connection",
    "content-encoding",
    "content-length",
    "expect",
    "host",
    "idempotency-key",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// As they are given, and as they are encrypted.
#[derive(Debug, Clone, Default)]
pub struct GivenHeaders(pub BTreeMap<String, SecretString>);

impl<'de> Deserialize<'de> for GivenHeaders {
    /// An error of serde's own would repeat what was given.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = BTreeMap::deserialize(deserializer);
        read.map(Self).map_err(|_| D::Error::custom("headers are an object of names and texts"))
    }
}

/// Headers that were looked at. Printing shows the names.
#[derive(Debug, Clone, Default)]
pub struct SecretHeaders(BTreeMap<String, SecretString>);

impl SecretHeaders {
    /// The error names the header, never its value.
    pub fn read(given: GivenHeaders) -> Result<Self, Problem> {
        if given.0.len() > MOST {
            return Err(Problem::of("too_many_headers", MOST, format!("are more than {MOST}")));
        }
        let mut headers = BTreeMap::new();
        for (name, value) in given.0 {
            let Ok(parsed) = HeaderName::from_bytes(name.trim().as_bytes()) else {
                let text = format!("hold {name:?}, which is no header's name");
                return Err(Problem::of("no_header_name", name, text));
            };
            let name = parsed.as_str().to_owned();
            if NOT_YOURS.contains(&name.as_str()) {
                let text = format!("hold {name}, which is set for you or by nobody");
                return Err(Problem::of("not_your_header", name, text));
            }
            let text = value.expose_secret();
            let printable = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
            if text.len() > LONGEST || !printable {
                let rule = "is printable ASCII on one line, at most 4096 bytes";
                let text = format!("hold {name} with a value that is none: it {rule}");
                return Err(Problem::of("no_header_value", name, text));
            }
            if headers.insert(name.clone(), value).is_some() {
                let text = format!("hold {name} twice");
                return Err(Problem::of("header_twice", name, text));
            }
        }
        Ok(Self(headers))
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub fn to_given(&self) -> GivenHeaders {
        GivenHeaders(self.0.clone())
    }

    /// For a call; the values do not print.
    pub fn to_map(&self) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in &self.0 {
            let name = HeaderName::from_bytes(name.as_bytes());
            let value = HeaderValue::from_str(value.expose_secret());
            if let (Ok(name), Ok(mut value)) = (name, value) {
                value.set_sensitive(true);
                map.insert(name, value);
            }
        }
        map
    }

    /// The text that is encrypted.
    pub fn to_plain(&self) -> Result<String, VaultError> {
        let exposed: BTreeMap<&str, &str> =
            self.0.iter().map(|(name, value)| (name.as_str(), value.expose_secret())).collect();
        serde_json::to_string(&exposed).map_err(|_| VaultError::Format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(pairs: &[(&str, &str)]) -> GivenHeaders {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).into()));
        GivenHeaders(pairs.collect())
    }

    #[test]
    fn headers_are_named_and_never_shown() {
        let headers = SecretHeaders::read(given(&[
            ("Authorization", "Bearer jabuticaba"),
            ("X-Api-Key", "jabuticaba"),
        ]));
        let headers = headers.unwrap();
        assert_eq!(headers.names().collect::<Vec<_>>(), ["authorization", "x-api-key"]);
        let printed = format!("{headers:?} {:?} {:?}", headers.to_given(), headers.to_map());
        assert!(!printed.contains("jabuticaba"), "{printed}");
        let stored: GivenHeaders = serde_json::from_str(&headers.to_plain().unwrap()).unwrap();
        let again = SecretHeaders::read(stored).unwrap().to_map();
        assert_eq!(again["authorization"], "Bearer jabuticaba");
    }

    #[test]
    fn headers_that_are_no_texts_are_refused_without_repeating_them() {
        for text in [r#""jabuticaba""#, r#"["jabuticaba"]"#, r#"{"X-A": 31415}"#] {
            let error = serde_json::from_str::<GivenHeaders>(text).unwrap_err().to_string();
            assert!(!error.contains("jabuticaba") && !error.contains("31415"), "{error}");
        }
    }

    #[test]
    fn headers_that_are_none_or_not_theirs_are_refused_without_their_value() {
        for (name, value) in [
            ("", "segredo"),
            ("a b", "segredo"),
            ("X-A:", "segredo"),
            ("X-A\r\nX-B", "segredo"),
            ("X-A", "segredo\r\nX-B: 1"),
            ("X-A", "segredo\nX-B: 1"),
            ("X-A", "segredo ção"),
            ("X-A", "segredo\0"),
            ("Host", "segredo"),
            ("content-length", "segredo"),
            ("Transfer-Encoding", "segredo"),
            ("Idempotency-Key", "segredo"),
        ] {
            let error = SecretHeaders::read(given(&[(name, value)])).unwrap_err();
            assert!(!error.contains("segredo"), "{name}: {error}");
        }
        assert!(SecretHeaders::read(given(&[("X-A", "1"), ("x-a", "2")])).is_err());
        let many: Vec<String> = (0..21).map(|number| format!("x-{number}")).collect();
        let many: Vec<_> = many.iter().map(|name| (name.as_str(), "1")).collect();
        assert!(SecretHeaders::read(given(&many)).is_err());
    }
}
