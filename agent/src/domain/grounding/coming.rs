//! The coming dates that a named day of a source vouches for.

use chrono::{Datelike, Days, NaiveDate, Weekday};

use super::day;
use super::found::{Day, Value};
use super::lex::Text;
use super::number::Words;

/// The dates meant by the day named from token `at` to `after`; none where it tells general hours
/// ("de segunda a sexta", "aos sábados").
pub(super) fn dates(
    text: &Text<'_>,
    at: usize,
    after: usize,
    day: Day,
    today: NaiveDate,
) -> Vec<NaiveDate> {
    let ahead = |weekday: Weekday| u64::from(weekday.days_since(today.weekday()));
    let on = |days: u64| today.checked_add_days(Days::new(days));
    let all: Vec<u64> = match day {
        Day::Weekday(weekday) if !is_general(text, at, after) => {
            let first = ahead(weekday);
            let next = text
                .is(at.wrapping_sub(1), &["proxima", "proximo", "next", "outra", "outro"])
                || text.is(after, &["que"]) && text.is(after + 1, &["vem", "viene"])
                || text.is(after, &["proxima", "proximo"]);
            if next { vec![first, first + 7] } else { vec![first] }
        }
        Day::Weekend => {
            let saturday = ahead(Weekday::Sat);
            let sunday = ahead(Weekday::Sun);
            vec![saturday, sunday, saturday + 7, sunday + 7]
        }
        Day::Week(monday) => {
            let days = (0..7).filter_map(|day| monday.checked_add_days(Days::new(day)));
            return days.filter(|date| *date >= today).collect();
        }
        Day::Weekday(_) | Day::On(_) | Day::Part(_) => Vec::new(),
    };
    all.into_iter().filter_map(on).collect()
}

/// A date as texts write it, without the day of the week that it falls on.
pub(super) fn as_date(date: NaiveDate) -> Value {
    let small = |part: u32| u8::try_from(part).unwrap_or_default();
    let (day, month) = (small(date.day()), small(date.month()));
    Value::Date { day, month: Some(month), year: Some(date.year()) }
}

/// "de segunda a sexta", "aos sábados", "toda terça", "sextas".
fn is_general(text: &Text<'_>, at: usize, after: usize) -> bool {
    let plural = text.word(at).ends_with('s')
        && !matches!(text.word(at), "martes" | "lunes" | "miercoles" | "jueves" | "viernes");
    let feiras = text.word(after - 1) == "feiras";
    let every = text
        .is(at.wrapping_sub(1), &["toda", "todo", "cada", "every", "aos", "todas", "todos", "as"])
        && (text.before(at, 1) != "as" || plural || feiras);
    let to = |index: usize| text.is(index, &["a", "ate", "to", "ao"]) || text.sign(index, '-');
    let dot = |index: usize| usize::from(text.sign(index, '.'));
    let next = after + dot(after);
    let starts = to(next) && day::is_name(text.word(next + 1));
    let back = at.wrapping_sub(1);
    let mut place = back.wrapping_sub(1);
    place = place.wrapping_sub(dot(place));
    if text.is(place, &["feira"]) {
        place = place.wrapping_sub(1 + usize::from(text.sign(place.wrapping_sub(1), '-')));
    }
    let ends = to(back) && day::is_name(text.word(place));
    plural || feiras || every || starts || ends
}
