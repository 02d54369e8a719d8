//! Facts of different customers that say the same, for reports: "o ar da 204 faz barulho" and
//! "ar-condicionado barulhento na 310" are one complaint of two people.
//!
//! Two facts belong together when their words do, or when their embeddings point the same way more
//! than is usual among these facts (models spread differently; see
//! [`ranking`](crate::domain::knowledge::ranking)), and their words do not contradict each other.
//! Each fact is compared with the first of each group only, so the work is bounded by facts times
//! groups, and a group cannot drift from one matter to another.

use std::collections::BTreeSet;

use super::MemoryKind;
use super::contradiction::{Lexical, lexical};
use crate::domain::knowledge::words::words;

/// Groups that a further fact is compared with; what fits none of them stands alone.
const MOST_GROUPS: usize = 200;
/// Share of words that two facts must have in common, of all words of both.
const LEAST_OVERLAP: f64 = 0.6;
/// Share of the shorter one's words that stand in the longer one, where it has two at least.
const LEAST_CONTAINED: f64 = 0.99;
/// How far above the usual likeness two embeddings must be, of what is left to 1.
const LEAST_ABOVE_USUAL: f64 = 0.5;
/// What is taken as usual of few facts: they may all say the same.
const GUESSED_USUAL: f64 = 0.5;
/// Fewer facts have no quartile worth the name.
const ENOUGH: usize = 8;
/// Facts whose likeness to each other says what is usual.
const SAMPLED: usize = 32;

/// Stems of how a fact is told, beside those that say nothing anywhere.
const TOLD: &[&str] = &[
    "client",
    "reclam",
    "elogi",
    "gost",
    "prefer",
    "ach",
    "diss",
    "fal",
    "coment",
    "relat",
    "consider",
    "fic",
    "bastant",
    "sempr",
    "costum",
    "estav",
    "era",
    "quart",
    "suit",
    "apartament",
];

/// A fact to be grouped.
#[derive(Debug, Clone)]
pub struct Told<'a> {
    pub content: &'a str,
    /// Of one model, each of length above 0; `None` where there is none.
    pub vector: Option<&'a [f32]>,
}

/// What a fact is about: stems without figures, so that rooms and hours do not part one complaint.
fn matter(content: &str) -> BTreeSet<String> {
    let stems = words(content).into_iter().filter(|word| !word.joined).map(|word| word.stem);
    let says = |stem: &String| {
        let figure = stem.bytes().any(|byte| byte.is_ascii_digit());
        !figure && !TOLD.contains(&stem.as_str())
    };
    stems.filter(says).collect()
}

/// Whether two sets of words are about one thing.
fn words_agree(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let common = one.intersection(other).count();
    let (all, least) = (one.len() + other.len() - common, one.len().min(other.len()));
    if common == 0 {
        return false;
    }
    let share = |of: usize| common as f64 / of as f64;
    share(all) >= LEAST_OVERLAP || (least >= 2 && share(least) >= LEAST_CONTAINED)
}

/// The cosine of two vectors; 0 where one has no direction. Sums are kept apart in lanes, which the
/// compiler turns into vector instructions.
fn cosine(one: &[f32], other: &[f32]) -> f64 {
    const LANES: usize = 16;
    let (mut dot, mut left, mut right) = ([0.0_f32; LANES], [0.0_f32; LANES], [0.0_f32; LANES]);
    let (ones, ones_rest) = one.as_chunks::<LANES>();
    let (others, others_rest) = other.as_chunks::<LANES>();
    for (a, b) in ones.iter().zip(others) {
        for lane in 0..LANES {
            dot[lane] += a[lane] * b[lane];
            left[lane] += a[lane] * a[lane];
            right[lane] += b[lane] * b[lane];
        }
    }
    for (lane, (a, b)) in ones_rest.iter().zip(others_rest).enumerate() {
        dot[lane] += a * b;
        left[lane] += a * a;
        right[lane] += b * b;
    }
    let sum = |lanes: [f32; LANES]| f64::from(lanes.iter().sum::<f32>());
    let length = (sum(left) * sum(right)).sqrt();
    if length > 0.0 { sum(dot) / length } else { 0.0 }
}

