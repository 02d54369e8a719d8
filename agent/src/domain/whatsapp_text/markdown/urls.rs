//! Addresses written bare in a text: a `*` or `__` inside one is part of it, whatever Markdown
//! would say, and a changed address leads nowhere.

use std::ops::Range;

const BEGINNINGS: [&str; 3] = ["https://", "http://", "www."];

/// Where the bare addresses of a text are.
pub(super) struct Urls(Vec<Range<usize>>);

impl Urls {
    pub(super) fn find(text: &str) -> Self {
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(start) = next_beginning(text, from) {
            let rest = text.get(start..).unwrap_or_default();
            let length = rest.find(ends_address).unwrap_or(rest.len());
            let address = rest.get(..length).unwrap_or_default();
            // What closes a sentence or a mark around the address is not of the address.
            let address = address.trim_end_matches(|c: char| "*_~.,;:!?)'".contains(c));
            found.push(start..start + address.len());
            from = start + length;
        }
        Self(found)
    }

    /// Whether the byte at `at` belongs to an address.
    pub(super) fn cover(&self, at: usize) -> bool {
        let next = self.0.partition_point(|range| range.end <= at);
        self.0.get(next).is_some_and(|range| range.contains(&at))
    }
}

fn ends_address(c: char) -> bool {
    c.is_whitespace() || "<>[]`\"|".contains(c)
}

/// The first beginning of an address at or after `from`.
fn next_beginning(text: &str, from: usize) -> Option<usize> {
    // `:` and `.` are rarer than letters; each candidate is checked from there backwards.
    let rest = text.get(from..)?;
    rest.match_indices([':', '.']).find_map(|(offset, _)| {
        let at = from + offset;
        BEGINNINGS.iter().find_map(|beginning| {
            let before = beginning.find([':', '.'])?;
            let start = at.checked_sub(before).filter(|start| *start >= from)?;
            let candidate = text.get(start..start + beginning.len())?;
            let own_word =
                !text.get(..start)?.chars().next_back().is_some_and(char::is_alphanumeric);
            (own_word && candidate.eq_ignore_ascii_case(beginning)).then_some(start)
        })
    })
}
