//! Claims without a verb or with a farewell: "Prontinho, reservado!", "Te esperamos amanhã às 14h!"

use super::clause::Clause;
use super::words::Deed;
use super::{Claim, moment, person, state, words};

/// "Prontinho, reservado!", "Consulta marcada para sexta", "Cadastro feito".
pub(super) fn ellipsis(clause: &Clause<'_>) -> Option<Claim> {
    if clause.question || clause.conditional || clause.quoted() {
        return None;
    }
    let start = (0..clause.len()).find(|index| !words::is_opening(clause.word(*index)))?;
    let word = clause.word(start);
    let (place, claim) = if let Some(deed) = words::participle(word) {
        (start, opened(clause, start, deed)?)
    } else if let Some(claim) = words::english(word) {
        (start, claim)
    } else {
        words::noun(word)?;
        let place = (start + 1..clause.len().min(start + 8)).find(|index| {
            words::participle(clause.word(*index)).is_some()
                || words::english(clause.word(*index)).is_some()
        })?;
        // "Diária com café incluído"; "Consulta com a Dra. Joana marcada" is the consultation.
        let other = (start + 1..place)
            .any(|index| matches!(clause.word(index), "com" | "sem" | "e") && index + 2 == place);
        // "Consultas canceladas em cima da hora são cobradas" is a rule.
        let many = word.ends_with('s') && !clause.has_before(start, &["suas", "seus", "as", "os"]);
        let stated = (start + 1..place).any(|index| state::COPULAS.contains(&clause.word(index)));
        if many || other || stated || clause.has_verb(start + 1, place) {
            return None;
        }
        let claim = match words::participle(clause.word(place)) {
            Some(Deed::Done(Claim::Transferred)) => None,
            Some(deed @ Deed::Weak(_)) => {
                state::of_thing(deed, word, words::is_act(word) || place + 1 == clause.len())
            }
            Some(deed) => state::of_thing(deed, word, true),
            None => words::english(clause.word(place)),
        };
        (place, claim?)
    };
    let rule = clause.has_verb(place + 1, clause.len());
    let untrue = clause.denied(place) || clause.conditional_after(place) || rule;
    (!untrue && (claim != Claim::Booked || !clause.somebody_else())).then_some(claim)
}

/// "Prontinho, reservado!", "Feito!": a participle that begins a clause.
fn opened(clause: &Clause<'_>, start: usize, deed: Deed) -> Option<Claim> {
    let ends = start + 1 == clause.len();
    match deed {
        Deed::Done(Claim::Transferred) => {
            (ends || person::passive(clause, start, start)).then_some(Claim::Transferred)
        }
        // "R$ 300, registrado em 3 lançamentos"
        Deed::Done(claim) => {
            let parts = clause.word(start + 1) == "em"
                && clause.word(start + 2).starts_with(|c: char| c.is_ascii_digit());
            (!parts).then_some(claim)
        }
        Deed::Weak(claim) => ends.then_some(claim),
        Deed::Only if ends => {
            matches!(clause.word(start), "feito" | "concluido").then_some(Claim::Booked)
        }
        Deed::Only | Deed::Made | Deed::Change => {
            let noun = (start + 1..start + 4).map(|index| clause.word(index));
            let mut named = noun.filter(|word| words::noun(word).is_some());
            named.next().and_then(|noun| state::of_thing(deed, noun, true))
        }
    }
}

/// "Te esperamos amanhã às 14h!" says that there is an appointment.
pub(super) fn farewell(clause: &Clause<'_>) -> Option<Claim> {
    let at = (0..clause.len()).find(|index| {
        let next = clause.word(index + 1);
        match clause.word(*index) {
            "te" | "lhe" | "os" | "o" | "a" => {
                matches!(next, "esperamos" | "espero" | "aguardamos" | "vejo")
            }
            "esperamos" | "aguardamos" | "espero" => {
                matches!(next, "voce" | "vc" | "voces" | "vcs")
            }
            "nos" => next == "vemos",
            "see" => next == "you",
            _ => false,
        }
    })?;
    let dated = (at + 2..clause.len().min(at + 9)).any(|index| {
        let word = clause.word(index);
        let day = [
            "hoje", "amanha", "segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo",
            "manana", "tomorrow", "dia",
        ];
        word.starts_with(|c: char| c.is_ascii_digit()) || day.contains(&word)
    });
    let asked = clause.question || clause.denied(at) || moment::general(clause);
    (dated && !asked).then_some(Claim::Booked)
}
