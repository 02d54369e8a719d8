//! The figures of an answer, and whether its sources hold them.
//!
//! A wrong price or hour is the worst that an answer can hold, so each figure is read into a value
//! that is the same in every form ("R$ 1.200,00", "mil e duzentos reais", `"preco": 1200`) and
//! looked for among the values of the sources. What only counts ("2 pessoas"), numbers a list or a
//! room, or lasts ("30 minutos", "em até 2h", "atendemos 24h") is no figure. A sum or a difference of
//! two amounts of the sources, and a price taken as often as the answer says, need no source.

mod address;
mod claims;
mod clock;
mod coming;
mod date;
mod day;
mod denial;
mod found;
mod hour;
mod json;
mod lex;
mod licence;
mod limit;
mod money;
mod number;
mod percent;
mod phone;
mod price;
mod scan;
mod spoken;
mod sums;
mod units;

use chrono::NaiveDate;

use found::Found;
use lex::Text;
use licence::Licence;

pub use claims::{Claim, claims};
pub use found::{Currency, Day, DayPart, Phone, Value};

/// What relative days are counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Context {
    /// In the account's time zone.
    pub today: NaiveDate,
}

/// What a figure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FigureKind {
    Money,
    Percent,
    Clock,
    Date,
    Phone,
    Email,
    Link,
    /// "hoje", "sexta", "à tarde": only [`ungrounded_strict`] asks for its source.
    Day,
}

/// A figure of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    pub kind: FigureKind,
    /// As written in the answer.
    pub text: String,
    /// The same for all ways of writing it.
    pub value: Value,
}

impl Value {
    /// What the value is about.
    pub fn kind(&self) -> FigureKind {
        match self {
            Value::Money { .. } => FigureKind::Money,
            Value::Percent(_) => FigureKind::Percent,
            Value::Clock(_) => FigureKind::Clock,
            Value::Date { .. } => FigureKind::Date,
            Value::Phone(_) => FigureKind::Phone,
            Value::Email(_) => FigureKind::Email,
            Value::Link(_) => FigureKind::Link,
            Value::Day(_) => FigureKind::Day,
        }
    }
}

fn figure(text: &str, found: Found) -> Figure {
    let written = text.get(found.start..found.end).unwrap_or_default();
    Figure { kind: found.value.kind(), text: written.to_owned(), value: found.value }
}

/// All figures of a text, in order.
pub fn figures(text: &str, context: &Context) -> Vec<Figure> {
    let found = scan::scan(&Text::read(text), context.today).found;
    found.into_iter().map(|found| figure(text, found)).collect()
}

/// Figures of the answer that none of the sources holds in any form. Days are not asked for, and
/// today's date needs no source.
pub fn ungrounded(answer: &str, sources: &[&str], context: &Context) -> Vec<Figure> {
    let mut licence = Licence::new(context.today);
    licence.add_today();
    let text = Text::read(answer);
    let scan = scan::scan(&text, context.today);
    let counts = sums::counts(&text, &scan);
    let missing = missing(scan, sources, licence, |found, licence| {
        found.value.kind() == FigureKind::Day || licence.makes(found, &counts)
    });
    missing.into_iter().map(|found| figure(answer, found)).collect()
}

/// Figures of the answer that none of the sources holds, named days and parts of the day among
/// them: for turns in which only a successful tool result counts (DESIGN §5). No sum is made.
///
/// A day or an hour in a clause that only says what could not be had ("não consegui ver a agenda de
/// amanhã", "o horário das 14h acabou de ser ocupado"), that greets, or that says when a person will
/// answer offers nothing, and is not asked for.
pub fn ungrounded_strict(answer: &str, sources: &[&str], context: &Context) -> Vec<Figure> {
    let text = Text::read(answer);
    let scan = scan::scan(&text, context.today);
    let licence = Licence::new(context.today);
    let missing = missing(scan, sources, licence, |found, _| denial::offers_nothing(&text, found));
    missing.into_iter().map(|found| figure(answer, found)).collect()
}

/// What is neither excused nor in the sources.
fn missing(
    scan: scan::Scan,
    sources: &[&str],
    mut licence: Licence,
    excused: impl Fn(&Found, &Licence) -> bool,
) -> Vec<Found> {
    if scan.found.is_empty() {
        return Vec::new();
    }
    for source in sources {
        licence.add(source);
    }
    let mut found = scan.found;
    found.retain(|found| !licence.covers(found) && !excused(found, &licence));
    found
}

#[cfg(test)]
mod tests;
