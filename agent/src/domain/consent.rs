//! Whether somebody who was asked said yes.

use super::triage::fold::fold;

/// Words that say yes, at the beginning of an answer.
const YES: &[&str] = &[
    "sim",
    "si",
    "s",
    "yes",
    "claro",
    "confirmo",
    "confirmado",
    "pode",
    "quero",
    "isso",
    "certo",
    "ok",
    "okay",
    "uhum",
    "aham",
    "manda",
    "apaga",
    "apague",
    "exclui",
    "exclua",
    "esquece",
    "esqueca",
    "positivo",
    "com",
    "tenho",
    "afirmativo",
    "confirm",
    "dale",
    "vale",
    "bora",
];

/// Words that take it back, wherever they stand.
const NO: &[&str] = &[
    "nao", "n", "no", "nunca", "jamais", "cancela", "cancelar", "espera", "espere", "depois",
    "ainda", "nem", "talvez", "pera", "perai", "deixa", "desisti", "mas", "so", "apenas", "menos",
    "exceto", "dont", "not",
];

/// Longest answer that is taken for a plain yes, in words.
const LONGEST: usize = 12;

/// A plain yes, without conditions. What is not plain is no.
pub fn is_yes(text: &str) -> bool {
    let folded = fold(text);
    let words: Vec<&str> =
        folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return ["👍", "✅", "👌"].iter().any(|mark| text.contains(mark));
    }
    let asks = text.contains('?');
    let refuses = words.iter().any(|word| NO.contains(word));
    let first =
        words.iter().find(|word| !["ah", "ai", "entao", "bom", "por", "favor"].contains(word));
    let agrees = first.is_some_and(|word| YES.contains(word));
    words.len() <= LONGEST && agrees && !refuses && !asks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_yes_is_one() {
        for text in [
            "sim",
            "Sim!",
            "SIM, pode apagar",
            "pode apagar tudo",
            "confirmo",
            "isso mesmo",
            "quero sim",
            "com certeza",
            "claro, por favor",
            "ok",
            "👍",
            "yes",
            "apaga tudo",
            "tenho certeza",
        ] {
            assert!(is_yes(text), "{text}");
        }
        for text in [
            "não",
            "não, deixa",
            "sim?",
            "sim, mas só a alergia",
            "pode deixar, não precisa",
            "pera, o que vocês sabem?",
            "esquece meus dados depois",
            "quanto custa a diária",
            "talvez",
            "",
            "sim, menos o aniversário",
            "quero saber o preço da suíte com hidro para sábado que vem e se tem café",
        ] {
            assert!(!is_yes(text), "{text}");
        }
    }
}
