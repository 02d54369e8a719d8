//! Which entries are told: one rule for what their words and what their embeddings say.
//!
//! Embeddings of different models spread differently: of two texts that have nothing to do with each
//! other, one model says 0.05 and another 0.75. So a similarity `s` counts from what is usual among
//! the account's own entries: `(s - u) / (1 - u)`, where `u` is the lower quartile of their
//! similarities to what is asked, of few entries the least, and a guess where there are only one or
//! two. Words ([`super::lexical`]) and embedding are two witnesses of which either may suffice and
//! both together say more: `1 - (1 - words) * (1 - embedding)`, with the share that each may have.
//! An entry of the domain that the message is about has a third (seed 003: the keywords of a domain
//! widen what is looked up). Below [`FLOOR`] nothing is told.

/// The least that is taken as usual.
const LEAST_USUAL: f64 = 0.1;
/// What is taken as usual of one or two entries.
const GUESSED_USUAL: f64 = 0.3;
/// Fewer entries have no quartile worth the name.
const ENOUGH: usize = 8;
/// The most that each witness alone can say.
const OF_WORDS: f64 = 0.95;
const OF_EMBEDDING: f64 = 0.95;
const OF_DOMAIN: f64 = 0.4;
/// Less is not told. Measured on the questions of `services/knowledge/measured.rs`.
pub const FLOOR: f64 = 0.27;

/// What is known of an entry against what was asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    pub id: i64,
    /// 0 to 1.
    pub words: f64,
    /// Cosine; `None` without embedding.
    pub similarity: Option<f64>,
    /// Its category covers the domain that the message is about.
    pub of_domain: bool,
}

/// The entries to be told with their scores, best first.
pub fn best(candidates: &[Candidate], limit: usize) -> Vec<(i64, f64)> {
    let usual = usual(candidates);
    let score = |candidate: &Candidate| {
        let embedding = candidate
            .similarity
            .map_or(0.0, |similarity| ((similarity - usual) / (1.0 - usual)).clamp(0.0, 1.0));
        let domain = if candidate.of_domain { OF_DOMAIN } else { 0.0 };
        let doubt =
            (1.0 - OF_WORDS * candidate.words) * (1.0 - OF_EMBEDDING * embedding) * (1.0 - domain);
        (candidate.id, 1.0 - doubt)
    };
    let mut scored: Vec<(i64, f64)> =
        candidates.iter().map(score).filter(|(_, score)| *score >= FLOOR).collect();
    scored.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    scored.truncate(limit);
    scored
}

/// The similarity of what has nothing to do with what was asked.
fn usual(candidates: &[Candidate]) -> f64 {
    let mut known: Vec<f64> =
        candidates.iter().filter_map(|candidate| candidate.similarity).collect();
    known.sort_by(f64::total_cmp);
    let usual = match known.len() {
        0..=2 => None,
        3..ENOUGH => known.first(),
        count => known.get(count / 4),
    };
    usual.copied().unwrap_or(GUESSED_USUAL).clamp(LEAST_USUAL, 0.99)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(id: i64, words: f64, similarity: Option<f64>) -> Candidate {
        Candidate { id, words, similarity, of_domain: false }
    }

    fn ids(candidates: &[Candidate]) -> Vec<i64> {
        best(candidates, 3).into_iter().map(|(id, _)| id).collect()
    }

    #[test]
    fn either_witness_suffices_and_both_say_more() {
        let all = [
            candidate(1, 0.6, None),
            candidate(2, 0.0, Some(0.8)),
            candidate(3, 0.6, Some(0.8)),
            candidate(4, 0.1, Some(0.15)),
        ];
        assert_eq!(ids(&all), [3, 2, 1]);
        assert_eq!(best(&all, 1).len(), 1);
    }

    #[test]
    fn a_similarity_counts_from_what_is_usual() {
        // A model that finds everything alike.
        let mut all: Vec<Candidate> = (1..=11).map(|id| candidate(id, 0.0, Some(0.75))).collect();
        all.push(candidate(12, 0.0, Some(0.88)));
        assert_eq!(ids(&all), [12]);
        for likenesses in [&[0.1, 0.6][..], &[0.75, 0.9, 0.74], &[0.05, 0.6, 0.1, 0.12]] {
            let few: Vec<Candidate> = likenesses
                .iter()
                .zip(1..)
                .map(|(likeness, id)| candidate(id, 0.0, Some(*likeness)))
                .collect();
            assert_eq!(ids(&few), [2], "{likenesses:?}");
        }
    }

    #[test]
    fn an_entry_of_the_domain_needs_nothing_else() {
        let of_domain = Candidate { of_domain: true, ..candidate(1, 0.0, Some(0.05)) };
        assert_eq!(ids(&[of_domain, candidate(2, 0.0, Some(0.05))]), [1]);
    }

    #[test]
    fn alike_entries_come_in_the_order_of_their_ids() {
        assert_eq!(ids(&[candidate(2, 0.7, None), candidate(1, 0.7, None)]), [1, 2]);
    }
}
