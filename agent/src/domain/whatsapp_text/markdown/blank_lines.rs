//! Runs of blank lines become one blank line: a phone has no room for more.

use std::ops::Range;

/// `text` with at most one blank line in a row, except inside the byte ranges of `kept`, which
/// are in order and do not overlap.
pub(super) fn collapse(text: &str, kept: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut kept = kept.iter().peekable();
    let mut at = 0;
    let mut after_blank = false;
    for line in text.split_inclusive('\n') {
        while kept.next_if(|range| range.end <= at).is_some() {}
        let inside = kept.peek().is_some_and(|range| range.contains(&at));
        let blank = line.trim().is_empty();
        if !(blank && after_blank) || inside {
            out.push_str(line);
        }
        after_blank = blank;
        at += line.len();
    }
    out
}
