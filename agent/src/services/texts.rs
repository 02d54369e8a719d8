//! Sentences that customers read, word for word from `templates/responses`.

/// When no answer could be made (seed 004).
pub const TECHNICAL_PROBLEM: &str =
    include_str!("../../../templates/responses/pt-BR/technical-problem.txt");
