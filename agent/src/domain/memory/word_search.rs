//! Facts found by their words: whatever their accents, their number and their gender.

use std::collections::HashSet;

use crate::domain::knowledge::words::words;
use crate::domain::triage::fold::fold;

/// Words of one question that are looked for.
const MOST_WORDS: usize = 12;

/// What is looked for: words that all must stand in a fact.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WordSearch(Vec<Sought>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Sought {
    typed: String,
    stem: String,
}

impl WordSearch {
    /// Small words are left out, unless there are no others.
    pub fn read(text: &str) -> Self {
        let folded = fold(text);
        let typed = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let all: Vec<Sought> = typed
            .take(MOST_WORDS)
            .map(|typed| {
                let stem = words(typed).into_iter().find(|word| !word.joined).map(|word| word.stem);
                Sought { typed: typed.to_owned(), stem: stem.unwrap_or_default() }
            })
            .collect();
        let says = |sought: &&Sought| !sought.stem.is_empty();
        let telling: Vec<Sought> = all.iter().filter(says).cloned().collect();
        Self(if telling.is_empty() { all } else { telling })
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all words stand in `content`, in some form.
    pub fn fits(&self, content: &str) -> bool {
        let folded = fold(content);
        if self.0.iter().all(|sought| folded.contains(&sought.typed)) {
            return true;
        }
        let stems: HashSet<String> = words(content).into_iter().map(|word| word.stem).collect();
        let stands = |sought: &Sought| {
            folded.contains(&sought.typed)
                || (!sought.stem.is_empty() && stems.contains(&sought.stem))
        };
        self.0.iter().all(stands)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_is_found_by_any_form_of_its_words() {
        for (typed, content, fits) in [
            ("hidro", "Prefere suíte com hidromassagem", true),
            ("alergicas amendoim", "Alérgico a amendoim", true),
            ("quem é alérgico a amendoim?", "Alérgico a amendoim", true),
            ("alergico camarao", "Alérgico a amendoim", false),
            ("Mariana", "Vem com a esposa Mariana", true),
            ("14/02", "Aniversário de casamento em 14/02", true),
            ("de", "Vem de carro", true),
            ("", "Vem de carro", true),
        ] {
            assert_eq!(WordSearch::read(typed).fits(content), fits, "{typed} / {content}");
        }
        assert!(WordSearch::read(" ?! ").is_empty());
    }
}
