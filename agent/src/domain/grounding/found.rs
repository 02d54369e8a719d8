//! What was found in a text, and the values that make two ways of writing one thing.

use chrono::{NaiveDate, Weekday};

pub use super::phone::Phone;

/// What a price is in. A bare number, and "$", may be any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Currency {
    Real,
    Dollar,
    Euro,
    Pound,
}

/// A part of the day that is offered or booked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DayPart {
    Morning,
    Afternoon,
    Evening,
}

/// A day that is named and not dated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Day {
    /// "hoje", "amanhã", counted from today.
    On(NaiveDate),
    Weekday(Weekday),
    Part(DayPart),
    /// "semana que vem": the week that begins on this Monday.
    Week(NaiveDate),
    /// "fim de semana".
    Weekend,
}

/// What a figure says, whatever its form.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    Money {
        cents: u64,
        currency: Option<Currency>,
    },
    /// Ten-thousandths of a percent.
    Percent(u64),
    /// Minutes since midnight.
    Clock(u16),
    Date {
        day: u8,
        month: Option<u8>,
        year: Option<i32>,
    },
    Phone(Phone),
    Email(String),
    Link(String),
    Day(Day),
}

/// A place in a text and what it says.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub value: Value,
    /// Other readings, each as good: "às 3" in a sentence about the afternoon.
    pub also: Vec<Value>,
    /// What a source that says so vouches for besides: "2 da tarde" also for "às 2".
    pub lends: Vec<Value>,
    /// Bytes.
    pub start: usize,
    pub end: usize,
}

impl Found {
    pub fn new(value: Value, start: usize, end: usize) -> Found {
        Found { value, also: Vec::new(), lends: Vec::new(), start, end }
    }
}
