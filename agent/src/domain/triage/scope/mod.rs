//! The scope classifier (seed 003): what the assistant must refuse, and what is merely beside its
//! subject.
//!
//! Pure, deterministic and free. A rejection fires first; otherwise a keyword of one of the eight
//! domains, or benign small talk (`general`), approves the message and marks it as out of domain.
//! What is done about it is the router's.

mod medication_adherence;
mod profile;

use serde::Serialize;

pub use profile::Profile;

/// Requests that are refused, in the order in which they are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// Playing somebody else, or laying the instructions aside.
    Roleplay,
    /// Other people's personal data, secrets of the house.
    Pii,
    /// How much to take, and what to take at all.
    Dosage,
    /// What a laboratory value means.
    Interpretation,
    /// Which illness it is.
    Diagnosis,
}

impl Category {
    /// All of them, in order of precedence.
    pub const ALL: [Self; 5] =
        [Self::Roleplay, Self::Pii, Self::Dosage, Self::Interpretation, Self::Diagnosis];

    /// Name in verdicts and labels; also the slug of its template.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Roleplay => "roleplay",
            Self::Pii => "pii",
            Self::Dosage => "dosage",
            Self::Interpretation => "interpretation",
            Self::Diagnosis => "diagnosis",
        }
    }
}

/// What a message that is not refused is about, in order of precedence: barriers before drugs,
/// drugs before habits (DESIGN §8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Domain {
    CostBarriers,
    Caregiver,
    HealthLiteracy,
    Statin,
    Inhaler,
    Antidepressant,
    PillBurden,
    AdherenceGeneral,
    /// Benign and about something else altogether.
    General,
}

impl Domain {
    /// The eight domains of the seed, in order of precedence.
    pub const ALL: [Self; 8] = [
        Self::CostBarriers,
        Self::Caregiver,
        Self::HealthLiteracy,
        Self::Statin,
        Self::Inhaler,
        Self::Antidepressant,
        Self::PillBurden,
        Self::AdherenceGeneral,
    ];

    /// Name in the span attribute `interaction.detected_category` and in knowledge categories.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CostBarriers => "cost-barriers",
            Self::Caregiver => "caregiver",
            Self::HealthLiteracy => "health-literacy",
            Self::Statin => "statin",
            Self::Inhaler => "inhaler",
            Self::Antidepressant => "antidepressant",
            Self::PillBurden => "pill-burden",
            Self::AdherenceGeneral => "adherence-general",
            Self::General => "general",
        }
    }

    /// One of the eight, by its name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|domain| domain.as_str() == name)
    }
}

/// What the classifier says of one message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ScopeDecision {
    /// Set when the message must be refused.
    pub rejected: Option<Category>,
    /// Approved, and beside the subject.
    pub out_of_domain: bool,
    /// What it is about, when it is out of domain.
    pub detected_category: Option<Domain>,
    /// Stable name of the rule that decided; `None` when nothing was found.
    #[serde(skip)]
    pub rule: Option<&'static str>,
}

impl ScopeDecision {
    /// Nothing was found: the message is in scope.
    pub const IN_SCOPE: Self =
        Self { rejected: None, out_of_domain: false, detected_category: None, rule: None };

    fn rejected(category: Category, rule: &'static str) -> Self {
        Self { rejected: Some(category), rule: Some(rule), ..Self::IN_SCOPE }
    }

    fn out_of_domain(domain: Domain, rule: &'static str) -> Self {
        Self {
            out_of_domain: true,
            detected_category: Some(domain),
            rule: Some(rule),
            ..Self::IN_SCOPE
        }
    }
}

/// Judges messages by the rules of one profile.
#[derive(Debug, Clone, Copy)]
pub struct ScopeClassifier {
    judge: fn(&super::fold::Folded) -> ScopeDecision,
}

impl ScopeClassifier {
    /// The classifier of a profile; `None` when the profile judges nothing.
    pub fn of(profile: Profile) -> Option<Self> {
        match profile {
            Profile::None => None,
            Profile::MedicationAdherence => Some(Self { judge: medication_adherence::judge }),
        }
    }

    /// Judges `text`.
    pub fn classify(&self, text: &str) -> ScopeDecision {
        self.judge(&super::fold::tokenize(text))
    }

    /// As [`Self::classify`], for a message that is folded already.
    pub(super) fn judge(&self, text: &super::fold::Folded) -> ScopeDecision {
        (self.judge)(text)
    }
}
