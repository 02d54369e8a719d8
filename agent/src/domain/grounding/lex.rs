//! A text as the tokens that figures are made of.

use crate::domain::triage::fold::fold;

use super::address::{self, Address};
use super::number::{self, Number, Words};
use super::phone::{self, Phone};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Number(Number),
    /// Folded letters; underscores stay inside, for the keys of JSON.
    Word(String),
    Sign(char),
    Link(String),
    Email(String),
    Phone(Phone),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// Bytes of the text.
    pub start: usize,
    pub end: usize,
    /// Nothing stands between it and the token before.
    pub glued: bool,
    /// A line ends before it.
    pub line: bool,
    pub kind: Kind,
}

/// A text taken apart.
#[derive(Debug)]
pub(super) struct Text<'t> {
    pub raw: &'t str,
    pub tokens: Vec<Token>,
}

/// Marks of WhatsApp and Markdown, and characters without width: they separate nothing.
fn is_mark(c: char) -> bool {
    matches!(c, '*' | '`' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{fe0f}')
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '−')
}

impl<'t> Text<'t> {
    /// Takes a text apart. Linear in its length.
    pub fn read(raw: &'t str) -> Text<'t> {
        let mut spans: Vec<(std::ops::Range<usize>, Kind)> = Vec::new();
        for (range, address) in address::find(raw) {
            let kind = match address {
                Address::Link(link) => Kind::Link(link),
                Address::Email(email) => Kind::Email(email),
            };
            spans.push((range, kind));
        }
        for (range, phone) in phone::find(raw) {
            spans.push((range, Kind::Phone(phone)));
        }
        spans.sort_by_key(|(range, _)| (range.start, usize::MAX - range.end));
        let mut lexer = Lexer { raw, tokens: Vec::new(), glued: false, line: true };
        let mut at = 0;
        for (range, kind) in spans {
            if range.start < at {
                continue;
            }
            lexer.plain(at, range.start);
            lexer.push(range.start, range.end, kind);
            at = range.end;
        }
        lexer.plain(at, raw.len());
        let text = Text { raw, tokens: lexer.tokens };
        text.with_number_words()
    }

    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    pub fn number(&self, index: usize) -> Option<&Number> {
        match &self.tokens.get(index)?.kind {
            Kind::Number(number) => Some(number),
            _ => None,
        }
    }

    /// A whole plain number not above `most`.
    pub fn whole(&self, index: usize, most: u64) -> Option<u64> {
        self.number(index)?.whole().filter(|value| *value <= most)
    }

    pub fn sign(&self, index: usize, sign: char) -> bool {
        matches!(self.tokens.get(index), Some(Token { kind: Kind::Sign(found), .. }) if *found == sign)
    }

    pub fn any_sign(&self, index: usize) -> Option<char> {
        match self.tokens.get(index)?.kind {
            Kind::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    /// The word `back` places before `index`.
    pub fn before(&self, index: usize, back: usize) -> &str {
        index.checked_sub(back).map_or("", |at| self.word(at))
    }

    pub fn is(&self, index: usize, words: &[&str]) -> bool {
        let word = self.word(index);
        !word.is_empty() && words.contains(&word)
    }

    /// The token as it was written.
    pub fn written(&self, index: usize) -> &'t str {
        self.tokens.get(index).map_or("", |token| &self.raw[token.start..token.end])
    }

    /// Whether a line ends before the token; also past the last one.
    pub fn line(&self, index: usize) -> bool {
        self.tokens.get(index).is_none_or(|token| token.line)
    }

    /// "1.", "2)" or "3 -" at the beginning of a line.
    pub fn is_item_number(&self, index: usize) -> bool {
        if !self.line(index) || self.whole(index, 99).is_none() {
            return false;
        }
        match self.any_sign(index + 1) {
            Some('.' | ')') => self.glued(index + 1) && !self.glued(index + 2),
            Some('-') => !self.glued(index + 1) && self.number(index + 2).is_none(),
            _ => false,
        }
    }

    fn with_number_words(self) -> Text<'t> {
        let mut tokens = Vec::with_capacity(self.tokens.len());
        let mut at = 0;
        while at < self.tokens.len() {
            let first = &self.tokens[at];
            match number::read_words(&self, at) {
                Some((number, after)) if after > at => {
                    let end = self.tokens[after - 1].end;
                    tokens.push(Token { end, kind: Kind::Number(number), ..first.clone() });
                    at = after;
                }
                _ => {
                    tokens.push(first.clone());
                    at += 1;
                }
            }
        }
        Text { raw: self.raw, tokens }
    }
}

impl Words for Text<'_> {
    fn word(&self, index: usize) -> &str {
        match self.tokens.get(index).map(|token| &token.kind) {
            Some(Kind::Word(word)) => word,
            _ => "",
        }
    }

    fn digits(&self, index: usize) -> Option<Number> {
        self.number(index).copied()
    }

    fn hyphen(&self, index: usize) -> bool {
        self.sign(index, '-') && self.glued(index) && self.glued(index + 1)
    }

    fn glued(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|token| token.glued)
    }
}

struct Lexer<'t> {
    raw: &'t str,
    tokens: Vec<Token>,
    glued: bool,
    line: bool,
}

impl Lexer<'_> {
    fn push(&mut self, start: usize, end: usize, kind: Kind) {
        self.tokens.push(Token { start, end, glued: self.glued, line: self.line, kind });
        (self.glued, self.line) = (true, false);
    }

    /// Words, numbers and signs between two bytes.
    fn plain(&mut self, from: usize, to: usize) {
        let raw = self.raw;
        let mut chars = raw[from..to].char_indices().map(|(at, c)| (from + at, c)).peekable();
        while let Some((start, c)) = chars.next() {
            let mut end = start + c.len_utf8();
            if c.is_ascii_digit() {
                while let Some(&(at, next)) = chars.peek() {
                    let mark = matches!(next, '.' | ',')
                        && raw[at + 1..to].starts_with(|c: char| c.is_ascii_digit());
                    if !(next.is_ascii_digit() || mark) {
                        break;
                    }
                    end = at + 1;
                    chars.next();
                }
                let rest = &raw[end..to];
                // A digit in a box is a bullet.
                if rest.starts_with('\u{20e3}') || rest.starts_with("\u{fe0f}\u{20e3}") {
                    self.glued = false;
                    continue;
                }
                self.push(start, end, Kind::Number(number::read_digits(&raw[start..end])));
            } else if c.is_alphabetic() {
                let inside =
                    |c: char| c.is_alphabetic() || c == '_' || ('\u{300}'..='\u{36f}').contains(&c);
                while let Some(&(at, next)) = chars.peek() {
                    if !inside(next) {
                        break;
                    }
                    end = at + next.len_utf8();
                    chars.next();
                }
                let word = fold(&raw[start..end]);
                self.push(start, end, Kind::Word(word.trim_end_matches('_').to_owned()));
            } else if c.is_whitespace() {
                self.glued = false;
                self.line |= c == '\n';
            } else if !is_mark(c) && c != '_' && c != '~' {
                self.push(start, end, Kind::Sign(if is_dash(c) { '-' } else { c }));
            }
        }
    }
}
