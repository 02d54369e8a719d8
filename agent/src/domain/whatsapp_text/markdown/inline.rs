//! What stands inside a line: emphasis, links, code, escapes and the line's end.

use std::ops::Range;

use super::{delimiters::showable, writer::Writer};

/// What became of the delimiters of an emphasised span.
pub(super) enum Span {
    Shown,
    /// Inside a span of its own kind.
    Dropped,
    /// Not a span to WhatsApp: its delimiters stay.
    Literal,
}

pub(super) struct Link {
    /// Where in the output its text begins.
    text: usize,
    url: String,
    /// Written as `<url>`.
    bare: bool,
}

impl Writer<'_> {
    pub(super) fn text(&mut self, text: &str, range: &Range<usize>) {
        let escaped = self.slice(self.pos..range.start).ends_with('\\')
            && text.starts_with(|c: char| c.is_ascii_punctuation());
        if escaped {
            self.copy_to(range.start - 1);
            self.pos = range.start;
        }
        if self.pos > range.start || text == self.slice(range.clone()) {
            self.content(range);
        } else {
            // A character reference, such as `&amp;`.
            self.copy_to(range.start);
            self.marks.write_due(&mut self.out);
            self.out.push_str(text);
            self.pos = range.end;
        }
    }

    pub(super) fn line_break(&mut self, range: &Range<usize>) {
        self.marks.break_line(&mut self.out);
        if self.slice(range.clone()).starts_with('\\') {
            self.copy_to(range.start);
            self.pos = range.start + 1;
        }
        self.copy_to(range.end);
    }

    /// WhatsApp knows one backtick and three; longer or other runs are brought to these if the
    /// content allows it.
    pub(super) fn inline_code(&mut self, code: &str, range: &Range<usize>) {
        let written = self.slice(range.clone());
        let ticks = written.len() - written.trim_start_matches('`').len();
        let ticks = match ticks {
            2 if !code.contains('`') => "`",
            2 => "```",
            // In a table, a `|` of the code was escaped.
            _ if self.table.is_some() => written.get(..ticks).unwrap_or_default(),
            _ => return self.content(range),
        };
        self.copy_to(range.start);
        self.marks.write_due(&mut self.out);
        self.out.push_str(ticks);
        self.out.push_str(code);
        self.out.push_str(ticks);
        self.pos = range.end;
    }

    pub(super) fn tildes(&self, range: &Range<usize>) -> usize {
        let written = self.slice(range.clone());
        if written.starts_with("~~") { 2 } else { 1 }
    }

    pub(super) fn start_span(&mut self, sign: char, length: usize, range: &Range<usize>) {
        self.copy_to(range.start);
        let span = if !showable(self.source, range, length, &self.urls) {
            self.content(&(range.start..range.start + length));
            Span::Literal
        } else if self.marks.open(sign) {
            Span::Shown
        } else {
            Span::Dropped
        };
        self.pos = self.pos.max(range.start + length);
        self.spans.push(span);
    }

    pub(super) fn end_span(&mut self, length: usize, range: &Range<usize>) {
        self.copy_to(range.end - length);
        match self.spans.pop() {
            Some(Span::Shown) => {
                self.marks.close(&mut self.out);
            }
            Some(Span::Dropped) => {}
            Some(Span::Literal) | None => self.copy_to(range.end),
        }
        self.pos = self.pos.max(range.end);
    }

    pub(super) fn start_link(
        &mut self,
        url: String,
        bare: bool,
        opening: usize,
        range: &Range<usize>,
    ) {
        self.content(&(range.start..range.start));
        self.pos = self.pos.max(range.start + opening);
        self.links.push(Link { text: self.out.len(), url, bare });
    }

    pub(super) fn end_link(&mut self, range: &Range<usize>) {
        self.pos = self.pos.max(range.end);
        let Some(Link { text, url, bare }) = self.links.pop() else {
            return;
        };
        let text = self.out.get(text..).unwrap_or_default();
        let said = text.trim_matches(['*', '_', '~', ' ']);
        let address = url.strip_prefix("mailto:").unwrap_or(&url);
        if text.is_empty() {
            self.out.push_str(&url);
        } else if !bare && !url.is_empty() && said != url && said != address {
            self.out.push_str(" (");
            self.out.push_str(&url);
            self.out.push(')');
        }
    }
}
