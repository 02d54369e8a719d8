//! The text being written: a copy of the source with some places replaced.

use std::ops::Range;

use super::{
    blank_lines,
    cell_rows::Table,
    headings::Heading,
    inline::{Link, Span},
    marks::Marks,
    urls::Urls,
};

pub(super) struct Writer<'a> {
    pub(super) source: &'a str,
    pub(super) urls: Urls,
    /// Up to where the source has been dealt with.
    pub(super) pos: usize,
    pub(super) out: String,
    pub(super) marks: Marks,
    pub(super) spans: Vec<Span>,
    pub(super) links: Vec<Link>,
    pub(super) heading: Option<Heading>,
    pub(super) table: Option<Table>,
    /// Where in the output the current table cell begins.
    pub(super) cell: usize,
    /// Where in the output the fenced code that is being copied begins.
    pub(super) code: Option<usize>,
    /// Where in the output fenced code is.
    pub(super) codes: Vec<Range<usize>>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Self {
            source,
            urls: Urls::find(source),
            pos: 0,
            out: String::with_capacity(source.len()),
            marks: Marks::default(),
            spans: Vec::new(),
            links: Vec::new(),
            heading: None,
            table: None,
            cell: 0,
            code: None,
            codes: Vec::new(),
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.copy_to(self.source.len());
        blank_lines::collapse(&self.out, &self.codes)
    }

    pub(super) fn slice(&self, range: Range<usize>) -> &'a str {
        self.source.get(range).unwrap_or_default()
    }

    /// Copies the source as it is up to `end`.
    pub(super) fn copy_to(&mut self, end: usize) {
        if end > self.pos {
            self.out.push_str(self.slice(self.pos..end));
            self.pos = end;
        }
    }

    /// Copies a piece of content as it is.
    pub(super) fn content(&mut self, range: &Range<usize>) {
        self.copy_to(range.start);
        self.marks.write_due(&mut self.out);
        self.copy_to(range.end);
    }

    /// Leaves out the rest of a block, except for the ends of line after it.
    pub(super) fn skip_block(&mut self, range: &Range<usize>) {
        let rest = self.slice(self.pos.min(range.end)..range.end);
        let ends = rest.len() - rest.trim_end_matches('\n').len();
        self.pos = self.pos.max(range.end - ends);
        self.copy_to(range.end);
    }

    /// What a further line needs before it to stand under the one at `at`: the quote's signs, and
    /// blanks below the sign of an item.
    pub(super) fn line_prefix(&self, at: usize) -> String {
        let before = self.slice(0..at);
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.slice(line..at);
        let blank = |c: char| if c == '>' || c == '\t' { c } else { ' ' };
        line.chars().map(blank).collect()
    }
}
