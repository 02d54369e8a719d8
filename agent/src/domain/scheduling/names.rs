//! Finding a doctor, an insurance or a procedure by what the customer calls it. A name that fits
//! several is asked about, and so is one that only resembles: the wrong doctor is worse than a
//! question.

use super::spelling::{differ_in_gender, same_stem, sound, words};
use crate::domain::triage::fold::within_one_edit;

/// What a name names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Doctor,
    Insurance,
    Procedure,
}

/// What was found, as places in the list that was searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Match {
    None,
    One(usize),
    /// To be asked about; also a single one, when it only resembles what was asked for.
    Several(Vec<usize>),
}

/// Words that carry no name.
const PARTICLES: &[&str] = &[
    "a", "as", "o", "os", "e", "da", "das", "de", "do", "dos", "com", "em", "na", "no", "para",
    "pra", "por", "um", "uma", "la", "el",
];
const TITLES: &[&str] = &[
    "dr",
    "dra",
    "drs",
    "doutor",
    "doutora",
    "doc",
    "medico",
    "medica",
    "prof",
    "professor",
    "professora",
    "sr",
    "sra",
    "senhor",
    "senhora",
    "especialista",
];
const INSURANCE_WORDS: &[&str] =
    &["convenio", "plano", "planos", "seguro", "saude", "operadora", "carteirinha", "meu", "minha"];
const PROCEDURE_WORDS: &[&str] =
    &["marcar", "agendar", "fazer", "medico", "medica", "procedimento"];

/// Asking for nobody in particular.
const ANYBODY: &[&str] = &[
    "qualquer",
    "tanto faz",
    "indiferente",
    "sem preferencia",
    "nenhum",
    "nenhuma",
    "nao informado",
    "nao sei",
    "primeiro disponivel",
    "todos",
    "todas",
    "null",
    "none",
    "n/a",
];
/// Paying oneself.
const PRIVATE: &[&str] =
    &["particular", "sem convenio", "sem plano", "nao tenho", "nao tem", "nao possui", "privado"];

/// Shortest joined name that the beginning of a longer one is found by.
const SHORTEST_BEGINNING: usize = 5;
/// Shortest word that one wrong letter is forgiven in.
const SHORTEST_MISSPELT: usize = 4;

impl Kind {
    fn fillers(self) -> &'static [&'static str] {
        match self {
            Kind::Doctor => TITLES,
            Kind::Insurance => INSURANCE_WORDS,
            Kind::Procedure => PROCEDURE_WORDS,
        }
    }

    /// The words that tell names of this kind apart; all of them when none does.
    fn telling(self, text: &str) -> Vec<String> {
        let all = words(text);
        let tells = |word: &&String| {
            !PARTICLES.contains(&word.as_str()) && !self.fillers().contains(&word.as_str())
        };
        let telling: Vec<String> = all.iter().filter(tells).map(|word| sound(word)).collect();
        if telling.is_empty() { all.iter().map(|word| sound(word)).collect() } else { telling }
    }
}

fn says(text: &str, phrases: &[&str]) -> bool {
    let said = words(text);
    phrases.iter().any(|phrase| said.starts_with(&words(phrase)))
}

/// Whether this asks for nothing in particular: an empty text, a bare title, "tanto faz".
pub fn is_anything(kind: Kind, asked: &str) -> bool {
    let said = words(asked);
    let empty = |word: &String| {
        let titles = if kind == Kind::Doctor { TITLES } else { &[] };
        PARTICLES.contains(&word.as_str()) || titles.contains(&word.as_str())
    };
    said.iter().all(empty) || says(asked, ANYBODY)
}

/// Whether this says that the customer pays without an insurance.
pub fn is_private(asked: &str) -> bool {
    says(asked, PRIVATE)
}

/// How well a name fits, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The same words.
    Same,
    /// Every word that was asked for is in the name.
    Part,
    /// The same by stems, or the beginning of the name.
    Stem,
    /// It resembles: the name is in what was asked for, or a letter is wrong.
    Alike,
}

fn fit(kind: Kind, asked: &[String], name: &[String]) -> Option<Fit> {
    let (asked_joined, name_joined) = (asked.concat(), name.concat());
    if name.is_empty() {
        return None;
    }
    if asked == name || asked_joined == name_joined {
        return Some(Fit::Same);
    }
    let every = |test: &dyn Fn(&str, &str) -> bool| {
        asked.iter().all(|word| name.iter().any(|other| test(word, other)))
    };
    let initial = |word: &str, other: &str| {
        kind == Kind::Doctor && word.chars().count() == 1 && other.starts_with(word)
    };
    let whole_word = asked.iter().any(|word| word.chars().count() > 1);
    if whole_word && every(&|word, other| word == other || initial(word, other)) {
        return Some(Fit::Part);
    }
    if kind == Kind::Procedure && every(&same_stem) {
        return Some(Fit::Stem);
    }
    let long = asked_joined.len() >= SHORTEST_BEGINNING;
    if kind != Kind::Doctor && long && name_joined.starts_with(&asked_joined) {
        return Some(Fit::Stem);
    }
    let misspelt = |word: &str, other: &str| {
        let shortest = word.chars().count().min(other.chars().count());
        let begins_alike = word.chars().next() == other.chars().next();
        shortest >= SHORTEST_MISSPELT
            && begins_alike
            && within_one_edit(word, other)
            && !differ_in_gender(word, other)
    };
    let contained = name.iter().all(|word| asked.contains(word));
    (contained || every(&|word, other| word == other || misspelt(word, other)))
        .then_some(Fit::Alike)
}

