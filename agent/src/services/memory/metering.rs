//! Counting: metrics under the names of seed 002 §13, and what calls cost.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::config::Prices;
use crate::domain::memory::{Discard, Fact};
use crate::llm::{ChatCompletion, Purpose};
use crate::store::usage::NewUsage;

/// Who pays for a call, and where it was made.
#[derive(Debug, Clone, Copy)]
pub struct Payer {
    pub account_id: i64,
    pub conversation_id: Option<i64>,
}

/// What a chat call cost.
pub fn of_chat(
    prices: &Prices,
    payer: Payer,
    purpose: Purpose,
    completion: &ChatCompletion,
) -> NewUsage {
    let prompt_tokens = completion.prompt_tokens.unwrap_or_default();
    let completion_tokens = completion.completion_tokens.unwrap_or_default();
    usage(prices, payer, purpose, &completion.model, prompt_tokens, completion_tokens)
}

/// What embeddings cost.
pub fn of_embedding(
    prices: &Prices,
    payer: Payer,
    purpose: Purpose,
    model: &str,
    tokens: Option<i64>,
) -> NewUsage {
    usage(prices, payer, purpose, model, tokens.unwrap_or_default(), 0)
}

fn usage(
    prices: &Prices,
    payer: Payer,
    purpose: Purpose,
    model: &str,
    prompt_tokens: i64,
    completion_tokens: i64,
) -> NewUsage {
    NewUsage {
        account_id: payer.account_id,
        conversation_id: payer.conversation_id,
        purpose: purpose.as_str(),
        model: model.to_owned(),
        prompt_tokens,
        completion_tokens,
        brl: prices.brl(model, prompt_tokens, completion_tokens),
    }
}

/// Facts were learnt.
pub fn extracted(account_id: i64, facts: &[Fact]) {
    let account = account_id.to_string();
    for fact in facts {
        let kind = fact.kind.as_str();
        metrics::counter!("captain_memory_extraction_count", "account" => account.clone(), "type" => kind)
            .increment(1);
    }
}

/// An extraction called a model, for that long and for that much.
pub fn extraction_called(account_id: i64, took: Duration, brl: f64) {
    metrics::histogram!("captain_memory_extraction_latency_seconds").record(took.as_secs_f64());
    // It only grows; counters of this library know whole numbers only.
    metrics::gauge!("captain_memory_extraction_cost_brl", "account" => account_id.to_string())
        .increment(brl);
}

/// Claimed facts were refused.
pub fn discarded(reasons: &BTreeMap<Discard, usize>) {
    for (reason, count) in reasons {
        metrics::counter!("captain_memory_discarded_count", "reason" => reason.as_str())
            .increment(*count as u64);
    }
}

/// A fact was superseded.
pub fn superseded(memory_type: &str) {
    metrics::counter!("captain_memory_supersedence_count", "type" => memory_type.to_owned())
        .increment(1);
}

static RECALLS: AtomicU64 = AtomicU64::new(0);
static HITS: AtomicU64 = AtomicU64::new(0);

/// A recall came to its end with that many facts.
pub fn recalled(facts: usize, took: Duration) {
    metrics::histogram!("captain_memory_recall_latency_seconds").record(took.as_secs_f64());
    let recalls = RECALLS.fetch_add(1, Ordering::Relaxed) + 1;
    let hits = HITS.fetch_add(u64::from(facts > 0), Ordering::Relaxed) + u64::from(facts > 0);
    metrics::gauge!("captain_memory_recall_hit_rate").set(hits as f64 / recalls as f64);
}

/// Facts or reasons with their counts, for a log line.
pub fn listed<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(",")
}
