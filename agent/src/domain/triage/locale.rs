//! The language that a customer reads.

use super::fold;

/// Languages in which fixed answers exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Locale {
    #[default]
    PtBr,
    Es419,
    En,
}

/// Words that belong to one of the three languages only, folded.
const MARKS: [(Locale, &[&str]); 3] = [
    (
        Locale::PtBr,
        &[
            "em",
            "novo",
            "acabou",
            "penso",
            "robo",
            "atendimento",
            "pela",
            "pelo",
            "assim",
            "num",
            "isto",
            "cancelar",
            "bombinha",
            "chama",
            "conta",
            "nao",
            "voce",
            "vc",
            "vcs",
            "uma",
            "um",
            "meu",
            "minha",
            "meus",
            "minhas",
            "isso",
            "esse",
            "essa",
            "pra",
            "pro",
            "do",
            "da",
            "dos",
            "das",
            "na",
            "com",
            "quero",
            "posso",
            "obrigado",
            "obrigada",
            "ola",
            "oi",
            "bom",
            "boa",
            "qual",
            "quando",
            "muito",
            "ja",
            "tambem",
            "estou",
            "ta",
            "tem",
            "tenho",
            "falar",
            "remedio",
            "remedios",
            "ao",
            "seu",
            "sua",
            "eu",
            "ele",
            "ela",
            "foi",
            "sou",
            "mais",
            "pessoa",
            "atendente",
            "alguem",
            "tomar",
            "hoje",
            "fazer",
            "faz",
            "sao",
            "vou",
            "vai",
            "cade",
            "comprimido",
            "comprimidos",
            "quanto",
            "quantos",
            "quantas",
            "agora",
            "ninguem",
            "nada",
            "voces",
            "devo",
            "gostaria",
            "preciso",
            "queria",
        ],
    ),
    (
        Locale::Es419,
        &[
            "sirve",
            "nada",
            "siento",
            "porque",
            "este",
            "ese",
            "asi",
            "pienso",
            "solo",
            "estan",
            "hablo",
            "su",
            "tus",
            "aqui",
            "el",
            "los",
            "las",
            "una",
            "un",
            "y",
            "en",
            "con",
            "mi",
            "mis",
            "usted",
            "ustedes",
            "quiero",
            "puedo",
            "necesito",
            "hola",
            "gracias",
            "cual",
            "donde",
            "cuando",
            "muy",
            "pero",
            "tengo",
            "estoy",
            "esto",
            "eso",
            "hablar",
            "del",
            "lo",
            "persona",
            "alguien",
            "yo",
            "soy",
            "eres",
            "ya",
            "hoy",
            "hacer",
            "hay",
            "cuanto",
            "cuantas",
            "cuantos",
            "pastilla",
            "pastillas",
            "nadie",
            "ahora",
            "bien",
            "quisiera",
            "debo",
            "es",
            "otra",
            "le",
            "al",
        ],
    ),
    (
        Locale::En,
        &[
            "the", "is", "you", "your", "my", "i", "and", "of", "this", "that", "what", "how",
            "not", "want", "need", "please", "can", "with", "for", "are", "it", "have", "should",
            "take", "im", "dont", "does", "talk", "speak", "human", "why", "when", "who", "am",
            "hello", "hi", "thanks", "someone", "person", "pill", "pills", "was", "be", "at", "in",
            "on", "an", "cant", "we", "they", "he", "she", "would", "there",
        ],
    ),
];

/// Words of a message by which its language is told: the first ones suffice.
const READ: usize = 60;

impl Locale {
    pub const ALL: [Self; 3] = [Self::PtBr, Self::Es419, Self::En];

    /// As in `accounts.locale` and in the folders of `templates/responses`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PtBr => "pt-BR",
            Self::Es419 => "es-419",
            Self::En => "en",
        }
    }

    /// Reads a language tag; any Portuguese, Spanish or English will do.
    pub fn parse(tag: &str) -> Option<Self> {
        let language = tag.split(['-', '_']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|locale| {
            locale.as_str().split('-').next().is_some_and(|own| own.eq_ignore_ascii_case(language))
        })
    }

    /// The language in which `message` is written, when its words leave no doubt.
    pub fn of_message(message: &str) -> Option<Self> {
        let text = fold::tokenize(message);
        let mut scores = MARKS.map(|(locale, words)| {
            let known = text.words().take(READ).filter(|word| words.contains(word)).count();
            (known, locale)
        });
        for c in message.chars().take(1_000) {
            match c {
                'ã' | 'õ' | 'ç' | 'ê' | 'Ã' | 'Õ' | 'Ç' => scores[0].0 += 2,
                '¿' | '¡' | 'ñ' | 'Ñ' => scores[1].0 += 2,
                _ => {}
            }
        }
        scores.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let [(best, locale), (second, _), _] = scores;
        (best > second).then_some(locale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_a_sentence_is_told_by_its_small_words() {
        for (text, expected) in [
            ("esse bot é uma porra, não funciona NADA", Some(Locale::PtBr)),
            ("quero falar com uma pessoa, não com bot", Some(Locale::PtBr)),
            ("VAI A MERDA, QUERO FALAR COM HUMANO", Some(Locale::PtBr)),
            ("quiero hablar con una persona", Some(Locale::Es419)),
            ("¿cuál es la dosis?", Some(Locale::Es419)),
            ("let me talk to a human", Some(Locale::En)),
            ("should I take more of this?", Some(Locale::En)),
            ("a bombinha acabou de novo", Some(Locale::PtBr)),
            ("penso em me matar", Some(Locale::PtBr)),
            ("no me sirve para nada", Some(Locale::Es419)),
            ("idiota", None),
            ("👍", None),
            ("", None),
        ] {
            assert_eq!(Locale::of_message(text), expected, "{text}");
        }
    }

    #[test]
    fn tags_of_other_countries_are_read() {
        assert_eq!(Locale::parse("es-MX"), Some(Locale::Es419));
        assert_eq!(Locale::parse("pt_PT"), Some(Locale::PtBr));
        assert_eq!(Locale::parse("en"), Some(Locale::En));
        assert_eq!(Locale::parse("fr"), None);
        for locale in Locale::ALL {
            assert_eq!(Locale::parse(locale.as_str()), Some(locale));
        }
    }
}
