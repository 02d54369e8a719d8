//! The days that free times are looked for in.

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, TimeZone};
use chrono_tz::Tz;

use crate::domain::scheduling::spoken::read_day;

/// How far ahead is looked when nobody said.
const HORIZON: TimeDelta = TimeDelta::days(30);
/// How far ahead is looked at most.
const FARTHEST: TimeDelta = TimeDelta::days(90);

/// From one instant to before another, on the clinic's clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    pub from: DateTime<Tz>,
    pub to: DateTime<Tz>,
}

impl Window {
    /// The days that were asked for, without what has passed of them. The error is for the model.
    pub fn read(from: Option<&str>, to: Option<&str>, now: DateTime<Tz>) -> Result<Self, String> {
        let today = now.date_naive();
        let day = |text: Option<&str>| match text {
            None => Ok(None),
            Some(text) => read_day(text).map(Some).ok_or_else(|| {
                "Uma das datas não existe. Confirme com o paciente o dia que ele quer.".to_owned()
            }),
        };
        let (from, to) = (day(from)?, day(to)?);
        let first = from.unwrap_or(today).max(today);
        let last = to.unwrap_or(first + HORIZON).min(first + FARTHEST);
        if to.is_some_and(|to| to < today) {
            let today = today.format("%d/%m/%Y");
            return Err(format!(
                "Os dias pedidos já passaram; hoje é {today}. Confirme com o paciente o dia que \
                 ele quer."
            ));
        }
        if last < first {
            return Err("O último dia vem antes do primeiro. Confirme com o paciente.".to_owned());
        }
        let zone = now.timezone();
        let from = midnight(first, zone).max(now);
        Ok(Self { from, to: midnight(last + TimeDelta::days(1), zone) })
    }

    /// From the same instant as far ahead as is usual, unless that is no farther.
    pub fn wider(&self) -> Option<Self> {
        let last = self.from.date_naive() + HORIZON;
        let to = midnight(last + TimeDelta::days(1), self.from.timezone());
        (to > self.to).then_some(Self { from: self.from, to })
    }
}

/// When a day begins. Where the clock is set forward at midnight, it begins an hour later.
fn midnight(day: NaiveDate, zone: Tz) -> DateTime<Tz> {
    let start = day.and_time(NaiveTime::MIN);
    let later = start + TimeDelta::hours(1);
    zone.from_local_datetime(&start)
        .earliest()
        .or_else(|| zone.from_local_datetime(&later).earliest())
        .unwrap_or_else(|| zone.from_utc_datetime(&start))
}

/// "14:00".
pub fn hour(text: &str) -> Option<NaiveTime> {
    NaiveTime::parse_from_str(text.trim(), "%H:%M").ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Tz> {
        let now = DateTime::parse_from_rfc3339("2026-11-30T15:00:00-03:00").unwrap();
        now.with_timezone(&chrono_tz::America::Sao_Paulo)
    }

    fn window(from: Option<&str>, to: Option<&str>) -> (String, String) {
        let window = Window::read(from, to, now()).unwrap();
        (window.from.to_rfc3339(), window.to.to_rfc3339())
    }

    #[test]
    fn days_are_those_of_the_clinics_clock_without_what_has_passed() {
        let day = |day: &str| format!("{day}T00:00:00-03:00");
        let soon = "2026-11-30T15:00:00-03:00".to_owned();
        assert_eq!(window(None, None), (soon.clone(), day("2026-12-31")));
        assert_eq!(
            window(Some("2026-12-01"), Some("2026-12-01")),
            (day("2026-12-01"), day("2026-12-02"))
        );
        assert_eq!(window(Some("2026-11-01"), Some("2026-11-30")), (soon, day("2026-12-01")));
        assert_eq!(
            window(Some("2026-12-01"), Some("2027-12-01")),
            (day("2026-12-01"), day("2027-03-02"))
        );
    }

    #[test]
    fn days_that_cannot_be_meant_are_asked_about() {
        for (from, to, part) in [
            (Some("2026-02-31"), None, "não existe"),
            (Some("2025-12-01"), Some("2025-12-01"), "30/11/2026"),
            (Some("2026-12-05"), Some("2026-12-01"), "antes do primeiro"),
        ] {
            let error = Window::read(from, to, now()).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_single_day_can_be_looked_beyond() {
        let one = Window::read(Some("2026-12-01"), Some("2026-12-01"), now()).unwrap();
        assert_eq!(one.wider().unwrap().to.to_rfc3339(), "2027-01-01T00:00:00-03:00");
        assert_eq!(Window::read(None, None, now()).unwrap().wider(), None);
    }

    #[test]
    fn a_day_whose_midnight_is_skipped_begins_at_one() {
        let day = NaiveDate::from_ymd_opt(2018, 11, 4).unwrap();
        let start = midnight(day, chrono_tz::America::Sao_Paulo);
        assert_eq!(start.to_rfc3339(), "2018-11-04T01:00:00-02:00");
    }
}
