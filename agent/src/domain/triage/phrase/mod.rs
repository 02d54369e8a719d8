//! A small phrase language over folded tokens, compiled once.
//!
//! A phrase is written as words separated by spaces:
//! - `vai|va` one of several words; `odei*` any word with that beginning, `*statin` with that end;
//! - `<bot>` any word of a class, see [`WordClass`];
//! - `de?` the word may be absent; `..3` up to three words may stand between;
//! - `,` a clause may end here (otherwise a phrase never leaves its clause);
//! - `??` the sentence so far is a question;
//! - `^` and `$` the clause begins or ends here; `$` may be one of several alternatives.
//!
//! A scan visits each token once and tries only the phrases whose first word is there, so it is
//! linear in the length of the message.

mod found;
mod sense;

use crate::domain::triage::fold::{self, Break, Folded, TokenKind};
pub use found::Found;
pub use sense::Sense;
use sense::{NO_SYMBOL, WordMap, bits};

/// How classes and phrases call any number.
const NUMBER: &str = "#number";

/// A class of words that phrases name as `<name>`.
#[derive(Debug, Clone)]
pub struct WordClass {
    pub name: String,
    /// Its bit in [`Sense::classes`]; one bit, and its own.
    pub bit: u64,
    /// Its words, folded; `word*` is every word with that beginning, `*word` with that end.
    pub words: &'static str,
}

/// Words that are recognised behind misspelling and disguise.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disguises {
    /// Long words in which one wrong letter is forgiven.
    pub misspelt: &'static [&'static str],
    /// Words that people hide behind digits, signs or spaces.
    pub hidden: &'static [&'static str],
}

/// A table of phrases of one meaning.
#[derive(Debug, Clone, Copy)]
pub struct Table<G: 'static> {
    pub group: G,
    /// Stable name of the rule, reported when a phrase of this table decides.
    pub rule: &'static str,
    pub phrases: &'static [&'static str],
}

/// A phrase found in a message: tokens `start..end`.
#[derive(Debug, Clone, Copy)]
pub struct Hit<G> {
    pub group: G,
    pub rule: &'static str,
    pub start: usize,
    pub end: usize,
}

/// One step of a compiled phrase.
#[derive(Debug)]
enum Step {
    One { words: Vec<u16>, classes: u64, optional: bool, or_end: bool },
    Gap(u8),
    AnyBreak,
    ClauseEnd,
    Asked,
}

#[derive(Debug)]
struct Phrase<G> {
    group: G,
    rule: &'static str,
    at_clause_start: bool,
    steps: Vec<Step>,
}

