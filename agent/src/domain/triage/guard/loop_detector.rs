//! A customer who asks the same thing a third time.
//!
//! Jaccard over all words would not see it: "qual o saldo?" and "saldo?" share one word of three.
//! So similarity is taken over content words. Questions that differ in a number, a month, a
//! weekday or a letter are different questions, however alike, and words without content ("ok",
//! "sim") are never a loop.

use super::content_words::{Subject, subject};

/// Stable name of this rule.
pub const RULE: &str = "loop-similar";

/// Similarity above which two messages ask the same.
const SIMILAR: f64 = 0.7;

/// Whether three consecutive user messages, oldest first, ask the same.
pub fn detect(first: &str, second: &str, third: &str) -> bool {
    let (first, second, third) = (subject(first), subject(second), subject(third));
    similarity(&first, &second) > SIMILAR && similarity(&second, &third) > SIMILAR
}

/// Jaccard similarity of content words, zero when the questions differ in a slot or a denial.
fn similarity(a: &Subject, b: &Subject) -> f64 {
    let differ = !a.slots.is_empty() && !b.slots.is_empty() && a.slots != b.slots;
    if differ || a.negated != b.negated || a.words.is_empty() || b.words.is_empty() {
        return 0.0;
    }
    let shared = a.words.intersection(&b.words).count();
    let all = a.words.union(&b.words).count();
    f64::from(u32::try_from(shared).unwrap_or(u32::MAX))
        / f64::from(u32::try_from(all).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_question_in_other_words_is_a_loop() {
        for [a, b, c] in [
            ["qual o saldo?", "saldo?", "saldo mesmo?"],
            ["limite do cartão", "qual meu limite do cartão?", "LIMITE DO CARTÃO"],
            ["como troco o endereço?", "mudar endereço", "quero alterar meu endereço"],
            ["meu boletooo", "o boleto", "boletos por favor"],
        ] {
            assert!(detect(a, b, c), "{a} | {b} | {c}");
        }
    }

    #[test]
    fn follow_ups_and_empty_words_are_not() {
        for [a, b, c] in [
            ["e o aluguel?", "e a escola?", "e a feira?"],
            ["gastos de maio", "gastos de junho", "gastos de julho"],
            ["ônibus 5", "ônibus 7", "ônibus 9"],
            ["tem vaga na quinta?", "tem vaga na sexta?", "tem vaga no sábado?"],
            ["sim", "sim", "sim"],
            ["oi", "oi", "oi"],
            ["👍", "👍", "👍"],
            ["quero cancelar o plano", "não quero cancelar o plano", "quero cancelar o plano"],
            ["prova da turma A1", "prova da turma B2", "prova da turma C3"],
        ] {
            assert!(!detect(a, b, c), "{a} | {b} | {c}");
        }
    }
}
