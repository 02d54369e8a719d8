//! Entries found by their words: exact names, codes and figures, whatever an embedding makes of
//! them, and entries that have no embedding.
//!
//! Of the words of what is asked, each weighs by how rare it is among the entries (`1 + ln((n + 11)
//! / (df + 1))`; one that no entry has weighs half of that; the ten entries that there are not keep
//! the words of a small account from all being frequent). The score of an entry is the weight of
//! the words that it has over the weight of all, times `m / (m + 1)` for the weight `m` that was
//! found: a frequent word alone says little. A word counts in full in a question, less in an answer
//! or a category, and less where only a longer or a misspelt form of it stands. A long message is
//! also read sentence by sentence, and the best sentence counts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Bound;

use super::words::{Word, words};
use crate::domain::triage::fold::within_one_edit;

/// What a word counts by where it stands.
const IN_QUESTION: f64 = 1.0;
const IN_CATEGORY: f64 = 0.8;
const IN_ANSWER: f64 = 0.8;
/// What another form of the word counts.
const OTHER_FORM: f64 = 0.85;
const MISSPELT: f64 = 0.75;
/// Shorter words are not taken for beginnings or misspellings of others.
const SHORTEST_BEGINNING: usize = 5;
const SHORTEST_MISSPELT: usize = 5;
/// Entries that are supposed beside those there are.
const SUPPOSED: f64 = 10.0;
/// What a word weighs that no entry has, of its weight by rarity: it may be a name, or idle talk.
const UNKNOWN: f64 = 0.5;
/// How much of the score says that the entry asks little else.
const PRECISION: f64 = 0.1;
/// Words of one message that are looked up.
const MOST_WORDS: usize = 200;

/// An entry to be found.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    pub id: i64,
    pub question: &'a str,
    pub answer: &'a str,
    pub category: Option<&'a str>,
}

/// Entries by their words.
#[derive(Debug, Default)]
pub struct Index {
    ids: Vec<i64>,
    /// How many different words each question has.
    lengths: Vec<usize>,
    /// Where each word stands: in the order of entries, with what it counts there.
    places: BTreeMap<String, Vec<(usize, f64)>>,
}

