//! Reading a conversation for facts (seed 002 §7.2): asks the model, proves each claim, and writes
//! nothing.

use std::collections::BTreeMap;

use super::answer::{self, Unreadable};
use super::prompts;
use crate::domain::memory::evidence::normal;
use crate::domain::memory::fact::{self, Source};
use crate::domain::memory::transcript::Excerpt;
use crate::domain::memory::{Discard, Fact, MemoryKind};
use crate::llm::{ChatCompletion, ChatModel, LlmError};

/// What an extraction found.
#[derive(Debug, Clone)]
pub struct Extraction {
    /// Proved facts, in the order in which their messages were written.
    pub facts: Vec<Fact>,
    pub discarded: BTreeMap<Discard, usize>,
    /// The answer was no JSON, nor could it be mended.
    pub unreadable: Option<&'static str>,
    pub completion: ChatCompletion,
}

/// What limits an extraction.
#[derive(Debug, Clone)]
pub struct Limits<'a> {
    pub most: usize,
    pub kinds_off: &'a [MemoryKind],
}

/// Asks `model` what the excerpt says of the customer.
pub async fn extract(
    model: &dyn ChatModel,
    excerpt: &Excerpt,
    limits: &Limits<'_>,
) -> Result<Extraction, LlmError> {
    let completion = model.complete(&prompts::extraction(&excerpt.lines)).await?;
    let mut extraction =
        Extraction { facts: Vec::new(), discarded: BTreeMap::new(), unreadable: None, completion };
    let claims = match answer::read(&extraction.completion.content) {
        Ok(claims) => claims,
        Err(Unreadable(why)) => {
            extraction.unreadable = Some(why);
            return Ok(extraction);
        }
    };
    let sources: Vec<Source<'_>> =
        excerpt.fresh().map(|line| Source { message_id: line.id, text: &line.text }).collect();
    for claim in claims {
        let judged = claim
            .ok_or(Discard::Malformed)
            .and_then(|claim| fact::check(&claim, &sources))
            .and_then(|fact| admit(&extraction.facts, fact, limits));
        match judged {
            Ok(fact) => extraction.facts.push(fact),
            Err(reason) => *extraction.discarded.entry(reason).or_default() += 1,
        }
    }
    // The later of two facts is the newer one.
    extraction.facts.sort_by_key(|fact| fact.message_id);
    Ok(extraction)
}

fn admit(known: &[Fact], fact: Fact, limits: &Limits<'_>) -> Result<Fact, Discard> {
    if limits.kinds_off.contains(&fact.kind) {
        return Err(Discard::TypeSwitchedOff);
    }
    let same =
        |other: &Fact| other.kind == fact.kind && normal(&other.content) == normal(&fact.content);
    if known.iter().any(same) {
        return Err(Discard::Repeated);
    }
    if known.len() >= limits.most { Err(Discard::OverLimit) } else { Ok(fact) }
}
