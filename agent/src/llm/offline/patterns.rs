//! Sentences in which Brazilians say something lasting of themselves. First person only: what is
//! said of others proves nothing, and neither does a question.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::domain::memory::MemoryKind;

/// Something that a message says of its writer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub kind: MemoryKind,
    pub content: String,
    /// As it stands in the message.
    pub evidence: String,
}

struct Pattern {
    kind: MemoryKind,
    regex: Option<Regex>,
    /// `{1}` is what the first group caught, `{2}` the second.
    content: &'static str,
}

/// A thing: up to the end of the clause.
const THING: &str = r"([^,.!?;:()\n]{2,80})";
/// A date: 14/02, 14 de fevereiro.
const DATE: &str = r"(\d{1,2}(?:\s*/\s*\d{1,2}(?:/\d{2,4})?|\s+de\s+\p{L}+))";
/// What complaints say of a thing.
const FAULT: &str = r"(?:faz(?:em)? (?:muito )?barulho|não funciona\w*|nao funciona\w*|est(?:á|a|ava) (?:quebrad|suj|mofad|entupid|gelad)[oa]|tá (?:quebrad|suj|mofad|entupid)[oa]|ta (?:quebrad|suj|mofad|entupid)[oa]|vaza(?:va)?|é (?:muito )?barulhent[oa])";

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    use MemoryKind::{
        ContextoPessoal, DataComemorativa, FeedbackPositivo, PadraoComportamental, Preferencia,
        Reclamacao, Restricao, VinculoComercial, VinculoSocial,
    };
    let table: Vec<(MemoryKind, String, &'static str)> = vec![
        (Restricao, format!(r"sou (al[eé]rgic[oa] (?:a|à|ao|aos|às) ){THING}"), "{1}{2}"),
        (Restricao, format!(r"tenho alergia (a|à|ao|aos|às|de) {THING}"), "Alergia {1} {2}"),
        (
            Restricao,
            r"sou (vegetarian[oa]|vegan[oa]|cel[ií]ac[oa]|diab[eé]tic[oa]|hipertens[oa]|cadeirante)"
                .to_owned(),
            "{1}",
        ),
        (Restricao, format!(r"sou (intolerante (?:a|à|ao) ){THING}"), "{1}{2}"),
        (Restricao, format!(r"n[ãa]o (?:posso comer|como) {THING}"), "Não come {1}"),
        (Preferencia, format!(r"(?:agora )?prefiro {THING}"), "Prefere {1}"),
        (Preferencia, format!(r"n[ãa]o gosto (?:muito )?d([eoa]s?) {THING}"), "Não gosta d{1} {2}"),
        (Preferencia, format!(r"gosto (?:muito |mais )?d([eoa]s?) {THING}"), "Gosta d{1} {2}"),
        (
            DataComemorativa,
            format!(r"anivers[aá]rio de (casamento|namoro) (?:é|e|eh|cai|ser[aá]) (?:no |em )?(?:dia )?{DATE}"),
            "Aniversário de {1} em {2}",
        ),
        (
            DataComemorativa,
            format!(r"meu anivers[aá]rio (?:é|e|eh|cai|ser[aá]) (?:no |em )?(?:dia )?{DATE}"),
            "Aniversário em {1}",
        ),
        (
            DataComemorativa,
            format!(r"fa[çc]o anivers[aá]rio (?:no |em )?(?:dia )?{DATE}"),
            "Aniversário em {1}",
        ),
        (
            VinculoSocial,
            r"(?:minha|meu) (espos[oa]|marido|mulher|namorad[oa]|noiv[oa]|filh[oa]|m[ãa]e|pai|cachorr[oa]|gat[oa])(?: se chama|, [ao]| é [ao]| chamad[oa])? ((?-i:[A-ZÀ-Ý])\p{L}+)".to_owned(),
            "{1} {2}",
        ),
        (
            VinculoSocial,
            format!(r"(?:vou|venho|viajo) (?:sempre )?com (?:a |o |as |os )?(?:minha|meu|meus|minhas) {THING}"),
            "Vem com {1}",
        ),
        (PadraoComportamental, format!(r"sempre chego {THING}"), "Sempre chega {1}"),
        (
            PadraoComportamental,
            format!(r"costumo (chegar|vir|ficar|pedir|sair) {THING}"),
            "Costuma {1} {2}",
        ),
        (Reclamacao, format!(r"\b[oa]s? ([^,.!?;:()\n]{{2,60}}? {FAULT})"), "{1}"),
        (FeedbackPositivo, format!(r"(?:adorei|amei) ((?:o|a|os|as) ){THING}"), "Elogiou {1}{2}"),
        (FeedbackPositivo, format!(r"parab[eé]ns pel([oa]s?) {THING}"), "Elogiou {1} {2}"),
        (VinculoComercial, format!(r"sou (funcion[aá]ri[oa] d[aoe] ){THING}"), "{1}{2}"),
        (VinculoComercial, format!(r"tenho conv[eê]nio (?:com )?(?:a |o )?{THING}"), "Convênio {1}"),
        (ContextoPessoal, r"((?:trabalho viajando|viajo (?:muito )?a trabalho))".to_owned(), "{1}"),
        (ContextoPessoal, format!(r"moro (em|no|na) {THING}"), "Mora {1} {2}"),
    ];
    let compile = |(kind, pattern, content): (MemoryKind, String, &'static str)| Pattern {
        kind,
        // A test says that all of them can be read.
        regex: Regex::new(&format!(r"(?i)(?:^|[\s,(]){pattern}")).ok(),
        content,
    };
    table.into_iter().map(compile).collect()
});

