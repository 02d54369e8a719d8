//! What the guard's phrases say about a message.

use crate::domain::triage::phrase;

/// What a phrase says about the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// An insult or curse thrown at the listener: good humour does not excuse it.
    Aimed,
    /// An exclamatory swear word, which joy excuses.
    Swear,
    /// A swear word used to say "very", which means nothing without a complaint.
    Booster,
    /// An ambiguous word inside a frame that aims it at the service.
    Evaluation,
    /// A frame around a weak word, which a question excuses.
    MildEvaluation,
    /// An explicit complaint.
    Complaint,
    /// Joy or relief.
    Cheer,
    /// Makes an earlier word of the phrase harmless ("saco de lixo").
    Harmless,
    /// A complaint that only counts when shouted.
    Pressure,
    /// A reproach that only counts with a row of `!` or `?`.
    Marked,
    /// An exclamation about nothing in particular, which the weather or one's own slip excuses.
    MildSwear,
    /// A request for a person that stands by itself unless denied.
    Human,
    /// A refusal to talk to a machine.
    AntiBot,
}

/// A table of phrases of the guard.
pub type Table = phrase::Table<Group>;
/// A phrase of the guard found in a message.
pub type Hit = phrase::Hit<Group>;
