//! Days that are named and not dated: "hoje", "amanhã", "sexta", "à tarde", "semana que vem".

use chrono::{Datelike, Days, NaiveDate, Weekday};

use super::coming;
use super::found::{Day, DayPart, Found, Value};
use super::hour::{self, Half};
use super::lex::Text;
use super::number::Words;

/// A day, and whether it is spoken of without an offer or a claim.
pub(super) struct Named {
    pub found: Found,
    pub idle: bool,
}

/// Reads the day named at token `at`, and gives the token after it.
pub(super) fn read(text: &Text<'_>, at: usize, today: NaiveDate) -> Option<(Named, usize)> {
    let named = weekday(text, at);
    let (day, after) = relative(text, at, today)
        .or_else(|| week(text, at, today))
        .or_else(|| named.and_then(|(weekday, after)| of_week(text, weekday, after, today)))
        .or_else(|| named.map(|(weekday, after)| (Day::Weekday(weekday), after)))
        .or_else(|| part(text, at))?;
    let last = text.tokens.get(after - 1)?.end;
    let mut found = Found::new(Value::Day(day), text.tokens[at].start, last);
    let dates = coming::dates(text, at, after, day, today);
    found.lends.extend(dates.into_iter().map(coming::as_date));
    Some((Named { found, idle: is_idle(text, at) }, after))
}

fn relative(text: &Text<'_>, at: usize, today: NaiveDate) -> Option<(Day, usize)> {
    let on = |days: u64, after: usize| {
        today.checked_add_days(Days::new(days)).map(|date| (Day::On(date), after))
    };
    match (text.word(at), text.word(at + 1), text.word(at + 2)) {
        ("depois" | "dps", "de", "amanha") | ("day", "after", "tomorrow") => on(2, at + 3),
        ("pasado", "manana", _) => on(2, at + 2),
        ("daqui" | "dentro", "a" | "de" | "uns" | "umas", _) => {
            let count = text.whole(at + 2, 60)?;
            match text.word(at + 3) {
                "dia" | "dias" => on(count, at + 4),
                "semana" | "semanas" => on(7 * count.min(8), at + 4),
                _ => None,
            }
        }
        ("hoje", "em", "dia") => None,
        ("hoje" | "hj" | "hoy" | "today" | "tonight", ..) => on(0, at + 1),
        ("amanha" | "amn" | "amnh" | "tomorrow", ..) => on(1, at + 1),
        ("manana", ..) if !matches!(text.before(at, 1), "la" | "esta" | "buena") => on(1, at + 1),
        _ => None,
    }
}

fn week(text: &Text<'_>, at: usize, today: NaiveDate) -> Option<(Day, usize)> {
    let monday = |weeks: u64| {
        let back = u64::from(today.weekday().num_days_from_monday());
        today.checked_sub_days(Days::new(back))?.checked_add_days(Days::new(7 * weeks))
    };
    match (text.word(at), text.word(at + 1), text.word(at + 2)) {
        ("fim" | "final" | "fin" | "finde", "de", "semana") => Some((Day::Weekend, at + 3)),
        ("fds" | "weekend", ..) => Some((Day::Weekend, at + 1)),
        ("semana", "que", "vem" | "viene") => Some((Day::Week(monday(1)?), at + 3)),
        ("proxima" | "next", "semana" | "week", _) | ("semana", "proxima", _) => {
            Some((Day::Week(monday(1)?), at + 2))
        }
        (
            "esta" | "essa" | "nesta" | "nessa" | "this" | "desta" | "dessa",
            "semana" | "week",
            _,
        ) => Some((Day::Week(monday(0)?), at + 2)),
        _ => None,
    }
}

/// "sexta da semana que vem": a day of the week after this one.
fn of_week(
    text: &Text<'_>,
    weekday: Weekday,
    after: usize,
    today: NaiveDate,
) -> Option<(Day, usize)> {
    if !text.is(after, &["da", "de"]) {
        return None;
    }
    let end = match (text.word(after + 1), text.word(after + 2), text.word(after + 3)) {
        ("semana", "que", "vem") => after + 4,
        ("proxima" | "outra", "semana", _) | ("semana", "proxima" | "seguinte", _) => after + 3,
        _ => return None,
    };
    let back = u64::from(today.weekday().num_days_from_monday());
    let ahead = 7 + u64::from(weekday.num_days_from_monday());
    let date = today.checked_sub_days(Days::new(back))?.checked_add_days(Days::new(ahead))?;
    Some((Day::On(date), end))
}

fn by_name(word: &str) -> Option<Weekday> {
    Some(match word {
        "segunda" | "segundas" | "lunes" | "monday" | "mondays" => Weekday::Mon,
        "terca" | "tercas" | "martes" | "tuesday" | "tuesdays" => Weekday::Tue,
        "quarta" | "quartas" | "miercoles" | "wednesday" | "wednesdays" => Weekday::Wed,
        "quinta" | "quintas" | "jueves" | "thursday" | "thursdays" => Weekday::Thu,
        "sexta" | "sextas" | "viernes" | "friday" | "fridays" => Weekday::Fri,
        "sabado" | "sabados" | "saturday" | "saturdays" => Weekday::Sat,
        "domingo" | "domingos" | "sunday" | "sundays" => Weekday::Sun,
        _ => return None,
    })
}

