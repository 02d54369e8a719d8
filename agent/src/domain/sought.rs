//! The words that an operator looks for in what was said. Accents and case do not count.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Words beyond these are not looked for.
const MOST_WORDS: usize = 8;
/// Characters shown before the first word found.
const LEAD_CHARS: usize = 30;
/// Characters of an excerpt.
const EXCERPT_CHARS: usize = 120;

/// Words, all of which a text must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sought {
    /// Plain; at least one.
    words: Vec<String>,
}

impl Sought {
    /// `None` where nothing is typed.
    pub fn parse(text: &str) -> Option<Self> {
        let words: Vec<String> =
            plain(text).split_whitespace().take(MOST_WORDS).map(str::to_owned).collect();
        (!words.is_empty()).then_some(Self { words })
    }

    /// Whether the text holds every word, anywhere.
    pub fn is_in(&self, text: &str) -> bool {
        let text = plain(text);
        self.words.iter().all(|word| text.contains(word.as_str()))
    }

    /// The part of a text around the first word that it holds, on one line.
    pub fn excerpt(&self, text: &str) -> String {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let chars: Vec<char> = line.chars().collect();
        let mut folded = String::new();
        // For each byte of the folded text, the character that it came from.
        let mut origin: Vec<usize> = Vec::new();
        for (index, c) in chars.iter().enumerate() {
            folded.push_str(&plain(c.encode_utf8(&mut [0; 4])));
            origin.resize(folded.len(), index);
        }
        let found = self.words.iter().filter_map(|word| folded.find(word.as_str())).min();
        let hit = found.and_then(|at| origin.get(at).copied()).unwrap_or_default();
        let start = match hit.checked_sub(LEAD_CHARS) {
            None | Some(0) => 0,
            // A whole word first.
            Some(from) => (from..hit).find(|at| chars[at - 1] == ' ').unwrap_or(from),
        };
        let end = chars.len().min(start + EXCERPT_CHARS);
        let before = if start > 0 { "…" } else { "" };
        let after = if end < chars.len() { "…" } else { "" };
        let shown: String = chars[start..end].iter().collect();
        format!("{before}{shown}{after}")
    }
}

/// The text in small letters without accents.
pub fn plain(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_case_and_the_order_of_words_do_not_count() {
        let sought = Sought::parse(" HIDRO  não ").unwrap();
        assert!(sought.is_in("Nao quero a suíte com hidromassagem"));
        assert!(!sought.is_in("quero com hidro"));
        assert!(Sought::parse("joao").unwrap().is_in("João Conceição"));
        assert_eq!(Sought::parse(" \n"), None);
    }

    #[test]
    fn the_excerpt_shows_the_word_in_its_sentence() {
        let text = "Boa tarde! Eu queria saber se vocês ainda têm aquela promoção\nde três \
                    diárias com café da manhã incluído que vi no site na semana passada, porque \
                    vou viajar com a família";
        let excerpt = Sought::parse("PROMOCAO").unwrap().excerpt(text);
        assert!(excerpt.contains("aquela promoção de três"), "{excerpt}");
        assert!(excerpt.starts_with('…') && excerpt.ends_with('…'), "{excerpt}");
        assert!(excerpt.chars().count() <= EXCERPT_CHARS + 2);
        assert_eq!(Sought::parse("oi").unwrap().excerpt("oi"), "oi");
        assert_eq!(Sought::parse("ß").unwrap().excerpt("Straße"), "Straße");
    }
}