impl Index {
    pub fn build<'a>(documents: impl IntoIterator<Item = Document<'a>>) -> Self {
        let mut index = Self::default();
        for document in documents {
            index.add(&document);
        }
        index
    }

    fn add(&mut self, document: &Document<'_>) {
        let number = self.ids.len();
        let asked = words(document.question);
        let plain: HashSet<&str> =
            asked.iter().filter(|word| !word.joined).map(|word| word.stem.as_str()).collect();
        self.ids.push(document.id);
        self.lengths.push(plain.len());
        let mut counts: HashMap<String, f64> = HashMap::new();
        let fields = [
            (asked, IN_QUESTION),
            (words(document.category.unwrap_or_default()), IN_CATEGORY),
            (words(document.answer), IN_ANSWER),
        ];
        for (words, count) in fields {
            for word in words {
                counts.entry(word.stem).or_insert(count);
            }
        }
        for (stem, count) in counts {
            self.places.entry(stem).or_default().push((number, count));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Ids of all entries, in the order in which they were given.
    pub fn ids(&self) -> &[i64] {
        &self.ids
    }

    /// The entries that share words with `text`, with their scores above 0 and at most 1, in no
    /// order.
    pub fn scores(&self, text: &str) -> Vec<(i64, f64)> {
        let mut best: HashMap<usize, f64> = HashMap::new();
        let sentences: Vec<&str> = text
            .split(['.', '?', '!', '\n', ';'])
            .filter(|sentence| !sentence.trim().is_empty())
            .collect();
        // Figures have points in them: the whole is read first, and alone where it is one sentence.
        let whole = std::iter::once(text);
        let parts = sentences.iter().copied().filter(|_| sentences.len() > 1);
        for part in whole.chain(parts) {
            for (number, score) in self.of_sentence(part) {
                let known = best.entry(number).or_default();
                *known = known.max(score);
            }
        }
        let id = |number: usize| self.ids.get(number).copied();
        best.into_iter().filter_map(|(number, score)| Some((id(number)?, score))).collect()
    }

    fn of_sentence(&self, text: &str) -> HashMap<usize, f64> {
        let mut asked = words(text);
        asked.truncate(MOST_WORDS);
        let mut seen = HashSet::new();
        asked.retain(|word| seen.insert(word.stem.clone()));
        let (mut all, mut found) = (0.0, HashMap::<usize, (f64, usize)>::new());
        for word in &asked {
            let places = self.find(word);
            // Two words read as one count only where somebody wrote them so.
            if word.joined && places.is_empty() {
                continue;
            }
            let weight = self.weight(places.len());
            all += if places.is_empty() { weight * UNKNOWN } else { weight };
            for (number, count) in places {
                let sum = found.entry(number).or_default();
                sum.0 += weight * count;
                sum.1 += 1;
            }
        }
        let score = |(number, (sum, hits)): (usize, (f64, usize))| {
            let covered = sum / all * (sum / (sum + 1.0));
            let length = self.lengths.get(number).copied().unwrap_or_default().max(1);
            let precision = (hits as f64 / length as f64).min(1.0);
            (number, covered * (1.0 - PRECISION + PRECISION * precision))
        };
        found.into_iter().map(score).collect()
    }

    fn weight(&self, entries: usize) -> f64 {
        1.0 + ((self.ids.len() as f64 + SUPPOSED + 1.0) / (entries as f64 + 1.0)).ln()
    }

    /// The entries that have the word in some form, with what it counts in each.
    fn find(&self, word: &Word) -> BTreeMap<usize, f64> {
        let stem = word.stem.as_str();
        let mut found = BTreeMap::new();
        if let Some(places) = self.places.get(stem) {
            take(&mut found, places, 1.0);
        }
        // Codes, figures and joined words have no other form.
        if word.joined || stem.bytes().any(|byte| byte.is_ascii_digit()) {
            return found;
        }
        if stem.len() >= SHORTEST_BEGINNING {
            for places in self.beginning_with(stem) {
                take(&mut found, places, OTHER_FORM);
            }
            // And the other way round: "estacionamento" finds "estacionar".
            let shorter = (SHORTEST_BEGINNING..stem.len()).filter_map(|end| stem.get(..end));
            for places in shorter.filter_map(|shorter| self.places.get(shorter)) {
                take(&mut found, places, OTHER_FORM);
            }
        }
        if found.is_empty() && stem.len() >= SHORTEST_MISSPELT {
            for places in self.misspelt(stem) {
                take(&mut found, places, MISSPELT);
            }
        }
        found
    }

    fn beginning_with(&self, stem: &str) -> impl Iterator<Item = &Vec<(usize, f64)>> {
        let range = self.places.range::<str, _>((Bound::Excluded(stem), Bound::Unbounded));
        let longer = range.take_while(move |(longer, _)| longer.starts_with(stem));
        longer.map(|(_, places)| places)
    }

    /// The places of words with the same first letter and one other letter wrong.
    fn misspelt(&self, stem: &str) -> impl Iterator<Item = &Vec<(usize, f64)>> {
        let first = stem.chars().next().map_or(0, char::len_utf8);
        let first = stem.get(..first).unwrap_or_default();
        let range = self.places.range::<str, _>((Bound::Included(first), Bound::Unbounded));
        let alike = range.take_while(move |(other, _)| other.starts_with(first));
        let alike = alike.filter(move |(other, _)| {
            other.len() >= SHORTEST_MISSPELT && within_one_edit(stem, other)
        });
        alike.map(|(_, places)| places)
    }
}

/// Notes where a form of a word stands; the best form in an entry counts.
fn take(found: &mut BTreeMap<usize, f64>, places: &[(usize, f64)], form: f64) {
    for (number, count) in places {
        let known = found.entry(*number).or_default();
        *known = known.max(count * form);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRIES: &[(&str, &str, &str)] = &[
        ("Quais convênios são aceitos?", "Unimed, Bradesco Saúde e Amil.", "Convênios"),
        ("Qual o valor da consulta particular?", "R$ 350,00, com retorno em 30 dias.", "Preços"),
        ("Qual o horário do check-in?", "A partir das 14h.", "Hospedagem"),
        ("Qual o horário do check-out?", "Até as 12h.", "Hospedagem"),
        ("Tem estacionamento?", "Sim, grátis para hóspedes.", "Hospedagem"),
        ("O que é o exame TUSS 40304361?", "Hemograma completo.", "Exames"),
    ];

    fn index() -> Index {
        Index::build(ENTRIES.iter().enumerate().map(|(number, (question, answer, category))| {
            Document { id: number as i64 + 1, question, answer, category: Some(category) }
        }))
    }

    fn ranked(text: &str) -> Vec<(i64, f64)> {
        let mut scores = index().scores(text);
        scores.sort_by(|left, right| right.1.total_cmp(&left.1));
        scores
    }

    #[test]
    fn words_names_and_codes_are_found_however_they_are_written() {
        for (text, id) in [
            ("vcs aceitam unimed?", 1),
            ("atende convenio", 1),
            ("quanto custa a consulta", 2),
            ("que horas é o checkin", 3),
            ("horario de check out?", 4),
            ("onde posso estacionar", 4 + 1),
            ("tem estacionameto?", 5),
            ("40304361", 6),
            (
                "Oi, bom dia! Tudo bem? Meu nome é Carla e estou indo com a família. Aceitam Amil?",
                1,
            ),
        ] {
            let ranked = ranked(text);
            assert_eq!(ranked.first().map(|hit| hit.0), Some(id), "{text}: {ranked:?}");
            assert!(ranked[0].1 > 0.3, "{text}: {ranked:?}");
            assert!(ranked.iter().all(|(_, score)| (0.0..=1.0).contains(score)));
        }
    }

    #[test]
    fn what_no_entry_has_finds_nothing() {
        for text in ["", "oi, tudo bem?", "🙂", "quem ganhou a copa?"] {
            assert_eq!(ranked(text), Vec::new(), "{text}");
        }
        assert!(Index::default().scores("unimed").is_empty());
    }
}
