//! The fixed answers of triage: one text per slug and language, word for word from
//! `templates/responses`.

use super::locale::Locale;
use super::scope::Category;

/// Which fixed answer. [`Slug::as_str`] is the name of its template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slug {
    /// Where to find help at once.
    Crisis,
    /// The same, and a person of the house is called.
    CrisisAvailable,
    Frustrated,
    HumanRequest,
    /// A person takes over.
    HumanRequestAvailable,
    Loop,
    /// A refusal of scope.
    Rejection(Category),
    /// A gentle way back to the subject (seed 003).
    OutOfDomain,
}

/// What an account may change in a fixed answer, and nothing else (DESIGN §8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Persona<'a> {
    /// What the assistant calls itself.
    pub assistant_name: &'a str,
    /// What it can help with, as it stands in a sentence: "reservas, cardápio ou pagamento".
    pub helps_with: Option<&'a str>,
}

/// The assistant's name in the templates.
const NAME: &str = "(mel)";

/// What the assistant can help with, in the templates.
const HELPS_WITH: [(Locale, &str); 3] = [
    (Locale::PtBr, "orçamento, metas ou fatura"),
    (Locale::Es419, "presupuesto, metas o facturas"),
    (Locale::En, "budget, goals or bills"),
];

macro_rules! texts {
    ($slug:literal) => {
        [
            include_str!(concat!("../../../../templates/responses/pt-BR/", $slug, ".txt")),
            include_str!(concat!("../../../../templates/responses/es-419/", $slug, ".txt")),
            include_str!(concat!("../../../../templates/responses/en/", $slug, ".txt")),
        ]
    };
}

impl Slug {
    pub const ALL: [Self; 12] = [
        Self::Crisis,
        Self::CrisisAvailable,
        Self::Frustrated,
        Self::HumanRequest,
        Self::HumanRequestAvailable,
        Self::Loop,
        Self::Rejection(Category::Roleplay),
        Self::Rejection(Category::Pii),
        Self::Rejection(Category::Dosage),
        Self::Rejection(Category::Interpretation),
        Self::Rejection(Category::Diagnosis),
        Self::OutOfDomain,
    ];

    /// Name of the template, without its folder and ending.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Crisis => "crisis",
            Self::CrisisAvailable => "crisis-available",
            Self::Frustrated => "guard-frustrated",
            Self::HumanRequest => "guard-human-request",
            Self::HumanRequestAvailable => "guard-human-request-available",
            Self::Loop => "guard-loop",
            Self::Rejection(category) => category.as_str(),
            Self::OutOfDomain => "out-of-domain",
        }
    }

    /// The text as it stands in the template.
    pub fn template(self, locale: Locale) -> &'static str {
        let texts: [&'static str; 3] = match self {
            Self::Crisis => texts!("crisis"),
            Self::CrisisAvailable => texts!("crisis-available"),
            Self::Frustrated => texts!("guard-frustrated"),
            Self::HumanRequest => texts!("guard-human-request"),
            Self::HumanRequestAvailable => texts!("guard-human-request-available"),
            Self::Loop => texts!("guard-loop"),
            Self::Rejection(Category::Roleplay) => texts!("roleplay"),
            Self::Rejection(Category::Pii) => texts!("pii"),
            Self::Rejection(Category::Dosage) => texts!("dosage"),
            Self::Rejection(Category::Interpretation) => texts!("interpretation"),
            Self::Rejection(Category::Diagnosis) => texts!("diagnosis"),
            Self::OutOfDomain => texts!("out-of-domain"),
        };
        let [portuguese, spanish, english] = texts;
        match locale {
            Locale::PtBr => portuguese,
            Locale::Es419 => spanish,
            Locale::En => english,
        }
    }

    /// The text that a customer of this account reads.
    pub fn text(self, locale: Locale, persona: &Persona<'_>) -> String {
        let mut text = self.template(locale).to_owned();
        if text.contains(NAME) {
            text = text.replace(NAME, &format!("({})", persona.assistant_name));
        }
        let default = HELPS_WITH.iter().find(|(own, _)| *own == locale).map(|(_, words)| *words);
        if let (Some(default), Some(own)) = (default, persona.helps_with) {
            text = text.replace(default, own);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::triage::guard;

    const MEL: Persona<'static> = Persona { assistant_name: "mel", helps_with: None };

    #[test]
    fn every_slug_has_a_text_of_its_own_in_every_language() {
        let mut seen = std::collections::HashSet::new();
        for slug in Slug::ALL {
            for locale in Locale::ALL {
                let text = slug.template(locale);
                assert!(text.len() > 40 && text.trim() == text, "{slug:?} {locale:?}: {text:?}");
                assert!(seen.insert(text), "{slug:?} {locale:?} repeats another");
            }
        }
    }

    #[test]
    fn no_template_lies_in_one_language_only() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../templates/responses");
        for slug in Slug::ALL {
            for locale in Locale::ALL {
                let file = format!("{root}/{}/{}.txt", locale.as_str(), slug.as_str());
                assert_eq!(
                    std::fs::read_to_string(&file).ok().as_deref(),
                    Some(slug.template(locale)),
                    "{file}"
                );
            }
        }
    }

    #[test]
    fn the_guards_texts_are_the_seeds_unless_the_account_changes_name_or_subjects() {
        for (slug, text) in [
            (Slug::Frustrated, guard::GUARD_RESPONSE_FRUSTRATED),
            (Slug::Loop, guard::GUARD_RESPONSE_LOOP),
            (Slug::HumanRequest, guard::GUARD_RESPONSE_HUMAN_REQUEST),
        ] {
            assert_eq!(slug.text(Locale::PtBr, &MEL), text);
        }
        let own = Persona { assistant_name: "Bia", helps_with: Some("reservas ou cardápio") };
        let text = Slug::HumanRequest.text(Locale::PtBr, &own);
        assert!(text.starts_with("Por enquanto só eu (Bia) por aqui — sem humano."), "{text}");
        assert!(text.ends_with("posso te ajudar com reservas ou cardápio?"), "{text}");
    }

    #[test]
    fn every_language_names_what_an_account_can_change() {
        for (locale, words) in HELPS_WITH {
            let text = Slug::HumanRequest.template(locale);
            assert!(text.contains(words) && text.contains(NAME), "{text}");
        }
    }

    #[test]
    fn the_brazilian_crisis_line_is_named() {
        for slug in [Slug::Crisis, Slug::CrisisAvailable] {
            assert!(slug.template(Locale::PtBr).contains("188"));
        }
    }
}