/// Where a thing ends though its clause goes on.
static GOES_ON: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words =
        r"mas|porque|pois|por favor|tá|ok|viu|né|e (?:meu|minha|eu|sou|prefiro|gosto|tenho|o|a)";
    Regex::new(&format!(r"(?i)\s+(?:{words})(?:\s|$)")).ok()
});

/// What complaints and praise are not about, or not meant by.
const NOT_MEANT: &[&str] =
    &["bot", "robô", "robo", "sistema", "demora", "espera", "fila", "sujeira", "bagunça"];

/// What a customer's message says of them.
pub fn facts(text: &str) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for sentence in text.split_inclusive(['.', '!', '?', '\n', ';']) {
        let Some(sentence) = stated(sentence) else {
            continue;
        };
        for pattern in PATTERNS.iter() {
            let Some(captures) = pattern.regex.as_ref().and_then(|regex| regex.captures(sentence))
            else {
                continue;
            };
            let Some(fact) = read(pattern, &captures) else {
                continue;
            };
            // A word of one fact is no second fact: "não gosto de" holds "gosto de".
            let overlaps = found.iter().any(|known| {
                known.evidence.contains(&fact.evidence) || fact.evidence.contains(&known.evidence)
            });
            if !overlaps {
                found.push(fact);
            }
        }
    }
    found
}

/// What Brazilians ask behind a statement: "…, tá?".
const TAGS: &[&str] = &["tá", "ta", "viu", "né", "ne", "ok", "hein", "certo", "tudo bem", "beleza"];

/// A sentence without the tag behind it; `None` for a real question.
fn stated(sentence: &str) -> Option<&str> {
    let Some(asked) = sentence.trim_end().strip_suffix('?') else {
        return Some(sentence);
    };
    let (statement, tag) = asked.rsplit_once(',')?;
    TAGS.contains(&tag.trim().to_lowercase().as_str()).then_some(statement)
}

