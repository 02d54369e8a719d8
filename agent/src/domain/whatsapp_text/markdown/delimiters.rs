//! Which of Markdown's emphasised spans WhatsApp can show.
//!
//! CommonMark emphasises inside words (`2*3*4`) and between brackets (`(*) … (*)`); WhatsApp
//! shows marks only around words. A span that it cannot show stays as it was written: a sum, a
//! footnote sign or a masked number is worth more than the emphasis that nobody would see.

use std::ops::Range;

use super::urls::Urls;

/// What WhatsApp opens and closes formatting with.
const MARKS: [char; 3] = ['*', '_', '~'];

/// How far around a delimiter other delimiters are skipped: `***x***` is one span in another.
const NEIGHBOURS: usize = 4;

/// Whether the span of `source` at `range`, delimited by `length` bytes at each end, is one that
/// WhatsApp can show.
pub(super) fn showable(source: &str, range: &Range<usize>, length: usize, urls: &Urls) -> bool {
    let Some(last) = range.end.checked_sub(length) else {
        return false;
    };
    let before = source.get(..range.start).unwrap_or_default();
    let after = source.get(range.end..).unwrap_or_default();
    let inside_word = next_to_word(before.chars().rev()) || next_to_word(after.chars());
    let inner = source.get(range.start + length..last).unwrap_or_default();
    // "(*) required … (*)" and "***.456.789-**" delimit nothing, though CommonMark pairs them.
    let unlike_a_phrase = inner.starts_with([')', ']', '}', ',', ';', ':'])
        || inner.ends_with(['(', '[', '{', '-', '/']);
    !inside_word && !unlike_a_phrase && !urls.cover(range.start) && !urls.cover(last)
}

/// Whether the first of `chars`, going away from a span, belongs to a word.
fn next_to_word(chars: impl Iterator<Item = char>) -> bool {
    let mut outside = chars.take(NEIGHBOURS).filter(|c| !MARKS.contains(c));
    outside.next().is_some_and(char::is_alphanumeric)
}
