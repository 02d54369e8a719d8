//! The best place to cut a text that is too long.

use unicode_segmentation::GraphemeCursor;

/// What may stand between the end of a sentence and the blank after it.
const CLOSERS: &str = "\"'”’»)]*_~";

/// White space that joins what is on both sides of it: `R$ 10` is not cut.
const JOINING: [char; 3] = ['\u{a0}', '\u{2007}', '\u{202f}'];

/// The last good cut of `text` at or before `end`, a character boundary beyond which `text` goes
/// on: the end of a paragraph, a line, a sentence, a word or a grapheme cluster, in this order.
/// Only the last of these is not asked of `allowed`. Never 0 if `end` is not and `text` does not
/// begin with white space.
pub(super) fn last(text: &str, end: usize, allowed: impl Fn(usize) -> bool) -> usize {
    paragraph_end(text, end, &allowed)
        .or_else(|| line_end(text, end, &allowed))
        .or_else(|| sentence_or_word_end(text, end, &allowed))
        .unwrap_or_else(|| grapheme_end(text, end))
}

/// The last good cut of code of which `opening` bytes are its mark: the end of a line, a word or
/// a grapheme cluster, with more than white space before it.
pub(super) fn last_in_code(text: &str, opening: usize, end: usize) -> usize {
    let holds_code = |cut: usize| {
        let code = text.get(opening..cut).unwrap_or_default();
        !code.trim_start().is_empty()
    };
    line_end(text, end, &|_| true)
        .filter(|cut| holds_code(*cut))
        .or_else(|| {
            let mut spaces = blanks(text, end).filter(|(_, c)| *c == ' ');
            spaces.next().map(|(at, _)| at).filter(|cut| holds_code(*cut))
        })
        .unwrap_or_else(|| grapheme_end(text, end))
}

/// The white space of `text` at or before `end`, last first.
fn blanks(text: &str, end: usize) -> impl Iterator<Item = (usize, char)> {
    let next = text.get(end..).and_then(|rest| rest.chars().next());
    let next = next.map(|c| (end, c));
    let head = text.get(..end).unwrap_or_default();
    let blanks = next.into_iter().chain(head.char_indices().rev());
    blanks.filter(|(_, c)| c.is_whitespace())
}

fn line_ends(text: &str, end: usize) -> impl Iterator<Item = usize> {
    let newlines = blanks(text, end).filter(|(_, c)| *c == '\n');
    newlines.map(|(at, _)| at).filter(|at| *at > 0)
}

fn paragraph_end(text: &str, end: usize, allowed: &impl Fn(usize) -> bool) -> Option<usize> {
    line_ends(text, end).find(|at| {
        let next_line = text.get(at + 1..).unwrap_or_default();
        let blank_until = next_line.find(|c: char| c == '\n' || !c.is_whitespace());
        let blank = blank_until.is_some_and(|until| next_line[until..].starts_with('\n'));
        blank && allowed(*at)
    })
}

fn line_end(text: &str, end: usize, allowed: &impl Fn(usize) -> bool) -> Option<usize> {
    line_ends(text, end).find(|at| allowed(*at))
}

fn sentence_or_word_end(text: &str, end: usize, allowed: &impl Fn(usize) -> bool) -> Option<usize> {
    let mut word = None;
    let spaces = blanks(text, end).filter(|(at, c)| *at > 0 && !JOINING.contains(c));
    for (at, _) in spaces.filter(|(at, _)| allowed(*at)) {
        if ends_sentence(text.get(..at).unwrap_or_default()) {
            return Some(at);
        }
        word = word.or(Some(at));
    }
    word
}

fn ends_sentence(head: &str) -> bool {
    let head = head.trim_end_matches(|c| CLOSERS.contains(c));
    // "1." alone begins a list.
    let numbers_item = || head.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit());
    head.ends_with(['.', '!', '?', '…']) && !numbers_item()
}

/// The end of the last grapheme cluster at or before `end`; `end` itself in a cluster longer.
fn grapheme_end(text: &str, end: usize) -> usize {
    let mut cursor = GraphemeCursor::new(end, text.len(), true);
    if matches!(cursor.is_boundary(text, 0), Ok(true)) {
        return end;
    }
    match cursor.prev_boundary(text, 0) {
        Ok(Some(boundary)) if boundary > 0 => boundary,
        _ => end,
    }
}
