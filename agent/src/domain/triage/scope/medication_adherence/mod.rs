//! The profile `medication-adherence`: support for taking medicines as prescribed, in Brazilian
//! Portuguese, Latin American Spanish and English (seed 003).

mod adherence;
mod barriers;
mod conversation;
mod diagnosis;
mod dosage;
mod drugs;
mod general;
mod interpretation;
mod pii;
mod roleplay;
mod words;

use std::sync::LazyLock;

use super::{Category, Domain, ScopeDecision};
use crate::domain::triage::fold::{Folded, TokenKind};
use crate::domain::triage::phrase::{self, Disguises, Lexicon, WordClass};

/// What a phrase says about the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    Reject(Category),
    About(Domain),
    /// Greetings, thanks, how the customer feels, what the assistant can do.
    Conversation,
    /// Takes its words out of the phrases of one rejection ("meu cpf").
    Spared(Category),
    /// Takes its words out of the phrases of barriers ("at all costs").
    NoBarrier,
}

type Table = phrase::Table<Group>;

const TABLES: [&[Table]; 9] = [
    roleplay::TABLES,
    pii::TABLES,
    dosage::TABLES,
    interpretation::TABLES,
    diagnosis::TABLES,
    barriers::TABLES,
    adherence::TABLES,
    general::TABLES,
    conversation::TABLES,
];

static LEXICON: LazyLock<Lexicon<Group>> = LazyLock::new(|| {
    let lists = words::CLASSES.iter().chain(drugs::CLASSES);
    let class = |(index, (name, words)): (usize, &(&str, &'static str))| WordClass {
        name: (*name).to_owned(),
        bit: 1 << index,
        words,
    };
    let disguises = Disguises { misspelt: words::MISSPELT, hidden: &[] };
    Lexicon::build(lists.enumerate().map(class).collect(), disguises, &TABLES)
});

/// Judges one message: rejections in their order, then domains in theirs, then small talk.
pub fn judge(text: &Folded) -> ScopeDecision {
    let found = LEXICON.read(text);
    let hit = |wanted: Group| found.first_outside(wanted, spares(wanted));
    for category in Category::ALL {
        if let Some(hit) = hit(Group::Reject(category)) {
            return ScopeDecision::rejected(category, hit.rule);
        }
    }
    for domain in Domain::ALL {
        if let Some(hit) = hit(Group::About(domain)) {
            return ScopeDecision::out_of_domain(domain, hit.rule);
        }
    }
    if let Some(hit) = hit(Group::About(Domain::General)) {
        return ScopeDecision::out_of_domain(Domain::General, hit.rule);
    }
    if hit(Group::Conversation).is_none() && conversation::is_elsewhere(text) {
        return ScopeDecision::out_of_domain(Domain::General, "general-elsewhere");
    }
    ScopeDecision::IN_SCOPE
}

/// The phrases that take words out of the phrases of `wanted`.
fn spares(wanted: Group) -> Option<Group> {
    match wanted {
        Group::Reject(category) => Some(Group::Spared(category)),
        Group::About(
            Domain::CostBarriers | Domain::Caregiver | Domain::HealthLiteracy | Domain::PillBurden,
        ) => Some(Group::NoBarrier),
        _ => None,
    }
}

/// Words that carry something, as against numbers and laughter.
fn count_words(text: &Folded) -> usize {
    text.tokens.iter().filter(|token| token.kind == TokenKind::Word).count()
}

#[cfg(test)]
mod tests;
