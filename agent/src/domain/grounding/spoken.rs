//! Hours in words of their own: "meio-dia e meia", "quinze para as três", "half past two".

use super::clock::minutes;
use super::hour;
use super::lex::Text;
use super::number::{Words, Writing};
use super::units;

/// An hour in words that begins at token `at`: minutes since midnight, and the token after it.
pub(super) fn read(text: &Text<'_>, at: usize) -> Option<(u16, usize)> {
    named(text, at).or_else(|| before_the_hour(text, at)).or_else(|| past(text, at))
}

/// "e meia", "e quinze", "y cuarto", "menos diez" after an hour: minutes, and the token after.
pub(super) fn spoken_minutes(text: &Text<'_>, at: usize, words: bool) -> Option<(i64, usize)> {
    let sign = match text.word(at) {
        "e" | "y" => 1,
        "menos" => -1,
        _ => return None,
    };
    match text.word(at + 1) {
        "meia" | "media" => return Some((30 * sign, at + 2)),
        "cuarto" => return Some((15 * sign, at + 2)),
        _ => {}
    }
    let number = text.number(at + 1)?;
    let value = number.whole().filter(|value| (1..60).contains(value))?;
    let unit = text.is(at + 2, &["min", "mins", "minuto", "minutos"]);
    // "14h e 15h" are two hours.
    if text.is(at + 2, &["h", "hs", "hr", "hrs", "horas"])
        || text.sign(at + 2, ':') && text.glued(at + 2)
    {
        return None;
    }
    // "às 9 e 10" are two hours, "às 9 e 30" and "nove e dez" are one.
    let plain = value > 24 || value == 15 || number.writing == Writing::Words && words;
    (unit || plain).then(|| (i64::try_from(value).unwrap_or(0) * sign, at + 2 + usize::from(unit)))
}

/// "meio-dia", "meia-noite e meia", "noon".
fn named(text: &Text<'_>, at: usize) -> Option<(u16, usize)> {
    let dash = usize::from(text.sign(at + 1, '-'));
    let second = text.word(at + 1 + dash);
    let (hour, after) = match text.word(at) {
        "meiodia" | "mediodia" | "noon" | "midday" => (12, at + 1),
        "meianoite" | "medianoche" | "midnight" => (0, at + 1),
        "meio" | "medio" if second == "dia" => (12, at + 2 + dash),
        "meia" | "media" if matches!(second, "noite" | "noche") => (0, at + 2 + dash),
        _ => return None,
    };
    // "meio dia de folga"
    if hour == 12
        && text.is(after, &["de"])
        && !text.line(after)
        && hour::half(text.word(after + 1)).is_none()
    {
        let spent = text.before(at, 1);
        if matches!(spent, "" | "um" | "por")
            && !text.is(
                after + 1,
                &[
                    "hoje", "amanha", "segunda", "terca", "quarta", "quinta", "sexta", "sabado",
                    "domingo",
                ],
            )
        {
            return None;
        }
    }
    match spoken_minutes(text, after, true) {
        Some((minute @ 1.., after)) => Some((minutes(hour, minute.unsigned_abs()), after)),
        _ => Some((minutes(hour, 0), after)),
    }
}

/// "quinze para as três", "10 pras 9", "cinco para o meio-dia".
fn before_the_hour(text: &Text<'_>, at: usize) -> Option<(u16, usize)> {
    let missing = text.whole(at, 29).filter(|value| *value > 0)?;
    let unit = usize::from(text.is(at + 1, &["min", "minutos", "minuto"]));
    let mut place = at + 1 + unit;
    place += match (text.word(place), text.word(place + 1)) {
        ("para" | "pra" | "p", "as" | "a" | "o" | "la" | "las") => 2,
        ("pras" | "pra" | "pro", _) => 1,
        _ => return None,
    };
    let (hour, after) = match named(text, place) {
        Some((minutes, after)) => (u64::from(minutes) / 60, after),
        None => (text.whole(place, 24)?, place + 1),
    };
    let after = after + usize::from(text.is(after, &["h", "hs", "horas"]));
    if units::is_counted(text.word(after)) || missing % 5 != 0 {
        return None;
    }
    let (hour, after) = match hour::half_after(text, after) {
        Some((half, after)) => (half.hour(hour), after),
        None => (hour, after),
    };
    Some((u16::try_from((hour * 60 + 1440 - missing) % 1440).ok()?, after))
}

/// "half past two", "quarter to nine".
fn past(text: &Text<'_>, at: usize) -> Option<(u16, usize)> {
    let part = match text.word(at) {
        "half" => 30,
        "quarter" => 15,
        _ => return None,
    };
    let hour = text.whole(at + 2, 12)?;
    let (hour, after) = match hour::half_after(text, at + 3) {
        Some((half, after)) => (half.hour(hour), after),
        None => (hour, at + 3),
    };
    match text.word(at + 1) {
        "past" => Some((minutes(hour, part), after)),
        "to" if part == 15 => Some((minutes(hour + 23, 45), after)),
        _ => None,
    }
}