/// All words and phrases of one set of rules; `G` is what a phrase can say.
#[derive(Debug)]
pub struct Lexicon<G> {
    classes: Vec<WordClass>,
    disguises: Disguises,
    words: WordMap<&'static str, Sense>,
    /// Beginnings of words, by their first two bytes.
    stems: WordMap<[u8; 2], Vec<(&'static str, Sense)>>,
    /// Ends of words, by their last two bytes.
    ends: WordMap<[u8; 2], Vec<(&'static str, Sense)>>,
    /// Words without doubled letters, for stretched ones.
    squeezed: WordMap<String, &'static str>,
    phrases: Vec<Phrase<G>>,
    by_symbol: Vec<Vec<u32>>,
    by_class: Vec<Vec<u32>>,
    /// Classes with which some phrase begins.
    first_classes: u64,
}

impl<G: Copy> Lexicon<G> {
    /// Compiles `tables` and the word classes that they name.
    pub fn build(
        classes: Vec<WordClass>,
        disguises: Disguises,
        tables: &[&'static [Table<G>]],
    ) -> Self {
        let mut lexicon = Self {
            disguises,
            words: WordMap::default(),
            stems: WordMap::default(),
            ends: WordMap::default(),
            squeezed: WordMap::default(),
            phrases: Vec::new(),
            by_symbol: Vec::new(),
            by_class: vec![Vec::new(); 64],
            first_classes: 0,
            classes,
        };
        for index in 0..lexicon.classes.len() {
            let (bit, words) = (lexicon.classes[index].bit, lexicon.classes[index].words);
            for word in words.split_whitespace() {
                lexicon.known(word).classes |= bit;
            }
        }
        for table in tables.iter().copied().flatten() {
            for source in table.phrases {
                lexicon.add(table, source);
            }
        }
        for word in lexicon.words.keys() {
            lexicon.squeezed.entry(fold::squeeze(word)).or_insert(word);
        }
        lexicon
    }

    /// The bit of a class; none for a name that no class has, which the rules' tests look for.
    fn class_bit(&self, name: &str) -> u64 {
        self.classes.iter().find(|class| class.name == name).map_or(0, |class| class.bit)
    }

    /// The sense of a word, of a beginning written `word*`, or of an end written `*word`.
    fn known(&mut self, word: &'static str) -> &mut Sense {
        let (stem, bucket) = if let Some(stem) = word.strip_suffix('*') {
            (stem, self.stems.entry(first_two(stem)).or_default())
        } else if let Some(end) = word.strip_prefix('*') {
            (end, self.ends.entry(last_two(end)).or_default())
        } else {
            return self.words.entry(word).or_default();
        };
        let at = bucket.iter().position(|(s, _)| *s == stem).unwrap_or_else(|| {
            bucket.push((stem, Sense::default()));
            bucket.len() - 1
        });
        &mut bucket[at].1
    }

    fn symbol(&mut self, word: &'static str) -> u16 {
        let fresh = u16::try_from(self.by_symbol.len()).unwrap_or(NO_SYMBOL);
        let own = self.known(word).own_symbol();
        if *own == NO_SYMBOL {
            *own = fresh;
            self.by_symbol.push(Vec::new());
            return fresh;
        }
        *own
    }

    fn add(&mut self, table: &Table<G>, source: &'static str) {
        let mut steps = Vec::new();
        let mut at_clause_start = false;
        for part in source.split_whitespace() {
            match part {
                "^" => at_clause_start = true,
                "$" => steps.push(Step::ClauseEnd),
                "," => steps.push(Step::AnyBreak),
                "??" => steps.push(Step::Asked),
                _ => {
                    if let Some(n) = part.strip_prefix("..") {
                        steps.push(Step::Gap(n.parse().unwrap_or(1)));
                        continue;
                    }
                    let optional = part.ends_with('?');
                    let (mut words, mut classes, mut or_end) = (Vec::new(), 0, false);
                    for word in part.trim_end_matches('?').split('|') {
                        match word.strip_prefix('<').and_then(|w| w.strip_suffix('>')) {
                            Some(name) => classes |= self.class_bit(name),
                            None if word == "$" => or_end = true,
                            None => words.push(self.symbol(word)),
                        }
                    }
                    steps.push(Step::One { words, classes, optional, or_end });
                }
            }
        }
        let index = u32::try_from(self.phrases.len()).unwrap_or(u32::MAX);
        // An optional word at the beginning may be absent: then the next one begins the phrase.
        for step in &steps {
            let Step::One { words, classes, optional, .. } = step else { break };
            for &symbol in words {
                self.by_symbol[usize::from(symbol)].push(index);
            }
            self.first_classes |= classes;
            for bit in bits(*classes) {
                self.by_class[bit].push(index);
            }
            if !optional {
                break;
            }
        }
        self.phrases.push(Phrase { group: table.group, rule: table.rule, at_clause_start, steps });
    }

    /// Adds to `sense` what is known of `word`: whether as a whole, and whether at all.
    fn lookup(&self, word: &str, sense: &mut Sense) -> (bool, bool) {
        let found = self.words.get(word);
        if let Some(found) = found {
            sense.absorb(found);
        }
        let (exact, mut known) = (found.is_some(), found.is_some());
        if word.len() > 2 {
            let begins = self.stems.get(&first_two(word)).into_iter().flatten();
            let ends = self.ends.get(&last_two(word)).into_iter().flatten();
            let begins = begins.filter(|(stem, _)| word.starts_with(stem));
            for (_, found) in begins.chain(ends.filter(|(end, _)| word.ends_with(end))) {
                sense.absorb(found);
                known = true;
            }
        }
        (exact, known)
    }

    /// Looks up token `index` of `text`, in plain form first, then as a disguised word.
    pub fn sense(&self, text: &Folded, index: usize, tolerant: bool) -> Sense {
        let mut sense = Sense::default();
        let (word, token) = (text.word(index), text.tokens[index]);
        if token.kind == TokenKind::Number {
            self.lookup(word, &mut sense);
            self.lookup(NUMBER, &mut sense);
            return sense;
        }
        // "500mg" is a number and a unit
        let unit = word.trim_start_matches(|c: char| c.is_ascii_digit());
        if unit.len() < word.len() && self.words.contains_key(NUMBER) {
            self.lookup(NUMBER, &mut sense);
            self.lookup(unit, &mut sense);
            return sense;
        }
        let (exact, known) = self.lookup(word, &mut sense);
        if exact {
            return sense;
        }
        if tolerant && (5..=15).contains(&word.len()) {
            let noun = self.disguises.misspelt.iter().find(|w| fold::within_one_edit(word, w));
            if let Some(noun) = noun {
                self.lookup(noun, &mut sense);
                return sense;
            }
        }
        if known {
            return sense;
        }
        if token.elongated {
            let plain = fold::squeeze(word);
            self.lookup(self.squeezed.get(&plain).copied().unwrap_or(&plain), &mut sense);
        } else if token.masked && word.len() <= 16 {
            self.lookup_masked(word, &mut sense);
        }
        sense
    }

    /// Words with digits or signs inside are only ever disguised swear words.
    fn lookup_masked(&self, word: &str, sense: &mut Sense) {
        if word.contains(['*', '#']) {
            let hidden = self.disguises.hidden.iter().find(|w| fold::mask_fits(word, w));
            if let Some(hidden) = hidden {
                self.lookup(hidden, sense);
            }
        } else {
            let plain = fold::unmask(word);
            if self.disguises.hidden.contains(&plain.as_str()) {
                self.lookup(&plain, sense);
            }
        }
    }

    /// Looks up a word that was spelled letter by letter.
    pub fn spelled(&self, word: &str) -> Option<Sense> {
        let hidden = self.disguises.hidden.contains(&word);
        let mut sense = Sense::default();
        (hidden && self.lookup(word, &mut sense).1).then_some(sense)
    }

    /// Finds every phrase in a message whose tokens mean `senses`.
    pub fn scan(&self, text: &Folded, senses: &[Sense], hits: &mut Vec<Hit<G>>) {
        let clause = Clauses { text, senses };
        for (start, sense) in senses.iter().enumerate() {
            let by_symbol = sense.symbols().flat_map(|s| &self.by_symbol[usize::from(s)]);
            let firsts = bits(sense.classes & self.first_classes);
            for &index in by_symbol.chain(firsts.flat_map(|bit| &self.by_class[bit])) {
                let phrase = &self.phrases[index as usize];
                if phrase.at_clause_start && !clause.starts(start) {
                    continue;
                }
                if let Some(end) = clause.follow(&phrase.steps, start, start) {
                    hits.push(Hit { group: phrase.group, rule: phrase.rule, start, end });
                }
            }
        }
    }
}

/// The first two bytes of a word, by which beginnings are filed.
fn first_two(word: &str) -> [u8; 2] {
    let bytes = word.as_bytes();
    [bytes.first().copied().unwrap_or_default(), bytes.get(1).copied().unwrap_or_default()]
}

/// The last two bytes of a word, by which ends are filed.
fn last_two(word: &str) -> [u8; 2] {
    let mut bytes = word.bytes().rev();
    [bytes.next().unwrap_or_default(), bytes.next().unwrap_or_default()]
}

/// A message while phrases are laid over it.
struct Clauses<'a> {
    text: &'a Folded,
    senses: &'a [Sense],
}

impl Clauses<'_> {
    fn starts(&self, at: usize) -> bool {
        self.text.tokens.get(at).is_none_or(|t| t.break_before != Break::None)
    }

    /// Matches `steps` from token `at` on and returns where the phrase ends.
    fn follow(&self, steps: &[Step], first: usize, at: usize) -> Option<usize> {
        let Some((step, rest)) = steps.split_first() else {
            return Some(at);
        };
        let inside = at == first || !self.starts(at);
        match step {
            Step::One { words, classes, optional, or_end } => {
                let here = inside
                    && self.senses.get(at).is_some_and(|s| {
                        s.classes & classes != 0 || s.symbols().any(|w| words.contains(&w))
                    });
                if here && let Some(end) = self.follow(rest, first, at + 1) {
                    return Some(end);
                }
                let ends = *or_end && at != first && self.starts(at);
                if *optional || ends { self.follow(rest, first, at) } else { None }
            }
            Step::Gap(most) => {
                let most = usize::from(*most);
                (0..=most)
                    .take_while(|n| *n == 0 || !self.starts(at + n - 1) || at + n - 1 == first)
                    .find_map(|n| self.follow(rest, first, at + n))
            }
            Step::AnyBreak => {
                // The next word may open a clause: match it as if it were the first one.
                self.follow(rest, at, at)
            }
            Step::ClauseEnd => self.starts(at).then_some(at),
            Step::Asked => {
                let said = self.text.tokens.get(at.saturating_sub(1));
                said.filter(|token| token.question).and_then(|_| self.follow(rest, first, at))
            }
        }
    }
}
