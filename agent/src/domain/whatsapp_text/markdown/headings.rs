//! What a heading of Markdown becomes: a bold line, if it is sure that a heading was meant.

use std::ops::Range;

/// How a heading was written and what is made of it.
#[derive(Debug, PartialEq)]
pub(super) enum Heading {
    /// `## Text`; its text begins at `text`.
    Marked { text: usize },
    /// One line over `===` or `---`.
    Underlined,
    /// Several lines over `---`, which begins at `rule`: a model that separates two parts and
    /// leaves no blank line, not a heading of several lines.
    Rule { rule: usize },
    /// Anything over a short `-` or `=`: a line of text that happens to look so.
    Text,
}

/// The shortest underline that is taken for one.
const UNDERLINE: usize = 3;

impl Heading {
    /// Reads the heading that Markdown sees in `source` at `range`.
    pub(super) fn read(source: &str, range: &Range<usize>) -> Self {
        let whole = source.get(range.clone()).unwrap_or_default();
        let hashes = whole.bytes().take_while(|byte| *byte == b'#').count();
        let after = whole.get(hashes..).unwrap_or_default();
        if (1..=6).contains(&hashes) && (after.is_empty() || after.starts_with([' ', '\t', '\n'])) {
            let blanks = after.len() - after.trim_start_matches([' ', '\t']).len();
            return Self::Marked { text: range.start + hashes + blanks };
        }
        let whole = whole.trim_end();
        let lines = whole.lines().count();
        let last = whole.rfind('\n').map_or(0, |newline| newline + 1);
        let underline = whole.get(last..).unwrap_or_default();
        // The underline of a quoted heading has the quote's sign before it.
        let underline = underline.trim_start_matches([' ', '\t', '>']);
        match (lines, underline.len() >= UNDERLINE) {
            (0..=2, true) => Self::Underlined,
            (_, true) if underline.starts_with('-') => {
                Self::Rule { rule: range.start + whole.len() - underline.len() }
            }
            _ => Self::Text,
        }
    }
}
