//! The deterministic first word: crisis, then the guard, then scope (DESIGN §3.4).
//!
//! Pure. It says what is to be answered and by which rule; gates, records and sending are the
//! service's.

use super::fold;
use super::guard::{ConversationGuard, GuardInput, GuardKind, GuardVerdict};
use super::response::Slug;
use super::safety::SafetyCheck;
use super::scope::{Category, Domain, Profile, ScopeClassifier, ScopeDecision};
use crate::domain::chat::{ChatMessage, Role};

/// Whether people of the house can take a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HumanSupport {
    /// Nobody can; requests are noted (seed 000).
    #[default]
    None,
    /// Requests are handed over.
    Available,
}

impl HumanSupport {
    /// As in `accounts.human_support`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Available => "available",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        [Self::None, Self::Available].into_iter().find(|support| support.as_str() == word)
    }
}

/// Domains about which the account knows something of its own: a message about one of them goes to
/// the model, with what is known (DESIGN §8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Covered(u16);

impl Covered {
    /// Adds a domain.
    #[must_use]
    pub fn with(self, domain: Domain) -> Self {
        Self(self.0 | 1 << domain as u16)
    }

    pub fn contains(self, domain: Domain) -> bool {
        self.0 & 1 << domain as u16 != 0
    }
}

/// What the router looks at.
#[derive(Debug, Clone, Copy)]
pub struct TriageInput<'a> {
    /// The conversation, oldest first.
    pub messages: &'a [ChatMessage],
    pub past_turns_without_tool_call: Option<u32>,
    pub profile: Profile,
    pub covered: Covered,
}

/// Why a fixed answer serves better than a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Somebody's life is in danger.
    Crisis,
    Guard(GuardKind),
    Rejection(Category),
    OutOfDomain(Domain),
}

impl Kind {
    /// Name stored as the message's verdict, in logs and in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Crisis => "crisis",
            Self::Guard(kind) => kind.as_str(),
            Self::Rejection(_) => "scope-rejection",
            Self::OutOfDomain(_) => "out-of-domain",
        }
    }

    /// The fixed answer.
    pub fn slug(self, support: HumanSupport) -> Slug {
        let available = support == HumanSupport::Available;
        match self {
            Self::Crisis if available => Slug::CrisisAvailable,
            Self::Crisis => Slug::Crisis,
            Self::Guard(GuardKind::Frustrated) => Slug::Frustrated,
            Self::Guard(GuardKind::HumanRequest) if available => Slug::HumanRequestAvailable,
            Self::Guard(GuardKind::HumanRequest) => Slug::HumanRequest,
            Self::Guard(GuardKind::Loop) => Slug::Loop,
            Self::Rejection(category) => Slug::Rejection(category),
            Self::OutOfDomain(_) => Slug::OutOfDomain,
        }
    }
}

/// What the router found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Triaged {
    /// Set when a fixed answer is due, with the rule that says so.
    pub preempt: Option<(Kind, &'static str)>,
    /// What the scope classifier said, when it was asked.
    pub scope: Option<ScopeDecision>,
}

/// Judges the last user message.
pub fn triage(input: &TriageInput<'_>) -> Triaged {
    let last = input.messages.iter().rev().find(|message| message.role == Role::User);
    let Some(last) = last else {
        return Triaged { preempt: None, scope: None };
    };
    let text = fold::tokenize(&last.content);
    if let Some(rule) = SafetyCheck::judge(&text) {
        return Triaged { preempt: Some((Kind::Crisis, rule)), scope: None };
    }
    let guard = GuardInput {
        messages: input.messages,
        past_turns_without_tool_call: input.past_turns_without_tool_call,
    };
    let guarded = ConversationGuard::judge(&guard, text.clone());
    if let GuardVerdict::Preempt { kind, rule, .. } = guarded {
        return Triaged { preempt: Some((Kind::Guard(kind), rule)), scope: None };
    }
    let Some(classifier) = ScopeClassifier::of(input.profile) else {
        return Triaged { preempt: None, scope: None };
    };
    let scope = classifier.judge(&text);
    let kind = match (scope.rejected, scope.detected_category) {
        (Some(category), _) => Some(Kind::Rejection(category)),
        (None, Some(domain)) if !input.covered.contains(domain) => Some(Kind::OutOfDomain(domain)),
        _ => None,
    };
    Triaged { preempt: kind.zip(scope.rule), scope: Some(scope) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn routed(said: &[&str], profile: Profile, covered: Covered) -> Triaged {
        let messages: Vec<ChatMessage> = said.iter().map(|text| ChatMessage::user(*text)).collect();
        triage(&TriageInput {
            messages: &messages,
            past_turns_without_tool_call: Some(2),
            profile,
            covered,
        })
    }

    fn kind(text: &str) -> Option<Kind> {
        let found = routed(&[text], Profile::MedicationAdherence, Covered::default());
        found.preempt.map(|(kind, _)| kind)
    }

    #[test]
    fn each_detector_comes_in_its_order() {
        use GuardKind::{Frustrated, HumanRequest, Loop};
        assert_eq!(kind("que merda de vida, quero me matar"), Some(Kind::Crisis));
        assert_eq!(kind("que merda, quero um atendente"), Some(Kind::Guard(Frustrated)));
        assert_eq!(
            kind("quero um atendente pra saber qual a dose máxima"),
            Some(Kind::Guard(HumanRequest))
        );
        let asked = ["qual a dose de dipirona?"; 3];
        let looped = routed(&asked, Profile::MedicationAdherence, Covered::default());
        assert_eq!(looped.preempt.map(|(kind, _)| kind), Some(Kind::Guard(Loop)));
        assert_eq!(
            kind("qual a dose de atorvastatina?"),
            Some(Kind::Rejection(Category::Dosage)),
            "a rejection comes before a domain"
        );
        assert_eq!(kind("a rosuvastatina dá sono"), Some(Kind::OutOfDomain(Domain::Statin)));
        assert_eq!(kind("bom dia"), None);
    }

    #[test]
    fn a_domain_of_which_the_account_knows_something_proceeds() {
        let covered = Covered::default().with(Domain::Statin);
        let found = routed(&["a rosuvastatina dá sono"], Profile::MedicationAdherence, covered);
        assert_eq!(found.preempt, None);
        let scope = found.scope.unwrap();
        assert!(scope.out_of_domain);
        assert_eq!(scope.detected_category, Some(Domain::Statin));
        let other = routed(&["a bombinha acabou"], Profile::MedicationAdherence, covered);
        assert!(other.preempt.is_some());
    }

    #[test]
    fn without_a_profile_scope_is_not_asked() {
        let found = routed(&["qual a dose máxima de dipirona?"], Profile::None, Covered::default());
        assert_eq!(found, Triaged { preempt: None, scope: None });
        let crisis = routed(&["quero morrer"], Profile::None, Covered::default());
        assert!(crisis.preempt.is_some(), "safety has no profile");
    }

    #[test]
    fn only_what_the_customer_said_is_judged() {
        let messages = [ChatMessage::user("oi"), ChatMessage::assistant("quero me matar")];
        let input = TriageInput {
            messages: &messages,
            past_turns_without_tool_call: None,
            profile: Profile::MedicationAdherence,
            covered: Covered::default(),
        };
        assert_eq!(triage(&input).preempt, None);
    }
}
