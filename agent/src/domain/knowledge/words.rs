//! The words by which an entry is found: folded, without those that say nothing, in one form for
//! number, gender and person.

use crate::domain::triage::fold::fold;
use crate::domain::triage::guard::{canonical, says_nothing as is_empty_word};

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Word {
    pub stem: String,
    /// Two short words read as one: "check in", which others write "check-in" or "checkin".
    pub joined: bool,
}

/// Longest that two short words together may be.
const MOST_JOINED: usize = 9;
/// Words of courtesy that say something only where no greeting stands before them.
const TIMES_OF_DAY: &[&str] = &["dia", "tarde", "noite"];
const GREETINGS: &[&str] = &["bom", "boa"];
/// Words that name nothing by which an entry is found.
const IDLE: &[&str] = &[
    "tudo", "todo", "toda", "todos", "todas", "bem", "mais", "menos", "muito", "muita", "ate",
    "apenas", "cada", "obg", "brigado", "brigada", "tchau", "beleza", "blz", "otimo", "otima",
    "perfeito", "sobre", "caso", "tipo", "coisa", "quase", "pois", "alguma", "algum", "nenhum",
    "nenhuma", "nosso", "nossa", "nossos", "nossas", "todavia", "muy", "todo", "thanks", "bye",
];

/// The words of a text, in order.
pub fn words(text: &str) -> Vec<Word> {
    let folded = fold(text);
    let raw: Vec<&str> =
        folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut words = Vec::with_capacity(raw.len());
    for (index, word) in raw.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| raw.get(before)).copied();
        let says = if TIMES_OF_DAY.contains(word) {
            !before.is_some_and(|before| GREETINGS.contains(&before))
        } else {
            !is_empty_word(word) && !IDLE.contains(word)
        };
        if says {
            words.push(Word { stem: stem(word), joined: false });
        }
        if let Some(before) = before.filter(|before| before.len() + word.len() <= MOST_JOINED)
            && (says || !is_empty_word(before) && !IDLE.contains(&before))
        {
            words.push(Word { stem: stem(&format!("{before}{word}")), joined: true });
        }
    }
    words
}

/// Whether a text is courtesy and small words only: nothing to look up.
pub fn says_nothing(text: &str) -> bool {
    words(text).iter().all(|word| word.joined)
}

/// One form for the forms of a word.
fn stem(word: &str) -> String {
    // Codes and figures are what they are.
    if word.bytes().any(|byte| byte.is_ascii_digit()) {
        return word.to_owned();
    }
    canonical(&singular(word))
}

/// The plurals of Portuguese that change more than their end. The end itself goes with the stem.
fn singular(word: &str) -> String {
    const PLURALS: &[(&str, &str)] =
        &[("oes", "ao"), ("aes", "ao"), ("ais", "al"), ("eis", "el"), ("ois", "ol"), ("ns", "m")];
    let plural = PLURALS.iter().find_map(|(many, one)| {
        let root = word.strip_suffix(many).filter(|root| root.len() >= 2)?;
        Some(format!("{root}{one}"))
    });
    plural.unwrap_or_else(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Vec<String> {
        words(text).into_iter().filter(|word| !word.joined).map(|word| word.stem).collect()
    }

    #[test]
    fn forms_of_a_word_are_one() {
        for (one, other) in [
            ("cartão", "cartões"),
            ("animal", "animais"),
            ("hotel", "HOTEIS"),
            ("aceitam", "aceitos"),
            ("convênio", "convenios"),
            ("consulta", "consultas"),
            ("preço", "valores"),
            ("médica", "médicos"),
            ("homem", "homens"),
        ] {
            assert_eq!(plain(one), plain(other), "{one} {other}");
            assert_eq!(plain(one).len(), 1, "{one}");
        }
        assert_ne!(plain("consulta"), plain("consultório"));
    }

    #[test]
    fn only_what_says_something_remains() {
        for text in
            ["Oi, boa tarde! Vocês podem me dizer, por favor?", "sim", "ok, obrigada", "🙂", ""]
        {
            assert!(says_nothing(text), "{text}");
        }
        assert!(!says_nothing("quanto custa?"));
        assert_eq!(plain("Boa noite, atendem à noite?").len(), 2);
        assert_eq!(plain("TUSS 10.101.012"), ["tus", "10", "101", "012"]);
    }

    #[test]
    fn short_pairs_are_also_one_word() {
        let joined = |text: &str| words(text).iter().any(|word| word.stem == stem("checkin"));
        assert!(joined("check-in") && joined("horário do check in") && joined("checkin"));
        assert!(!joined("check-out"));
        assert!(words("o que é").is_empty());
    }
}
