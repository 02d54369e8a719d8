//! Which facts are brought to mind, and in which order.

use chrono::{DateTime, Utc};

use super::kind::{Expiry, MemoryKind, Scope};

/// Facts in a prompt (seed 002 §7.2).
pub const TOP: usize = 5;
/// What an expired fact of a kind that weighs less still weighs (seed 002 §5).
pub const EXPIRED_WEIGHT: f64 = 0.7;
/// A fact less alike than this has nothing to do with what was said.
const LEAST_SCORE: f64 = 0.0;

/// 1, or less for a fact whose time is over.
pub fn recall_weight(
    kind: MemoryKind,
    expires_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> f64 {
    let expired = expires_at.is_some_and(|end| end <= now);
    if expired && kind.rule().expiry == Expiry::WeighsLess { EXPIRED_WEIGHT } else { 1.0 }
}

/// Whether a fact may be told in a conversation of `unit` (DESIGN §7).
pub fn scope_compatible(scope: Scope, source_unit: Option<i64>, unit: Option<i64>) -> bool {
    scope == Scope::Global || source_unit.is_none() || source_unit == unit
}

/// A fact with how alike it is to what was said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored<T> {
    pub fact: T,
    /// Cosine similarity times weight.
    pub score: f64,
}

/// The best `most`, best first; of equals the first given stays first.
pub fn best<T>(facts: impl IntoIterator<Item = Scored<T>>, most: usize) -> Vec<Scored<T>> {
    let mut facts: Vec<_> = facts.into_iter().filter(|fact| fact.score > LEAST_SCORE).collect();
    facts.sort_by(|left, right| right.score.total_cmp(&left.score));
    facts.truncate(most);
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;

    #[test]
    fn an_expired_preference_weighs_less_and_a_date_never_does() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        let ended = Some(now - TimeDelta::days(1));
        assert_eq!(recall_weight(MemoryKind::Preferencia, ended, now), 0.7);
        assert_eq!(recall_weight(MemoryKind::Preferencia, Some(now), now), 0.7);
        assert_eq!(recall_weight(MemoryKind::Preferencia, None, now), 1.0);
        assert_eq!(recall_weight(MemoryKind::DataComemorativa, ended, now), 1.0);
    }

    #[test]
    fn a_unit_fact_is_told_in_its_unit_only_and_a_global_one_everywhere() {
        use Scope::{Global, Unit};
        for (scope, source, unit, told) in [
            (Global, Some(1), Some(2), true),
            (Global, Some(1), None, true),
            (Unit, Some(1), Some(1), true),
            (Unit, Some(1), Some(2), false),
            (Unit, Some(1), None, false),
            (Unit, None, Some(2), true),
            (Unit, None, None, true),
        ] {
            assert_eq!(
                scope_compatible(scope, source, unit),
                told,
                "{scope:?} {source:?} {unit:?}"
            );
        }
    }

    #[test]
    fn weighting_comes_before_the_cut() {
        let scored = |fact, score| Scored { fact, score };
        let facts = [scored(1, 0.9 * 0.7), scored(2, 0.8), scored(3, 0.7), scored(4, -0.2)];
        let best: Vec<i32> = best(facts, 2).into_iter().map(|scored| scored.fact).collect();
        assert_eq!(best, [2, 3]);
    }
}
