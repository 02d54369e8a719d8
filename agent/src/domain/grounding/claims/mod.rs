//! What an answer says was done: "marquei", "sua consulta está confirmada", "prontinho, reservado!".
//!
//! Offers, questions, conditions, plans and failures say nothing of the kind: "posso marcar?",
//! "assim que estiver confirmado", "vou verificar", "não consegui marcar".

mod clause;
mod words;

use crate::domain::triage::fold::tokenize;

use clause::Clause;

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
}

/// What an answer says was done, each once, in order.
pub fn claims(answer: &str) -> Vec<Claim> {
    let mut found = Vec::new();
    for line in answer.lines() {
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
            .or_else(|| state(clause, at))
            .or_else(|| possession(clause, at))
            .or_else(|| success(clause, at))
            .or_else(|| english(clause, at));
        found.extend(claim);
    }
    found.extend(ellipsis(clause));
    found.extend(farewell(clause));
    found
}

/// The noun nearest to `at` in its clause says what "feito" was done to.
fn by_noun(clause: &Clause<'_>, at: usize) -> Option<Claim> {
    let from = at.saturating_sub(8);
    let back = (from..at).rev().find_map(|index| words::noun(clause.word(index)));
    back.or_else(|| (at + 1..at + 4).find_map(|index| words::noun(clause.word(index))))
}

