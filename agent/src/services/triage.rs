//! What triage means for an account: its profile, its people, its words. And what is told to
//! operators.

use chrono::{DateTime, Utc};
use lembra_entities::account;
use sea_orm::ConnectionTrait;

use crate::domain::chat::{ChatMessage, Role};
use crate::domain::triage::guard::GuardKind;
use crate::domain::triage::locale::Locale;
use crate::domain::triage::response::Persona;
use crate::domain::triage::router::{Covered, HumanSupport, Kind, TriageInput, Triaged, triage};
use crate::domain::triage::scope::{Domain, Profile};
use crate::services::alerts;
use crate::services::handoff::Reason;
use crate::store::StoreResult;
use crate::store::conversations::Head;
use crate::store::messages::Verdict;

/// The verdict of a message that nothing stops.
pub const PROCEED: &str = "proceed";

/// What triage found of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    pub verdict: Verdict,
    /// Why a fixed answer is due, when one is.
    pub preempt: Option<Kind>,
    /// Whom to tell, also when a gate is closed.
    pub alert: Option<alerts::Kind>,
}

impl Finding {
    /// Whether somebody's life is in danger.
    pub fn is_crisis(&self) -> bool {
        self.preempt == Some(Kind::Crisis)
    }
}

/// A fixed answer, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedAnswer {
    pub text: String,
    /// The conversation goes to a person with the answer.
    pub hand_over: Option<Reason>,
}

/// Whether the account's people take conversations. A word that nobody knows means that they do
/// not.
fn human_support(account: &account::Model) -> HumanSupport {
    HumanSupport::parse(&account.human_support).unwrap_or_default()
}

/// Whether people of the account take conversations.
pub fn has_people(account: &account::Model) -> bool {
    human_support(account) == HumanSupport::Available
}

/// The domains about which the account has knowledge entries; names that nobody knows are none.
fn covered(account: &account::Model) -> Covered {
    let names = account.covered_domains.as_array().into_iter().flatten();
    let domains = names.filter_map(|name| Domain::parse(name.as_str()?));
    domains.fold(Covered::default(), Covered::with)
}

/// Judges the conversation's last message by the account's profile. A profile that this version
/// does not know judges nothing.
pub fn judge(account: &account::Model, messages: &[ChatMessage], past_turns: u32) -> Finding {
    let input = TriageInput {
        messages,
        past_turns_without_tool_call: Some(past_turns),
        profile: account.scope_profile.parse::<Profile>().unwrap_or_default(),
        covered: covered(account),
    };
    let found = observed(&input);
    let Some((kind, rule)) = found.preempt else {
        return Finding {
            verdict: Verdict { verdict: PROCEED, rule: None },
            preempt: None,
            alert: None,
        };
    };
    let alert = match kind {
        Kind::Crisis => Some(alerts::Kind::Crisis),
        Kind::Guard(GuardKind::HumanRequest) => Some(alerts::Kind::HumanRequest),
        _ => None,
    };
    Finding {
        verdict: Verdict { verdict: kind.as_str(), rule: Some(rule) },
        preempt: Some(kind),
        alert,
    }
}

/// The router inside its span (seed 003), which only accounts with a profile open.
fn observed(input: &TriageInput<'_>) -> Triaged {
    if input.profile == Profile::None {
        return triage(input);
    }
    let span = tracing::info_span!(
        "guardrail_pre",
        interaction.out_of_domain = tracing::field::Empty,
        interaction.detected_category = tracing::field::Empty,
    );
    let _inside = span.enter();
    let found = triage(input);
    if let Some(scope) = found.scope {
        span.record("interaction.out_of_domain", scope.out_of_domain);
        if let Some(category) = scope.detected_category {
            span.record("interaction.detected_category", category.as_str());
        }
    }
    found
}

/// The fixed answer to the conversation's last message, in the customer's language where their
/// words leave no doubt about it, otherwise in the account's.
pub fn answer(account: &account::Model, messages: &[ChatMessage], kind: Kind) -> FixedAnswer {
    let support = human_support(account);
    let said = messages.iter().rev().find(|message| message.role == Role::User);
    let locale = said
        .and_then(|message| Locale::of_message(&message.content))
        .or_else(|| Locale::parse(&account.locale))
        .unwrap_or_default();
    let persona = Persona {
        assistant_name: &account.assistant_name,
        helps_with: account.helps_with.as_deref(),
    };
    let hand_over = match (kind, support) {
        (Kind::Crisis, HumanSupport::Available) => Some(Reason::Crisis),
        (Kind::Guard(GuardKind::HumanRequest), HumanSupport::Available) => {
            Some(Reason::HumanRequest)
        }
        _ => None,
    };
    FixedAnswer { text: kind.slug(support).text(locale, &persona), hand_over }
}

/// Tells the operators, once per conversation while nobody has dealt with it.
pub async fn raise(
    tx: &impl ConnectionTrait,
    head: &Head,
    message_id: i64,
    alert: alerts::Kind,
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let place = alerts::Place {
        account_id: Some(head.place.account_id),
        inbox_id: Some(head.place.inbox_id),
        conversation_id: Some(head.id),
    };
    let subject = format!("conversation {}", head.id);
    alerts::raise(tx, alert, place, subject, format!("message {message_id}"), now).await
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn verdict(covered_domains: serde_json::Value, text: &str) -> &'static str {
        let account = account::Model {
            scope_profile: Profile::MedicationAdherence.as_str().to_owned(),
            covered_domains,
            ..crate::store::accounts::example()
        };
        judge(&account, &[ChatMessage::user(text)], 0).verdict.verdict
    }

    #[test]
    fn a_domain_of_which_the_account_has_entries_proceeds() {
        for (covered, text, expected) in [
            (json!([]), "minha bombinha está no fim", "out-of-domain"),
            (json!(["inhaler"]), "minha bombinha está no fim", PROCEED),
            (json!(["inhaler"]), "perdi a minha bombinha", PROCEED),
            (json!(["inhaler"]), "a rosuvastatina dá sono", "out-of-domain"),
            (json!(["inhaler", "statin"]), "a rosuvastatina dá sono", PROCEED),
            (
                json!(["inhaler"]),
                "quantas doses da bombinha devo tomar por dia?",
                "scope-rejection",
            ),
            // What nobody knows covers nothing, and small talk is never covered.
            (json!(["general", 7, "planets"]), "me conta uma piada", "out-of-domain"),
            (json!({ "inhaler": true }), "perdi a minha bombinha", "out-of-domain"),
        ] {
            assert_eq!(verdict(covered.clone(), text), expected, "{covered} {text}");
        }
    }
}
