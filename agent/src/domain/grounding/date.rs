//! Dates: `05/03`, `5/3/2026`, `2026-03-05`, "5 de março", "dias 5, 6 e 7 de março", "dia 5".

use crate::domain::numerals;

use super::found::{Found, Value};
use super::lex::{Kind, Text};
use super::number::Words;
use super::units;

/// Most numbers that are read as one list: "dias 5, 6, 7 e 8".
const LONGEST_LIST: usize = 12;

/// Words before a number that make a date of it.
const CUES: &[&str] = &["dia", "dias", "data", "datas"];

/// Words before "1/2" that make it a part or a place, not a date.
const NO_DATE: &[&str] = &[
    "parcela", "parcelas", "pagina", "parte", "passo", "etapa", "sala", "apto", "ap", "bloco",
    "quarto", "casa", "lei", "nr", "numero", "item", "opcao", "nota", "escala", "pressao",
    "plantao", "pa",
];

/// Reads the dates that begin at token `at`, and gives the token after them.
pub(super) fn read(text: &Text<'_>, at: usize) -> Option<(Vec<Found>, usize)> {
    if let Some((value, after)) = single(text, at) {
        return Some((vec![found(text, value, at, after)], after));
    }
    list(text, at).or_else(|| english(text, at))
}

fn found(text: &Text<'_>, value: Value, from: usize, after: usize) -> Found {
    Found::new(value, text.tokens[from].start, text.tokens[after - 1].end)
}

fn date(day: u64, month: Option<u64>, year: Option<u64>) -> Option<Value> {
    let day = u8::try_from(day).ok().filter(|day| (1..=31).contains(day))?;
    let month = match month {
        Some(month) => Some(u8::try_from(month).ok().filter(|m| (1..=12).contains(m))?),
        None => None,
    };
    let year = match year {
        Some(year @ 0..=99) => Some(i32::try_from(2000 + year).ok()?),
        Some(year @ 1900..=2199) => Some(i32::try_from(year).ok()?),
        Some(_) => return None,
        None => None,
    };
    Some(Value::Date { day, month, year })
}

/// One date in digits.
fn single(text: &Text<'_>, at: usize) -> Option<(Value, usize)> {
    numeric_year_first(text, at).or_else(|| dotted(text, at)).or_else(|| day_first(text, at))
}

/// `2026-12-05`, `2026/12/05`; an attached clock stays for the reader of clocks.
fn numeric_year_first(text: &Text<'_>, at: usize) -> Option<(Value, usize)> {
    let year = text.whole(at, 2199).filter(|year| *year >= 1900)?;
    let sign = text.any_sign(at + 1).filter(|sign| matches!(sign, '-' | '/'))?;
    let tight = (at + 1..at + 5).all(|index| text.glued(index));
    if !tight || !text.sign(at + 3, sign) {
        return None;
    }
    let value = date(text.whole(at + 4, 31)?, Some(text.whole(at + 2, 12)?), Some(year))?;
    Some((value, at + 5))
}

/// `05.03.2026`, and `05.03` after "dia".
fn dotted(text: &Text<'_>, at: usize) -> Option<(Value, usize)> {
    let Kind::Number(_) = text.tokens.get(at)?.kind else { return None };
    let mut parts = text.written(at).split('.');
    let (day, month) = (parts.next()?, parts.next()?);
    let year = parts.next();
    let fits = |part: &str, lengths: &[usize]| lengths.contains(&part.len());
    let sized = fits(day, &[1, 2]) && fits(month, &[1, 2]) && parts.next().is_none();
    let told = match year {
        Some(year) => fits(year, &[2, 4]),
        None => fits(month, &[2]) && CUES.contains(&text.before(at, 1)),
    };
    if !sized || !told {
        return None;
    }
    let year = match year {
        Some(year) => Some(year.parse().ok()?),
        None => None,
    };
    Some((date(day.parse().ok()?, Some(month.parse().ok()?), year)?, at + 1))
}