/// Looks for what the customer calls `asked` among `names`.
pub fn find<'a>(kind: Kind, asked: &str, names: impl IntoIterator<Item = &'a str>) -> Match {
    let asked = kind.telling(asked);
    if asked.is_empty() {
        return Match::None;
    }
    let fits = names
        .into_iter()
        .enumerate()
        .filter_map(|(place, name)| fit(kind, &asked, &kind.telling(name)).map(|fit| (fit, place)));
    let fits: Vec<(Fit, usize)> = fits.collect();
    let Some(best) = fits.iter().map(|(fit, _)| *fit).min() else {
        return Match::None;
    };
    let places: Vec<usize> =
        fits.iter().filter(|(fit, _)| *fit == best).map(|(_, place)| *place).collect();
    match places.as_slice() {
        [place] if best != Fit::Alike => Match::One(*place),
        _ => Match::Several(places),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCTORS: &[&str] = &[
        "Dra. Joana Prado",
        "Dr. Paulo Nogueira",
        "Dra. Ana Lima",
        "Dra. Ana Beatriz Souza",
        "Dr. Luís D'Ávila",
        "Dra. Marina Couto",
    ];
    const INSURANCES: &[&str] =
        &["Unimed Nacional", "Unimed Regional", "Bradesco Saúde", "SulAmérica", "Amil 400"];
    const PROCEDURES: &[&str] = &[
        "Consulta dermatológica",
        "Consulta cardiológica",
        "Limpeza de pele",
        "Eletrocardiograma",
        "Consulta",
    ];

    fn found(kind: Kind, asked: &str, names: &[&str]) -> Match {
        find(kind, asked, names.iter().copied())
    }

    #[test]
    fn a_doctor_is_found_however_the_customer_writes() {
        for (asked, place) in [
            ("Dra Joana", 0),
            ("dra. joana prado", 0),
            ("JOANNA", 0),
            ("doutora joana p.", 0),
            ("Dr(a). Prado", 0),
            ("paulo", 1),
            ("Dr Paulo Nogueira ", 1),
            ("dra ana lima", 2),
            ("ana beatriz", 3),
            ("Dr. Luiz", 4),
            ("D'Ávila", 4),
        ] {
            assert_eq!(found(Kind::Doctor, asked, DOCTORS), Match::One(place), "{asked}");
        }
    }

    #[test]
    fn a_name_that_fits_several_or_only_resembles_is_asked_about() {
        assert_eq!(found(Kind::Doctor, "Dra. Ana", DOCTORS), Match::Several(vec![2, 3]));
        assert_eq!(found(Kind::Doctor, "Mariana Couto", DOCTORS), Match::Several(vec![5]));
        assert_eq!(found(Kind::Doctor, "Joana Prado Reis", DOCTORS), Match::Several(vec![0]));
        assert_eq!(found(Kind::Insurance, "Unimed", INSURANCES), Match::Several(vec![0, 1]));
        assert_eq!(
            found(Kind::Insurance, "Bradesco Saúde Top Nacional", INSURANCES),
            Match::Several(vec![2])
        );
    }

    #[test]
    fn another_person_is_not_found() {
        for asked in ["Dr. House", "Dra. Paula", "Dr. Joano", "Joana Silva", "Beto", "Anabela", "P"]
        {
            assert_eq!(found(Kind::Doctor, asked, DOCTORS), Match::None, "{asked}");
        }
    }

    #[test]
    fn insurances_and_procedures_are_found_by_their_everyday_names() {
        for (asked, place) in [
            ("convênio Bradesco", 2),
            ("sul america", 3),
            ("SulAmérica Saúde", 3),
            ("unimed nacional", 0),
            ("amil", 4),
        ] {
            assert_eq!(found(Kind::Insurance, asked, INSURANCES), Match::One(place), "{asked}");
        }
        for (asked, place) in [
            ("dermatologista", 0),
            ("consulta com cardiologista", 1),
            ("limpeza de pele", 2),
            ("limpezas", 2),
            ("eletrocardio", 3),
            ("consulta", 4),
        ] {
            assert_eq!(found(Kind::Procedure, asked, PROCEDURES), Match::One(place), "{asked}");
        }
        for asked in ["Golden Cross", "Porto", ""] {
            assert_eq!(found(Kind::Insurance, asked, INSURANCES), Match::None, "{asked}");
        }
        assert_eq!(found(Kind::Procedure, "ressonância", PROCEDURES), Match::None);
    }

    #[test]
    fn asking_for_nobody_in_particular_is_no_name() {
        for asked in ["", "  ", "Dra.", "qualquer um", "tanto faz", "o médico", "Sem preferência"]
        {
            assert!(is_anything(Kind::Doctor, asked), "{asked}");
        }
        for asked in ["Dra. Joana", "Todorov"] {
            assert!(!is_anything(Kind::Doctor, asked), "{asked}");
        }
        for asked in ["particular", "Particular mesmo", "sem convênio", "não tenho plano"] {
            assert!(is_private(asked), "{asked}");
        }
        assert!(!is_private("Unimed"));
    }
}
