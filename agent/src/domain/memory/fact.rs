//! What a model claims to have learnt, and what of it is kept.

use super::evidence;
use super::kind::{MemoryKind, Scope};

/// Longest content, in characters (seed 002 §6.3).
pub const MOST_CONTENT_CHARS: usize = 1_000;
/// Facts less certain than this are not kept (seed 002 §3.2).
pub const LEAST_CONFIDENCE: f64 = 0.5;

/// A fact as a model gave it: nothing of it is trusted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Candidate {
    pub memory_type: String,
    pub content: String,
    pub evidence: String,
    /// `None` when it was no number.
    pub confidence: Option<f64>,
}

/// A fact that a customer's message proves.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    pub kind: MemoryKind,
    pub content: String,
    pub evidence: String,
    pub confidence: f64,
    /// The message that holds the evidence.
    pub message_id: i64,
}

impl Fact {
    pub fn scope(&self) -> Scope {
        self.kind.rule().scope
    }
}

/// Why a claimed fact is not kept. Counted and logged by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Discard {
    /// No object with the four fields.
    Malformed,
    UnknownType,
    /// The account does not want this kind.
    TypeSwitchedOff,
    ContentMissing,
    ContentTooLong,
    ConfidenceOutOfRange,
    ConfidenceTooLow,
    EvidenceMissing,
    /// In no message that a customer wrote and that has not been learnt from.
    EvidenceNotLiteral,
    /// The message says the contrary.
    EvidenceNegated,
    /// A figure or a name that the message does not hold.
    ClaimNotInEvidence,
    /// The customer asked to be forgotten while the model was reading.
    BeforeForgetting,
    /// The same as another of this answer.
    Repeated,
    /// The conversation has given all facts that it may.
    OverLimit,
}

impl Discard {
    pub fn as_str(self) -> &'static str {
        match self {
            Discard::Malformed => "malformed",
            Discard::UnknownType => "unknown_type",
            Discard::TypeSwitchedOff => "type_switched_off",
            Discard::ContentMissing => "content_missing",
            Discard::ContentTooLong => "content_too_long",
            Discard::ConfidenceOutOfRange => "confidence_out_of_range",
            Discard::ConfidenceTooLow => "confidence_too_low",
            Discard::EvidenceMissing => "evidence_missing",
            Discard::EvidenceNotLiteral => "evidence_not_literal",
            Discard::EvidenceNegated => "evidence_negated",
            Discard::ClaimNotInEvidence => "claim_not_in_evidence",
            Discard::BeforeForgetting => "before_forgetting",
            Discard::Repeated => "repeated",
            Discard::OverLimit => "over_limit",
        }
    }
}

/// A customer's message that may prove a fact.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    pub message_id: i64,
    pub text: &'a str,
}

/// Content that a row may hold, cleaned: one line without invisible characters.
pub fn check_content(content: &str) -> Result<String, Discard> {
    let words = content.split(|c: char| c.is_whitespace() || c.is_control());
    let content = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match content.chars().count() {
        0 => Err(Discard::ContentMissing),
        1..=MOST_CONTENT_CHARS => Ok(content),
        _ => Err(Discard::ContentTooLong),
    }
}

/// A model's claim, proved by one of `sources` or refused with the first reason that applies.
pub fn check(candidate: &Candidate, sources: &[Source<'_>]) -> Result<Fact, Discard> {
    let kind = MemoryKind::parse(&candidate.memory_type).ok_or(Discard::UnknownType)?;
    let content = check_content(&candidate.content)?;
    let confidence = candidate.confidence.ok_or(Discard::ConfidenceOutOfRange)?;
    if !(0.0..=1.0).contains(&confidence) {
        return Err(Discard::ConfidenceOutOfRange);
    }
    if confidence < LEAST_CONFIDENCE {
        return Err(Discard::ConfidenceTooLow);
    }
    let evidence = candidate.evidence.trim();
    if evidence.is_empty() {
        return Err(Discard::EvidenceMissing);
    }
    let mut reason = Discard::EvidenceNotLiteral;
    for source in sources.iter().filter(|source| evidence::is_excerpt(source.text, evidence)) {
        reason = if evidence::is_negated(source.text, evidence) {
            Discard::EvidenceNegated
        } else if !evidence::holds_claims(source.text, &content) {
            Discard::ClaimNotInEvidence
        } else {
            let evidence = evidence.to_owned();
            let message_id = source.message_id;
            return Ok(Fact { kind, content, evidence, confidence, message_id });
        };
    }
    Err(reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate() -> Candidate {
        Candidate {
            memory_type: "restricao".into(),
            content: "Alérgico a amendoim".into(),
            evidence: "sou alérgico a amendoim".into(),
            confidence: Some(0.9),
        }
    }

    fn judge(candidate: &Candidate) -> Result<Fact, Discard> {
        let source = |message_id, text| Source { message_id, text };
        check(
            candidate,
            &[
                source(1, "oi, sou alérgico a amendoim"),
                source(2, "meu aniversário é logo"),
                source(3, "não sou diabético"),
            ],
        )
    }

    #[test]
    fn a_proved_fact_is_kept_with_the_message_that_proves_it() {
        let fact = judge(&candidate()).unwrap();
        assert_eq!((fact.kind, fact.message_id), (MemoryKind::Restricao, 1));
        let half = Candidate { confidence: Some(0.5), ..candidate() };
        assert!(judge(&half).is_ok());
        let long = Candidate { content: "a".repeat(1_000), ..candidate() };
        assert!(judge(&long).is_ok());
    }

    #[test]
    fn every_claim_without_proof_is_refused_for_its_own_reason() {
        let with = |change: fn(&mut Candidate)| {
            let mut candidate = candidate();
            change(&mut candidate);
            candidate
        };
        for (candidate, reason) in [
            (with(|c| c.memory_type = "humor".into()), Discard::UnknownType),
            (with(|c| c.content = " \n".into()), Discard::ContentMissing),
            (with(|c| c.content = "á".repeat(1_001)), Discard::ContentTooLong),
            (with(|c| c.confidence = Some(0.49)), Discard::ConfidenceTooLow),
            (with(|c| c.confidence = Some(1.01)), Discard::ConfidenceOutOfRange),
            (with(|c| c.confidence = Some(f64::NAN)), Discard::ConfidenceOutOfRange),
            (with(|c| c.confidence = None), Discard::ConfidenceOutOfRange),
            (with(|c| c.evidence = "  ".into()), Discard::EvidenceMissing),
            (with(|c| c.evidence = "tem alergia a amendoim".into()), Discard::EvidenceNotLiteral),
            (
                with(|c| c.evidence = "alérgico a amendoim meu aniversário".into()),
                Discard::EvidenceNotLiteral,
            ),
            (
                with(|c| {
                    c.evidence = "aniversário".into();
                    c.content = "Aniversário em 14/02".into();
                }),
                Discard::ClaimNotInEvidence,
            ),
            (with(|c| c.evidence = "sou diabético".into()), Discard::EvidenceNegated),
        ] {
            assert_eq!(judge(&candidate), Err(reason), "{candidate:?}");
        }
    }

    #[test]
    fn content_becomes_one_line_without_invisible_characters() {
        let content = check_content("Prefere\n\u{0}suíte\t com\u{7}hidro ").unwrap();
        assert_eq!(content, "Prefere suíte com hidro");
    }
}
