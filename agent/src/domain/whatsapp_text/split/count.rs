//! How long a text is to WhatsApp, in UTF-16 code units; `MAX_BODY` says why in these.

/// The length of `text` in UTF-16 code units.
pub(super) fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Whether `text` has at most `limit` units; reads no further than that.
pub(super) fn fits(text: &str, limit: usize) -> bool {
    fitting(text, limit) == text.len()
}

/// The byte offset where the longest beginning of `text` within `limit` units ends.
pub(super) fn fitting(text: &str, limit: usize) -> usize {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.len_utf16();
        if used > limit {
            return at;
        }
    }
    text.len()
}