fn by_short_name(word: &str) -> Option<Weekday> {
    Some(match word {
        "seg" | "mon" => Weekday::Mon,
        "ter" | "tue" => Weekday::Tue,
        "qua" | "wed" => Weekday::Wed,
        "qui" | "thu" => Weekday::Thu,
        "sex" | "fri" => Weekday::Fri,
        "sab" | "sat" => Weekday::Sat,
        "dom" | "sun" => Weekday::Sun,
        _ => return None,
    })
}

/// Whether a folded word names a day of the week, in full or by three letters.
pub(super) fn is_name(word: &str) -> bool {
    by_name(word).or_else(|| by_short_name(word)).is_some()
}

/// Words that may follow "segunda" where it is a day and no ordinal.
const FOLLOWERS: &[&str] = &[
    "as", "de", "da", "dia", "a", "e", "que", "ou", "pela", "das", "ate", "com", "no", "na",
    "para", "pra", "por", "ja", "tem", "temos", "feira", "agora", "proxima", "ok", "certo", "sim",
    "esta", "fica", "so", "mas", "passada", "do", "quarta", "sexta", "terca", "quinta", "mesmo",
];

fn weekday(text: &Text<'_>, at: usize) -> Option<(Weekday, usize)> {
    let word = text.word(at);
    let dash = usize::from(text.sign(at + 1, '-'));
    if let Some(weekday) = by_name(word) {
        if text.is(at + 1 + dash, &["feira", "feiras"]) {
            return Some((weekday, at + 2 + dash));
        }
        let ordinal = matches!(word, "segunda" | "terca" | "quarta" | "quinta" | "sexta");
        let next = text.word(at + 1);
        let day = next.is_empty() || text.line(at + 1) || FOLLOWERS.contains(&next);
        return (!ordinal || day).then_some((weekday, at + 1));
    }
    let weekday = by_short_name(word)?;
    // "seg. a sex."
    let dot = usize::from(text.sign(at + 1, '.') && text.glued(at + 1));
    let joined =
        text.is(at + 1 + dot, &["a", "e"]) && by_short_name(text.word(at + 2 + dot)).is_some();
    let back = at.wrapping_sub(usize::from(text.sign(at.wrapping_sub(2), '.')));
    let follows =
        text.is(at.wrapping_sub(1), &["a", "e"]) && by_short_name(text.before(back, 2)).is_some();
    if joined || follows {
        return Some((weekday, at + 1));
    }
    let timed =
        text.number(at + 1).is_some() || text.sign(at + 1, ',') && text.number(at + 2).is_some();
    let ranged = text.is(at + 1, &["a", "e"])
        && (by_short_name(text.word(at + 2)).is_some() || by_name(text.word(at + 2)).is_some())
        || text.is(at.wrapping_sub(1), &["a", "e"]) && by_short_name(text.before(at, 2)).is_some()
        || text.sign(at + 1, '-') && by_short_name(text.word(at + 2)).is_some()
        || text.sign(at.wrapping_sub(1), '-') && by_short_name(text.before(at, 2)).is_some();
    (timed || ranged || text.is(at + 1, &["as"])).then_some((weekday, at + 1))
}

/// "de manhã", "à tarde", "pela noite", "in the morning".
fn part(text: &Text<'_>, at: usize) -> Option<(Day, usize)> {
    let named = match (text.word(at), text.word(at + 1)) {
        ("por" | "en" | "de", "la") | ("in", "the") => at + 2,
        ("de" | "da" | "pela" | "na" | "a" | "desta" | "esta" | "nesta" | "this", _) => at + 1,
        _ => return None,
    };
    let part = match hour::half(text.word(named))? {
        Half::Before => DayPart::Morning,
        Half::Afternoon | Half::Pm => DayPart::Afternoon,
        Half::Night => DayPart::Evening,
    };
    Some((Day::Part(part), named + 1))
}

/// Words that say a search or a booking came to nothing.
const FAILURES: &[&str] = &[
    "consegui",
    "conseguimos",
    "encontrei",
    "encontramos",
    "achei",
    "localizei",
    "possivel",
    "pude",
    "pudimos",
    "encontre",
    "could",
    "able",
    "find",
    "found",
    "localizamos",
    "consultar",
];

const REACH: usize = 14;

/// "não consegui ver a agenda de amanhã", "posso ajudar em algo mais hoje?" offer nothing.
fn is_idle(text: &Text<'_>, at: usize) -> bool {
    let (mut failed, mut negated) = (false, false);
    for index in (at.saturating_sub(REACH)..at).rev() {
        if text.line(index + 1)
            || matches!(text.any_sign(index), Some('.' | '!' | '?' | ';' | ',' | ':'))
        {
            break;
        }
        let word = text.word(index);
        if matches!(word, "mas" | "porem" | "pero" | "but" | "so" | "entretanto" | "apenas") {
            break;
        }
        let help = word.starts_with("ajud") || word.starts_with("ayud") || word == "help";
        if help && text.is(at, &["hoje", "hj", "hoy", "today"]) {
            return true;
        }
        failed |= FAILURES.contains(&word);
        negated |=
            matches!(word, "nao" | "n" | "no" | "not" | "nem" | "couldn" | "wasn" | "unable");
    }
    failed && negated
}
