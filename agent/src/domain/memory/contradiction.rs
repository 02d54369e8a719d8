//! Whether two facts of one kind contradict each other, where their words alone say so. What they
//! leave open is a model's question.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::normal;
use super::figures::figures;
use super::kind::MemoryKind;
use crate::domain::triage::fold::fold;

/// Facts less alike than this cannot contradict each other (seed 002 §7.2: distance < 0.6).
pub const MOST_DISTANCE: f64 = 0.6;
/// Candidates that are looked at (seed 002 §7.2).
pub const MOST_CANDIDATES: usize = 3;
/// Facts at least this alike say the same, if their words do not differ in what matters.
pub const SAME_SIMILARITY: f64 = 0.95;

/// What the words say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lexical {
    Contradicts,
    /// They say the same.
    Agrees,
    Unclear,
}

/// Words that turn what follows around.
const NEGATIONS: &[&str] = &[
    "nao", "nunca", "nem", "jamais", "sem", "evita", "evito", "odeia", "odeio", "detesta",
    "detesto", "dispensa", "parou", "deixou",
];
/// Words that end a negation.
const TURNS: &[&str] = &["com", "mas", "porem", "agora"];
/// Words that carry no matter: articles, prepositions, and how a fact is told.
const EMPTY: &[&str] = &[
    "a", "o", "as", "os", "um", "uma", "uns", "umas", "de", "do", "da", "dos", "das", "em", "no",
    "na", "nos", "nas", "ao", "aos", "por", "para", "pra", "que", "seu", "sua", "meu", "minha",
    "muito", "mais", "bem", "sempre", "cliente", "prefere", "prefiro", "preferir", "gosta",
    "gosto", "quer", "quero", "tem", "tenho", "eh", "sou", "ser", "esta", "estou", "foi", "vem",
    "venho", "costuma", "costumo", "agora", "ja", "dia", "as", "h", "horas", "quartos", "quarto",
    "suite",
];
/// Qualities of which a thing has one.
const OPPOSITES: &[(&str, &str)] = &[
    ("alto", "baixo"),
    ("quente", "frio"),
    ("gelado", "quente"),
    ("silencioso", "barulhento"),
    ("casal", "solteiro"),
    ("cedo", "tarde"),
    ("manha", "noite"),
    ("fumante", "antifumante"),
    ("grande", "pequeno"),
    ("duro", "macio"),
    ("claro", "escuro"),
    ("dinheiro", "cartao"),
    ("pix", "cartao"),
];
/// Events of which everybody has one.
const SINGLE_EVENTS: &[&[&str]] =
    &[&["aniversari"], &["aniversari", "casament"], &["aniversari", "namor"], &["casament"]];

/// A word without number and gender: "silenciosas" and "silencioso" meet.
fn stem(word: &str) -> String {
    let word = word.strip_suffix('s').unwrap_or(word);
    let short = word.len() > 3 && word.ends_with(['a', 'o', 'e']);
    if short { word[..word.len() - 1].to_owned() } else { word.to_owned() }
}

/// The matter of a text: stems with whether each is affirmed.
fn matter(text: &str) -> BTreeMap<String, BTreeSet<bool>> {
    let mut matter: BTreeMap<String, BTreeSet<bool>> = BTreeMap::new();
    let folded = fold(text);
    for clause in folded.split([',', '.', ';', '!', '?', '(', ')']) {
        let mut affirmed = true;
        for word in clause.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            if NEGATIONS.contains(&word) {
                affirmed = false;
            } else if TURNS.contains(&word) {
                affirmed = true;
            } else if !EMPTY.contains(&word) && !word.starts_with(|c: char| c.is_ascii_digit()) {
                // Hydromassage is called by half of its name.
                let word = if word == "hidromassagem" { "hidro" } else { word };
                matter.entry(stem(word)).or_default().insert(affirmed);
            }
        }
    }
    matter
}

fn one_sided(matter: &BTreeMap<String, BTreeSet<bool>>, stem: &str) -> Option<bool> {
    let sides = matter.get(stem)?;
    (sides.len() == 1).then(|| sides.contains(&true))
}

/// What the words of two facts of one kind say of each other; the order does not matter.
pub fn lexical(kind: MemoryKind, left: &str, right: &str) -> Lexical {
    if normal(left) == normal(right) {
        return Lexical::Agrees;
    }
    let (one, other) = (matter(left), matter(right));
    let opposed = one.keys().any(|stem| {
        matches!((one_sided(&one, stem), one_sided(&other, stem)), (Some(a), Some(b)) if a != b)
    });
    if opposed {
        return Lexical::Contradicts;
    }
    let (left_figures, right_figures) = (figures(left), figures(right));
    if one == other && !one.is_empty() {
        if left_figures == right_figures {
            return Lexical::Agrees;
        }
        let stems: Vec<&str> =
            one.keys().map(String::as_str).filter(|word| !is_month(word)).collect();
        let single = match kind {
            MemoryKind::DataComemorativa => SINGLE_EVENTS.contains(&stems.as_slice()),
            MemoryKind::PadraoComportamental => !stems.is_empty(),
            _ => false,
        };
        let both = !left_figures.is_empty() && !right_figures.is_empty();
        return if single && both { Lexical::Contradicts } else { Lexical::Unclear };
    }
    if has_opposites(&one, &other) { Lexical::Contradicts } else { Lexical::Unclear }
}

