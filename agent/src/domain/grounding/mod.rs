//! The figures of an answer, and whether its sources hold them.
//!
//! A wrong price or hour is the worst that an answer can hold, so each figure is read into a value
//! that is the same in every form ("R$ 1.200,00", "mil e duzentos reais", `"preco": 1200`) and
//! looked for among the values of the sources. What only counts ("2 pessoas"), numbers a list or a
//! room, or lasts ("30 minutos", "em até 2h", "atendemos 24h") is no figure. Sums that a model made
//! itself are not in its sources, and so not grounded.

mod address;
mod claims;
mod clock;
mod date;
mod day;
mod found;
mod hour;
mod json;
mod lex;
mod licence;
mod money;
mod number;
mod percent;
mod phone;
mod price;
mod scan;
mod spoken;
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
    let mut figures = missing(answer, sources, context, licence);
    figures.retain(|figure| figure.kind != FigureKind::Day);
    figures
}

/// Figures of the answer that none of the sources holds, named days and parts of the day among
/// them: for turns in which only a successful tool result counts (DESIGN §5).
///
/// A day in a clause that only says a search failed ("não consegui ver a agenda de amanhã") offers
/// nothing, and is not asked for.
pub fn ungrounded_strict(answer: &str, sources: &[&str], context: &Context) -> Vec<Figure> {
    missing(answer, sources, context, Licence::new(context.today))
}

fn missing(answer: &str, sources: &[&str], context: &Context, mut licence: Licence) -> Vec<Figure> {
    let found = scan::scan(&Text::read(answer), context.today).found;
    if found.is_empty() {
        return Vec::new();
    }
    for source in sources {
        licence.add(source);
    }
    let missing = found.into_iter().filter(|found| !licence.covers(found));
    missing.map(|found| figure(answer, found)).collect()
}

#[cfg(test)]
mod tests;
