//! What is said of the customer's own thing: "sua consulta está confirmada", "ficou agendado".

use super::clause::Clause;
use super::words::{self, Deed};
use super::{Claim, moment, person};

pub(super) const COPULAS: &[&str] = &[
    "esta",
    "ta",
    "foi",
    "ficou",
    "fica",
    "estao",
    "tao",
    "foram",
    "ficaram",
    "segue",
    "continua",
    "permanece",
    "quedo",
    "queda",
    "fue",
    "he",
    "hemos",
    "sido",
    "ficam",
    "ha",
    "han",
    "tai",
    "encontra",
];

const BETWEEN: &[&str] = &[
    "ja",
    "agora",
    "sim",
    "tudo",
    "devidamente",
    "entao",
    "oficialmente",
    "sido",
    "se",
    "pre",
    "aqui",
    "certinho",
    "ahora",
    "ya",
    "bem",
    "todo",
    "super",
    "assim",
];

/// "está confirmada", "ficou agendado", "foi cancelada", "quedó reservada".
pub(super) fn state(clause: &Clause<'_>, at: usize) -> Option<Claim> {
    let copula = clause.word(at);
    if !COPULAS.contains(&copula) {
        return None;
    }
    let mut place = at + 1;
    for _ in 0..3 {
        place += usize::from(BETWEEN.contains(&clause.word(place)));
    }
    let listed = clause.word(place) == "na" && matches!(clause.word(place + 1), "agenda" | "lista");
    let deed = match words::participle(clause.word(place)) {
        None if listed => Deed::Done(Claim::Booked),
        deed => deed?,
    };
    let relative = clause.word(at.wrapping_sub(1)) == "que";
    let asked = clause.question || clause.conditional;
    let untrue = clause.denied(at) || clause.conditional_after(place) || clause.set_aside(place);
    if asked || relative || untrue {
        return None;
    }
    // "fica reservado por 24h" is a rule of the house.
    let held =
        matches!(copula, "fica" | "ficam") && matches!(clause.word(place + 1), "por" | "ate");
    if held {
        return None;
    }
    if deed == Deed::Done(Claim::Transferred) {
        return person::passive(clause, at, place).then_some(Claim::Transferred);
    }
    // "seus dados ficam salvos" tells how the house works.
    if matches!(deed, Deed::Weak(_)) && copula.starts_with("fica") {
        return None;
    }
    let claim = match subject(clause, at) {
        Subject::None => match deed {
            Deed::Done(claim) => claim,
            Deed::Only if clause.len() <= place + 1 && at <= 1 => Claim::Booked,
            _ => return None,
        },
        Subject::Person => match deed {
            Deed::Done(claim) => claim,
            Deed::Weak(claim) if clause.has_before(at, &["voce", "vc", "voces", "vcs"]) => claim,
            _ => return None,
        },
        Subject::Thing(noun, own) => of_thing(deed, noun, own)?,
        Subject::Other => return None,
    };
    (claim != Claim::Booked || !clause.somebody_else()).then_some(claim)
}

/// What the deed means that was done to a thing.
pub(super) fn of_thing(deed: Deed, noun: &str, own: bool) -> Option<Claim> {
    let claim = words::noun(noun)?;
    match deed {
        Deed::Done(Claim::Booked) if claim == Claim::Registered => Some(claim),
        Deed::Done(Claim::Erased) => (claim == Claim::Erased).then_some(claim),
        Deed::Done(done) => (own || words::is_core(noun)).then_some(done),
        Deed::Weak(done) => (own && words::is_core(noun)).then_some(done),
        Deed::Only => words::is_act(noun).then_some(claim),
        Deed::Change => (own || words::is_core(noun)).then_some(claim),
        Deed::Made => (words::is_act(noun) || claim == Claim::Registered).then_some(claim),
    }
}

/// What stands before a copula.
enum Subject<'c> {
    /// Nothing but openings and adverbs: "ficou agendado".
    None,
    /// "você", or a name.
    Person,
    /// The customer's own thing, or a named one of the kinds that are booked.
    Thing(&'c str, bool),
    /// Something else: a third party's, the house's.
    Other,
}

fn subject<'c>(clause: &'c Clause<'_>, at: usize) -> Subject<'c> {
    let from = at.saturating_sub(10);
    let own = |index: usize| {
        matches!(
            clause.word(index),
            "sua" | "seu" | "suas" | "seus" | "su" | "tu" | "your" | "tua" | "teu"
        )
    };
    if let Some(mine) = (from..at).rev().find(|index| own(*index)) {
        let noun =
            (mine + 1..at.min(mine + 5)).find(|index| words::noun(clause.word(*index)).is_some());
        return match noun {
            // "a data do seu evento" and "seu quarto preferido" alike
            Some(noun) => Subject::Thing(clause.word(noun), true),
            None => Subject::Other,
        };
    }
    if clause.has_before(at, &["nossa", "nosso", "nossas", "nossos"]) {
        return Subject::Other;
    }
    if clause.has_before(at, &["voce", "vc", "voces", "vcs"]) {
        return Subject::Person;
    }
    let filler = |index: usize| {
        let word = clause.word(index);
        words::is_opening(word) && !matches!(word, "a" | "o")
            || BETWEEN.contains(&word)
            || moment::named(clause, index)
            || COPULAS.contains(&word)
            || word == "para"
    };
    if (0..at).all(filler) {
        return Subject::None;
    }
    // The first noun is the subject: "a reserva em nome de João", not "o laudo do exame".
    let first = (from..at).find(|index| {
        !filler(*index)
            && !matches!(
                clause.word(*index),
                "a" | "o" | "as" | "os" | "la" | "el" | "the" | "essa" | "esse"
            )
    });
    match first {
        Some(index) if words::noun(clause.word(index)).is_some() => {
            Subject::Thing(clause.word(index), false)
        }
        Some(index)
            if index == 0 && clause.capital(index) && !clause.word(index).ends_with('s') =>
        {
            Subject::Person
        }
        _ => Subject::Other,
    }
}