/// `5/3`, `05/03/2026`, `05-03-2026`, `05/mar`, `5-mar-26`.
fn day_first(text: &Text<'_>, at: usize) -> Option<(Value, usize)> {
    let first = text.whole(at, 31)?;
    if skip_ordinal(text, at + 1) > at + 1 && text.sign(at + 2, '/') && text.glued(at + 3) {
        // "1º/12"
        return Some((date(first, Some(text.whole(at + 3, 12)?), None)?, at + 4));
    }
    let sign = text.any_sign(at + 1).filter(|sign| matches!(sign, '-' | '/'))?;
    if !(text.glued(at + 1) && text.glued(at + 2)) {
        return None;
    }
    let year = || {
        let follows = text.sign(at + 3, sign) && text.glued(at + 3) && text.glued(at + 4);
        let year = text.number(at + 4)?;
        (follows && matches!(year.digits, 2 | 4)).then(|| year.whole()).flatten()
    };
    if let Some(month) = numerals::month(text.word(at + 2)).or_else(|| short_month(text, at + 2)) {
        let year = year();
        let after = if year.is_some() { at + 5 } else { at + 3 };
        return Some((date(first, Some(month.into()), year)?, after));
    }
    let second = text.whole(at + 2, 31)?;
    // "8/12/24h" and "3/4/5" are no dates; a dash alone is a range.
    let year = year();
    if year.is_none() && (sign == '-' || text.sign(at + 3, '/') && text.glued(at + 3)) {
        return None;
    }
    if year.is_none() && (is_fraction(text, at, first, second) || glued_unit(text, at + 3)) {
        return None;
    }
    // English writes the month first.
    let (day, month) = if second > 12 { (second, first) } else { (first, second) };
    let after = if year.is_some() { at + 5 } else { at + 3 };
    Some((date(day, Some(month), year)?, after))
}

/// "12/36h", "5/10%": something else is measured.
fn glued_unit(text: &Text<'_>, at: usize) -> bool {
    text.sign(at, '%') || text.glued(at) && !text.word(at).is_empty()
}

/// "1/2 porção", "24/7", "parcela 1/12".
fn is_fraction(text: &Text<'_>, at: usize, first: u64, second: u64) -> bool {
    let before = text.before(at, 1);
    if NO_DATE.contains(&before) || text.sign(at.wrapping_sub(1), '/') && text.glued(at) {
        return true;
    }
    let cued = CUES.contains(&before) || matches!(before, "em" | "no" | "de" | "para" | "desde");
    let padded = text.number(at).is_some_and(|n| n.digits == 2) && first < 10
        || text.number(at + 2).is_some_and(|n| n.digits == 2) && second < 10;
    if (first, second) == (24, 7) || (first, second) == (7, 7) {
        return !(padded || CUES.contains(&before));
    }
    // "nota 10/10", "Avaliação 5/5 no Google"
    let full = first == second && matches!(first, 5 | 10) && !padded_days(text, at);
    if full && (!cued && !CUES.contains(&before) && praised(text, at)) {
        return true;
    }
    let proper = first < second && matches!(second, 2 | 3 | 4 | 5 | 8) && first < 4;
    let counted = units::is_counted(text.word(at + 3)) || text.is(at + 3, &["de", "da", "do"]);
    proper && !padded && (!cued || counted)
}

/// "05/05" is no mark.
fn padded_days(text: &Text<'_>, at: usize) -> bool {
    text.written(at).starts_with('0') || text.written(at + 2).starts_with('0')
}

/// Whether a mark is given: "é 10/10!", "avaliação 5/5", "5/5 estrelas".
fn praised(text: &Text<'_>, at: usize) -> bool {
    const MARKS: &[&str] = &[
        "nota",
        "notas",
        "avaliacao",
        "avaliacoes",
        "atendimento",
        "servico",
        "google",
        "limpeza",
        "experiencia",
        "cafe",
        "comida",
        "nossa",
        "nosso",
        "tripadvisor",
        "booking",
        "qualidade",
        "estrelas",
        "hospitalidade",
        "localizacao",
        "satisfacao",
        "conforto",
        "nps",
        "pontuacao",
    ];
    let back = (at.saturating_sub(5)..at).any(|index| MARKS.contains(&text.word(index)));
    let ahead = (at + 3..at + 6).any(|index| MARKS.contains(&text.word(index)));
    let said =
        text.written(at.wrapping_sub(1)) == "é" && matches!(text.any_sign(at + 3), Some('!'));
    back || ahead || said
}

