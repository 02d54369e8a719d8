//! Telephone numbers as Brazilians write them, and foreign ones after a `+`.

use std::ops::Range;

use crate::domain::triage::fold::fold;

/// A telephone number, comparable with others however they were written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Phone {
    /// The area code of a Brazilian number, where it was written.
    pub area: Option<String>,
    /// The subscriber's last eight digits (the ninth digit is dropped); all digits of a service
    /// (`0800…`) or foreign number.
    pub number: String,
}

impl Phone {
    /// Whether two ways of writing can mean the same line.
    pub fn same(&self, other: &Phone) -> bool {
        let areas = self.area.is_none() || other.area.is_none() || self.area == other.area;
        self.number == other.number && areas
    }
}

/// Most groups of digits in one number: `+55 0 11 9 8765 4321`.
const MOST_GROUPS: usize = 7;

/// Words before a run of digits that say it is no telephone.
const OTHER_NUMBERS: &[&str] = &[
    "protocolo",
    "cpf",
    "cnpj",
    "rg",
    "pedido",
    "codigo",
    "reserva",
    "nota",
    "cartao",
    "boleto",
    "nsu",
    "conta",
    "agencia",
    "cep",
    "crm",
    "processo",
    "id",
    "nf",
    "localizador",
    "chamado",
];

/// Words before a run of digits that say it is one.
const CUES: &[&str] = &[
    "telefone",
    "telefones",
    "fone",
    "tel",
    "cel",
    "celular",
    "whats",
    "whatsapp",
    "wpp",
    "zap",
    "zapzap",
    "ligue",
    "ligar",
    "liga",
    "contato",
    "numero",
    "phone",
    "call",
    "telefono",
    "llame",
    "llamar",
    "phone_number",
    "mobile",
    "fixo",
    "ramal",
];

#[derive(Debug, Clone, Copy)]
struct Group {
    start: usize,
    end: usize,
    /// The separator before it contains a dash.
    dash: bool,
    /// The separator before it contains a dot.
    dot: bool,
}

/// All telephone numbers of a text, in order, without overlaps. Linear in its length.
pub(super) fn find(text: &str) -> Vec<(Range<usize>, Phone)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let begins = byte.is_ascii_digit() || matches!(byte, b'+' | b'(');
        if !begins || attached(text, at) {
            at += 1;
            continue;
        }
        if let Some((end, phone)) = read(text, at) {
            found.push((at..end, phone));
            at = end;
        } else if byte.is_ascii_digit() {
            at = digits_end(bytes, at);
        } else {
            at += 1;
        }
    }
    found
}

/// Whether the place continues something: a word, a decimal, a date, an amount.
fn attached(text: &str, at: usize) -> bool {
    let mut before = text[..at].chars().rev();
    match before.next() {
        Some('$') => true,
        Some(' ') => before.next() == Some('$'),
        Some('.' | ',' | '/' | ':' | '-') => before.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => c.is_alphanumeric() || c == '_' || c == '(' && text[at..].starts_with('('),
        None => false,
    }
}

fn digits_end(bytes: &[u8], start: usize) -> usize {
    bytes[start..].iter().position(|b| !b.is_ascii_digit()).map_or(bytes.len(), |n| start + n)
}

fn read(text: &str, at: usize) -> Option<(usize, Phone)> {
    let bytes = text.as_bytes();
    let plus = bytes[at] == b'+';
    let groups = groups(text, at);
    (1..=groups.len()).rev().find_map(|count| {
        let groups = &groups[..count];
        let last = groups.last()?;
        let rest = &text[last.end..];
        let mut after = rest.chars();
        let next = after.next();
        let joined = match next {
            Some('.' | ',' | '-') => after.next().is_some_and(|c| c.is_ascii_digit()),
            Some(c) => c.is_alphanumeric() || matches!(c, '/' | ':' | '%' | '@' | '_'),
            None => false,
        };
        if joined {
            return None;
        }
        let phone = classify(text, at, groups, plus)?;
        Some((last.end, phone))
    })
}

/// The groups of digits from `at` on, as far as telephone separators go between them.
fn groups(text: &str, at: usize) -> Vec<Group> {
    let bytes = text.as_bytes();
    let mut groups: Vec<Group> = Vec::new();
    let mut place = at;
    while groups.len() < MOST_GROUPS {
        let (mut dash, mut dot, mut signs) = (false, false, 0);
        for c in text[place..].chars() {
            match c {
                '+' if groups.is_empty() && signs == 0 => {}
                ' ' | '(' | ')' | '\u{a0}' => {}
                '-' | '\u{2010}' | '\u{2011}' | '–' => dash = true,
                '.' => dot = true,
                _ => break,
            }
            signs += 1;
            place += c.len_utf8();
            if signs > 4 {
                return groups;
            }
        }
        let end = digits_end(bytes, place);
        if end == place || end - place > 15 {
            return groups;
        }
        groups.push(Group { start: place, end, dash, dot });
        place = end;
    }
    groups
}

