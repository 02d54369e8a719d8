//! Amounts of money with a currency: `R$ 1.234,56`, "mil e duzentos reais", "80 conto", "de 100 a
//! 150 reais".

use super::found::{Currency, Found, Value};
use super::lex::Text;
use super::number::{Number, SCALE, Words, Writing, cents};
use super::{price, units};

const LONGEST_LIST: usize = 6;

/// Reads the amounts that begin at token `at`, and gives the token after them.
pub(super) fn read(text: &Text<'_>, at: usize) -> Option<(Vec<Found>, usize)> {
    prefixed(text, at).or_else(|| suffixed(text, at)).or_else(|| price::read(text, at))
}

pub(super) fn found(
    text: &Text<'_>,
    value: u64,
    currency: Option<Currency>,
    from: usize,
    after: usize,
) -> Found {
    let value = Value::Money { cents: cents(value), currency };
    Found::new(value, text.tokens[from].start, text.tokens[after - 1].end)
}

/// A currency written before its amount, and the token after it.
fn prefix(text: &Text<'_>, at: usize) -> Option<(Option<Currency>, usize)> {
    let dollar_sign = text.sign(at + 1, '$');
    match (text.word(at), text.any_sign(at)) {
        ("r", _) if dollar_sign => Some((Some(Currency::Real), at + 2)),
        ("us" | "u", _) if dollar_sign => Some((Some(Currency::Dollar), at + 2)),
        ("brl", _) => Some((Some(Currency::Real), at + 1)),
        ("usd", _) => Some((Some(Currency::Dollar), at + 1)),
        ("eur", _) | (_, Some('€')) => Some((Some(Currency::Euro), at + 1)),
        (_, Some('£')) => Some((Some(Currency::Pound), at + 1)),
        (_, Some('$')) => Some((None, at + 1)),
        _ => None,
    }
}

/// Whether a number at `at` has nothing beside it that makes it something else.
pub(super) fn is_amount(text: &Text<'_>, at: usize) -> bool {
    let after = at + 1;
    let sign = matches!(text.any_sign(after), Some('%' | ':' | 'º' | '°'));
    let date = text.sign(after, '/') && text.number(after + 1).is_some();
    let unit = units::is_counted(text.word(after)) && currency_word(text, after).is_none();
    let ordinal = text.glued(after) && text.is(after, &["o", "a"]);
    // "1,58 x 1,98"
    let by = |index: usize| text.is(index, &["x"]) || text.sign(index, '×');
    let measure = by(at.wrapping_sub(1)) && text.number(at.wrapping_sub(2)).is_some();
    let times = by(after) || measure;
    !(sign || date || unit || ordinal || times)
}

/// "R$ 80", "R$ 100 a 150".
fn prefixed(text: &Text<'_>, at: usize) -> Option<(Vec<Found>, usize)> {
    let (currency, place) = prefix(text, at)?;
    let number = text.number(place)?;
    let mut all = vec![found(text, number.value, currency, at, place + 1)];
    let mut after = place + 1;
    let between = text.is(at.wrapping_sub(1), &["entre", "between"]);
    while all.len() < LONGEST_LIST {
        let joins = text.is(after, &["a", "ate", "to", "ou", "hasta"])
            || between && text.is(after, &["e", "y", "and"])
            || text.sign(after, '-');
        let Some(next) = text.number(after + 1).filter(|_| joins && is_amount(text, after + 1))
        else {
            break;
        };
        all.push(found(text, next.value, currency, after + 1, after + 2));
        after += 2;
    }
    // "R$ 80 reais"
    let after = currency_word(text, after).map_or(after, |(_, _, end)| end);
    Some((all, after))
}

/// A currency written after its amount: what it is, parts of one, and the token after it.
fn currency_word(text: &Text<'_>, at: usize) -> Option<(Option<Currency>, u64, usize)> {
    let at = at
        + usize::from(
            text.is(at, &["de"]) && text.is(at + 1, &["reais", "dolares", "euros", "pesos"]),
        );
    let (currency, parts) = match text.word(at) {
        "reais" | "real" | "reias" | "reals" | "conto" | "contos" | "pila" | "pilas" | "pau"
        | "paus" | "mango" | "mangos" | "brl" | "reales" | "realzinho" | "dinheiros" | "temers" => {
            (Some(Currency::Real), 1)
        }
        "rs" if text.glued(at) => (Some(Currency::Real), 1),
        "r" if text.sign(at + 1, '$') && text.number(at + 2).is_none() => {
            return Some((Some(Currency::Real), 1, at + 2));
        }
        "dolar" | "dolares" | "dollar" | "dollars" | "usd" | "bucks" => (Some(Currency::Dollar), 1),
        "euro" | "euros" | "eur" => (Some(Currency::Euro), 1),
        "libras" | "pounds" => (Some(Currency::Pound), 1),
        "peso" | "pesos" => (None, 1),
        "centavo" | "centavos" | "cents" => (None, 100),
        _ => match text.any_sign(at)? {
            '€' => (Some(Currency::Euro), 1),
            '$' if text.glued(at) => (None, 1),
            _ => return None,
        },
    };
    Some((currency, parts, at + 1))
}

/// "1.234,56 reais", "100 a 150 reais", "três reais e cinquenta".
fn suffixed(text: &Text<'_>, at: usize) -> Option<(Vec<Found>, usize)> {
    let mut numbers: Vec<(usize, &Number)> = vec![(at, text.number(at)?)];
    let between = text.is(at.wrapping_sub(1), &["entre", "between"]);
    let mut place = at + 1;
    while numbers.len() < LONGEST_LIST && currency_word(text, place).is_none() {
        let joins = text.is(place, &["a", "ate", "to", "ou", "hasta", "o"])
            || between && text.is(place, &["e", "y", "and"])
            || text.sign(place, '-');
        let Some(number) = text.number(place + 1).filter(|_| joins) else { break };
        numbers.push((place + 1, number));
        place += 2;
    }
    let (currency, parts, mut after) = currency_word(text, place)?;
    let mut all: Vec<Found> = Vec::new();
    let last = numbers.len() - 1;
    for (index, (from, number)) in numbers.iter().enumerate() {
        if index < last {
            all.push(found(text, number.value / parts, currency, *from, from + 1));
            continue;
        }
        let mut value = number.value / parts;
        if parts == 1
            && let Some((cents, end)) = centavos(text, after)
        {
            value = value.saturating_add(cents * SCALE / 100);
            after = end;
        }
        all.push(found(text, value, currency, *from, after));
    }
    Some((all, after))
}

/// "e cinquenta", "e 50 centavos" after whole units.
fn centavos(text: &Text<'_>, at: usize) -> Option<(u64, usize)> {
    if !text.is(at, &["e", "y", "con", "com", "and"]) {
        return None;
    }
    let value = text.whole(at + 1, 99)?;
    if let Some((_, 100, after)) = currency_word(text, at + 2) {
        return Some((value, after));
    }
    let tail = text.word(at + 2);
    let words = text.number(at + 1).is_some_and(|number| number.writing == Writing::Words);
    let ends = text.line(at + 2)
        || tail.is_empty() && is_amount(text, at + 1) && text.number(at + 2).is_none();
    (words && value >= 5 && (ends || matches!(tail, "por" | "no" | "a" | "cada")))
        .then_some((value, at + 2))
}
