//! Episodic memory (seed 002, DESIGN §7): what a fact is, when it counts, and what makes two facts
//! contradict each other.

pub mod aging;
pub mod block;
pub mod coming;
pub mod contradiction;
pub mod evidence;
pub mod fact;
pub mod figures;
pub mod grouping;
pub mod kind;
pub mod recall;
pub mod transcript;
pub mod word_search;

/// Length of every embedding (seed 002 §6.1).
pub const DIMENSIONS: usize = 1536;

pub use fact::{Candidate, Discard, Fact};
pub use kind::{Expiry, MemoryKind, Scope};