/// The likeness that facts of this list have to each other without saying the same.
fn usual(facts: &[Told<'_>]) -> f64 {
    let vectors: Vec<&[f32]> = facts.iter().filter_map(|fact| fact.vector).take(SAMPLED).collect();
    if vectors.len() < ENOUGH {
        return GUESSED_USUAL;
    }
    let mut likenesses: Vec<f64> = vectors
        .iter()
        .enumerate()
        .flat_map(|(index, one)| vectors.iter().skip(index + 1).map(|other| cosine(one, other)))
        .collect();
    likenesses.sort_by(f64::total_cmp);
    likenesses.get(likenesses.len() / 4).map_or(GUESSED_USUAL, |usual| usual.clamp(0.1, 0.95))
}

/// The facts that belong together, by their places in the list: groups in the order of their first
/// facts, and in each the places in order.
pub fn groups(kind: MemoryKind, facts: &[Told<'_>]) -> Vec<Vec<usize>> {
    let usual = usual(facts);
    let least = usual + LEAST_ABOVE_USUAL * (1.0 - usual);
    let matters: Vec<BTreeSet<String>> = facts.iter().map(|fact| matter(fact.content)).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (place, (fact, own)) in facts.iter().zip(&matters).enumerate() {
        let fits = |group: &&mut Vec<usize>| {
            let first = group.first().copied().unwrap_or(place);
            let (Some(leader), Some(matter)) = (facts.get(first), matters.get(first)) else {
                return false;
            };
            let alike = || match (fact.vector, leader.vector) {
                (Some(one), Some(other)) => cosine(one, other) >= least,
                _ => false,
            };
            let same = fact.content == leader.content || words_agree(own, matter) || alike();
            same && lexical(kind, leader.content, fact.content) != Lexical::Contradicts
        };
        match groups.iter_mut().take(MOST_GROUPS).find(fits) {
            Some(group) => group.push(place),
            None => groups.push(vec![place]),
        }
    }
    groups
}

/// Of the contents of a group, the one that says best what they have in common: most of its words
/// stand in many of them, and it has few others.
pub fn title<'a>(contents: &[&'a str]) -> &'a str {
    let matters: Vec<BTreeSet<String>> =
        contents.iter().take(MOST_GROUPS).map(|content| matter(content)).collect();
    let score = |matter: &BTreeSet<String>| {
        let found = matter
            .iter()
            .map(|word| matters.iter().filter(|matter| matter.contains(word)).count() as f64);
        found.sum::<f64>() / (matter.len().max(1) as f64).sqrt()
    };
    let scored = contents.iter().zip(&matters).map(|(content, matter)| (content, score(matter)));
    let best = scored.reduce(|best, next| {
        let shorter = next.0.len() < best.0.len();
        if next.1 > best.1 || (next.1 == best.1 && shorter) { next } else { best }
    });
    best.map_or("", |(content, _)| *content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_words(kind: MemoryKind, contents: &[&str]) -> Vec<Vec<usize>> {
        let told: Vec<Told<'_>> =
            contents.iter().map(|content| Told { content, vector: None }).collect();
        groups(kind, &told)
    }

    #[test]
    fn one_complaint_in_other_words_and_another_room_is_one() {
        let found = by_words(
            MemoryKind::Reclamacao,
            &[
                "Ar-condicionado da 204 barulhento",
                "Reclamou do ar-condicionado barulhento no quarto 310",
                "Café da manhã frio",
                "O ar condicionado estava muito barulhento",
                "Fila no check-in",
                "Café da manhã servido frio no domingo",
            ],
        );
        assert_eq!(found, [vec![0, 1, 3], vec![2, 5], vec![4]]);
    }

    #[test]
    fn what_contradicts_is_not_one_preference() {
        let found = by_words(
            MemoryKind::Preferencia,
            &["Prefere suíte com hidro", "Prefere suíte sem hidro", "Gosta de hidro"],
        );
        assert_eq!(found, [vec![0, 2], vec![1]]);
    }

    #[test]
    fn embeddings_group_what_words_do_not_if_they_are_unusually_alike() {
        let vector = |angle: f32| vec![angle.cos(), angle.sin()];
        let near = [vector(0.0), vector(0.3), vector(1.5)];
        let contents = ["Barulho à noite", "Não conseguiu dormir com o som alto", "Toalha suja"];
        let told: Vec<Told<'_>> = contents
            .iter()
            .zip(&near)
            .map(|(content, vector)| Told { content, vector: Some(vector) })
            .collect();
        assert_eq!(groups(MemoryKind::Reclamacao, &told), [vec![0, 1], vec![2]]);
        // A model that finds everything alike parts them all the same.
        let all: Vec<Vec<f32>> = (0..12_u8).map(|n| vector(f32::from(n) * 0.04)).collect();
        let names: Vec<String> = ('a'..='l').map(|c| c.to_string().repeat(6)).collect();
        let told: Vec<Told<'_>> = names
            .iter()
            .zip(&all)
            .map(|(content, vector)| Told { content, vector: Some(vector) })
            .collect();
        assert!(groups(MemoryKind::Reclamacao, &told).len() > 1);
    }

    #[test]
    fn a_group_is_called_what_its_facts_have_in_common() {
        let contents = [
            "Reclamou que o ar-condicionado da suíte 204 fazia barulho e pingava água na cama",
            "Ar-condicionado barulhento",
            "Ar-condicionado da 204 barulhento",
        ];
        assert_eq!(title(&contents), "Ar-condicionado barulhento");
        assert_eq!(title(&[]), "");
    }

    #[test]
    fn the_cosine_is_that_of_the_angle() {
        let (one, other) = (vec![1.0_f32; 33], vec![-2.0_f32; 33]);
        assert!((cosine(&one, &other) + 1.0).abs() < 1e-6);
        assert!((cosine(&one, &one) - 1.0).abs() < 1e-6);
        assert_eq!(cosine(&one, &[0.0; 33]), 0.0);
    }
}
