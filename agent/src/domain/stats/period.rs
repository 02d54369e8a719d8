//! The periods that pages show, in an account's own time zone, and the steps of their charts.

use chrono::{DateTime, Days, NaiveDate, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

/// A span of days that ends today.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Period {
    #[default]
    #[serde(rename = "today")]
    Today,
    /// Today and the six days before it.
    #[serde(rename = "7d")]
    Week,
    /// Today and the 29 days before it.
    #[serde(rename = "30d")]
    Month,
}

/// What one bar of a chart stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    Hour,
    Day,
}

impl Period {
    pub const ALL: [Self; 3] = [Self::Today, Self::Week, Self::Month];

    /// As in addresses: `today`, `7d` or `30d`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Today => "today",
            Self::Week => "7d",
            Self::Month => "30d",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|period| period.as_str() == word)
    }

    fn days_before(self) -> u64 {
        match self {
            Self::Today => 0,
            Self::Week => 6,
            Self::Month => 29,
        }
    }

    pub fn step(self) -> Step {
        match self {
            Self::Today => Step::Hour,
            Self::Week | Self::Month => Step::Day,
        }
    }

    /// When it began: a midnight of the account's clock.
    pub fn began(self, zone: Tz, now: DateTime<Utc>) -> DateTime<Utc> {
        let today = now.with_timezone(&zone).date_naive();
        let first = today.checked_sub_days(Days::new(self.days_before())).unwrap_or(today);
        midnight(zone, first)
    }

    /// The beginnings of its steps in order: hours up to the end of today, or days.
    pub fn steps(self, zone: Tz, now: DateTime<Utc>) -> Vec<DateTime<Utc>> {
        let today = now.with_timezone(&zone).date_naive();
        match self.step() {
            Step::Hour => {
                let end = today.succ_opt().map_or(now, |day| midnight(zone, day));
                let mut hour = midnight(zone, today);
                let mut hours = Vec::new();
                while hour < end {
                    hours.push(hour);
                    hour += TimeDelta::hours(1);
                }
                hours
            }
            Step::Day => {
                let days = (0..=self.days_before()).rev();
                let days = days.filter_map(|back| today.checked_sub_days(Days::new(back)));
                days.map(|day| midnight(zone, day)).collect()
            }
        }
    }
}

/// The first instant of a day. Where clocks are put forward at midnight, the day begins later.
pub fn midnight(zone: Tz, day: NaiveDate) -> DateTime<Utc> {
    let local = |hour| day.and_hms_opt(hour, 0, 0);
    let begins = (0..3).filter_map(local).find_map(|at| zone.from_local_datetime(&at).earliest());
    match begins {
        Some(begins) => begins.with_timezone(&Utc),
        None => Utc.from_utc_datetime(&day.and_time(chrono::NaiveTime::MIN)),
    }
}

/// In which step an instant lies; `None` before the first.
pub fn step_of(steps: &[DateTime<Utc>], at: DateTime<Utc>) -> Option<usize> {
    steps.partition_point(|begins| *begins <= at).checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        DateTime::parse_from_rfc3339(text).unwrap().to_utc()
    }

    #[test]
    fn today_begins_at_the_accounts_midnight() {
        let zone = chrono_tz::America::Sao_Paulo;
        // It is still the first of December there.
        let now = at("2026-12-02T02:30:00Z");
        assert_eq!(Period::Today.began(zone, now), at("2026-12-01T03:00:00Z"));
        assert_eq!(Period::Week.began(zone, now), at("2026-11-25T03:00:00Z"));
        assert_eq!(Period::Month.began(zone, now), at("2026-11-02T03:00:00Z"));
        assert_eq!(Period::Today.steps(zone, now).len(), 24);
        assert_eq!(Period::Week.steps(zone, now).len(), 7);
        assert_eq!(Period::Month.steps(zone, now)[29], at("2026-12-01T03:00:00Z"));
    }

    #[test]
    fn days_of_23_and_25_hours_have_as_many_steps() {
        let zone = chrono_tz::America::New_York;
        assert_eq!(Period::Today.steps(zone, at("2026-03-08T16:00:00Z")).len(), 23);
        assert_eq!(Period::Today.steps(zone, at("2026-11-01T16:00:00Z")).len(), 25);
        // São Paulo's clocks went forward at midnight: that day began at one.
        let day = NaiveDate::from_ymd_opt(2018, 11, 4).unwrap();
        assert_eq!(midnight(chrono_tz::America::Sao_Paulo, day), at("2018-11-04T03:00:00Z"));
    }

    #[test]
    fn an_instant_lies_in_the_step_that_began_last() {
        let steps = Period::Week.steps(chrono_tz::UTC, at("2026-12-02T12:00:00Z"));
        assert_eq!(step_of(&steps, at("2026-11-25T23:59:59Z")), None);
        assert_eq!(step_of(&steps, at("2026-11-26T00:00:00Z")), Some(0));
        assert_eq!(step_of(&steps, at("2026-12-02T23:00:00Z")), Some(6));
    }

    #[test]
    fn a_period_is_read_by_its_name() {
        for period in Period::ALL {
            assert_eq!(Period::parse(period.as_str()), Some(period));
        }
        assert_eq!(Period::parse("90d"), None);
    }
}