/// A month by its first letters; "dez" has been read as a number.
fn short_month(text: &Text<'_>, at: usize) -> Option<u8> {
    if text.written(at).eq_ignore_ascii_case("dez") {
        return Some(12);
    }
    numerals::short_month(text.word(at))
}

/// The month named at `at`, and the token after it and its year.
fn named_month(text: &Text<'_>, at: usize) -> Option<(u8, Option<u64>, usize)> {
    // "dia 5 do 12"
    if text.is(at, &["do"])
        && let Some(month) = text.whole(at + 1, 12).filter(|month| *month > 0)
    {
        let open = text.any_sign(at + 2).is_none_or(|sign| !matches!(sign, '/' | ':' | '%'));
        let month =
            u8::try_from(month).ok().filter(|_| open && !units::is_counted(text.word(at + 2)));
        return month.map(|month| (month, None, at + 2));
    }
    let of = text.is(at, &["de", "del", "of"]);
    let slash = text.sign(at, '/') || text.sign(at, '-') && text.glued(at);
    let name = at + usize::from(of || slash);
    let word = text.word(name);
    // Three letters alone are too many other words: "5 set", "2 out", "1 mar"; not with a year.
    let dated = text.whole(name + 1, 2199).is_some_and(|year| year >= 1900);
    let month = numerals::month(word).or_else(|| {
        let short = short_month(text, name)?;
        let sea =
            word == "mar" && !slash && !text.line(name + 1) && !text.word(name + 1).is_empty();
        ((of || slash) && !sea || dated).then_some(short)
    })?;
    let mut after = name + 1;
    if text.sign(after, '.') && text.glued(after) && numerals::month(word).is_none() {
        after += 1;
    }
    let skip = usize::from(
        text.is(after, &["de", "del", "of"]) || matches!(text.any_sign(after), Some('/' | ',')),
    );
    let year = text.whole(after + skip, 2199).filter(|year| *year >= 1900);
    match year {
        Some(year) => Some((month, Some(year), after + skip + 1)),
        None => Some((month, None, after)),
    }
}

/// An ordinal sign after a number, or none.
fn skip_ordinal(text: &Text<'_>, at: usize) -> usize {
    let sign = text.sign(at, '°') || text.is(at, &["o", "a", "º", "st", "nd", "rd", "th"]);
    at + usize::from(sign && text.glued(at))
}

/// Day numbers joined by commas and conjunctions, from `at` on, each with the token after it.
fn days(text: &Text<'_>, at: usize) -> Vec<(u64, usize, usize)> {
    let mut days = Vec::new();
    let mut place = at;
    while days.len() < LONGEST_LIST {
        let day = match text.whole(place, 31) {
            Some(day) if day > 0 => day,
            None if text.is(place, &["primeiro", "primero"]) => 1,
            _ => break,
        };
        let after = skip_ordinal(text, place + 1);
        days.push((day, place, after));
        let joins = text
            .is(after, &["a", "e", "ate", "ao", "al", "y", "to", "and", "ou", "o", "hasta"])
            || matches!(text.any_sign(after), Some(',' | '-' | '&'));
        if !joins {
            break;
        }
        let next = after + 1;
        let comma = text.sign(after, ',') && text.is(next, &["e", "y", "and", "ou"]);
        place = next + usize::from(comma);
        // "5 a dia 8", "do dia 5 ao dia 8"
        place += usize::from(text.is(place, CUES));
    }
    days
}

