//! How templates write values: instants, money, counts, names of states.

use std::fmt::Display;

use askama::filters::Safe;
use askama::{Result, Values};
use chrono::{DateTime, Utc};

use super::frame::Frame;
use super::{text, words};

/// An instant, or a reference to one: templates give either.
pub trait Instant {
    fn instant(&self) -> DateTime<Utc>;
}

impl Instant for DateTime<Utc> {
    fn instant(&self) -> DateTime<Utc> {
        *self
    }
}

impl<T: Instant> Instant for &T {
    fn instant(&self) -> DateTime<Utc> {
        (**self).instant()
    }
}

/// A number with a fraction, or a reference to one.
pub trait Amount {
    fn amount(&self) -> f64;
}

impl Amount for f64 {
    fn amount(&self) -> f64 {
        *self
    }
}

impl<T: Amount> Amount for &T {
    fn amount(&self) -> f64 {
        (**self).amount()
    }
}

/// `{{ message.delivery|word("delivery") }}`: the name of a state, from `templates/words`.
#[askama::filter_fn]
pub fn word(value: impl Display, _: &dyn Values, group: &str) -> Result<String> {
    Ok(words::of(group, &value.to_string()))
}

/// `{{ at|ago(frame) }}`: "há 3 min", with the exact time for whoever points at it.
#[askama::filter_fn]
pub fn ago(at: impl Instant, _: &dyn Values, frame: &Frame) -> Result<Safe<String>> {
    Ok(time(at.instant(), frame, &text::ago(at.instant(), frame.now)))
}

/// `{{ at|clock(frame) }}`: "09:30".
#[askama::filter_fn]
pub fn clock(at: impl Instant, _: &dyn Values, frame: &Frame) -> Result<Safe<String>> {
    let shown = at.instant().with_timezone(&frame.timezone).format("%H:%M").to_string();
    Ok(time(at.instant(), frame, &shown))
}

/// `{{ at|date(frame) }}`: "30/11/2026".
#[askama::filter_fn]
pub fn date(at: impl Instant, _: &dyn Values, frame: &Frame) -> Result<Safe<String>> {
    let shown = at.instant().with_timezone(&frame.timezone).format("%d/%m/%Y").to_string();
    Ok(time(at.instant(), frame, &shown))
}

/// `{{ at|when(frame) }}`: "30/11/2026 09:30".
#[askama::filter_fn]
pub fn when(at: impl Instant, _: &dyn Values, frame: &Frame) -> Result<Safe<String>> {
    let shown = at.instant().with_timezone(&frame.timezone).format("%d/%m/%Y %H:%M").to_string();
    Ok(time(at.instant(), frame, &shown))
}

/// `{{ 1234567|count }}`: "1.234.567".
#[askama::filter_fn]
pub fn count(value: impl Display, _: &dyn Values) -> Result<String> {
    Ok(text::grouped(&value.to_string()))
}

/// `{{ 12.5|brl }}`: "R$ 12,50"; cents of cents where there is nothing else.
#[askama::filter_fn]
pub fn brl(value: impl Amount, _: &dyn Values) -> Result<String> {
    Ok(text::brl(value.amount()))
}

/// `{{ 1532|ms }}`: "1,5 s".
#[askama::filter_fn]
pub fn ms(value: impl Display, _: &dyn Values) -> Result<String> {
    Ok(text::duration(value.to_string().parse().unwrap_or_default()))
}

/// `{{ 0.873|percent }}`: "87 %".
#[askama::filter_fn]
pub fn percent(value: impl Amount, _: &dyn Values) -> Result<String> {
    Ok(format!("{:.0} %", value.amount() * 100.0))
}

/// Nothing in it comes from people, so it needs no escaping.
fn time(at: DateTime<Utc>, frame: &Frame, shown: &str) -> Safe<String> {
    let exact = at.with_timezone(&frame.timezone).format("%d/%m/%Y %H:%M:%S");
    Safe(format!("<time datetime=\"{}\" title=\"{exact}\">{shown}</time>", at.to_rfc3339()))
}
