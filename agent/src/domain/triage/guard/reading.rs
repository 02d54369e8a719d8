//! A message as the rules see it: tokens, what each means, and the phrases found in it.

use std::sync::LazyLock;

use super::disguise::{HIDDEN, MISSPELT};
use super::group::{Group, Hit, Table};
use super::words::{self, Class};
use super::{cheer, complaint, evaluative, human_request, profanity};
use crate::domain::triage::fold::{self, Break, Folded};
use crate::domain::triage::phrase::{Disguises, Found, Lexicon, Sense};

/// Every phrase of every rule, compiled at first use.
static LEXICON: LazyLock<Lexicon<Group>> = LazyLock::new(|| {
    let tables: [&'static [Table]; 5] = [
        profanity::TABLES,
        evaluative::TABLES,
        complaint::TABLES,
        cheer::TABLES,
        human_request::TABLES,
    ];
    let disguises = Disguises { misspelt: MISSPELT, hidden: HIDDEN };
    Lexicon::build(words::classes(), disguises, &tables)
});

/// A message after folding and phrase matching.
#[derive(Debug)]
pub struct Reading {
    pub text: Folded,
    pub senses: Vec<Sense>,
    hits: Vec<Hit>,
    harmless: Vec<bool>,
    /// Share of capitals among the characters that are not blanks, and how many characters.
    pub capitals: f64,
    pub length: usize,
}

impl Reading {
    /// Reads `message` alone.
    #[cfg(test)]
    pub fn of(message: &str) -> Self {
        Self::of_folded(message, fold::tokenize(message))
    }

    /// Reads `message`, folded as `text`, in time linear in its length.
    pub fn of_folded(message: &str, text: Folded) -> Self {
        let Found { senses, hits } = LEXICON.read(&text);
        let mut harmless = vec![false; senses.len()];
        for hit in hits.iter().filter(|h| h.group == Group::Harmless) {
            harmless[hit.start..hit.end].fill(true);
        }
        let (capitals, length) = capital_ratio(message);
        Self { text, senses, hits, harmless, capitals, length }
    }

    /// The phrases of `group` found, in order.
    pub fn hits(&self, group: Group) -> impl Iterator<Item = &Hit> {
        self.hits.iter().filter(move |h| h.group == group)
    }

    /// Whether token `index` is a word of `class`.
    pub fn is(&self, index: usize, class: Class) -> bool {
        self.senses.get(index).is_some_and(|s| s.classes & class.bit() != 0)
    }

    /// Whether any word is of `class`.
    pub fn any(&self, class: Class) -> bool {
        self.senses.iter().any(|s| s.classes & class.bit() != 0)
    }

    /// Whether token `index` lies in a phrase that makes it harmless.
    pub fn harmless(&self, index: usize) -> bool {
        self.harmless.get(index).copied().unwrap_or_default()
    }

    /// The words before token `index` in its clause, nearest first, at most `most` of them.
    pub fn before(&self, index: usize, most: usize) -> impl Iterator<Item = usize> {
        let tokens = &self.text.tokens;
        (index.saturating_sub(most)..index)
            .rev()
            .take_while(move |i| tokens.get(i + 1).is_some_and(|t| t.break_before == Break::None))
    }

    /// The clauses of the message as ranges of tokens.
    pub fn clauses(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let tokens = &self.text.tokens;
        let mut start = 0;
        std::iter::from_fn(move || {
            if start >= tokens.len() {
                return None;
            }
            let length = tokens[start + 1..]
                .iter()
                .position(|t| t.break_before != Break::None)
                .map_or(tokens.len() - start, |n| n + 1);
            let range = start..start + length;
            start = range.end;
            Some(range)
        })
    }
}

/// Share of capital letters among the characters that are not spaces, and the text's length.
pub fn capital_ratio(message: &str) -> (f64, usize) {
    let (mut capitals, mut visible, mut length) = (0_u32, 0_u32, 0_usize);
    let (head, tail) = fold::ends(message);
    for c in head.chars().chain(tail.chars()) {
        length += 1;
        visible += u32::from(c != ' ');
        capitals += u32::from(c.is_uppercase());
    }
    (f64::from(capitals) / f64::from(visible.max(1)), length)
}
