//! An account's conversations, by who wrote last: found through the account's index, in pages.
//!
//! What the index does not know is asked of the conversations in its order, of at most
//! [`LOOKED_AT`] per page: a page that found little then says where to go on. What is rare has an
//! index of its own, through which it is found at once.

use std::fmt;

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, Value};

use crate::domain::conversation::Handler;
use crate::store::StoreResult;
use crate::store::rowset::query;

/// Conversations that one page looks at.
const LOOKED_AT: i64 = 2_000;
/// Rare ones that are taken into account.
const RARE: i64 = 5_000;

/// Which conversations are wanted; what is absent does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    pub state: Option<State>,
    pub handler: Option<Handler>,
    /// A person is waited for, and nobody has taken it.
    pub waiting: bool,
    pub inbox_id: Option<i64>,
    pub unit_id: Option<i64>,
    /// What triage said of the customer's last message.
    pub verdict: Option<String>,
    /// A message failed or stayed unclear, and nobody dealt with it.
    pub undelivered: bool,
}

impl Filter {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Whether a conversation goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Open,
    Resolved,
}

impl State {
    pub fn as_str(self) -> &'static str {
        match self {
            State::Open => "open",
            State::Resolved => "resolved",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        [State::Open, State::Resolved].into_iter().find(|state| state.as_str() == word)
    }
}

/// A place in the list: a conversation with the time of its last message. Written as
/// `MICROSECONDS-ID`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    pub at: DateTime<Utc>,
    pub id: i64,
}

impl Cursor {
    /// `None` where it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let (micros, id) = text.split_once('-')?;
        Some(Self {
            at: DateTime::from_timestamp_micros(micros.parse().ok()?)?,
            id: id.parse().ok()?,
        })
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.at.timestamp_micros(), self.id)
    }
}

/// What a page found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Latest first.
    pub ids: Vec<i64>,
    /// Where to go on; absent at the end.
    pub next: Option<Cursor>,
}

/// Values of a statement with the numbers that stand for them.
#[derive(Default)]
pub(super) struct Bound(pub Vec<Value>);

impl Bound {
    pub fn add(&mut self, value: impl Into<Value>) -> String {
        self.0.push(value.into());
        format!("${}", self.0.len())
    }
}

/// The conversations behind `before`, latest first.
pub async fn page(
    db: &impl ConnectionTrait,
    account_id: i64,
    filter: &Filter,
    before: Option<Cursor>,
    limit: usize,
) -> StoreResult<Found> {
    let mut bound = Bound::default();
    let account = bound.add(account_id);
    let looked_at = match filter.is_empty() {
        true => i64::try_from(limit).unwrap_or(LOOKED_AT).saturating_add(1),
        false => LOOKED_AT,
    };
    let most = bound.add(looked_at);
    let rare = rare(filter, &account);
    let from = match &rare {
        None => "conversations AS c WHERE ".to_owned(),
        Some(rare) => {
            format!("({rare}) AS rare CROSS JOIN conversations AS c WHERE c.id = rare.id AND ")
        }
    };
    let behind = match before {
        None => String::new(),
        Some(before) => {
            let (at, id) = (bound.add(before.at), bound.add(before.id));
            format!("AND (c.last_message_at, c.id) < ({at}, {id})")
        }
    };
    let fits = fits(filter, &mut bound);
    let sql = format!(
        "WITH looked_at AS MATERIALIZED (\
           SELECT c.id, c.last_message_at, c.inbox_id, c.captain_unit_id, c.state, c.handler \
           FROM {from} c.account_id = {account} {behind} \
           ORDER BY c.last_message_at DESC, c.id DESC LIMIT {most}) \
         SELECT id, last_message_at, {fits} AS fits FROM looked_at \
         ORDER BY last_message_at DESC, id DESC"
    );
    let rows = query(db, sql, bound.0).await?;
    let mut found = Found::default();
    let mut last = None;
    for row in &rows {
        let id = row.try_get("", "id")?;
        if row.try_get("", "fits")? {
            if found.ids.len() == limit {
                found.next = last;
                return Ok(found);
            }
            found.ids.push(id);
        }
        last = Some(Cursor { at: row.try_get("", "last_message_at")?, id });
    }
    // The end of what was looked at is not the end.
    found.next = last.filter(|_| i64::try_from(rows.len()) == Ok(looked_at) && !filter.is_empty());
    Ok(found)
}

/// The ids of what is rare among the conversations wanted.
fn rare(filter: &Filter, account: &str) -> Option<String> {
    if filter.undelivered {
        return Some(format!(
            "SELECT DISTINCT conversation_id AS id FROM messages WHERE account_id = {account} \
             AND delivery IN ('failed', 'unknown') AND attended_at IS NULL LIMIT {RARE}"
        ));
    }
    if filter.waiting {
        return Some(format!(
            "SELECT conversation_id AS id FROM handoffs WHERE account_id = {account} \
             AND closed_at IS NULL AND state = 'waiting' LIMIT {RARE}"
        ));
    }
    // Where a person is in charge of one that is over, it is found by looking.
    (filter.handler == Some(Handler::Human) && filter.state == Some(State::Open)).then(|| {
        format!(
            "SELECT id FROM conversations WHERE account_id = {account} \
             AND state = 'open' AND handler = 'human' LIMIT {RARE}"
        )
    })
}

/// The condition of a row of `looked_at`.
fn fits(filter: &Filter, bound: &mut Bound) -> String {
    let mut all = Vec::new();
    if let Some(state) = filter.state {
        all.push(format!("state = {}", bound.add(state.as_str())));
    }
    if let Some(handler) = filter.handler {
        all.push(format!("handler = {}", bound.add(handler.as_str())));
    }
    if filter.waiting {
        all.push(
            "EXISTS (SELECT 1 FROM handoffs WHERE handoffs.conversation_id = looked_at.id \
             AND handoffs.closed_at IS NULL AND handoffs.state = 'waiting')"
                .to_owned(),
        );
    }
    if let Some(inbox_id) = filter.inbox_id {
        all.push(format!("inbox_id = {}", bound.add(inbox_id)));
    }
    if let Some(unit_id) = filter.unit_id {
        all.push(format!(
            "COALESCE(captain_unit_id, (SELECT unit_id FROM inboxes \
             WHERE inboxes.id = looked_at.inbox_id), 0) = {}",
            bound.add(unit_id)
        ));
    }
    let cheap = match all.is_empty() {
        true => "1 = 1".to_owned(),
        false => all.join(" AND "),
    };
    match &filter.verdict {
        None => format!("({cheap})"),
        // Asked only where the rest fits.
        Some(verdict) => format!(
            "CASE WHEN {cheap} THEN COALESCE((SELECT verdict FROM messages \
             WHERE messages.conversation_id = looked_at.id AND direction = 'in' \
             AND verdict IS NOT NULL ORDER BY messages.id DESC LIMIT 1) = {}, 1 = 0) \
             ELSE 1 = 0 END",
            bound.add(verdict.clone())
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_the_list_is_written_and_read() {
        let at = DateTime::from_timestamp_micros(1_800_000_000_123_456).unwrap();
        let cursor = Cursor { at, id: 42 };
        assert_eq!(cursor.to_string(), "1800000000123456-42");
        assert_eq!(Cursor::parse(&cursor.to_string()), Some(cursor));
        for none in ["", "42", "x-1", "1-x", "99999999999999999999-1"] {
            assert_eq!(Cursor::parse(none), None, "{none}");
        }
    }
}