/// "Paciente cadastrado com sucesso".
pub(super) fn success(clause: &Clause<'_>, at: usize) -> Option<Claim> {
    let deed = words::participle(clause.word(at))?;
    let done = clause.word(at + 1) == "com" && clause.word(at + 2) == "sucesso";
    if !done || clause.question || clause.denied(at) {
        return None;
    }
    let from = at.saturating_sub(8);
    let noun = (from..at).find(|index| words::noun(clause.word(*index)).is_some());
    match (noun, deed) {
        (_, Deed::Done(Claim::Transferred)) => {
            person::passive(clause, at, at).then_some(Claim::Transferred)
        }
        (Some(noun), deed) => of_thing(deed, clause.word(noun), true),
        (None, Deed::Done(claim)) => Some(claim),
        (None, _) => None,
    }
}

/// "você tem uma consulta marcada para sexta".
pub(super) fn possession(clause: &Clause<'_>, at: usize) -> Option<Claim> {
    let has = matches!(
        clause.word(at),
        "tem"
            | "possui"
            | "consta"
            | "constam"
            | "encontrei"
            | "localizei"
            | "vi"
            | "tienes"
            | "tiene"
            | "estamos"
            | "com"
    );
    if !has || clause.question || clause.conditional || clause.denied(at) {
        return None;
    }
    let named = (at + 1..at + 4).find(|index| words::noun(clause.word(*index)).is_some())?;
    let Deed::Done(claim) = words::participle(clause.word(named + 1))? else { return None };
    // "12 despesas registradas" are looked up.
    if claim == Claim::Registered || words::noun(clause.word(named)) == Some(Claim::Registered) {
        return None;
    }
    let own = clause.word(at) != "com" || clause.word(at.wrapping_sub(1)).starts_with("est");
    let theirs = claim == Claim::Booked && clause.somebody_else();
    (own && !theirs && !clause.conditional_after(named + 1)).then_some(claim)
}

/// "Sua consulta ficou para amanhã às 14h", "sua reserva é dia 20", "a Dra. Joana vai te atender
/// no horário que você pediu".
pub(super) fn dated(clause: &Clause<'_>, at: usize) -> Option<Claim> {
    let (word, next) = (clause.word(at), clause.word(at + 1));
    if clause.question || clause.conditional || clause.denied(at) || clause.conditional_after(at) {
        return None;
    }
    let soon = moment::within(clause, at + 1, at + 9) && !moment::general(clause);
    let seen = match (word, next) {
        ("vai", "te" | "lhe") => {
            clause.word(at + 2) == "atender" || clause.word(at + 2) == "receber"
        }
        ("vai", "atender" | "receber") => {
            matches!(clause.word(at + 2), "voce" | "vc" | "voces" | "vcs")
        }
        ("te", "atende" | "atendera" | "recebe" | "espera" | "aguarda")
        | ("atendera", "voce" | "vc") => true,
        _ => false,
    };
    if seen {
        let staff = (0..at).any(|index| person::is_staff(clause.word(index)));
        let chosen = (at + 1..clause.len()).any(|index| {
            clause.word(index) == "horario"
                && matches!(
                    clause.word(index + 1),
                    "que" | "pedido" | "escolhido" | "solicitado" | "desejado" | "combinado"
                )
        });
        return ((soon || chosen) && !staff).then_some(Claim::Booked);
    }
    if !matches!(
        word,
        "e" | "ficou" | "fica" | "sera" | "esta" | "ta" | "foi" | "es" | "is" | "quedo"
    ) {
        return None;
    }
    let mine = (at.saturating_sub(7)..at)
        .rev()
        .find(|index| matches!(clause.word(*index), "sua" | "seu" | "su" | "your" | "tua" | "teu"));
    let ours = match mine {
        Some(mine) => {
            (mine + 1..at.min(mine + 3)).any(|index| words::is_booking(clause.word(index)))
        }
        None => {
            let core = |index: usize| {
                words::is_core(clause.word(index)) && words::is_booking(clause.word(index))
            };
            let bare = (0..at).all(|index| words::is_opening(clause.word(index)));
            word == "ficou" && at <= 3 && (bare || (0..at).any(core))
        }
    };
    let mut place = at + 1;
    while place < at + 5
        && matches!(
            clause.word(place),
            "para"
                | "pra"
                | "pro"
                | "no"
                | "na"
                | "o"
                | "a"
                | "as"
                | "em"
                | "dia"
                | "nesta"
                | "essa"
                | "agora"
                | "ja"
                | "entao"
                | "proxima"
                | "proximo"
                | "for"
                | "el"
                | "on"
                | "at"
        )
    {
        place += 1;
    }
    let told = moment::named(clause, place);
    (ours && told && !moment::general(clause)).then_some(Claim::Booked)
}
