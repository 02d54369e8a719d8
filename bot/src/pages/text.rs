//! Values as Brazilians write them. Units and signs only; words stand in `templates`.

use chrono::{DateTime, TimeDelta, Utc};

use super::words;

/// How long ago, or in how long.
pub fn ago(at: DateTime<Utc>, now: DateTime<Utc>) -> String {
    let passed = now - at;
    if passed.abs() < TimeDelta::seconds(5) {
        return words::word(if passed < TimeDelta::zero() {
            "time.in_a_moment"
        } else {
            "time.now"
        });
    }
    let span = span(passed.abs());
    let path = if passed < TimeDelta::zero() { "time.in" } else { "time.ago" };
    words::filled(path, &[("span", &span)])
}

/// A length of time in its largest unit.
pub fn span(length: TimeDelta) -> String {
    let (amount, unit) = match length.num_seconds() {
        seconds @ ..60 => (seconds, "s"),
        seconds @ ..3_600 => (seconds / 60, "min"),
        seconds @ ..86_400 => (seconds / 3_600, "h"),
        seconds @ ..5_184_000 => (seconds / 86_400, "day"),
        seconds @ ..63_072_000 => (seconds / 2_592_000, "month"),
        seconds => (seconds / 31_536_000, "year"),
    };
    let unit = if amount == 1 { unit.to_owned() } else { format!("{unit}s") };
    format!("{amount} {}", words::of("unit", &unit))
}

/// Digits in groups of three.
pub fn grouped(digits: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let mut grouped = String::from(sign);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push('.');
        }
        grouped.push(digit);
    }
    grouped
}

/// An amount of reais. Less than a cent keeps two digits that say something.
pub fn brl(amount: f64) -> String {
    let places = if amount != 0.0 && amount.abs() < 0.01 { 5 } else { 2 };
    let written = format!("{amount:.places$}");
    let (whole, rest) = written.split_once('.').unwrap_or((&written, "00"));
    format!("R$ {},{rest}", grouped(whole))
}

/// Milliseconds in the unit that reads best.
pub fn duration(ms: f64) -> String {
    let (amount, unit) = match ms {
        ms if ms < 1_000.0 => return format!("{ms:.0} ms"),
        ms if ms < 60_000.0 => (ms / 1_000.0, "s"),
        ms if ms < 3_600_000.0 => (ms / 60_000.0, "min"),
        ms => (ms / 3_600_000.0, "h"),
    };
    format!("{amount:.1} {unit}").replace('.', ",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_in_brazil() {
        assert_eq!(grouped("1234567"), "1.234.567");
        assert_eq!(grouped("-999"), "-999");
        assert_eq!(brl(1234.5), "R$ 1.234,50");
        assert_eq!(brl(0.0004), "R$ 0,00040");
        assert_eq!(brl(0.0), "R$ 0,00");
        assert_eq!(duration(84.4), "84 ms");
        assert_eq!(duration(1_532.0), "1,5 s");
        assert_eq!(duration(90_000.0), "1,5 min");
    }

    #[test]
    fn times_are_told_by_their_distance() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).expect("an instant");
        for (seconds, told) in [
            (0, "agora"),
            (30, "há 30 s"),
            (60, "há 1 min"),
            (7_300, "há 2 h"),
            (86_400, "há 1 dia"),
            (7 * 86_400, "há 7 dias"),
            (95 * 86_400, "há 3 meses"),
            (800 * 86_400, "há 2 anos"),
            (-3, "em instantes"),
            (-120, "em 2 min"),
        ] {
            assert_eq!(ago(now - TimeDelta::seconds(seconds), now), told);
        }
    }
}
