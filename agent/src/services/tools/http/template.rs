//! The address of a tool: a template whose `{name}`s are arguments, in path and query only. What
//! an argument holds never reaches beyond its own place.

use std::collections::BTreeSet;
use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Map, Value};
use url::Url;

use super::problem::Problem;

/// Longest template, in bytes.
const LONGEST: usize = 2_000;
/// Longest address that is called, in bytes.
const LONGEST_FILLED: usize = 8_000;
/// In the query: every argument that has no other place, as `name=value`.
const SPREAD: &str = "{*}";
/// What stays as it is: the unreserved characters of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Argument(String),
}

/// Where an argument of a call goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Path,
    Query,
    Body,
    /// Nowhere: the method has no body, and the template does not name it.
    Nowhere,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Place::Path => "path",
            Place::Query => "query",
            Place::Body => "body",
            Place::Nowhere => "not sent",
        })
    }
}

/// A template that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlTemplate {
    text: String,
    /// Scheme, host and port.
    base: Url,
    segments: Vec<Vec<Piece>>,
    pairs: Vec<Vec<Piece>>,
    spreads: bool,
}

/// Arguments that fit the schema, and not their place in the address. It names the argument, never
/// what it holds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    #[error("argumento {0} não cabe no endereço")]
    Argument(String),
    #[error("endereço longo demais")]
    TooLong,
}

impl UrlTemplate {
    /// Reads a template; the error says in words what is wrong.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        if text.len() > LONGEST {
            let text = format!("is longer than {LONGEST} bytes");
            return Err(Problem::of("too_long", LONGEST, text));
        }
        if text.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
            let text = "holds spaces, control characters or backslashes";
            return Err(Problem::new("url_spaces", text));
        }
        if text.contains('#') {
            return Err(Problem::new("url_fragment", "holds a fragment (#…), which is never sent"));
        }
        let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        let Some(scheme @ ("http" | "https")) = scheme.as_deref() else {
            return Err(Problem::new("url_scheme", "must begin with https:// or http://"));
        };
        let rest = &text[scheme.len() + "://".len()..];
        let (authority, rest) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        if authority.contains(['{', '}']) {
            return Err(Problem::new(
                "url_host_argument",
                "names arguments outside of path and query",
            ));
        }
        if authority.contains('@') {
            return Err(Problem::new("url_password", "holds a name or password; use a header"));
        }
        let base = Url::parse(&format!("{scheme}://{authority}/"))
            .map_err(|error| format!("has no host that can be read: {error}"))
            .map_err(|text| Problem::new("url_host", text))?;
        let (path, query) = match rest.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (rest, None),
        };
        let path = path.strip_prefix('/').unwrap_or(path);
        let segments: Result<Vec<_>, _> = path.split('/').map(pieces).collect();
        let written: Vec<&str> = query.into_iter().flat_map(|query| query.split('&')).collect();
        let spreads = written.contains(&SPREAD);
        let pairs = written.into_iter().filter(|pair| !pair.is_empty() && *pair != SPREAD);
        let pairs: Result<Vec<_>, Problem> = pairs.map(pair).collect();
        Ok(Self { text: text.to_owned(), base, segments: segments?, pairs: pairs?, spreads })
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Scheme, host and port, with the path `/`.
    pub fn base(&self) -> &Url {
        &self.base
    }

    /// Whether arguments without a place of their own go to the query.
    pub fn spreads(&self) -> bool {
        self.spreads
    }

    /// Names in the path.
    pub fn in_path(&self) -> BTreeSet<&str> {
        names(&self.segments)
    }

    /// Names in the query.
    pub fn in_query(&self) -> BTreeSet<&str> {
        names(&self.pairs)
    }

    /// The address of a call. A pair of the query none of whose arguments is there is left out.
    pub fn fill(&self, arguments: &Map<String, Value>) -> Result<Url, Unfit> {
        let mut path = Vec::with_capacity(self.segments.len());
        for segment in &self.segments {
            path.push(fill_segment(segment, arguments)?);
        }
        let mut query = Vec::new();
        for pair in &self.pairs {
            query.extend(fill_pair(pair, arguments));
        }
        if self.spreads {
            let (in_path, in_query) = (self.in_path(), self.in_query());
            let placed = |name: &str| in_path.contains(name) || in_query.contains(name);
            for (name, value) in arguments.iter().filter(|(name, _)| !placed(name)) {
                if let Some(value) = text_of(value) {
                    query.push(format!("{}={}", encode(name), encode(&value)));
                }
            }
        }
        let mut url = self.base.clone();
        url.set_path(&format!("/{}", path.join("/")));
        url.set_query((!query.is_empty()).then(|| query.join("&")).as_deref());
        if url.as_str().len() > LONGEST_FILLED { Err(Unfit::TooLong) } else { Ok(url) }
    }
}