fn read(pattern: &Pattern, captures: &Captures<'_>) -> Option<Found> {
    let whole = captures.get(0)?.as_str().trim_matches([' ', ',', '(', '\n']);
    let end = GOES_ON.as_ref()?.find(whole).map_or(whole.len(), |found| found.start());
    let evidence = whole.get(..end)?.trim_end();
    let group = |number: usize| {
        let text = captures.get(number).map(|group| group.as_str()).unwrap_or_default();
        let end = GOES_ON.as_ref().and_then(|regex| regex.find(text)).map(|found| found.start());
        text.get(..end.unwrap_or(text.len())).unwrap_or_default().to_owned()
    };
    let content = pattern.content.replace("{1}", &group(1)).replace("{2}", &group(2));
    let content = capitalised(content.trim());
    let meant =
        !content.split_whitespace().any(|word| NOT_MEANT.contains(&word.to_lowercase().as_str()));
    (meant && evidence.len() > 3).then(|| Found {
        kind: pattern.kind,
        content,
        evidence: evidence.to_owned(),
    })
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_can_be_read() {
        assert!(PATTERNS.iter().all(|pattern| pattern.regex.is_some()));
        assert!(GOES_ON.is_some());
    }

    #[test]
    fn what_customers_say_of_themselves_is_learnt() {
        for (text, kind, content, evidence) in [
            (
                "oi, sou alérgico a amendoim, tá?",
                "restricao",
                "Alérgico a amendoim",
                "sou alérgico a amendoim",
            ),
            (
                "prefiro suíte com hidro",
                "preferencia",
                "Prefere suíte com hidro",
                "prefiro suíte com hidro",
            ),
            (
                "meu aniversário é 14/02",
                "data_comemorativa",
                "Aniversário em 14/02",
                "meu aniversário é 14/02",
            ),
            (
                "o ar-condicionado da 204 faz barulho",
                "reclamacao",
                "Ar-condicionado da 204 faz barulho",
                "o ar-condicionado da 204 faz barulho",
            ),
            (
                "agora prefiro quarto sem hidro",
                "preferencia",
                "Prefere quarto sem hidro",
                "agora prefiro quarto sem hidro",
            ),
            (
                "vou com minha esposa Mariana",
                "vinculo_social",
                "Esposa Mariana",
                "minha esposa Mariana",
            ),
            ("sou vegetariana mas como peixe", "restricao", "Vegetariana", "sou vegetariana"),
            (
                "eu sempre chego às 21h",
                "padrao_comportamental",
                "Sempre chega às 21h",
                "sempre chego às 21h",
            ),
            (
                "amei o café da manhã!",
                "feedback_positivo",
                "Elogiou o café da manhã",
                "amei o café da manhã",
            ),
            (
                "Sou funcionário da Caixa",
                "vinculo_comercial",
                "Funcionário da Caixa",
                "Sou funcionário da Caixa",
            ),
            ("moro em Goiânia", "contexto_pessoal", "Mora em Goiânia", "moro em Goiânia"),
            ("não gosto de carpete", "preferencia", "Não gosta de carpete", "não gosto de carpete"),
        ] {
            let found = facts(text);
            let first = found.first().unwrap_or_else(|| panic!("nothing in {text}"));
            assert_eq!((first.kind.as_str(), first.content.as_str()), (kind, content), "{text}");
            assert_eq!(first.evidence, evidence, "{text}");
        }
    }

    #[test]
    fn what_is_asked_or_said_of_others_is_not() {
        for text in [
            "minha irmã é alérgica a camarão",
            "vocês acham que sou alérgico a amendoim?",
            "esse bot não funciona",
            "qual o saldo?",
            "amei a demora",
            "bom dia",
        ] {
            assert_eq!(facts(text), Vec::new(), "{text}");
        }
    }

    #[test]
    fn several_facts_of_one_message_are_all_learnt() {
        let found =
            facts("Sou alérgica a camarão e meu aniversário é 3 de maio. Prefiro andar alto!");
        let contents: Vec<&str> = found.iter().map(|found| found.content.as_str()).collect();
        assert_eq!(
            contents,
            ["Alérgica a camarão", "Aniversário em 3 de maio", "Prefere andar alto"]
        );
    }
}
