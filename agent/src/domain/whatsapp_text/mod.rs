//! Text of a language model, made fit for WhatsApp: its Markdown becomes WhatsApp's marks, and
//! what is longer than a message becomes several.
//!
//! ```text
//! model ── from_markdown ──> text with WhatsApp's marks ── split ──> bodies of 4,096 at most
//! ```

mod markdown;
mod split;

#[cfg(test)]
mod tests;

pub use markdown::from_markdown;
pub use split::split;

/// WhatsApp's limit of a text body.
///
/// The platform says "characters" and not which. Everything here counts UTF-16 code units: no
/// text has fewer of them than of Unicode characters, so a body within the limit this way is
/// within it both ways.
pub const MAX_BODY: usize = 4096;
