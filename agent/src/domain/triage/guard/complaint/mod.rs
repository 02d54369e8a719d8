//! Complaints in plain words: no swearing, no ambiguity, just a customer who has had enough.

mod feeling;
mod marked;
mod outrage;
mod own_life;
mod pressure;
mod unresolved;

use super::group::{Group, Table};
use super::reading::Reading;
use super::words::Class;

/// Phrases of complaint.
pub const TABLES: &[Table] = &[
    outrage::TABLE,
    feeling::TABLE,
    unresolved::TABLE,
    marked::TABLE,
    own_life::TABLE,
    pressure::TABLE,
];

/// The rule by which the message complains.
pub fn detect(reading: &Reading) -> Option<&'static str> {
    let laughs = reading.text.words().any(|w| w == "kkk");
    let marked = reading.text.repeated_marks && !laughs;
    reading
        .hits(Group::Complaint)
        .chain(reading.hits(Group::Marked).filter(|_| marked))
        .find(|hit| {
            let other = hit.rule == "complaint-outrage"
                && reading
                    .before(hit.start, 6)
                    .any(|i| reading.is(i, Class::Calm) && !reading.is(i, Class::Service));
            !other && !(hit.start..hit.end).any(|i| reading.harmless(i)) && !laughs
        })
        .map(|hit| hit.rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> Option<&'static str> {
        detect(&Reading::of(text))
    }

    #[test]
    fn outrage_weariness_and_unanswered_requests_are_complaints() {
        for text in [
            "isso é um absurdo sem tamanho",
            "quanta falta de consideração",
            "tô indignada com vocês",
            "cansei de esperar",
            "não aguento mais isso",
            "ninguém resolve meu caso",
            "já expliquei umas dez vezes",
            "vocês não entendem nada",
            "nunca mais compro aqui",
            "vou reclamar no Procon",
            "perdi a paciência",
            "estoy harta de esperar",
            "i am so frustrated",
        ] {
            assert!(rule(text).is_some(), "{text}");
        }
    }

    #[test]
    fn neutral_reports_pass() {
        for text in [
            "aguardo uma resposta",
            "paguei duas vezes sem querer",
            "não recebi o código ainda",
            "tô cansado, amanhã eu vejo",
            "quantas vezes posso parcelar?",
            "o respeito ao prazo é importante",
            "deu um problema no boleto",
            "não entendi a última parte",
        ] {
            assert_eq!(rule(text), None, "{text}");
        }
    }
}
