//! The times of the made-up doctors: half hours of their hours on weekdays, in São Paulo. Some are
//! taken by others already, always the same ones.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, TimeDelta, TimeZone, Weekday};
use chrono_tz::{America::Sao_Paulo, Tz};

use super::catalogue::{self, Doctor};

const MINUTES: [u32; 2] = [0, 30];
/// One in so many times is taken by others.
const TAKEN_ONE_IN: i64 = 4;
/// How an id names its time.
const ID_TIME: &str = "%Y%m%dT%H%M";
/// Longest span that is looked through, in days.
const MOST_DAYS: i64 = 120;

/// A time of a doctor.
#[derive(Debug, Clone)]
pub struct Slot {
    pub id: String,
    pub doctor: &'static Doctor,
    pub start: DateTime<Tz>,
    /// Somebody else has it.
    pub is_taken: bool,
}

fn slot(doctor: &'static Doctor, at: NaiveDateTime) -> Option<Slot> {
    let start = Sao_Paulo.from_local_datetime(&at).earliest()?;
    let place = catalogue::DOCTORS.iter().position(|one| one.id == doctor.id)?;
    let half_hours = at.and_utc().timestamp() / 1_800;
    // Days have 48 half hours; the factor makes each day another pattern.
    let number =
        half_hours * 5 + i64::from(at.num_days_from_ce()) * 3 + i64::try_from(place).ok()?;
    Some(Slot {
        id: format!("{}.{}", doctor.id, at.format(ID_TIME)),
        doctor,
        start,
        is_taken: number.rem_euclid(TAKEN_ONE_IN) == 0,
    })
}

fn of_day(doctor: &'static Doctor, day: NaiveDate) -> Vec<Slot> {
    if matches!(day.weekday(), Weekday::Sat | Weekday::Sun) {
        return Vec::new();
    }
    let hours = doctor.hours.iter().flat_map(|(from, to)| *from..*to);
    let times = hours.flat_map(|hour| MINUTES.map(|minute| day.and_hms_opt(hour, minute, 0)));
    times.flatten().filter_map(|at| slot(doctor, at)).collect()
}

/// The doctor's times from one instant to before another.
pub fn between(doctor: &'static Doctor, from: DateTime<Tz>, to: DateTime<Tz>) -> Vec<Slot> {
    let first = from.with_timezone(&Sao_Paulo).date_naive();
    let days = (to - from).num_days().clamp(-1, MOST_DAYS) + 2;
    (0..days)
        .flat_map(|day| of_day(doctor, first + TimeDelta::days(day)))
        .filter(|slot| from <= slot.start && slot.start < to)
        .collect()
}

/// The time that an id names, if there is such a time.
pub fn by_id(id: &str) -> Option<Slot> {
    let (doctor, time) = id.split_once('.')?;
    let doctor = catalogue::doctor(doctor)?;
    let at = NaiveDateTime::parse_from_str(time, ID_TIME).ok()?;
    of_day(doctor, at.date()).into_iter().find(|slot| slot.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::Timelike;

    fn at(text: &str) -> DateTime<Tz> {
        DateTime::parse_from_rfc3339(text).unwrap().with_timezone(&Sao_Paulo)
    }

    fn week(doctor: &str) -> Vec<Slot> {
        let doctor = catalogue::doctor(doctor).unwrap();
        between(doctor, at("2026-11-28T00:00:00-03:00"), at("2026-12-05T00:00:00-03:00"))
    }

    #[test]
    fn times_are_on_weekdays_with_a_break_for_lunch() {
        let slots = week("joana-prado");
        assert_eq!(slots.len(), 5 * 18);
        for slot in &slots {
            assert!(!matches!(slot.start.weekday(), Weekday::Sat | Weekday::Sun), "{slot:?}");
            assert!((8..18).contains(&slot.start.hour()) && slot.start.hour() != 12, "{slot:?}");
        }
        assert!(week("helena-vidal").is_empty());
    }

    #[test]
    fn some_times_are_taken_and_always_the_same() {
        let taken = |slots: &[Slot]| {
            let taken = slots.iter().filter(|slot| slot.is_taken);
            taken.map(|slot| slot.id.clone()).collect::<Vec<_>>()
        };
        let (once, again) = (taken(&week("joana-prado")), taken(&week("joana-prado")));
        assert_eq!(once, again);
        assert!((10..40).contains(&once.len()), "{}", once.len());
    }

    #[test]
    fn an_id_leads_back_to_its_time_and_others_lead_nowhere() {
        for slot in week("paulo-nogueira") {
            assert_eq!(by_id(&slot.id).unwrap().start, slot.start);
        }
        for id in [
            "",
            "joana-prado",
            "joana-prado.20261201T1200",
            "joana-prado.20261128T0900",
            "joana-prado.20261201T0915",
            "ninguem.20261201T0900",
        ] {
            assert!(by_id(id).is_none(), "{id}");
        }
    }

    #[test]
    fn only_what_begins_within_the_bounds_is_there() {
        let doctor = catalogue::doctor("joana-prado").unwrap();
        let from = at("2026-12-01T08:30:00-03:00");
        let slots = between(doctor, from, at("2026-12-01T09:30:00-03:00"));
        let starts: Vec<String> =
            slots.iter().map(|slot| slot.start.format("%H:%M").to_string()).collect();
        assert_eq!(starts, ["08:30", "09:00"]);
        assert!(between(doctor, from, at("2026-11-01T00:00:00-03:00")).is_empty());
    }
}
