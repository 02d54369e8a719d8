//! What is wrong with a part of a declaration: in words, and as a code that pages translate.

use std::fmt;
use std::ops::Deref;

/// A sentence that goes on from the field's name: "url has no host".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Stable.
    pub code: &'static str,
    /// What it is about, where it is about one thing; never a header's value.
    pub value: String,
    text: String,
}

impl Problem {
    pub fn new(code: &'static str, text: impl Into<String>) -> Self {
        Self { code, value: String::new(), text: text.into() }
    }

    /// A problem with one thing among several.
    pub fn of(code: &'static str, value: impl fmt::Display, text: impl Into<String>) -> Self {
        Self { value: value.to_string(), ..Self::new(code, text) }
    }
}

impl Deref for Problem {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}
