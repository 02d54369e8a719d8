//! Hours of the day: `14h`, `14:30`, "2 da tarde", "das 8 às 18h", "meio-dia", `2:30 p.m.`

use super::found::{Found, Value};
use super::hour::{self, Cue, Half};
use super::lex::Text;
use super::number::{Words, Writing};
use super::{limit, spoken, units};

/// Most hours read as one list: "9h, 10h, 11h e 14h".
const LONGEST_LIST: usize = 12;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `14:00`
    Colon,
    /// `14h`, `14h30`
    Letter,
    /// "14 horas"
    Hours,
    /// "duas e meia"
    Halves,
    Bare,
}

/// One hour of a list.
#[derive(Debug, Clone, Copy)]
struct Element {
    place: usize,
    after: usize,
    hour: u64,
    minute: u64,
    form: Form,
    half: Option<Half>,
    /// An hour whatever stands beside it.
    certain: bool,
    cue: Cue,
}

/// Reads the hours that begin at token `at`, and gives the token after them.
pub(super) fn read(text: &Text<'_>, at: usize) -> Option<(Vec<Found>, usize)> {
    if let Some((minutes, after)) = spoken::read(text, at) {
        return Some((vec![found(text, minutes, at, after)], after));
    }
    list(text, at)
}

pub(super) fn minutes(hour: u64, minute: u64) -> u16 {
    u16::try_from((hour % 24) * 60 + minute).unwrap_or_default()
}

/// Added to the minutes of an hour said without its half of the day, "às 2": it may be what "2 da
/// tarde" of a source means, and "2h" may not.
pub(super) const TWELVE: u16 = 24 * 60;

fn found(text: &Text<'_>, minutes: u16, from: usize, after: usize) -> Found {
    Found::new(Value::Clock(minutes), text.tokens[from].start, text.tokens[after - 1].end)
}

/// A number that may be an hour, with its minutes and half of the day.
fn element(text: &Text<'_>, place: usize) -> Option<Element> {
    let cue = hour::cue(text, place);
    let number = text.number(place)?;
    let unit = |at: usize| text.is(at, &["h", "hs", "hr", "hrs", "hras"]);
    let dotted = number.dot && number.decimals == 2 && number.digits <= 2;
    let (hour, minute, form, mut after) = if dotted && (cue == Cue::Strong || unit(place + 1)) {
        // "às 14.30", "14.30h"
        let minute = number.value % super::number::SCALE / 100;
        let after = place + 1 + usize::from(unit(place + 1));
        (number.value / super::number::SCALE, minute, Form::Colon, after)
    } else {
        let hour = number.whole()?;
        if number.digits > 2 {
            return None;
        }
        clock_face(text, place, hour)
    };
    if hour > 24 || minute > 59 || hour == 24 && minute > 0 {
        return None;
    }
    let half = hour::half_after(text, after);
    if let Some((_, end)) = half {
        after = end;
    }
    let half = half.map(|(half, _)| half).filter(|_| hour <= 12);
    after += usize::from(text.is(after, &["em"]) && text.is(after + 1, &["ponto"])) * 2;
    let mut element = Element { place, after, hour, minute, form, half, certain: false, cue };
    element.certain = is_certain(text, &element);
    Some(element)
}

