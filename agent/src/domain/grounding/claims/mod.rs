//! What an answer says was done: "marquei", "sua consulta está confirmada", "prontinho, reservado!".
//!
//! Offers, questions, conditions, plans and failures say nothing of the kind: "posso marcar?",
//! "assim que estiver confirmado", "vou verificar", "não consegui marcar".

mod asked;
mod available;
mod clause;
mod ellipsis;
mod moment;
mod person;
mod state;
mod words;

use crate::domain::triage::fold::tokenize;

use clause::Clause;
use words::Deed;

/// Something with an effect that an answer says was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Claim {
    /// Booked, confirmed, or moved to another time.
    Booked,
    Cancelled,
    /// A person, a payment or a wish was put on record.
    Registered,
    /// The conversation went to a person.
    Transferred,
    /// The customer's data was deleted.
    Erased,
    /// A time, or a place for a time, is free or the customer's: "temos vaga amanhã às 14h", "esse
    /// horário está livre". Goods and rooms that a house has in general are not meant.
    Available,
}

/// What an answer says was done, each once, in order.
pub fn claims(answer: &str) -> Vec<Claim> {
    let mut found = Vec::new();
    // The dot of a title ends no sentence.
    let titles = [("Dra. ", "Dra "), ("Dr. ", "Dr "), ("Sra. ", "Sra "), ("Sr. ", "Sr ")];
    let plain = titles.iter().fold(answer.to_owned(), |text, (from, to)| text.replace(from, to));
    for line in plain.lines() {
        // `tokenize` reads the ends of long texts only, so it gets sentences.
        for sentence in sentences(line) {
            let folded = tokenize(sentence);
            for clause in clause::split(&folded) {
                found.extend(in_clause(&clause));
            }
            found.extend(in_spanish(sentence));
        }
    }
    let mut once = Vec::new();
    for claim in found {
        if !once.contains(&claim) {
            once.push(claim);
        }
    }
    once
}

/// The sentences of a line, each with its closing mark.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    line.split_inclusive(['.', '!', '?', ';'])
}

fn in_clause(clause: &Clause<'_>) -> Vec<Claim> {
    let mut found = Vec::new();
    for at in 0..clause.len() {
        let claim = first_person(clause, at)
            .or_else(|| person::called(clause, at))
            .or_else(|| state::state(clause, at))
            .or_else(|| state::possession(clause, at))
            .or_else(|| state::success(clause, at))
            .or_else(|| state::dated(clause, at))
            .or_else(|| english(clause, at));
        found.extend(claim);
    }
    found.extend(ellipsis::ellipsis(clause));
    found.extend(ellipsis::farewell(clause));
    if found.is_empty() {
        found.extend(available::available(clause));
    }
    found
}

/// "marquei", "fiz a reserva", "consegui marcar", "acabei de cancelar", "já agendamos".
fn first_person(clause: &Clause<'_>, at: usize) -> Option<Claim> {
    let word = clause.word(at);
    let next = clause.word(at + 1);
    if clause.denied(at) {
        return None;
    }
    if let Some(claim) = words::first_person(word) {
        if matches!(word, "separei" | "bloqueei") {
            return (at + 1..at + 6)
                .any(|index| {
                    words::is_booking(clause.word(index)) && !clause.word(index).ends_with('s')
                })
                .then_some(claim);
        }
        // "confirmei com a equipe que…" asked, and booked nothing.
        let asked = word == "confirmei" && matches!(next, "com" | "que" | "aqui" | "se");
        let given = claim != Claim::Transferred || person::given(clause, at);
        return (!asked && given).then_some(claim);
    }
    if let Some(claim) = words::first_person_plural(word) {
        let done = clause.has_before(at, &["ja"])
            || matches!(next, "sua" | "seu" | "suas" | "seus" | "voce" | "vc" | "entao")
            || next == "a" && matches!(clause.word(at + 2), "sua")
            || next == "o" && matches!(clause.word(at + 2), "seu")
            || matches!(next, "para" | "pra")
                && matches!(clause.word(at + 2), "voce" | "vc" | "hoje" | "amanha");
        let given = claim != Claim::Transferred || person::given(clause, at);
        return (done && given && !clause.question).then_some(claim);
    }
    match word {
        "fechei" | "mudei" | "troquei" | "alterei" | "passei" | "adiantei" | "fechamos"
        | "mudamos" | "fiz" | "fizemos" | "efetuei" | "realizei" | "conclui" | "finalizei"
        | "efetuamos" | "realizamos" | "concluimos" => {
            (at + 1..at + 5).find_map(|index| words::noun(clause.word(index)))
        }
        "deixei" | "deixamos" => {
            let deed = (at + 1..at + 6).find_map(|index| words::participle(clause.word(index)))?;
            match deed {
                Deed::Done(claim) | Deed::Weak(claim) => Some(claim),
                _ => None,
            }
        }
        "anotei" => (at + 1..at + 5).find_map(|index| words::noun(clause.word(index))),
        "exclui" | "eliminei" => {
            let data = (at + 1..at + 5).map(|index| words::noun(clause.word(index)));
            data.flatten().find(|claim| *claim == Claim::Erased)
        }
        "coloquei" | "botei" | "pus" | "incluimos" | "inclui" => {
            let listed = (at + 1..at + 8)
                .any(|index| matches!(clause.word(index), "agenda" | "lista" | "fila"));
            listed.then_some(Claim::Booked)
        }
        "consegui" | "conseguimos" => {
            let skip = usize::from(matches!(next, "te" | "lhe" | "ja"));
            words::infinitive(clause.word(at + 1 + skip))
        }
        "acabei" | "acabamos" => words::infinitive(clause.word(at + 2)).filter(|_| next == "de"),
        _ => None,
    }
}

/// "I've booked", "your appointment is confirmed", "you're all set".
fn english(clause: &Clause<'_>, at: usize) -> Option<Claim> {
    let word = clause.word(at);
    if word == "set" && clause.word(at.wrapping_sub(1)) == "all" {
        return (!clause.question && !clause.denied(at)).then_some(Claim::Booked);
    }
    let claim = words::english(word)?;
    let done = [
        "i",
        "we",
        "ive",
        "weve",
        "has",
        "have",
        "been",
        "is",
        "are",
        "was",
        "youre",
        "successfully",
        "all",
        "were",
    ];
    let back =
        (at.saturating_sub(3)..at).rev().take(3).any(|index| done.contains(&clause.word(index)));
    let future = clause.has_before(
        at,
        &[
            "will", "can", "be", "would", "should", "could", "must", "once", "ill", "well", "to",
            "may",
        ],
    );
    let asked = clause.question && !matches!(clause.word(0), "i" | "ive" | "we" | "weve");
    (back
        && !future
        && !asked
        && !clause.conditional
        && !clause.denied(at)
        && !clause.conditional_after(at))
    .then_some(claim)
}

/// "Reservé su mesa": the accent tells it from the command "reserve".
fn in_spanish(sentence: &str) -> Option<Claim> {
    let lower = sentence.to_lowercase();
    let all: Vec<&str> =
        lower.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
    let at = all.iter().position(|word| words::spanish(word).is_some())?;
    let denied = all[at.saturating_sub(4)..at]
        .iter()
        .any(|word| matches!(*word, "no" | "si" | "cuando" | "que"));
    if denied { None } else { words::spanish(all[at]) }
}
