//! One walk over a text that asks every reader in turn.

use chrono::NaiveDate;

use super::FigureKind;
use super::address;
use super::found::{Found, Value};
use super::lex::{Kind, Text};
use super::phone;
use super::{clock, date, day, money, percent, price};

/// What a text holds.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub found: Vec<Found>,
    /// Days that are named in passing; see [`day`].
    pub idle: Vec<Found>,
    /// Tokens that are numbers and none of the others.
    pub bare: Vec<usize>,
}

/// Finds all figures of a text. Each reader looks a bounded way ahead and back.
pub(super) fn scan(text: &Text<'_>, today: NaiveDate) -> Scan {
    let mut scan = Scan::default();
    let mut at = 0;
    while at < text.len() {
        let token = &text.tokens[at];
        let address = match &token.kind {
            Kind::Link(link) => Some(found_link(link, token.start, token.end)),
            Kind::Email(email) => {
                Some(Found::new(Value::Email(email.clone()), token.start, token.end))
            }
            Kind::Phone(phone) => {
                Some(Found::new(Value::Phone(phone.clone()), token.start, token.end))
            }
            Kind::Number(_) | Kind::Word(_) | Kind::Sign(_) => None,
        };
        if let Some(found) = address {
            scan.found.push(found);
            at += 1;
            continue;
        }
        if text.is_item_number(at) {
            at += 1;
            continue;
        }
        let read = date::read(text, at)
            .or_else(|| clock::read(text, at))
            .or_else(|| percent::read(text, at))
            .or_else(|| money::read(text, at));
        if let Some((found, after)) = read {
            // A number without currency may be something else in JSON.
            let plain = matches!(token.kind, Kind::Number(_)) && after == at + 1;
            if plain && found.first().is_some_and(|found| found.value.kind() == FigureKind::Money) {
                scan.bare.push(at);
            }
            scan.found.extend(found);
            at = after.max(at + 1);
        } else if let Some((named, after)) = day::read(text, at, today) {
            let list = if named.idle { &mut scan.idle } else { &mut scan.found };
            list.push(named.found);
            at = after.max(at + 1);
        } else {
            if matches!(token.kind, Kind::Number(_)) {
                scan.bare.push(at);
                if scan.speaks_of_price(text, at) {
                    scan.found.extend(price::read_after_price(text, at));
                }
            }
            at += 1;
        }
    }
    scan
}

impl Scan {
    /// Whether the last figure is money, in the same sentence as token `at`.
    fn speaks_of_price(&self, text: &Text<'_>, at: usize) -> bool {
        let Some(last) = self.found.last() else { return false };
        let between = text.raw.get(last.end..text.tokens[at].start).unwrap_or("\n");
        let ends = |c: char| matches!(c, '.' | '!' | '?' | '\n' | ';');
        last.value.kind() == FigureKind::Money && between.len() < 60 && !between.contains(ends)
    }
}

fn found_link(link: &str, start: usize, end: usize) -> Found {
    let mut found = Found::new(Value::Link(link.to_owned()), start, end);
    let chat = address::chat_number(link).and_then(phone::from_digits);
    found.also.extend(chat.map(Value::Phone));
    found.lends.extend(address::lends(link).into_iter().map(Value::Link));
    found
}
