//! A clock that tests move.

use std::sync::Mutex;

use chrono::{DateTime, TimeDelta, Utc};
use lembra_agent::clock::Clock;

pub struct ManualClock(Mutex<DateTime<Utc>>);

impl ManualClock {
    /// Sunday 29 November 2026, noon UTC.
    pub fn at_noon() -> Self {
        let noon = DateTime::parse_from_rfc3339("2026-11-29T12:00:00Z").unwrap().to_utc();
        Self(Mutex::new(noon))
    }

    pub fn advance(&self, by: TimeDelta) {
        *self.0.lock().unwrap() += by;
    }

    pub fn set(&self, to: DateTime<Utc>) {
        let mut now = self.0.lock().unwrap();
        *now = to.max(*now);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap()
    }
}
