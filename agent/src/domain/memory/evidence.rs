//! Literal evidence: a fact counts only where a customer's own message says it (seed 002 §6.3,
//! DESIGN §7).

use super::figures::{figures, folded_words, names};
use crate::domain::triage::fold::fold;

/// Words that turn a statement around when they stand right before it.
const NEGATIONS: &[&str] = &["nao", "nunca", "nem", "jamais", "sem"];
/// How many words before the excerpt may negate it.
const NEGATION_REACH: usize = 2;

/// A text as evidence is compared: no case, no accents, one space between words.
pub fn normal(text: &str) -> String {
    fold(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where `evidence` stands in `message` as a whole excerpt, in the normal form of both.
fn find(message: &str, evidence: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = message.get(from..)?.find(evidence).map(|at| at + from) {
        let before = message[..at].chars().next_back();
        let after = message[at + evidence.len()..].chars().next();
        let inside = |neighbour: Option<char>, edge: Option<char>| {
            neighbour.is_some_and(char::is_alphanumeric) && edge.is_some_and(char::is_alphanumeric)
        };
        if !inside(before, evidence.chars().next()) && !inside(after, evidence.chars().next_back())
        {
            return Some(at);
        }
        from = at + evidence.chars().next().map_or(1, char::len_utf8);
    }
    None
}

/// Whether `evidence` is a literal excerpt of `message`.
pub fn is_excerpt(message: &str, evidence: &str) -> bool {
    let evidence = normal(evidence);
    !evidence.is_empty() && find(&normal(message), &evidence).is_some()
}

/// Whether the message negates the excerpt that the fact rests on: "não sou alérgico" must not
/// prove an allergy by its second half.
pub fn is_negated(message: &str, evidence: &str) -> bool {
    let (message, evidence) = (normal(message), normal(evidence));
    let Some(at) = find(&message, &evidence) else {
        return false;
    };
    let clause = message[..at].rsplit(['.', ',', '!', '?', ';', '\n']).next().unwrap_or_default();
    clause.split_whitespace().rev().take(NEGATION_REACH).any(|word| NEGATIONS.contains(&word))
}

/// Whether every figure and proper name of `content` stands in `message` (of which the evidence is
/// a part).
pub fn holds_claims(message: &str, content: &str) -> bool {
    let said = figures(message);
    if !figures(content).is_subset(&said) {
        return false;
    }
    names(content).is_subset(&folded_words(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_found_whatever_its_case_accents_and_spaces() {
        let message = "Oi! Sou ALÉRGICO  a\namendoim, tá?";
        assert!(is_excerpt(message, "sou alergico a amendoim"));
        assert!(is_excerpt(message, "Alérgico a Amendoim, tá?"));
        for other in ["alérgico ao amendoim", "sou amendoim", "lergico a amendoim", "", "  "] {
            assert!(!is_excerpt(message, other), "{other}");
        }
    }

    #[test]
    fn half_of_a_negation_proves_nothing() {
        assert!(is_negated("não sou alérgico a nada", "sou alérgico a nada"));
        assert!(is_negated("eu nunca chego às 21h", "chego às 21h"));
        assert!(!is_negated("não, sou alérgico a amendoim", "sou alérgico a amendoim"));
        assert!(!is_negated("sou alérgico a amendoim", "sou alérgico a amendoim"));
    }

    #[test]
    fn figures_and_names_must_have_been_said() {
        for (message, content, holds) in [
            ("meu aniversário é 14 de fevereiro", "Aniversário em 14/02", true),
            ("meu aniversário é em fevereiro", "Aniversário em 14/02", false),
            ("vou com minha esposa mariana", "Vem com a esposa Mariana", true),
            ("vou com minha esposa", "Vem com a esposa Mariana", false),
            ("o ar faz barulho", "Ar-condicionado da 204 barulhento", false),
            ("prefiro com hidro", "Prefere suíte com hidromassagem", true),
        ] {
            assert_eq!(holds_claims(message, content), holds, "{message} / {content}");
        }
    }
}
