//! Words of a clause that name a moment: "amanhã", "às 14h", "dia 5", "em dezembro".

use super::clause::Clause;
use crate::domain::numerals;

const DAYS: &[&str] = &[
    "hoje",
    "hj",
    "amanha",
    "amn",
    "segunda",
    "terca",
    "quarta",
    "quinta",
    "sexta",
    "sabado",
    "domingo",
    "manana",
    "hoy",
    "tomorrow",
    "today",
    "tonight",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "lunes",
    "martes",
    "miercoles",
    "jueves",
    "viernes",
    "meio-dia",
    "meiodia",
    "fds",
];

/// Words before a number that make an hour or a date of it.
const CUES: &[&str] = &[
    "as", "a", "dia", "dias", "das", "pras", "pelas", "las", "at", "para", "pra", "e", "ou", "the",
];

/// Whether a moment is named at a place of the clause.
pub(super) fn named(clause: &Clause<'_>, at: usize) -> bool {
    let (word, next, before) =
        (clause.word(at), clause.word(at + 1), clause.word(at.wrapping_sub(1)));
    if DAYS.contains(&word) || numerals::portuguese_month(word).is_some() {
        return true;
    }
    match word {
        "semana" => {
            matches!(next, "que" | "proxima")
                || matches!(
                    before,
                    "proxima" | "outra" | "esta" | "essa" | "nesta" | "nessa" | "desta" | "de"
                )
        }
        "mes" => next == "que" || matches!(before, "este" | "esse" | "neste" | "nesse" | "proximo"),
        "manha" | "tarde" | "noite" => {
            matches!(
                before,
                "a" | "de" | "da" | "pela" | "na" | "desta" | "esta" | "dessa" | "essa"
            )
        }
        "meio" => next == "dia",
        "data" | "dia" | "horario" | "periodo" => {
            matches!(
                before,
                "nessa" | "nesta" | "nesse" | "neste" | "essa" | "esse" | "este" | "esta"
            ) && (word != "horario" || before.starts_with('n'))
        }
        _ => is_clock(word) || is_number(word) && hour_or_date(clause, at),
    }
}

/// "14h", "14h30".
fn is_clock(word: &str) -> bool {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    let minutes = rest.strip_prefix("hs").or_else(|| rest.strip_prefix('h'));
    (1..=2).contains(&digits)
        && word != "24h"
        && minutes.is_some_and(|rest| rest.is_empty() || rest.bytes().all(|b| b.is_ascii_digit()))
}

fn is_number(word: &str) -> bool {
    (1..=2).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit())
}

fn hour_or_date(clause: &Clause<'_>, at: usize) -> bool {
    let (next, before) = (clause.word(at + 1), clause.word(at.wrapping_sub(1)));
    // "05/12", "5 de março"
    let date = is_number(next) && (next.len() == 2 || clause.word(at).len() == 2)
        || next == "de" && numerals::portuguese_month(clause.word(at + 2)).is_some();
    let hour = CUES.contains(&before)
        && !matches!(before, "a" | "e" | "ou" | "para" | "pra")
        && (next.is_empty()
            || matches!(next, "h" | "horas" | "da" | "com" | "e" | "ou" | "no" | "na" | "de"));
    date || hour || matches!(next, "h" | "horas") && CUES.contains(&before)
}

/// Whether a moment is named between two places.
pub(super) fn within(clause: &Clause<'_>, from: usize, to: usize) -> bool {
    (from..to.min(clause.len())).any(|at| named(clause, at))
}

/// Whether the clause tells opening hours: "de segunda a sexta", "a partir das 14h", "todos os
/// dias", "aos sábados".
pub(super) fn general(clause: &Clause<'_>) -> bool {
    clause.hours()
        || (0..clause.len()).any(|at| {
            let next = clause.word(at + 1);
            match clause.word(at) {
                "partir" | "qualquer" | "toda" | "todas" | "diariamente" | "24h" | "aos"
                | "sempre" => true,
                "das" => (at + 2..at + 4).any(|index| matches!(clause.word(index), "as" | "ate")),
                "ate" => next == "as",
                _ => false,
            }
        })
}
