//! A long text as several messages.
//!
//! Prose is cut at the end of a paragraph, else of a line, else of a sentence, else between
//! words, else between what a reader takes for characters. Code between ` ``` ` stays whole if it
//! fits in a message; if not, it is closed at the end of one and opened again in the next.

mod count;
mod cuts;
mod fences;

use count::{fits, fitting, units};
use fences::{Block, Fences, MARK};

/// Closes code at the end of a part, and opens it again at the beginning of the next.
const CLOSING: &str = "\n```";
const OPENING: &str = "```\n";

/// Below this there is no room for marks around code, which is then cut like prose.
const ROOM_FOR_FENCES: usize = 32;

/// No text can be cut into parts shorter than its characters, which have up to two units.
const SHORTEST_LIMIT: usize = 2;

/// Splits `text` into parts of at most `limit` UTF-16 code units, in order.
///
/// Nothing but white space where it is cut is lost, no part is empty, and a text of only white
/// space has no parts. A `limit` below 2 counts as 2.
pub fn split(text: &str, limit: usize) -> Vec<String> {
    Splitter::new(text, limit.max(SHORTEST_LIMIT)).run()
}

struct Splitter<'a> {
    text: &'a str,
    limit: usize,
    fences: Fences,
    /// Where the text of the next part begins.
    at: usize,
    parts: Vec<String>,
}

impl<'a> Splitter<'a> {
    fn new(text: &'a str, limit: usize) -> Self {
        let text = text.trim_end();
        let fences = if limit < ROOM_FOR_FENCES { Fences::default() } else { Fences::find(text) };
        Self { text, limit, fences, at: 0, parts: Vec::new() }
    }

    fn run(mut self) -> Vec<String> {
        loop {
            let rest = self.rest(self.at);
            self.at += rest.len() - rest.trim_start().len();
            if self.at >= self.text.len() {
                return self.parts;
            }
            match self.fences.starting_at(self.at) {
                Some(code) if !fits(self.slice(code.start, code.end), self.limit) => {
                    self.long_code(&code);
                }
                _ => self.prose(""),
            }
        }
    }

    fn rest(&self, from: usize) -> &'a str {
        self.slice(from, self.text.len())
    }

    fn slice(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// Makes a part that begins with `prefix` and goes on to the best place for a cut.
    fn prose(&mut self, prefix: &str) {
        let rest = self.rest(self.at);
        let end = fitting(rest, self.limit - units(prefix));
        let cut = if end == rest.len() {
            end
        } else {
            let code = self.fences.around(self.at + end);
            let before = code.and_then(|code| code.start.checked_sub(self.at));
            before.filter(|before| *before > 0).unwrap_or_else(|| {
                cuts::last(rest, end, |offset| self.fences.around(self.at + offset).is_none())
            })
        };
        self.push(prefix, self.slice(self.at, self.at + cut).trim_end(), "");
        self.at += cut;
    }

    /// Makes parts of code that is too long for one; what follows the code may share its last.
    fn long_code(&mut self, code: &Block) {
        let mut prefix = "";
        loop {
            let rest = self.slice(self.at, code.end);
            if prefix.is_empty() || !fits(rest, self.limit - units(prefix)) {
                let end = fitting(rest, self.limit - units(prefix) - units(CLOSING));
                let opening = if prefix.is_empty() { MARK.len() } else { 0 };
                let cut = cuts::last_in_code(rest, opening, end);
                let body = self.slice(self.at, self.at + cut);
                if !body.trim_start_matches('`').trim().is_empty() {
                    self.push(prefix, body, CLOSING);
                }
                self.at += cut;
                prefix = OPENING;
                // The end of line where the code was cut is in the marks around the cut.
                let next = self.rest(self.at);
                self.at += usize::from(next.starts_with(['\n', ' ']));
            } else if rest.trim_end_matches('`').trim().is_empty() {
                // Nothing is left but the closing mark.
                self.at = code.end;
                return;
            } else {
                return self.prose(prefix);
            }
        }
    }

    fn push(&mut self, prefix: &str, body: &str, suffix: &str) {
        self.parts.push([prefix, body, suffix].concat());
    }
}
