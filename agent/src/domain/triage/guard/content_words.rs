//! The words that say what a question is about.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use crate::domain::triage::fold::{self, TokenKind};

/// Words that ask, join, soften or stress, and say nothing of the subject.
const EMPTY: &[&str] = &[
    // interrogatives
    "qual quais quanto quanta quantos quantas quando onde aonde como quem que q pq porque \
     cade kd cual cuales cuanto cuanta cuando donde quien por what whats which when where how \
     why who",
    // articles, prepositions, pronouns
    "o a os as um uma uns umas de do da dos das d em no na nos nas ao aos pra pro para p pelo \
     pela com c sobre e ou se me te lhe meu minha meus minhas seu sua seus suas eu voce voces \
     vc vcs ele ela esse essa este esta isso isto desse dessa nesse nessa el la los las un \
     una mi mis tu su en con y lo del al the an my your of to in on for is i it and",
    // auxiliaries and verbs of asking
    "ser eh sao foi ta estou estao tem ter tenho vai vou pode poderia podem posso consigo \
     consegue consegui conseguir quero queria quer gostaria preciso precisava saber sabe \
     manda mande mandar envia envie enviar mostra mostre mostrar ver veja fala fale diz diga \
     dizer informa passa favor dar faz fazer faco fica havia ha quiero puedo puede puedes \
     necesito dime es son hay can does need want tell show give please know be are",
    // courtesy, address, stress
    "pf pfv pfvr porfa oi ola oie alo bom boa dia tarde noite obrigado obrigada valeu \
     gentileza ai aqui so ja mesmo mesma afinal entao mas ainda agora logo novo novamente \
     outra vez hein ne moco moca gente amigo querida querido hola gracias entonces pues hello \
     hi hey again just ok okay sim si yes kkk tambem eita alguem urgente rapido sei seria \
     aguardo esperando vamos bora pergunta perguntei",
];

/// The channel itself: it adds nothing next to a subject ("erro no sistema").
const VENUES: &[&str] =
    &["sistema", "app", "aplicativo", "site", "plataforma", "pagina", "system", "website"];

/// Words of one meaning, the first standing for all. Beginnings, compared after [`stem`].
const SYNONYMS: &[&[&str]] = &[
    &["ach", "encontr", "localiz", "encuentr"],
    &["mud", "troc", "troqu", "alter", "modific", "cambi"],
    &["remedi", "medicament", "medicin"],
    &["apag", "exclu", "delet", "remov", "borr", "elimin"],
    &["cadastr", "registr", "regist"],
    &["salv", "grav", "guard"],
    &["acess", "entr", "log"],
    &["pag", "pagu", "quit"],
    &["sobr", "rest"],
    &["funcion", "peg"],
    &["valor", "prec", "cust"],
];

/// Words whose change makes another question: months, weekdays, days.
const SLOTS: &[&str] =
    &["janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro \
     jan fev mar abr mai jun jul ago set out nov dez segunda terca quarta quinta sexta sabado \
     domingo hoje hj ontem amanha anteontem enero febrero marzo mayo junio julio septiembre \
     octubre noviembre diciembre lunes martes miercoles jueves viernes hoy ayer manana \
     january february march april may june july august september october november december \
     monday tuesday wednesday thursday friday saturday sunday today yesterday tomorrow dois \
     tres quatro cinco seis sete oito nove primeira primeiro ultima ultimo proxima proximo \
     passado passada entrada saida corrente poupanca"];

/// Negations: a question and its denial are different questions.
const NEGATIONS: &[&str] = &["nao", "n", "num", "nem", "nunca", "sem", "no", "not", "dont", "sin"];

/// [`EMPTY`] for looking up.
static EMPTY_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| word_set(EMPTY));
/// [`SLOTS`] for looking up.
static SLOT_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| word_set(SLOTS));

fn word_set(lines: &'static [&'static str]) -> HashSet<&'static str> {
    lines.iter().flat_map(|line| line.split_whitespace()).collect()
}

/// Characters of a message read for its subject: a question is at its beginning.
const READ: usize = 2_000;

