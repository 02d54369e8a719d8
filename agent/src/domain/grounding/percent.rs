//! Percentages: `10%`, "10 a 15%", "dez por cento".

use super::found::{Found, Value};
use super::lex::Text;
use super::number::{Number, SCALE, Words};

const LONGEST_LIST: usize = 6;

/// Reads the percentages that begin at token `at`, and gives the token after them.
pub(super) fn read(text: &Text<'_>, at: usize) -> Option<(Vec<Found>, usize)> {
    if text.is(at, &["meio", "medio"]) {
        let after = sign(text, at + 1)?;
        return Some((vec![found(text, SCALE / 2, at, after)], after));
    }
    let mut numbers: Vec<(usize, &Number)> = vec![(at, text.number(at)?)];
    let mut place = at + 1;
    while numbers.len() < LONGEST_LIST {
        let joins = text.is(place, &["a", "ate", "e", "ou", "to", "y", "or", "o", "and"])
            || matches!(text.any_sign(place), Some('-' | ','));
        let Some(number) = text.number(place + 1).filter(|_| joins) else { break };
        numbers.push((place + 1, number));
        place += 2;
    }
    let after = sign(text, place)?;
    if numbers.len() == 1 && is_emphasis(text, numbers[0].1, after) {
        return Some((Vec::new(), after));
    }
    let all = numbers.iter().enumerate().map(|(index, (place, number))| {
        let last = index + 1 == numbers.len();
        found(text, number.value, *place, if last { after } else { place + 1 })
    });
    Some((all.collect(), after))
}

fn found(text: &Text<'_>, value: u64, from: usize, after: usize) -> Found {
    Found::new(Value::Percent(value), text.tokens[from].start, text.tokens[after - 1].end)
}

/// The token after a percent sign or its words.
fn sign(text: &Text<'_>, at: usize) -> Option<usize> {
    if text.sign(at, '%') || text.is(at, &["porcento", "percent"]) {
        return Some(at + 1);
    }
    let words = text.is(at, &["por", "per"]) && text.is(at + 1, &["cento", "ciento", "cent"]);
    // "cento" was read as a number.
    let hundred = text.is(at, &["por"])
        && matches!(text.written(at + 1).to_lowercase().as_str(), "cento" | "ciento");
    (words || hundred).then_some(at + 2)
}

/// "100% natural", "100% online" say "wholly"; "100% de reembolso" is a figure.
fn is_emphasis(text: &Text<'_>, number: &Number, after: usize) -> bool {
    let measured = [
        "de",
        "do",
        "da",
        "dos",
        "das",
        "off",
        "no",
        "na",
        "sobre",
        "em",
        "of",
        "antecipado",
        "adiantado",
        "a",
        "para",
        "se",
        "ate",
        "e",
        "ou",
        "por",
        "reembolsavel",
        "coberto",
        "coberta",
        "gratis",
        "refund",
        "refundable",
        "reembolsable",
    ];
    let word = text.word(after);
    number.value == 100 * SCALE
        && !word.is_empty()
        && !text.line(after)
        && !measured.contains(&word)
}
