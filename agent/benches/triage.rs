//! What the deterministic first word costs: one `evaluate` and one `classify`.

use criterion::{Criterion, criterion_group, criterion_main};
use lembra_agent::domain::chat::ChatMessage;
use lembra_agent::domain::triage::guard::{ConversationGuard, GuardInput};
use lembra_agent::domain::triage::router::{Covered, TriageInput, triage};
use lembra_agent::domain::triage::scope::{Profile, ScopeClassifier};

const CALM: &str = "bom dia, queria saber se o meu pedido de ontem já saiu para entrega";

fn judge(c: &mut Criterion) {
    let long = "a entrega do pedido atrasou de novo e o cliente pergunta. ".repeat(1_053);
    assert!(long.chars().count() >= 60_000);
    let said = [ChatMessage::user(CALM)];
    let long_said = [ChatMessage::user(long.as_str())];
    let Some(classifier) = ScopeClassifier::of(Profile::MedicationAdherence) else { return };
    let input = |messages| GuardInput { messages, past_turns_without_tool_call: Some(0) };
    let routed = |messages, profile| TriageInput {
        messages,
        past_turns_without_tool_call: Some(0),
        profile,
        covered: Covered::default(),
    };
    c.bench_function("evaluate + classify", |b| {
        b.iter(|| (ConversationGuard::evaluate(&input(&said)), classifier.classify(CALM)));
    });
    c.bench_function("triage, profile none", |b| {
        b.iter(|| triage(&routed(&said, Profile::None)));
    });
    c.bench_function("triage, medication-adherence", |b| {
        b.iter(|| triage(&routed(&said, Profile::MedicationAdherence)));
    });
    c.bench_function("triage of 60,000 characters", |b| {
        b.iter(|| triage(&routed(&long_said, Profile::MedicationAdherence)));
    });
}

criterion_group!(benches, judge);
criterion_main!(benches);