fn names(lists: &[Vec<Piece>]) -> BTreeSet<&str> {
    let pieces = lists.iter().flatten();
    pieces
        .filter_map(|piece| match piece {
            Piece::Argument(name) => Some(name.as_str()),
            Piece::Literal(_) => None,
        })
        .collect()
}

fn pieces(text: &str) -> Result<Vec<Piece>, Problem> {
    let braces = |text: &str| Problem::new("url_braces", text);
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let split = after.split_once('}');
        let (name, after) = split.ok_or_else(|| braces("has a { without its }"))?;
        let known = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        if name.is_empty() || !name.chars().all(known) {
            let hint = "is no argument's name; {*} stands alone between the & of the query";
            return Err(Problem::of("url_argument", name, format!("{{{name}}} {hint}")));
        }
        found.push(Piece::Literal(before.to_owned()));
        found.push(Piece::Argument(name.to_owned()));
        rest = after;
    }
    found.push(Piece::Literal(rest.to_owned()));
    let is_open = |piece: &Piece| matches!(piece, Piece::Literal(text) if text.contains('}'));
    if found.iter().any(is_open) {
        return Err(braces("has a } without its {"));
    }
    found.retain(|piece| *piece != Piece::Literal(String::new()));
    Ok(found)
}

/// `name=value`: the name is the template's own.
fn pair(text: &str) -> Result<Vec<Piece>, Problem> {
    if text.split_once('=').is_some_and(|(name, _)| name.contains('{')) {
        let text = "names an argument left of a = in the query";
        return Err(Problem::new("url_query_name", text));
    }
    pieces(text)
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// Lists of plain values are joined by commas, other structures stay JSON; `None` is no value.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(items) if items.iter().all(|item| !item.is_array() && !item.is_object()) => {
            Some(items.iter().filter_map(text_of).collect::<Vec<_>>().join(","))
        }
        other => Some(other.to_string()),
    }
}

fn fill_segment(segment: &[Piece], arguments: &Map<String, Value>) -> Result<String, Unfit> {
    let mut filled = String::new();
    let mut last = None;
    for piece in segment {
        match piece {
            Piece::Literal(text) => filled.push_str(text),
            Piece::Argument(name) => {
                let unfit = || Unfit::Argument(name.clone());
                let value = arguments.get(name).filter(|value| !value.is_array());
                let value = value.filter(|value| !value.is_object()).and_then(text_of);
                let value = value.filter(|value| !value.is_empty()).ok_or_else(unfit)?;
                // Some servers take %2F for a slash.
                if value.split(['/', '\\']).any(is_dots) {
                    return Err(unfit());
                }
                filled.push_str(&encode(&value));
                last = Some(name);
            }
        }
    }
    // Two harmless halves, and %2e, make dots as well.
    let decoded = percent_decode_str(&filled).decode_utf8_lossy();
    match last {
        Some(name) if is_dots(&decoded) => Err(Unfit::Argument(name.clone())),
        _ => Ok(filled),
    }
}

fn is_dots(segment: &str) -> bool {
    matches!(segment, "." | "..")
}

fn fill_pair(pair: &[Piece], arguments: &Map<String, Value>) -> Option<String> {
    let mut filled = String::new();
    let (mut asks, mut given) = (false, false);
    for piece in pair {
        match piece {
            Piece::Literal(text) => filled.push_str(text),
            Piece::Argument(name) => {
                asks = true;
                if let Some(value) = arguments.get(name).and_then(text_of) {
                    given = true;
                    filled.push_str(&encode(&value));
                }
            }
        }
    }
    (given || !asks).then_some(filled)
}

#[cfg(test)]
mod tests;
