//! Headings, items, rules, fenced code and tables.

use std::ops::Range;

use super::{cell_rows::Table, headings::Heading, writer::Writer};

const FENCE: &str = "```";
const RULE: &str = "———";

impl Writer<'_> {
    pub(super) fn start_heading(&mut self, range: &Range<usize>) {
        self.copy_to(range.start);
        let heading = Heading::read(self.source, range);
        if let Heading::Marked { .. } | Heading::Underlined = heading {
            self.marks.open('*');
        }
        if let Heading::Marked { text } = heading {
            self.pos = self.pos.max(text.min(range.end));
        }
        self.heading = Some(heading);
    }

    pub(super) fn end_heading(&mut self, range: &Range<usize>) {
        match self.heading.take() {
            Some(Heading::Marked { .. } | Heading::Underlined) => {
                if !self.marks.close(&mut self.out) {
                    // Signs without a title are text.
                    self.pos = range.start;
                    self.copy_to(range.end);
                }
                self.skip_block(range);
            }
            Some(Heading::Rule { rule }) => {
                self.copy_to(rule);
                self.out.push_str(RULE);
                self.skip_block(range);
            }
            Some(Heading::Text) | None => {}
        }
    }

    pub(super) fn start_item(&mut self, range: &Range<usize>) {
        self.copy_to(range.start);
        let item = self.slice(range.clone());
        let Some(text) = item.strip_prefix('*') else {
            return;
        };
        let text = text.trim_start_matches([' ', '\t']);
        // A sign alone on its line, or one with its text in the next, is no item to WhatsApp.
        if self.pos == range.start && !text.is_empty() && !text.starts_with('\n') {
            self.out.push_str("- ");
            self.pos += item.len() - text.len();
        }
    }

    pub(super) fn start_fence(&mut self, range: &Range<usize>) {
        self.copy_to(range.start);
        self.code = Some(self.out.len());
        self.out.push_str(FENCE);
        let block = self.slice(range.clone());
        let line = block.find('\n').unwrap_or(block.len());
        self.pos = self.pos.max(range.start + line);
    }

    pub(super) fn end_fence(&mut self, range: &Range<usize>) {
        let Some(begin) = self.code.take() else {
            return;
        };
        let rest = self.slice(self.pos.min(range.end)..range.end);
        if let Some(fence) = rest.find(FENCE).or_else(|| rest.find("~~~")) {
            self.copy_to(self.pos + fence);
            self.out.push_str(FENCE);
        } else {
            // Never closed: WhatsApp would show the signs and no code.
            self.copy_to(range.end);
            let prefix = self.line_prefix(range.start);
            let ended = self.out.ends_with('\n');
            self.out.push_str(if ended { "" } else { "\n" });
            self.out.push_str(&prefix);
            self.out.push_str(FENCE);
            if ended && range.end < self.source.len() {
                self.out.push('\n');
            }
        }
        self.pos = self.pos.max(range.end);
        self.codes.push(begin..self.out.len());
    }

    pub(super) fn rule(&mut self, range: &Range<usize>) {
        self.copy_to(range.start);
        self.out.push_str(RULE);
        self.skip_block(range);
    }

    pub(super) fn start_table(&mut self, range: &Range<usize>) {
        self.copy_to(range.start);
        self.table = Some(Table::default());
    }

    pub(super) fn start_table_head(&mut self) {
        // The table makes each header bold itself.
        self.marks.assume('*');
    }

    pub(super) fn end_table_head(&mut self) {
        self.marks.close(&mut self.out);
        if let Some(table) = &mut self.table {
            table.end_header();
        }
    }

    pub(super) fn start_cell(&mut self, range: &Range<usize>) {
        let inside = self.slice(range.clone());
        self.pos = range.start + (inside.len() - inside.trim_start().len());
        self.cell = self.out.len();
    }

    pub(super) fn end_cell(&mut self) {
        let text = self.out.split_off(self.cell.min(self.out.len()));
        if let Some(table) = &mut self.table {
            table.cell(&text);
        }
    }

    pub(super) fn end_row(&mut self, range: &Range<usize>) {
        let has_bars = self.slice(range.clone()).contains('|');
        // Markdown ignores the cells beyond the header's, but somebody wrote them.
        let rest = self.slice(self.pos.min(range.end)..range.end);
        if let Some(table) = &mut self.table {
            for cell in rest.split('|').filter(|cell| !cell.trim().is_empty()) {
                table.cell(cell);
            }
            table.end_row(has_bars);
        }
    }

    pub(super) fn end_table(&mut self, range: &Range<usize>) {
        let prefix = self.line_prefix(range.start);
        if let Some(table) = self.table.take() {
            self.out.push_str(&table.into_text(&prefix));
        }
        self.skip_block(range);
    }
}
