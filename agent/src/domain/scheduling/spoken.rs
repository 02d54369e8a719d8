//! Times and prices as people in Brazil say them.

use chrono::{Datelike, NaiveDate, NaiveDateTime, TimeDelta, Timelike};

const WEEKDAYS: [&str; 7] = [
    "segunda-feira",
    "terça-feira",
    "quarta-feira",
    "quinta-feira",
    "sexta-feira",
    "sábado",
    "domingo",
];
const MONTHS: [&str; 12] = [
    "janeiro",
    "fevereiro",
    "março",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
];

/// "terça-feira".
pub fn weekday(day: NaiveDate) -> &'static str {
    WEEKDAYS[day.weekday().num_days_from_monday() as usize % WEEKDAYS.len()]
}

/// "amanhã, terça-feira, 1º de dezembro, às 14h30", seen from `today`; the year is named when it is
/// another.
pub fn moment(at: NaiveDateTime, today: NaiveDate) -> String {
    let near = match at.date() - today {
        days if days == TimeDelta::zero() => "hoje, ",
        days if days == TimeDelta::days(1) => "amanhã, ",
        _ => "",
    };
    let weekday = weekday(at.date());
    let day = match at.day() {
        1 => "1º".to_owned(),
        day => day.to_string(),
    };
    let month = MONTHS[at.month0() as usize];
    let year = if at.year() == today.year() { String::new() } else { format!(" de {}", at.year()) };
    let (hour, minute) = (at.hour(), at.minute());
    let article = if hour == 1 { "à" } else { "às" };
    let time = if minute == 0 { format!("{hour}h") } else { format!("{hour}h{minute:02}") };
    format!("{near}{weekday}, {day} de {month}{year}, {article} {time}")
}

/// "R$ 1.234,56".
pub fn price(cents: i64) -> String {
    let (whole, rest) = (cents / 100, cents % 100);
    let digits = whole.abs().to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push('.');
        }
        grouped.push(digit);
    }
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}R$ {grouped},{:02}", rest.abs())
}

/// A day as models and customers write it: `2026-12-03`, `03/12/2026`, or an instant's date.
pub fn read_day(text: &str) -> Option<NaiveDate> {
    let text = text.trim();
    let day = text.get(..10).unwrap_or(text);
    NaiveDate::parse_from_str(day, "%Y-%m-%d")
        .or_else(|_| NaiveDate::parse_from_str(day, "%d/%m/%Y"))
        .ok()
        .filter(|day| (1900..2200).contains(&day.year()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_as_in_brazil() {
        let today = read_day("2026-11-30").unwrap();
        for (day, hour, minute, said) in [
            ("2026-11-30", 14, 0, "hoje, segunda-feira, 30 de novembro, às 14h"),
            ("2026-12-01", 9, 30, "amanhã, terça-feira, 1º de dezembro, às 9h30"),
            ("2026-12-05", 1, 5, "sábado, 5 de dezembro, à 1h05"),
            ("2027-01-04", 8, 0, "segunda-feira, 4 de janeiro de 2027, às 8h"),
        ] {
            let at = read_day(day).unwrap().and_hms_opt(hour, minute, 0).unwrap();
            assert_eq!(moment(at, today), said);
        }
    }

    #[test]
    fn prices_are_written_with_points_and_a_comma() {
        for (cents, written) in [
            (0, "R$ 0,00"),
            (25_000, "R$ 250,00"),
            (123_456, "R$ 1.234,56"),
            (100_000_005, "R$ 1.000.000,05"),
            (-150, "-R$ 1,50"),
        ] {
            assert_eq!(price(cents), written);
        }
    }

    #[test]
    fn days_are_read_in_both_orders() {
        let day = NaiveDate::from_ymd_opt(2026, 12, 3);
        for text in ["2026-12-03", "03/12/2026", " 2026-12-03T14:00:00-03:00"] {
            assert_eq!(read_day(text), day, "{text}");
        }
        for text in ["", "amanhã", "2026-02-31", "12/2026", "0026-12-03"] {
            assert_eq!(read_day(text), None, "{text}");
        }
    }
}