/// The word or the two words before a place, folded.
fn words_before(text: &str, at: usize) -> Vec<String> {
    let mut start = at.saturating_sub(32);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let words = text[start..at].split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.filter(|word| !word.is_empty()).rev().take(3).map(fold).collect()
}

fn classify(text: &str, at: usize, groups: &[Group], plus: bool) -> Option<Phone> {
    let written: usize = groups.iter().map(|group| group.end - group.start).sum();
    if !(8..=15).contains(&written) {
        return None;
    }
    let digits: String = groups.iter().map(|group| &text[group.start..group.end]).collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group.end - group.start).collect();
    let whole = |number: &str| Some(Phone { area: None, number: number.to_owned() });
    if plus {
        return match digits.strip_prefix("55") {
            Some(national) => national_number(national),
            None if (8..=15).contains(&digits.len()) => whole(&digits),
            None => None,
        };
    }
    let named = |words: &[&str]| words_before(text, at).iter().any(|w| words.contains(&w.as_str()));
    let service = ["0800", "0300", "0500", "0900"].iter().any(|code| digits.starts_with(code));
    if service && (10..=11).contains(&digits.len()) {
        return whole(&digits);
    }
    let grouped = matches!(
        lengths[..],
        [2, 8 | 9]
            | [2, 4 | 5, 4]
            | [2, 1, 4, 4]
            | [2, 1, 8]
            | [6 | 7, 4]
            | [2, 3, 3, 3]
            | [10 | 11]
    );
    if grouped && !named(OTHER_NUMBERS) {
        // Eleven digits alone are as often a document's.
        if let Some(phone) = national_number(&digits) {
            return Some(phone);
        }
    }
    match lengths[..] {
        [12 | 13] | [2, 2, ..] | [2, 10 | 11] | [4, 4 | 5, 4] | [4, 8 | 9] => {
            let national = digits.strip_prefix("55")?;
            if named(OTHER_NUMBERS) { None } else { national_number(national) }
        }
        [3, 8 | 9] | [3, 4 | 5, 4] | [3, 1, 4, 4] => national_number(digits.strip_prefix('0')?),
        [4, 4] => {
            let year = |range: &str| range.starts_with("19") || range.starts_with("20");
            let years = year(&digits[..4]) && year(&digits[4..]);
            let first = digits.as_bytes()[0];
            let local = matches!(first, b'2'..=b'9') && groups[1].dash;
            let cue = named(CUES) || digits.starts_with("400") || digits.starts_with("300");
            if years || !(local || cue) { None } else { whole(&digits) }
        }
        [5, 4]
            if digits.starts_with('9')
                && (groups[1].dash
                    || groups[1].dot
                    || named(CUES)
                    || text[groups[0].end..groups[1].start] == *" ") =>
        {
            whole(&digits[1..])
        }
        [1, 4, 4] if digits.starts_with('9') && groups[2].dash => whole(&digits[1..]),
        [8] if named(CUES) => whole(&digits),
        [9] if named(CUES) && digits.starts_with('9') => whole(&digits[1..]),
        _ => None,
    }
}

/// A number with area code: ten digits, or eleven with the ninth digit of a mobile.
pub(super) fn national_number(digits: &str) -> Option<Phone> {
    let digits = if digits.len() > 11 { digits.strip_prefix('0')? } else { digits };
    let area = digits.get(..2)?;
    if area.contains('0') {
        return None;
    }
    let rest = digits.get(2..)?;
    let number = match (rest.len(), rest.as_bytes().first()) {
        (8, Some(b'2'..=b'9')) => rest,
        (9, Some(b'9')) => &rest[1..],
        _ => return None,
    };
    Some(Phone { area: Some(area.to_owned()), number: number.to_owned() })
}

/// What a bare run of digits can be dialled as: for sources, where `"5511987654321"` is one.
pub(super) fn from_digits(digits: &str) -> Option<Phone> {
    let whole = |number: &str| Some(Phone { area: None, number: number.to_owned() });
    let national = digits.strip_prefix("55").filter(|rest| rest.len() >= 10).unwrap_or(digits);
    match national.len() {
        10 | 11 => national_number(national).or_else(|| whole(digits)),
        9 => whole(national.strip_prefix('9').unwrap_or(national)),
        8 => whole(national),
        12..=15 => whole(digits),
        _ => None,
    }
}