/// Hour, minute, form and the token after, for a whole number.
fn clock_face(text: &Text<'_>, place: usize, hour: u64) -> (u64, u64, Form, usize) {
    let two_digits = |at: usize| {
        let number = text.number(at)?;
        (text.glued(at) && number.digits == 2).then_some(number.value / super::number::SCALE)
    };
    let next = place + 1;
    if text.sign(next, ':')
        && text.glued(next)
        && let Some(minute) = two_digits(next + 1)
    {
        let mut after = place + 3;
        if text.sign(after, ':') && two_digits(after + 1).is_some() {
            after += 2;
        }
        if text.glued(after) && text.is(after, &["h", "hs", "hrs", "min"])
            || text.is(after, &["h", "hs", "hrs", "horas"])
        {
            after += 1;
        }
        return (hour, minute, Form::Colon, after);
    }
    let spoken = |after: usize, form: Form| match spoken::spoken_minutes(
        text,
        after,
        form != Form::Letter,
    ) {
        Some((minute @ 0.., end)) => Some((hour, minute.unsigned_abs(), end)),
        Some((minute, end)) if hour > 0 => Some((hour - 1, 60 - minute.unsigned_abs(), end)),
        _ => None,
    };
    if text.is(next, &["h", "hs", "hr", "hrs", "hras"]) {
        let at = next + 1;
        let minutes = text.is(at + 1, &["min", "mins", "minutos", "m"]);
        if let Some(minute) = two_digits(at) {
            return (hour, minute, Form::Letter, at + 1 + usize::from(minutes));
        }
        if minutes && let Some(minute) = text.whole(at, 59) {
            return (hour, minute, Form::Letter, at + 2);
        }
        return match spoken(at, Form::Letter) {
            Some((hour, minute, after)) => (hour, minute, Form::Letter, after),
            None => (hour, 0, Form::Letter, at),
        };
    }
    if text.is(next, &["hora", "horas"]) {
        return match spoken(next + 1, Form::Hours) {
            Some((hour, minute, after)) => (hour, minute, Form::Hours, after),
            None => (hour, 0, Form::Hours, next + 1),
        };
    }
    if text.is(next, &["o"]) && text.is(next + 2, &["clock"]) {
        return (hour, 0, Form::Halves, next + 3);
    }
    let words = text.number(place).is_some_and(|number| number.writing == Writing::Words);
    match spoken(next, if words { Form::Halves } else { Form::Letter }) {
        Some((hour, minute, after)) => (hour, minute, Form::Halves, after),
        None => (hour, 0, Form::Bare, next),
    }
}

/// Whether an element is an hour by itself.
fn is_certain(text: &Text<'_>, element: &Element) -> bool {
    let Element { place, after, hour, cue, form, half, .. } = *element;
    let name = units::is_name(text.before(place, 1));
    if half.is_some() {
        return !name || form != Form::Bare;
    }
    let small = (1..6).contains(&hour);
    let lasting = || hour::is_duration(text, place, after, small);
    match form {
        Form::Colon => cue > Cue::Day || !small || !lasting(),
        Form::Letter if cue == Cue::Strong => true,
        Form::Letter if cue > Cue::None => !lasting() && (hour != 24 || cue == Cue::Weak),
        Form::Letter => !small && hour != 24 && !lasting(),
        Form::Hours => {
            cue == Cue::Strong || cue > Cue::None && !lasting() || text.is(after - 1, &["ponto"])
        }
        Form::Halves => {
            let clock = text.is(after - 1, &["clock"]);
            clock || cue > Cue::Day && hour::closes(text, after, cue)
        }
        Form::Bare => {
            cue > Cue::Day && hour::closes(text, after, cue) && !limit::is_limit(text, place, after)
        }
    }
}

/// The token after what joins two hours, if anything does: "às", "e das", "-", ",".
fn joint(text: &Text<'_>, at: usize) -> Option<(usize, bool)> {
    let mut place = at;
    let mut range = false;
    for _ in 0..3 {
        let word = text.word(place);
        let sign = text.any_sign(place);
        let joins = matches!(
            word,
            "e" | "ou"
                | "y"
                | "o"
                | "u"
                | "and"
                | "or"
                | "ate"
                | "a"
                | "as"
                | "das"
                | "to"
                | "hasta"
                | "las"
                | "until"
                | "de"
                | "da"
                | "so"
        ) || matches!(sign, Some(',' | '-' | '/' | '|' | ';'));
        if !joins {
            break;
        }
        range |= matches!(word, "as" | "ate" | "a" | "to" | "hasta" | "until") || sign == Some('-');
        place += 1;
    }
    (place > at).then_some((place, range))
}

