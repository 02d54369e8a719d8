//! A message as the rules see it: tokens, what each means, and the phrases found in it.

use std::sync::LazyLock;

use super::phrase::{Group, Hit, Lexicon, Table};
use super::sense::Sense;
use super::words::Class;
use super::{cheer, complaint, evaluative, human_request, profanity};
use crate::domain::triage::fold::{self, Break, Folded};

/// Every phrase of every rule, compiled at first use.
static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let tables: [&'static [Table]; 5] = [
        profanity::TABLES,
        evaluative::TABLES,
        complaint::TABLES,
        cheer::TABLES,
        human_request::TABLES,
    ];
    Lexicon::build(&tables)
});

/// Up to how many tokens a message may have for misspelt nouns to be forgiven: longer ones are
/// forwarded texts, in which a word that merely resembles "humano" is likely something else.
const TOLERANT_TOKENS: usize = 60;

/// Tokens read at the beginning and at the end of a message. Nobody types twice as many; what a
/// pasted document says in its middle is not what the customer feels.
const ENDS: usize = 1_000;

/// Longest run of single letters that can be a spelled-out swear word.
const SPELLED_LETTERS: usize = 24;

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
    /// Reads `message` in time linear in its length.
    pub fn of(message: &str) -> Self {
        let text = fold::tokenize(message);
        let tolerant = text.tokens.len() <= TOLERANT_TOKENS;
        let middle = ENDS..text.tokens.len().saturating_sub(ENDS).max(ENDS);
        let mut senses: Vec<Sense> = (0..text.tokens.len())
            .map(|i| match middle.contains(&i) {
                true => Sense::default(),
                false => LEXICON.sense(&text, i, tolerant),
            })
            .collect();
        read_spelled(&text, &mut senses);
        let mut hits = Vec::new();
        LEXICON.scan(&text, &senses, &mut hits);
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
        self.senses.get(index).is_some_and(|s| s.is(class))
    }

    /// Whether any word is of `class`.
    pub fn any(&self, class: Class) -> bool {
        self.senses.iter().any(|s| s.is(class))
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

/// Gives the meaning of a word spelled letter by letter ("m e r d a", "f.d.p") to its first letter.
fn read_spelled(text: &Folded, senses: &mut [Sense]) {
    let mut at = 0;
    while at < text.tokens.len() {
        let run = (at..text.tokens.len()).take_while(|i| text.word(*i).len() == 1).count();
        if (3..=SPELLED_LETTERS).contains(&run) {
            let letters: String = (at..at + run).map(|i| text.word(i)).collect();
            for from in 0..run {
                let found = (3..=run - from)
                    .filter_map(|n| letters.get(from..from + n))
                    .find_map(|word| LEXICON.spelled(word));
                if let Some(sense) = found {
                    senses[at + from] = sense;
                    break;
                }
            }
        }
        at += run.max(1);
    }
}

/// Share of capital letters among the characters that are not spaces, and the text's length.
pub fn capital_ratio(message: &str) -> (f64, usize) {
    let (mut capitals, mut visible, mut length) = (0_u32, 0_u32, 0_usize);
    for c in message.chars() {
        length += 1;
        visible += u32::from(c != ' ');
        capitals += u32::from(c.is_uppercase());
    }
    (f64::from(capitals) / f64::from(visible.max(1)), length)
}
