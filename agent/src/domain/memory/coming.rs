//! Dates that customers celebrate, as their facts tell them, and when they come next.

use chrono::{Datelike, Days, NaiveDate};

use crate::domain::grounding::{Context, Value, figures};

/// The days of the year that a fact names, in order: "Aniversário de casamento em 14/02". A day
/// without its month names none.
pub fn days(content: &str, today: NaiveDate) -> Vec<(u32, u32)> {
    let named = |value: &Value| match value {
        Value::Date { day, month: Some(month), .. } => Some((u32::from(*month), u32::from(*day))),
        _ => None,
    };
    figures(content, &Context { today }).iter().filter_map(|figure| named(&figure.value)).collect()
}

/// The next time that this day of the year comes, today included. The 29th of February is
/// celebrated on the 28th where a year has none.
pub fn next((month, day): (u32, u32), today: NaiveDate) -> Option<NaiveDate> {
    let of_year = |year: i32| {
        let leap = || NaiveDate::from_ymd_opt(year, 2, 28).filter(|_| (month, day) == (2, 29));
        NaiveDate::from_ymd_opt(year, month, day).or_else(leap)
    };
    let this = of_year(today.year())?;
    if this >= today { Some(this) } else { of_year(today.year() + 1) }
}

/// The first day within `within` days from today that a fact names, today counted as day 0.
pub fn coming(content: &str, today: NaiveDate, within: u64) -> Option<NaiveDate> {
    let last = today.checked_add_days(Days::new(within))?;
    let dates = days(content, today).into_iter().filter_map(|day| next(day, today));
    dates.filter(|date| *date <= last).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_celebration_comes_within_its_days_also_over_the_new_year() {
        let today = date("2026-12-20");
        for (content, expected) in [
            ("Aniversário de casamento em 14/01", Some("2027-01-14")),
            ("Aniversário dia 25 de dezembro", Some("2026-12-25")),
            ("Nasceu em 20/12/1988", Some("2026-12-20")),
            ("Aniversário em 19/12", None),
            ("Aniversário em 05/03", None),
            ("Faz aniversário no dia 25", None),
            ("Comemora tudo", None),
            ("Aniversário dele em 10/03 e dela em 02/01", Some("2027-01-02")),
        ] {
            assert_eq!(coming(content, today, 30), expected.map(date), "{content}");
        }
    }

    #[test]
    fn who_was_born_on_a_leap_day_celebrates_each_year() {
        assert_eq!(next((2, 29), date("2027-02-01")), Some(date("2027-02-28")));
        assert_eq!(next((2, 29), date("2028-02-01")), Some(date("2028-02-29")));
        assert_eq!(next((2, 30), date("2028-02-01")), None);
    }
}