fn list(text: &Text<'_>, at: usize) -> Option<(Vec<Found>, usize)> {
    let mut elements = vec![element(text, at)?];
    let mut joints = Vec::new();
    while let Some(last) = elements.last().filter(|_| elements.len() < LONGEST_LIST) {
        let Some((place, range)) = joint(text, last.after) else { break };
        let Some(next) = element(text, place) else { break };
        if text.line(place) {
            break;
        }
        elements.push(next);
        joints.push(range);
    }
    settle(text, &mut elements, &joints);
    let count = elements.iter().take_while(|element| element.certain).count();
    let last = elements[..count].last()?;
    let late = last.half;
    let mut all = Vec::new();
    for element in &elements[..count] {
        all.push(said(text, element, late, last.hour));
    }
    Some((all, offset_end(text, at, last.after)))
}

/// Makes hours of the bare numbers that hours stand beside.
fn settle(text: &Text<'_>, elements: &mut [Element], joints: &[bool]) {
    let strong = elements[0].cue == Cue::Strong && elements[0].certain;
    for index in 1..elements.len() {
        let (before, this) = (elements[index - 1], elements[index]);
        let closes = hour::closes(text, this.after, Cue::Strong);
        let timed = this.form != Form::Bare && this.form != Form::Halves;
        let lasting = || hour::is_duration(text, this.place, this.after, this.hour < 6);
        let whole = this.form == Form::Hours && !lasting();
        let follows = before.certain && (joints[index - 1] || strong || whole) && (closes || timed);
        elements[index].certain |= follows && (timed || this.form == Form::Bare);
    }
    for index in (1..elements.len()).rev() {
        let this = elements[index - 1];
        let alone = this.place == elements[0].place;
        let name =
            units::is_name(text.before(this.place, 1)) || text.before(this.place, 1) == "dia";
        // "1 - 14h" numbers an option.
        let item = alone && text.line(this.place) && this.hour < 6 && !text.glued(this.after);
        let fits = elements[index].certain && !name && !item;
        let lasting = this.form != Form::Bare
            && hour::is_duration(text, this.place, this.after, this.hour < 6);
        elements[index - 1].certain |= fits && !lasting;
    }
}

/// What an element says, in the half of the day that the list ends in.
fn said(text: &Text<'_>, element: &Element, late: Option<Half>, last: u64) -> Found {
    let Element { place, after, hour, minute, half, .. } = *element;
    let shared = late.filter(|_| half.is_none() && hour <= last % 12 && hour > 0);
    let spoken = half.or(shared);
    let real = spoken.map_or(hour, |half| half.hour(hour));
    let mut found = found(text, minutes(real, minute), place, after);
    let plain = Value::Clock(minutes(hour, minute));
    let spoken = half.is_none() && matches!(element.form, Form::Bare | Form::Halves);
    if spoken && hour <= 12 {
        found.also.push(Value::Clock(TWELVE + minutes(hour, minute)));
    }
    if half.is_some() {
        found.lends.push(Value::Clock(TWELVE + minutes(hour, minute)));
    } else if real != hour {
        found.also.push(plain);
    } else if half.is_none() && (1..12).contains(&hour) && hour::is_late(text, place) {
        found.also.push(Value::Clock(minutes(hour + 12, minute)));
    }
    found
}

/// The token after the offset of an instant (`T14:00:00-03:00`, `…Z`).
fn offset_end(text: &Text<'_>, at: usize, after: usize) -> usize {
    if !(text.before(at, 1) == "t" && text.glued(at) && text.glued(after)) {
        return after;
    }
    if text.word(after) == "z" {
        return after + 1;
    }
    let signed =
        matches!(text.any_sign(after), Some('+' | '-')) && text.whole(after + 1, 2400).is_some();
    match (signed, text.sign(after + 2, ':')) {
        (true, true) => after + 4,
        (true, false) => after + 2,
        _ => after,
    }
}
