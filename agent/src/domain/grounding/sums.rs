//! Sums that an answer may make itself: "3 diárias de R$ 350 dão R$ 1.050", "sobram R$ 265,50".

use std::collections::HashSet;

use super::found::{Currency, Value};
use super::lex::Text;
use super::scan::Scan;

/// Amounts of the sources beyond which a sum says nothing: any figure would be one.
const MOST: usize = 40;

/// The most times that a price is taken: the nights of a month.
const TIMES: u64 = 31;

/// The amounts of the sources.
#[derive(Debug, Default)]
pub(super) struct Amounts(HashSet<(u64, Option<Currency>)>);

impl Amounts {
    pub fn add(&mut self, value: &Value) {
        if let Value::Money { cents, currency } = value {
            self.0.insert((*cents, *currency));
        }
    }

    /// Whether an amount is one of these some times (as often as the answer says), or the sum or
    /// the difference of two.
    pub fn make(&self, value: &Value, counts: &[u64]) -> bool {
        let Value::Money { cents, currency } = value else { return false };
        if *cents == 0 || self.0.len() > MOST {
            return false;
        }
        let fits =
            |other: Option<Currency>| currency.is_none() || other.is_none() || other == *currency;
        let alike: HashSet<u64> =
            self.0.iter().filter(|(_, other)| fits(*other)).map(|(cents, _)| *cents).collect();
        alike.iter().any(|one| {
            let times = counts.iter().any(|count| one.checked_mul(*count) == Some(*cents));
            let rest =
                cents.checked_sub(*one).is_some_and(|rest| rest != *one && alike.contains(&rest));
            let more = one.checked_add(*cents).is_some_and(|sum| alike.contains(&sum));
            times || rest || more
        })
    }
}

/// The counts that an answer says: "3 diárias", "duas noites".
pub(super) fn counts(text: &Text<'_>, scan: &Scan) -> Vec<u64> {
    let said = scan.bare.iter().filter_map(|at| text.whole(*at, TIMES));
    said.filter(|count| *count > 1).collect()
}
