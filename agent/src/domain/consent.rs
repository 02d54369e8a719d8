//! Whether somebody who was asked said yes.

use super::triage::fold::fold;

/// Words that say yes by themselves.
const YES: &[&str] = &[
    "sim",
    "si",
    "yes",
    "claro",
    "confirmo",
    "confirmado",
    "certo",
    "ok",
    "okay",
    "uhum",
    "aham",
    "positivo",
    "afirmativo",
    "confirm",
    "certeza",
    "apaga",
    "apague",
    "apagar",
    "exclui",
    "exclua",
    "excluir",
    "esquece",
    "esqueca",
    "esquecer",
    "delete",
    "dale",
    "vale",
];

/// Words that may stand beside them, and say nothing else.
const BESIDE: &[&str] = &[
    "s",
    "pode",
    "quero",
    "isso",
    "tenho",
    "com",
    "por",
    "favor",
    "tudo",
    "todos",
    "todas",
    "meus",
    "meu",
    "minhas",
    "os",
    "as",
    "a",
    "o",
    "dados",
    "mesmo",
    "manda",
    "ver",
    "que",
    "eu",
    "e",
    "de",
    "mim",
    "ah",
    "ai",
    "entao",
    "bom",
    "pf",
    "pfv",
    "obrigado",
    "obrigada",
    "la",
    "bora",
    "please",
    "everything",
    "all",
    "my",
    "data",
    "todo",
    "mis",
    "datos",
    "sobre",
    "sabem",
    "sabe",
    "faz",
    "faca",
];

/// A plain yes, without conditions. What is not plain is no.
pub fn is_yes(text: &str) -> bool {
    let folded = fold(text);
    let words: Vec<&str> =
        folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return ["👍", "✅", "👌"].iter().any(|mark| text.contains(mark));
    }
    let agrees = words.iter().any(|word| YES.contains(word)) || words == ["isso", "mesmo"];
    let plain = words.iter().all(|word| YES.contains(word) || BESIDE.contains(word));
    agrees && plain && !text.contains('?')
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
            "quero marcar uma consulta",
            "tenho Unimed",
            "com a dra joana",
            "isso é caro",
            "pode ser amanhã?",
            "ok, mas quero marcar antes",
            "sim, menos o aniversário",
            "quero saber o preço da suíte com hidro para sábado que vem e se tem café",
        ] {
            assert!(!is_yes(text), "{text}");
        }
    }
}
