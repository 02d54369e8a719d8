//! What the page's address asks of the list.

use lembra_agent::domain::conversation::Handler;
use lembra_agent::services::board::conversations::Asked;
use lembra_agent::store::board::conversations::{Cursor, Filter, State};
use serde::Deserialize;
use url::form_urlencoded::Serializer;

/// Conversations of one page.
pub const PAGE: usize = 40;

/// Choices of the list, as the form sends them; what is blank does not matter.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ListAsked {
    /// `open` where it is blank, `waiting`, `human`, `bot`, `undelivered`, `resolved` or `all`.
    pub view: String,
    pub search: String,
    pub line: String,
    pub unit: String,
    pub verdict: String,
    /// Where the page before ended.
    pub before: String,
    /// The conversation that is open beside the list.
    pub current: Option<i64>,
}

impl ListAsked {
    /// Whether words, names or numbers are looked for: then in all conversations.
    pub fn is_search(&self) -> bool {
        !self.search.trim().is_empty()
    }

    /// Whether more is chosen than the view.
    pub fn is_narrowed(&self) -> bool {
        [&self.line, &self.unit, &self.verdict].iter().any(|choice| !choice.is_empty())
    }

    fn filter(&self) -> Filter {
        let narrow = Filter {
            inbox_id: self.line.parse().ok(),
            unit_id: self.unit.parse().ok(),
            verdict: (!self.verdict.is_empty()).then(|| self.verdict.clone()),
            ..Filter::default()
        };
        let open = Some(State::Open);
        match self.view.as_str() {
            _ if self.is_search() => narrow,
            "waiting" => Filter { waiting: true, ..narrow },
            "human" => Filter { state: open, handler: Some(Handler::Human), ..narrow },
            "bot" => Filter { state: open, handler: Some(Handler::Bot), ..narrow },
            "undelivered" => Filter { undelivered: true, ..narrow },
            "resolved" => Filter { state: Some(State::Resolved), ..narrow },
            "all" => narrow,
            _ => Filter { state: open, ..narrow },
        }
    }

    /// The same for the service.
    pub fn asked(&self) -> Asked {
        Asked {
            filter: self.filter(),
            search: self.search.clone(),
            before: Cursor::parse(&self.before),
            limit: PAGE,
        }
    }

    /// The choices as a query, without a place in the list; empty where nothing is chosen.
    pub fn query(&self) -> String {
        let mut query = Serializer::new(String::new());
        for (name, value) in [
            ("view", &self.view),
            ("search", &self.search),
            ("line", &self.line),
            ("unit", &self.unit),
            ("verdict", &self.verdict),
        ] {
            if !value.is_empty() {
                query.append_pair(name, value);
            }
        }
        query.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_conversations_are_shown_unless_others_are_chosen() {
        let asked = ListAsked::default();
        assert_eq!(asked.filter().state, Some(State::Open));
        assert_eq!(asked.query(), "");
        let all = ListAsked { view: "all".into(), line: "3".into(), ..ListAsked::default() };
        assert_eq!(all.filter(), Filter { inbox_id: Some(3), ..Filter::default() });
        assert_eq!(all.query(), "view=all&line=3");
    }

    #[test]
    fn a_search_looks_in_all_conversations() {
        let asked = ListAsked {
            search: "João & cia".into(),
            view: "waiting".into(),
            ..ListAsked::default()
        };
        assert_eq!(asked.filter(), Filter::default());
        assert_eq!(asked.query(), "view=waiting&search=Jo%C3%A3o+%26+cia");
    }
}
