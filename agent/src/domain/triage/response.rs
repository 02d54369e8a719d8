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
mod tests;