/// "5 de março", "de 5 a 8 de março", "dias 5, 6 e 7/12", "dia 5".
fn list(text: &Text<'_>, at: usize) -> Option<(Vec<Found>, usize)> {
    let mut days = days(text, at);
    if text.is_item_number(at) {
        return None;
    }
    let cued = text.is(at.wrapping_sub(1), CUES)
        || text.before(at, 2) == "on"
            && text.before(at, 1) == "the"
            && days.first().is_some_and(|d| d.2 > d.1 + 1);
    let from = cued || text.is(at.wrapping_sub(1), &["de", "do", "entre", "desde", "from"]);
    // The longest beginning of the list that a month follows.
    for count in (1..=days.len()).rev() {
        let (_, place, after) = days[count - 1];
        if let Some((month, year, end)) = named_month(text, after) {
            return listed(text, &days[..count], Some(month), year, end);
        }
        if count > 1
            && from
            && let Some((Value::Date { month: Some(month), year, .. }, end)) =
                day_first(text, place)
        {
            let year = year.and_then(|year| u64::try_from(year).ok());
            return listed(text, &days[..count], Some(month), year, end);
        }
    }
    if !cued {
        return None;
    }
    // "dia 5, 14h": what is measured is no day.
    let measured = |after: usize| {
        matches!(text.any_sign(after), Some(':' | '%' | '/')) && text.glued(after)
            || text.is(after, &["h", "hs", "hrs", "hora", "horas", "reais", "da"])
                && text.before(after, 1).is_empty()
                && !text.is(after, &["da"])
            || units::is_counted(text.word(after))
    };
    while days.len() > 1 && days.last().is_some_and(|(_, _, after)| measured(*after)) {
        days.pop();
    }
    let after = days.last()?.2;
    (!measured(after)).then(|| listed(text, &days, None, None, after))?
}

fn listed(
    text: &Text<'_>,
    days: &[(u64, usize, usize)],
    month: Option<u8>,
    year: Option<u64>,
    end: usize,
) -> Option<(Vec<Found>, usize)> {
    let last = days.len().checked_sub(1)?;
    let mut dates = Vec::new();
    for (index, (day, from, after)) in days.iter().enumerate() {
        let value = date(*day, month.map(u64::from), year)?;
        dates.push(found(text, value, *from, if index == last { end } else { *after }));
    }
    Some((dates, end))
}

/// "March 5", "December 5th, 2026".
fn english(text: &Text<'_>, at: usize) -> Option<(Vec<Found>, usize)> {
    let word = text.word(at);
    let name = text.written(at);
    let capital = name.starts_with(char::is_uppercase);
    let short = || numerals::short_month(word).filter(|_| capital && word != "mar");
    let month = numerals::month(word).filter(|_| word != "may" || capital).or_else(short)?;
    let dot = usize::from(text.sign(at + 1, '.') && text.glued(at + 1));
    let day = text.whole(at + 1 + dot, 31).filter(|day| *day > 0)?;
    let mut after = skip_ordinal(text, at + 2 + dot);
    if text.sign(after, ':')
        || text.is(after, &["h", "am", "pm"])
        || units::is_counted(text.word(after))
    {
        return None;
    }
    let skip = usize::from(text.sign(after, ','));
    let year = text.whole(after + skip, 2199).filter(|year| *year >= 1900);
    if year.is_some() {
        after += skip + 1;
    }
    let mut all = vec![found(text, date(day, Some(month.into()), year)?, at, after)];
    // "January 1st to 3rd"
    let joins = text.is(after, &["to", "and", "through"]) || text.sign(after, '-');
    if joins && let Some(day) = text.whole(after + 1, 31).filter(|day| *day > 0) {
        let end = skip_ordinal(text, after + 2);
        let free = !matches!(text.any_sign(end), Some(':' | '/' | '%'))
            && !text.is(end, &["h", "am", "pm"])
            && !units::is_counted(text.word(end));
        if free {
            all.push(found(text, date(day, Some(month.into()), year)?, after + 1, end));
            after = end;
        }
    }
    Some((all, after))
}
