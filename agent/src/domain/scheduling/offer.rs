//! Which of many free times are shown: few, and different enough to choose from.

use std::collections::HashMap;

use chrono::{NaiveDateTime, NaiveTime, Timelike};

/// Part of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Period {
    Morning,
    Afternoon,
    Evening,
}

impl Period {
    /// "manhã", "tarde", "noite", in any spelling.
    pub fn parse(text: &str) -> Option<Self> {
        match crate::domain::triage::fold::fold(text.trim()).as_str() {
            "manha" => Some(Period::Morning),
            "tarde" => Some(Period::Afternoon),
            "noite" => Some(Period::Evening),
            _ => None,
        }
    }

    pub fn of(at: NaiveDateTime) -> Self {
        match at.hour() {
            0..12 => Period::Morning,
            12..18 => Period::Afternoon,
            _ => Period::Evening,
        }
    }
}

/// A free time: with whom, and when on the clinic's clock.
#[derive(Debug, Clone, Copy)]
pub struct Free<'a> {
    pub doctor: &'a str,
    pub at: NaiveDateTime,
}

/// Times of one doctor in one part of a day that are shown while others could be.
const ALIKE: usize = 2;

/// The places of at most `most` times, in order of time. Near `wanted` where an hour was asked for;
/// otherwise the earliest, not all of one morning.
pub fn pick(free: &[Free<'_>], wanted: Option<NaiveTime>, most: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..free.len()).collect();
    match wanted {
        Some(wanted) => places.sort_by_key(|place| {
            let at = free[*place].at;
            let away = (at.time() - wanted).abs();
            // A quarter of an hour either way is the same wish; then the earlier day counts.
            (away.num_minutes() / 15, at, away)
        }),
        None => {
            places.sort_by_key(|place| free[*place].at);
            let mut shown: HashMap<_, usize> = HashMap::new();
            let (varied, rest): (Vec<usize>, Vec<usize>) =
                places.iter().copied().partition(|place| {
                    let slot = free[*place];
                    let group = (slot.doctor, slot.at.date(), Period::of(slot.at));
                    let count = shown.entry(group).or_default();
                    *count += 1;
                    *count <= ALIKE
                });
            places = [varied, rest].concat();
        }
    }
    places.truncate(most);
    places.sort_by_key(|place| (free[*place].at, free[*place].doctor));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::NaiveDate;

    fn at(day: u32, hour: u32, minute: u32) -> NaiveDateTime {
        NaiveDate::from_ymd_opt(2026, 12, day).unwrap().and_hms_opt(hour, minute, 0).unwrap()
    }

    fn half_hours(days: std::ops::Range<u32>) -> Vec<Free<'static>> {
        let hours = days.flat_map(|day| (8..18).map(move |hour| (day, hour)));
        hours
            .flat_map(|(day, hour)| [at(day, hour, 0), at(day, hour, 30)])
            .map(|at| Free { doctor: "a", at })
            .collect()
    }

    #[test]
    fn the_first_times_are_not_all_of_one_morning() {
        let free = half_hours(1..4);
        let shown: Vec<_> = pick(&free, None, 6).into_iter().map(|place| free[place].at).collect();
        let expected =
            [at(1, 8, 0), at(1, 8, 30), at(1, 12, 0), at(1, 12, 30), at(2, 8, 0), at(2, 8, 30)];
        assert_eq!(shown, expected);
    }

    #[test]
    fn few_times_are_all_shown() {
        let free = &half_hours(1..2)[..3];
        assert_eq!(pick(free, None, 6), [0, 1, 2]);
        assert_eq!(pick(&[], None, 6), Vec::<usize>::new());
    }

    #[test]
    fn the_hour_that_was_asked_for_is_among_them() {
        let free = half_hours(1..3);
        let wanted = NaiveTime::from_hms_opt(14, 0, 0);
        let shown: Vec<_> =
            pick(&free, wanted, 4).into_iter().map(|place| free[place].at).collect();
        assert!(shown.contains(&at(1, 14, 0)) && shown.contains(&at(2, 14, 0)), "{shown:?}");
        assert_eq!(shown.len(), 4);
    }

    #[test]
    fn parts_of_the_day_are_read_and_told_apart() {
        assert_eq!(Period::parse("Manhã"), Some(Period::Morning));
        assert_eq!(Period::parse("madrugada"), None);
        assert_eq!(Period::of(at(1, 11, 59)), Period::Morning);
        assert_eq!(Period::of(at(1, 12, 0)), Period::Afternoon);
        assert_eq!(Period::of(at(1, 18, 0)), Period::Evening);
    }
}
