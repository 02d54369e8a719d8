//! Numbers in digits and in words, brought to one value.

use crate::domain::numerals::cardinal;

/// Parts that one unit of [`Number::value`] has.
pub(super) const SCALE: u64 = 10_000;

/// How a number was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writing {
    Digits,
    Words,
    /// "2 mil", "1,5k".
    Mixed,
}

/// A number of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number {
    /// In ten-thousandths.
    pub value: u64,
    pub writing: Writing,
    /// Digits before the decimal mark.
    pub digits: u8,
    /// Digits after the decimal mark.
    pub decimals: u8,
    /// The decimal mark is a dot.
    pub dot: bool,
    /// Thousands are set apart ("1.200").
    pub grouped: bool,
    /// The other reading of "1.234", which JSON means as a decimal.
    pub other: Option<u64>,
}

impl Number {
    /// The number where it is whole and plain: no marks inside.
    pub fn whole(&self) -> Option<u64> {
        let plain = self.decimals == 0 && !self.grouped;
        (plain && self.value.is_multiple_of(SCALE)).then_some(self.value / SCALE)
    }

    fn spoken(value: u64, writing: Writing) -> Number {
        Number { value, writing, digits: 0, decimals: 0, dot: false, grouped: false, other: None }
    }
}

/// Ten-thousandths as hundredths, rounded.
pub(super) fn cents(value: u64) -> u64 {
    value.saturating_add(50) / 100
}

fn scaled(whole: &str, fraction: &str) -> u64 {
    let whole: u64 = whole.parse().unwrap_or(u64::MAX / SCALE);
    let four: String = fraction.chars().chain("0000".chars()).take(4).collect();
    whole.saturating_mul(SCALE).saturating_add(four.parse().unwrap_or(0))
}

/// Reads digits with dots and commas between them: `1.234,56`, `1,234.56`, `1234.5`, `1.200`.
///
/// A single mark before exactly three digits sets thousands apart.
pub(super) fn read_digits(written: &str) -> Number {
    let only = |mark: char| written.chars().filter(|c| *c == mark).count();
    let (dots, commas) = (only('.'), only(','));
    let plain = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let last = written.rfind(['.', ',']);
    let decimal = match last {
        None => None,
        Some(at) => {
            let fraction = written.len() - at - 1;
            let mark = &written[at..=at];
            let single = dots + commas == 1;
            let thousands = fraction == 3 && (1..=3).contains(&at) && !written.starts_with('0');
            let repeated = written.matches(mark).count() > 1;
            (!(repeated || single && thousands)).then_some(at)
        }
    };
    let (whole, fraction) = match decimal {
        Some(at) => (plain(&written[..at]), written[at + 1..].to_owned()),
        None => (plain(written), String::new()),
    };
    let other = match (decimal, last) {
        (None, Some(at)) if dots == 1 && commas == 0 => {
            Some(scaled(&plain(&written[..at]), &written[at + 1..]))
        }
        _ => None,
    };
    let length = |text: &str| u8::try_from(text.len()).unwrap_or(u8::MAX);
    Number {
        value: scaled(&whole, &fraction),
        writing: Writing::Digits,
        digits: length(&whole),
        decimals: length(&fraction),
        dot: decimal.is_some_and(|at| written[at..].starts_with('.')),
        grouped: dots + commas > usize::from(decimal.is_some()),
        other,
    }
}

/// What a reader of number words sees of a text: the folded word, or the digits, at a place.
pub(super) trait Words {
    /// The folded word at `index`; empty where there is none.
    fn word(&self, index: usize) -> &str;
    /// The number in digits at `index`.
    fn digits(&self, index: usize) -> Option<Number>;
    /// Whether a hyphen stands at `index`, without spaces.
    fn hyphen(&self, index: usize) -> bool;
    /// Whether nothing stands between `index` and the one before it.
    fn glued(&self, index: usize) -> bool;
}

fn is_and(word: &str) -> bool {
    matches!(word, "e" | "y" | "and")
}

fn is_thousand(word: &str) -> bool {
    matches!(word, "mil" | "thousand")
}

fn is_million(word: &str) -> bool {
    matches!(word, "milhao" | "milhoes" | "millon" | "millones" | "million" | "millions")
}

/// 1 to 99 in words, and the index after it.
fn below_hundred(text: &impl Words, at: usize) -> Option<(u64, usize)> {
    let first = cardinal(text.word(at)).filter(|value| *value < 100)?;
    if first < 20 || first % 10 != 0 {
        return Some((first, at + 1));
    }
    let unit = |index| cardinal(text.word(index)).filter(|value| (1..10).contains(value));
    // "vinte e cinco", "treinta y cinco", "twenty-five", "twenty five"
    let skips = if is_and(text.word(at + 1)) || text.hyphen(at + 1) { 1 } else { 0 };
    match unit(at + 1 + skips) {
        Some(unit) => Some((first + unit, at + 2 + skips)),
        None => Some((first, at + 1)),
    }
}

/// 1 to 999 in words.
fn below_thousand(text: &impl Words, at: usize) -> Option<(u64, usize)> {
    let first = cardinal(text.word(at))?;
    let (hundreds, after) = if (100..1000).contains(&first) {
        (first, at + 1)
    } else {
        let (small, after) = below_hundred(text, at)?;
        if small > 9 || !matches!(text.word(after), "hundred" | "hundreds") {
            return Some((small, after));
        }
        (small * 100, after + 1)
    };
    let rest = after + usize::from(is_and(text.word(after)));
    match below_hundred(text, rest) {
        Some((small, after)) => Some((hundreds + small, after)),
        None => Some((hundreds, after)),
    }
}

/// What follows "mil" or "2 mil": "e duzentos", "duzentos e cinquenta", "e 500".
fn after_thousand(text: &impl Words, at: usize) -> (u64, usize) {
    let and = usize::from(is_and(text.word(at)));
    if let Some((rest, after)) = below_thousand(text, at + and) {
        return (rest, after);
    }
    let digits = text.digits(at + and).and_then(|number| number.whole());
    match digits.filter(|rest| and == 1 && (100..1000).contains(rest)) {
        Some(rest) => (rest, at + 2),
        None => (0, at),
    }
}

/// Reads a number in words, or digits that a word multiplies, at `at`; gives the index after it.
pub(super) fn read_words(text: &impl Words, at: usize) -> Option<(Number, usize)> {
    if let Some(number) = text.digits(at) {
        let word = text.word(at + 1);
        let times = if is_thousand(word) || matches!(word, "k") && text.glued(at + 1) {
            1000
        } else if is_million(word) {
            1_000_000
        } else {
            return None;
        };
        let value = number.value.saturating_mul(times);
        let (rest, after) = if times == 1000 { after_thousand(text, at + 2) } else { (0, at + 2) };
        let value = value.saturating_add(rest * SCALE);
        return Some((Number::spoken(value, Writing::Mixed), after));
    }
    let (thousands, after) = if is_thousand(text.word(at)) {
        (1, at + 1)
    } else {
        let (small, after) = below_thousand(text, at)?;
        if is_million(text.word(after)) {
            let value = small.saturating_mul(1_000_000 * SCALE);
            return Some((Number::spoken(value, Writing::Words), after + 1));
        }
        if !is_thousand(text.word(after)) {
            return Some((Number::spoken(small * SCALE, Writing::Words), after));
        }
        (small, after + 1)
    };
    let (rest, after) = after_thousand(text, after);
    let value = (thousands * 1000 + rest) * SCALE;
    Some((Number::spoken(value, Writing::Words), after))
}
