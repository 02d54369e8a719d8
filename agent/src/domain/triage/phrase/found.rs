//! What a lexicon finds in a message.

use super::{Hit, Lexicon, Sense};
use crate::domain::triage::fold::Folded;

/// Up to how many tokens a message may have for misspelt nouns to be forgiven: longer ones are
/// forwarded texts, in which a word that merely resembles "humano" is likely something else.
const TOLERANT_TOKENS: usize = 60;

/// Longest run of single letters that can be a spelled-out word.
const SPELLED_LETTERS: usize = 24;

/// The phrases of a lexicon in a message.
#[derive(Debug)]
pub struct Found<G> {
    /// What each token means.
    pub senses: Vec<Sense>,
    pub hits: Vec<Hit<G>>,
}

impl<G: Copy + PartialEq> Found<G> {
    /// The first hit of `wanted` of which no token lies in a hit of `spared`.
    pub fn first_outside(&self, wanted: G, spared: Option<G>) -> Option<&Hit<G>> {
        let mut wanted = self.hits.iter().filter(|hit| hit.group == wanted).peekable();
        wanted.peek()?;
        let mut mask = vec![false; self.senses.len()];
        for hit in self.hits.iter().filter(|hit| Some(hit.group) == spared) {
            mask[hit.start..hit.end].fill(true);
        }
        wanted.find(|hit| !mask[hit.start..hit.end].contains(&true))
    }
}

impl<G: Copy> Lexicon<G> {
    /// Reads `text` in time linear in its length.
    pub fn read(&self, text: &Folded) -> Found<G> {
        let tolerant = text.tokens.len() <= TOLERANT_TOKENS;
        let mut senses: Vec<Sense> =
            (0..text.tokens.len()).map(|i| self.sense(text, i, tolerant)).collect();
        self.read_spelled(text, &mut senses);
        let mut hits = Vec::new();
        self.scan(text, &senses, &mut hits);
        Found { senses, hits }
    }

    /// Gives the meaning of a word spelled letter by letter ("m e r d a", "f.d.p") to its first
    /// letter.
    fn read_spelled(&self, text: &Folded, senses: &mut [Sense]) {
        let mut at = 0;
        while at < text.tokens.len() {
            let run = (at..text.tokens.len()).take_while(|i| text.word(*i).len() == 1).count();
            if (3..=SPELLED_LETTERS).contains(&run) {
                let letters: String = (at..at + run).map(|i| text.word(i)).collect();
                for from in 0..run {
                    let found = (3..=run - from)
                        .filter_map(|n| letters.get(from..from + n))
                        .find_map(|word| self.spelled(word));
                    if let Some(sense) = found {
                        senses[at + from] = sense;
                        break;
                    }
                }
            }
            at += run.max(1);
        }
    }
}
