//! How many facts of a contact are kept, and how long a deleted one can be brought back.

use chrono::{DateTime, TimeDelta, Utc};

/// Active facts per contact (seed 002 §3.5).
pub const MOST_ACTIVE: usize = 50;
/// Facts from one conversation, over all its extractions (seed 002 §3.5).
pub const MOST_PER_CONVERSATION: usize = 5;
/// A deleted fact can be brought back for that long (seed 002 §10).
pub const UNDO_WITHIN: TimeDelta = TimeDelta::days(30);

/// What a fact's age is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Age {
    pub id: i64,
    pub last_verified_at: DateTime<Utc>,
}

/// The facts beyond [`MOST_ACTIVE`] of one contact: those verified longest ago.
pub fn surplus(mut facts: Vec<Age>) -> Vec<i64> {
    facts.sort_by_key(|fact| std::cmp::Reverse((fact.last_verified_at, fact.id)));
    facts.into_iter().skip(MOST_ACTIVE).map(|fact| fact.id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_facts_verified_longest_ago_are_the_surplus() {
        let age = |id: i64| Age {
            id,
            last_verified_at: DateTime::from_timestamp(1_800_000_000 + id % 60, 0).unwrap(),
        };
        assert_eq!(surplus((1..=50).map(age).collect()), Vec::<i64>::new());
        // 60 counts as verified at second 0, before all others.
        let mut surplus = surplus((1..=60).rev().map(age).collect());
        surplus.sort_unstable();
        assert_eq!(surplus, [1, 2, 3, 4, 5, 6, 7, 8, 9, 60]);
    }
}
