//! A table as lines of text. Columns do not line up on a phone, so each row says what its cells
//! are: `*Plano*: Básico | *Preço*: R$ 10`.

use std::iter;

/// Stands for an empty cell.
const NOTHING: &str = "—";

/// A table that is being read.
#[derive(Default)]
pub(super) struct Table {
    headers: Vec<String>,
    cells: Vec<String>,
    lines: Vec<String>,
    /// Whether some line says the names of the columns.
    named: bool,
}

impl Table {
    /// Adds a cell to the current row.
    pub(super) fn cell(&mut self, text: &str) {
        self.cells.push(text.trim().to_owned());
    }

    /// The cells read so far were the header.
    pub(super) fn end_header(&mut self) {
        self.headers = std::mem::take(&mut self.cells);
    }

    /// The cells read since the last call were a row. One written without a `|` is a line of
    /// text that followed the table with no blank line between: it belongs to no column.
    pub(super) fn end_row(&mut self, has_bars: bool) {
        let cells = std::mem::take(&mut self.cells);
        if cells.iter().all(String::is_empty) {
            return;
        }
        let headers = if has_bars { &*self.headers } else { &[] };
        let headers = headers.iter().map(String::as_str).chain(iter::repeat(""));
        let named = cells.iter().zip(headers).map(|pair| match pair {
            (cell, "") => cell.clone(),
            (cell, header) if cell.is_empty() => format!("*{header}*: {NOTHING}"),
            (cell, header) => format!("*{header}*: {cell}"),
        });
        self.lines.push(join(named));
        self.named |= has_bars;
    }

    /// The table's lines, each but the first after `prefix`.
    pub(super) fn into_text(mut self, prefix: &str) -> String {
        if !self.named {
            let headers = self.headers.iter().filter(|header| !header.is_empty());
            let line = join(headers.map(|header| format!("*{header}*")));
            self.lines.insert(0, line);
        }
        self.lines.join(&format!("\n{prefix}"))
    }
}

fn join(cells: impl Iterator<Item = String>) -> String {
    let filled = cells.filter(|cell| !cell.is_empty());
    filled.collect::<Vec<_>>().join(" | ")
}