/// What a message is about.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// Stems of the content words.
    pub words: BTreeSet<String>,
    /// Numbers, months, weekdays and lone letters.
    pub slots: BTreeSet<String>,
    /// Whether something is denied.
    pub negated: bool,
}

/// Reads what `message` is about.
pub fn subject(message: &str) -> Subject {
    let end = message.char_indices().nth(READ).map_or(message.len(), |(at, _)| at);
    let text = fold::tokenize(message.get(..end).unwrap_or(message));
    let mut out = Subject::default();
    let mut venue = None;
    let count = text.tokens.len();
    let all_capitals = text.tokens.iter().all(|t| t.capital);
    for (i, token) in text.tokens.iter().enumerate() {
        let word = text.word(i);
        let word: &str = &if token.elongated { fold::squeeze(word) } else { word.to_owned() };
        // "segunda via" is a document, not a day
        let second_copy = word == "via" || word == "segunda" && text.word(i + 1) == "via";
        let letter = word.len() == 1
            && (i + 1 == count || token.capital && !all_capitals && i > 0)
            && !matches!(word, "o" | "a" | "e");
        if token.kind == TokenKind::Number || letter || (SLOT_WORDS.contains(word) && !second_copy)
        {
            out.slots.insert(word.to_owned());
            out.words.insert(word.to_owned());
        } else if NEGATIONS.contains(&word) && (word != "no" || is_spanish_no(&text, i)) {
            out.negated = true;
        } else if VENUES.contains(&word) {
            venue = Some(word.to_owned());
        } else if token.masked && word.bytes().any(|b| b.is_ascii_digit()) {
            out.slots.insert(word.to_owned());
            out.words.insert(word.to_owned());
        } else if !EMPTY_WORDS.contains(word) && !second_copy || word == "via" {
            out.words.insert(canonical(word));
        }
    }
    if out.words.is_empty() {
        out.words.extend(venue);
    }
    out
}

/// "no" denies in Spanish and English and is "in the" in Portuguese, where a noun follows.
fn is_spanish_no(text: &fold::Folded, index: usize) -> bool {
    index == 0
        || matches!(
            text.word(index + 1),
            "me" | "se" | "puedo" | "tengo" | "encuentro" | "funciona" | "quiero" | "entiendo"
        )
}

/// Whether a folded word asks, joins, softens, stresses or denies, and names nothing.
pub fn says_nothing(word: &str) -> bool {
    EMPTY_WORDS.contains(word) || NEGATIONS.contains(&word)
}

/// The stem of a folded word, or of the word that stands for its meaning.
pub fn canonical(word: &str) -> String {
    let stem = stem(word);
    SYNONYMS
        .iter()
        .find(|family| family.contains(&stem))
        .and_then(|family| family.first())
        .copied()
        .unwrap_or(stem)
        .to_owned()
}

/// `word` without its ending of number, gender or person.
///
/// Deliberately light: it only has to bring together the forms of one word in three messages.
fn stem(word: &str) -> &str {
    const ENDINGS: &[&str] = &[
        "aram", "eram", "iram", "ando", "endo", "indo", "amos", "emos", "imos", "aria", "ar", "er",
        "ir", "ei", "ou", "eu", "iu", "am", "em", "os", "as", "es", "o", "a", "e", "s",
    ];
    ENDINGS
        .iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.len() >= 3))
        .unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(message: &str) -> Vec<String> {
        subject(message).words.into_iter().collect()
    }

    #[test]
    fn only_the_subject_of_a_question_remains() {
        assert_eq!(words("oi, qual é o limite do meu cartão, por favor?"), words("limite cartão"));
        assert_eq!(words("troquei a senha"), words("como alterar a senha"));
        assert!(words("como assim?").len() <= 1);
        assert!(words("ok obrigada").is_empty());
    }

    #[test]
    fn numbers_days_and_lone_letters_are_slots() {
        let slots = subject("vence dia 10 de março no bloco C").slots;
        assert!(["10", "marco", "c"].iter().all(|s| slots.contains(*s)), "{slots:?}");
        assert!(subject("segunda via da conta").slots.is_empty());
    }
}
