//! Figures and proper names in a text: what a fact may not claim without its evidence saying so.

use std::collections::BTreeSet;

use crate::domain::numerals;
use crate::domain::triage::fold::fold;

/// The words of a text, as written, without marks around them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// "um" is an article more often than a number, and hundreds are seldom spelled out.
fn number_word(word: &str) -> Option<u64> {
    numerals::portuguese(word).filter(|value| (2..=100).contains(value))
}

/// A month in full or by three letters; "mar" is the sea.
fn month(word: &str) -> Option<u8> {
    let short = || numerals::short_portuguese_month(word).filter(|_| word != "mar");
    numerals::portuguese_month(word).or_else(short)
}

/// The figures of a text in one form: digits without leading zeros, number words and months as
/// digits. "14 de fevereiro" holds 14 and 2, as "14/02" does.
pub fn figures(text: &str) -> BTreeSet<String> {
    let folded = fold(text);
    let mut figures = BTreeSet::new();
    for word in words(&folded) {
        if let Some(value) = number_word(word) {
            figures.insert(value.to_string());
        } else if let Some(month) = month(word) {
            figures.insert(month.to_string());
        } else {
            // "21h", "4x", "R$300": the digits inside.
            for run in word.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty()) {
                let digits = run.trim_start_matches('0');
                figures.insert(if digits.is_empty() { "0" } else { digits }.to_owned());
            }
        }
    }
    figures
}

/// The proper names of a text, folded: capitalised words that do not begin a sentence, and a
/// capitalised beginning when another capitalised word follows it ("Dona Cida").
pub fn names(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for sentence in text.split(['.', '!', '?', '\n', ':', ';']) {
        let words: Vec<&str> = words(sentence).collect();
        for (index, word) in words.iter().enumerate() {
            let next = words.get(index + 1);
            if is_capitalised(word) && (index > 0 || next.is_some_and(|next| is_capitalised(next)))
            {
                names.insert(fold(word));
            }
        }
    }
    names
}

/// A word with a capital in front; of one letter only when it stands for a name would be guessing.
fn is_capitalised(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_uppercase) && chars.next().is_some_and(char::is_alphabetic)
}

/// The words of a text, folded.
pub fn folded_words(text: &str) -> BTreeSet<String> {
    let folded = fold(text);
    words(&folded).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(set: &BTreeSet<String>) -> Vec<&str> {
        set.iter().map(String::as_str).collect()
    }

    #[test]
    fn figures_are_the_same_in_every_way_of_writing_them() {
        for (text, expected) in [
            ("14/02", vec!["14", "2"]),
            ("dia 14 de fevereiro", vec!["14", "2"]),
            ("chega às 21h30", vec!["21", "30"]),
            ("dois filhos e 3 gatos", vec!["2", "3"]),
            ("quarto 0204", vec!["204"]),
            ("um quarto no mar", vec![]),
            ("R$1.200,00", vec!["0", "1", "200"]),
        ] {
            assert_eq!(listed(&figures(text)), expected, "{text}");
        }
    }

    #[test]
    fn names_are_capitals_inside_a_sentence_or_in_a_row() {
        for (text, expected) in [
            ("Vem com a esposa Mariana", vec!["mariana"]),
            ("Prefere suíte com hidro", vec![]),
            ("Dona Cida do café", vec!["cida", "dona"]),
            ("Elogiou a Dona Cida. Voltará", vec!["cida", "dona"]),
            ("Funcionário da Caixa", vec!["caixa"]),
            ("Gosta do andar A", vec![]),
        ] {
            assert_eq!(listed(&names(text)), expected, "{text}");
        }
    }
}