/// "marquei", "fiz a reserva", "consegui marcar", "acabei de cancelar", "já agendamos".
fn first_person(clause: &Clause<'_>, at: usize) -> Option<Claim> {
    let word = clause.word(at);
    let next = clause.word(at + 1);
    if clause.denied(at) {
        return None;
    }
    if let Some(claim) = words::first_person(word) {
        if word == "acionei" {
            return reaches_person(clause, at).then_some(claim);
        }
        // "confirmei com a equipe que…" asked, and booked nothing.
        let asked = word == "confirmei" && matches!(next, "com" | "que" | "aqui" | "se");
        return (!asked).then_some(claim);
    }
    if let Some(claim) = words::first_person_plural(word) {
        let done = clause.has_before(at, &["ja"])
            || matches!(next, "sua" | "seu" | "suas" | "seus" | "voce" | "vc" | "entao")
            || next == "a" && matches!(clause.word(at + 2), "sua")
            || next == "o" && matches!(clause.word(at + 2), "seu")
            || matches!(next, "para" | "pra")
                && matches!(clause.word(at + 2), "voce" | "vc" | "hoje" | "amanha");
        return (done && !clause.question).then_some(claim);
    }
    match word {
        "chamei" | "chamamos" | "passei" if reaches_person(clause, at) => Some(Claim::Transferred),
        "fechei" | "mudei" | "troquei" | "alterei" | "passei" | "adiantei" | "fechamos"
        | "mudamos" | "fiz" | "fizemos" | "efetuei" | "realizei" | "conclui" | "finalizei"
        | "efetuamos" | "realizamos" | "concluimos" => {
            (at + 1..at + 5).find_map(|index| words::noun(clause.word(index)))
        }
        "deixei" | "deixamos" => {
            (at + 1..at + 6).find_map(|index| words::participle(clause.word(index)))?
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

/// "acionei um atendente", "passei a conversa para a equipe".
fn reaches_person(clause: &Clause<'_>, at: usize) -> bool {
    let people = [
        "atendente",
        "humano",
        "humana",
        "equipe",
        "recepcao",
        "suporte",
        "pessoa",
        "alguem",
        "responsavel",
        "gerente",
        "colega",
        "time",
        "setor",
    ];
    (at + 1..at + 8).any(|index| people.contains(&clause.word(index)))
}

/// "está confirmada", "ficou agendado", "foi cancelada", "quedó reservada".
fn state(clause: &Clause<'_>, at: usize) -> Option<Claim> {
    let copula = clause.word(at);
    let known = matches!(
        copula,
        "esta"
            | "ta"
            | "foi"
            | "ficou"
            | "fica"
            | "estao"
            | "tao"
            | "foram"
            | "ficaram"
            | "segue"
            | "continua"
            | "permanece"
            | "quedo"
            | "queda"
            | "fue"
            | "he"
            | "hemos"
            | "sido"
            | "ficam"
            | "ha"
            | "han"
            | "tai"
            | "encontra"
    );
    if !known {
        return None;
    }
    let mut place = at + 1;
    for _ in 0..3 {
        let between = matches!(
            clause.word(place),
            "ja" | "agora"
                | "sim"
                | "tudo"
                | "devidamente"
                | "entao"
                | "oficialmente"
                | "sido"
                | "se"
                | "pre"
                | "aqui"
                | "certinho"
                | "ahora"
                | "ya"
                | "bem"
                | "todo"
                | "super"
                | "assim"
        );
        place += usize::from(between);
    }
    let listed = clause.word(place) == "na" && matches!(clause.word(place + 1), "agenda" | "lista");
    let claim = match words::participle(clause.word(place)) {
        None if listed => Some(Claim::Booked),
        claim => claim?,
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
    let short = clause.len() <= place + 1 && at <= 1;
    let claim = match claim {
        Some(claim) => claim,
        None => by_noun(clause, at).or(short.then_some(Claim::Booked))?,
    };
    (claim != Claim::Booked || !clause.somebody_else()).then_some(claim)
}

/// "Paciente cadastrado com sucesso".
fn success(clause: &Clause<'_>, at: usize) -> Option<Claim> {
    let claim = words::participle(clause.word(at))?;
    let done = clause.word(at + 1) == "com" && clause.word(at + 2) == "sucesso";
    let claim = claim.or_else(|| by_noun(clause, at)).filter(|_| done)?;
    (!clause.question && !clause.denied(at)).then_some(claim)
}

/// "você tem uma consulta marcada para sexta".
fn possession(clause: &Clause<'_>, at: usize) -> Option<Claim> {
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
    let claim = words::participle(clause.word(named + 1))??;
    let own = clause.word(at) != "com" || clause.word(at.wrapping_sub(1)).starts_with("est");
    let theirs = claim == Claim::Booked && clause.somebody_else();
    (own && !theirs && !clause.conditional_after(named + 1)).then_some(claim)
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

/// "Prontinho, reservado!", "Consulta marcada para sexta", "Cadastro feito".
fn ellipsis(clause: &Clause<'_>) -> Option<Claim> {
    if clause.question || clause.conditional || clause.quoted() {
        return None;
    }
    let start = (0..clause.len()).find(|index| !words::is_opening(clause.word(*index)))?;
    let word = clause.word(start);
    let ends = start + 1 == clause.len();
    let (place, claim) = if let Some(claim) = words::participle(word) {
        let claim =
            claim.or((ends && matches!(word, "feito" | "concluido")).then_some(Claim::Booked))?;
        (start, claim)
    } else if let Some(claim) = words::english(word) {
        (start, claim)
    } else {
        let thing = words::noun(word)?;
        let place = (start + 1..clause.len().min(start + 8)).find(|index| {
            words::participle(clause.word(*index)).is_some()
                || words::english(clause.word(*index)).is_some()
        })?;
        let claim = words::participle(clause.word(place))
            .or_else(|| words::english(clause.word(place)).map(Some))?;
        let claim = match (claim, thing) {
            (Some(Claim::Booked), Claim::Registered) | (None, _) => thing,
            (Some(claim), _) => claim,
        };
        // "Consultas canceladas em cima da hora são cobradas" is a rule.
        let many = word.ends_with('s') && !clause.has_before(start, &["suas", "seus", "as", "os"]);
        if many || clause.has_verb(start + 1, place) {
            return None;
        }
        (place, claim)
    };
    let rule = clause.has_verb(place + 1, clause.len());
    let untrue = clause.denied(place) || clause.conditional_after(place) || rule;
    (!untrue && (claim != Claim::Booked || !clause.somebody_else())).then_some(claim)
}

/// "Te esperamos amanhã às 14h!" says that there is an appointment.
fn farewell(clause: &Clause<'_>) -> Option<Claim> {
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
    let asked = clause.question || clause.denied(at) || clause.hours();
    (dated && !asked).then_some(Claim::Booked)
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
