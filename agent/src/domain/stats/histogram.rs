//! Counts of values in slots whose width grows with the value: the percentiles of any number of
//! values, gathered by several processes over many days, within a known error.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Each slot ends so much above the one before it. What stands for a slot lies in its middle, so
/// it is at most `(GROWTH - 1) / (GROWTH + 1)`, 3 %, away from every value in it.
const GROWTH: f64 = 1.06;

/// How many values fell into each slot. Empty slots are not kept; `{"70": 3}` as JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Histogram(BTreeMap<u16, u64>);

impl Histogram {
    /// Adds one value, in milliseconds or another whole unit.
    pub fn add(&mut self, value: u64) {
        *self.0.entry(slot(value)).or_default() += 1;
    }

    /// Adds everything that another histogram holds.
    pub fn merge(&mut self, other: &Self) {
        for (slot, count) in &other.0 {
            *self.0.entry(*slot).or_default() += count;
        }
    }

    /// How many values it holds.
    pub fn count(&self) -> u64 {
        self.0.values().sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value below or at which so much of all lies, 0 to 1, by the nearest rank; `None` without
    /// values. Within 3 % and half a unit.
    pub fn percentile(&self, part: f64) -> Option<u64> {
        let count = self.count();
        if count == 0 {
            return None;
        }
        let rank = (part.clamp(0.0, 1.0) * count as f64).ceil().max(1.0);
        let mut passed = 0_u64;
        for (slot, count) in &self.0 {
            passed += count;
            if passed as f64 >= rank {
                return Some(middle(*slot));
            }
        }
        self.0.keys().next_back().map(|slot| middle(*slot))
    }
}

/// Slot 0 holds 0 and 1; slot `n` what lies above `GROWTH^(n-1)`, up to `GROWTH^n`.
fn slot(value: u64) -> u16 {
    if value <= 1 {
        return 0;
    }
    let slot = ((value as f64).ln() / GROWTH.ln()).ceil();
    // The largest value of all has slot 762.
    slot.clamp(0.0, f64::from(u16::MAX)) as u16
}

fn middle(slot: u16) -> u64 {
    if slot == 0 {
        return 1;
    }
    let end = GROWTH.powi(i32::from(slot));
    (2.0 * end / (GROWTH + 1.0)).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(values: &[u64]) -> Histogram {
        let mut histogram = Histogram::default();
        for value in values {
            histogram.add(*value);
        }
        histogram
    }

    fn exact(values: &[u64], part: f64) -> u64 {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let rank = (part * sorted.len() as f64).ceil().max(1.0) as usize;
        sorted[rank - 1]
    }

    fn close(found: u64, exact: u64) -> bool {
        let (found, exact) = (found as f64, exact.max(1) as f64);
        (found - exact).abs() <= 0.031 * exact + 0.5
    }

    #[test]
    fn no_values_have_no_percentile_and_one_value_is_all_of_them() {
        assert_eq!(Histogram::default().percentile(0.5), None);
        let one = of(&[1_234]);
        for part in [0.0, 0.5, 0.95, 1.0] {
            assert!(close(one.percentile(part).unwrap(), 1_234));
        }
    }

    #[test]
    fn percentiles_of_a_known_row_are_those_of_the_row() {
        let values: Vec<u64> = (1..=1_000).map(|n| n * 10).collect();
        let histogram = of(&values);
        for (part, expected) in [(0.5, 5_000), (0.95, 9_500), (0.99, 9_900)] {
            assert!(close(histogram.percentile(part).unwrap(), expected), "{part}");
        }
    }

    #[test]
    fn it_survives_being_written_and_read() {
        let histogram = of(&[0, 1, 7, 7, 90_000]);
        let text = serde_json::to_string(&histogram).unwrap();
        assert_eq!(serde_json::from_str::<Histogram>(&text).unwrap(), histogram);
        let value = serde_json::to_value(&histogram).unwrap();
        assert_eq!(serde_json::from_value::<Histogram>(value).unwrap(), histogram);
    }

    proptest! {
        #[test]
        fn a_percentile_is_within_its_error_of_the_exact_one(
            values in prop::collection::vec(0_u64..100_000_000, 1..300),
            part in 0.0_f64..=1.0,
        ) {
            let found = of(&values).percentile(part).unwrap();
            let exact = exact(&values, part);
            prop_assert!(close(found, exact), "{found} for {exact}");
        }

        #[test]
        fn merging_is_as_good_as_adding_everything_to_one(
            left in prop::collection::vec(0_u64..u64::MAX, 0..50),
            right in prop::collection::vec(0_u64..u64::MAX, 0..50),
        ) {
            let mut merged = of(&left);
            merged.merge(&of(&right));
            let all: Vec<u64> = left.iter().chain(&right).copied().collect();
            prop_assert_eq!(&merged, &of(&all));
            prop_assert_eq!(merged.count(), all.len() as u64);
        }
    }
}
