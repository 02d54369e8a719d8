//! Forms: what is wrong with their fields, said beside them, and what administration answers.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue};
use askama::Template;
use askama::filters::{Html, escape};
use lembra_agent::domain::fields::{Invalid, Reason};
use lembra_agent::services::board::admin::AdminError;

use super::{respond, words};

pub use crate::access::actor;

/// What is wrong with the fields of a form, in words.
#[derive(Debug, Clone, Default)]
pub struct Errors(BTreeMap<String, String>);

impl Errors {
    pub fn of(invalid: &Invalid) -> Self {
        let said = invalid.0.iter().map(|(field, why)| ((*field).to_owned(), reason(why)));
        Self(said.collect())
    }

    /// One field, with words that were made already.
    pub fn one(field: &str, text: impl Into<String>) -> Self {
        Self(BTreeMap::from([(field.to_owned(), text.into())]))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn has(&self, field: &str) -> bool {
        self.0.contains_key(field)
    }

    /// Attributes of a control that is refused: HTML, for the filter `safe`.
    pub fn mark(&self, field: &str) -> String {
        if !self.has(field) {
            return String::new();
        }
        format!(" aria-invalid=\"true\" aria-describedby=\"{field}-error\"")
    }

    /// The sentence below it: HTML, for the filter `safe`.
    pub fn note(&self, field: &str) -> String {
        let Some(text) = self.0.get(field) else { return String::new() };
        // Writing to a text does not fail.
        let shown = escape(text, Html).map(|text| text.to_string()).unwrap_or_default();
        format!("<p class=\"error\" id=\"{field}-error\">{shown}</p>")
    }

    /// What the first field says, for forms that have one.
    pub fn first(&self) -> &str {
        self.0.values().next().map_or("", String::as_str)
    }
}

/// A reason in words.
pub fn reason(reason: &Reason) -> String {
    let values = reason.values();
    let values: Vec<(&str, &str)> =
        values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    words::filled(&format!("reason.{}", reason.code()), &values)
}

/// Answers what went wrong where there is no form to show it in; refused fields become a notice.
pub fn unable(error: &AdminError) -> HttpResponse {
    match error {
        AdminError::NotFound => respond::gone(),
        AdminError::Store(error) => respond::failed(error),
        AdminError::BeyondYou => respond::cannot(StatusCode::FORBIDDEN, "reason.beyond_you"),
        // A 422 would take the place of what sent it.
        AdminError::Invalid(invalid) => {
            respond::cannot_saying(StatusCode::BAD_REQUEST, Errors::of(invalid).first())
        }
        AdminError::Vault(_) | AdminError::Hash => {
            tracing::error!(%error, "page");
            respond::cannot(StatusCode::INTERNAL_SERVER_ERROR, "notice.failed")
        }
    }
}

/// Answers with something that is shown in the place of the form, and has the page's changing part
/// asked for again.
pub fn shown(template: &impl Template) -> HttpResponse {
    let mut response = respond::page(template);
    let refresh = HeaderValue::from_static("{\"refresh\":{}}");
    response.headers_mut().insert(HeaderName::from_static("hx-trigger"), refresh);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_field_is_marked_and_says_why() {
        let errors = Errors::of(&Invalid::one("name", Reason::TooLong(80)));
        assert!(errors.mark("name").contains("aria-describedby=\"name-error\""));
        assert!(errors.note("name").contains("80") && !errors.note("name").contains('{'));
        assert!(errors.mark("email").is_empty() && errors.note("email").is_empty());
        let errors = Errors::one("name", "<b>");
        assert!(!errors.note("name").contains("<b>"));
    }

    #[test]
    fn every_reason_has_its_words() {
        for reason in [
            Reason::Required,
            Reason::TooLong(1),
            Reason::TooShort(1),
            Reason::NotOneOf("a".into()),
            Reason::OutOfRange { min: 1, max: 2 },
            Reason::NoTimezone,
            Reason::NoAmount,
            Reason::AmbiguousAmount,
            Reason::Unpriced,
            Reason::NoAddress,
            Reason::UntidyAddress,
            Reason::PrivateAddress,
            Reason::NeededAgain,
            Reason::NoEmail,
            Reason::NotDigits,
            Reason::Taken,
            Reason::Unknown,
            Reason::BeyondYou,
            Reason::LastAdmin,
            Reason::Wrong,
            Reason::Same,
            Reason::Mismatch,
            Reason::OtherChannel,
        ] {
            let said = super::reason(&reason);
            assert_ne!(said, reason.code());
            assert!(!said.contains('{'), "{said}");
        }
    }
}