fn is_month(stem: &str) -> bool {
    figures(stem).iter().any(|figure| figure.len() <= 2)
}

/// One says one quality, the other its opposite, of the same thing.
fn has_opposites(
    one: &BTreeMap<String, BTreeSet<bool>>,
    other: &BTreeMap<String, BTreeSet<bool>>,
) -> bool {
    OPPOSITES.iter().any(|(first, second)| {
        let (first, second) = (stem(first), stem(second));
        let holds = |matter, stem: &str| one_sided(matter, stem) == Some(true);
        let apart = holds(one, &first) && holds(other, &second) && !other.contains_key(&first)
            || holds(one, &second) && holds(other, &first) && !other.contains_key(&second);
        let rest = |matter: &BTreeMap<String, BTreeSet<bool>>| {
            let stems = matter.keys().filter(|stem| **stem != first && **stem != second);
            stems.cloned().collect::<BTreeSet<String>>()
        };
        apart && rest(one) == rest(other)
    })
}

/// Whether a fact that is `similarity` alike says nothing new.
pub fn is_same(kind: MemoryKind, known: &str, new: &str, similarity: f64) -> bool {
    match lexical(kind, known, new) {
        Lexical::Agrees => true,
        Lexical::Contradicts => false,
        Lexical::Unclear => similarity >= SAME_SIMILARITY && figures(known) == figures(new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Lexical::{Agrees, Contradicts, Unclear};

    #[test]
    fn plain_cases_are_decided_by_their_words() {
        use MemoryKind::{DataComemorativa, PadraoComportamental, Preferencia, Restricao};
        for (kind, left, right, expected) in [
            (Preferencia, "Prefere suíte com hidro", "Prefere quarto sem hidro", Contradicts),
            (Preferencia, "Prefere suíte com hidromassagem", "Não gosta de hidro", Contradicts),
            (Preferencia, "Prefere suíte com hidro", "prefere SUITE com hidro", Agrees),
            (Preferencia, "Prefere suíte com hidro", "Gosta de hidro", Agrees),
            (Preferencia, "Prefere andar alto", "Prefere andar baixo", Contradicts),
            (Preferencia, "Prefere andar alto", "Prefere travesseiro baixo", Unclear),
            (Preferencia, "Prefere suíte com hidro", "Prefere suíte sem sauna", Unclear),
            (Preferencia, "Gosta de café", "Gosta de chá", Unclear),
            (Preferencia, "Prefere quarto", "Prefere suíte", Unclear),
            (Restricao, "Alérgico a amendoim", "Não é mais alérgico a amendoim", Contradicts),
            (Restricao, "Alérgico a amendoim", "Alérgico a camarão", Unclear),
            (Restricao, "Vegetariano", "Come carne", Unclear),
            (DataComemorativa, "Aniversário em 14/02", "Aniversário em 15/02", Contradicts),
            (DataComemorativa, "Aniversário em 14/02", "Aniversário dia 14 de fevereiro", Unclear),
            (
                DataComemorativa,
                "Aniversário do filho em 14/02",
                "Aniversário do filho em 3/5",
                Unclear,
            ),
            (
                DataComemorativa,
                "Aniversário em 14/02",
                "Aniversário de casamento em 10/10",
                Unclear,
            ),
            (PadraoComportamental, "Chega às 21h", "Chega às 23h", Contradicts),
        ] {
            assert_eq!(lexical(kind, left, right), expected, "{left} / {right}");
            assert_eq!(lexical(kind, right, left), expected, "{right} / {left}");
        }
    }

    #[test]
    fn likeness_alone_does_not_make_facts_the_same() {
        use MemoryKind::{DataComemorativa, Preferencia};
        assert!(is_same(Preferencia, "Gosta de café forte", "Gosta muito do café forte", 0.97));
        assert!(is_same(Preferencia, "Gosta de vista mar", "Gosta da vista para mar", 0.1));
        assert!(!is_same(Preferencia, "Gosta de vinho", "Gosta de cerveja", 0.94));
        assert!(!is_same(Preferencia, "Prefere com hidro", "Prefere sem hidro", 0.99));
        assert!(!is_same(DataComemorativa, "Aniversário 14/02", "Aniversário 15/02", 0.99));
    }
}
