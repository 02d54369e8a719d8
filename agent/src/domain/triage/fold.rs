//! Text made comparable: no accents, no case, no stretched letters, plain tokens.
//!
//! Customers write the same word in many ways ("não", "NAO", "nãooo", "n4o", "p*rra", "f.d.p").
//! Everything in triage compares folded words, so that no table has to list spellings.

mod edit;

use unicode_normalization::UnicodeNormalization;

pub use edit::within_one_edit;

/// How strongly a token is separated from the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Break {
    /// Same clause.
    None,
    /// A comma, a parenthesis, a spaced dash, an ellipsis.
    Soft,
    /// The end of a sentence or of a line.
    Hard,
}

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Letters, perhaps with obfuscating digits or signs inside.
    Word,
    /// A quantity, a code without letters, an amount.
    Number,
    /// "kkkk", "hahaha", "rsrs": its text is always `kkk`.
    Laughter,
}

/// One token of a [`Folded`] text; its characters are read with [`Folded::word`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    start: u32,
    end: u32,
    pub kind: TokenKind,
    pub break_before: Break,
    /// A letter was stretched ("merdaaa", "humanoo"), so doubled letters may not be meant.
    pub elongated: bool,
    /// Digits or signs stand inside a word ("p0rra", "m*rda").
    pub masked: bool,
    /// First letter was written as a capital.
    pub capital: bool,
    /// The sentence of this token ends with a question mark or starts with an inverted one.
    pub question: bool,
}

/// A text after folding: its tokens and the signs that are not words.
#[derive(Debug, Clone, Default)]
pub struct Folded {
    text: String,
    pub tokens: Vec<Token>,
    /// Pictographs in order of appearance.
    pub emoji: Vec<char>,
    /// Two or more exclamation or question marks in a row.
    pub repeated_marks: bool,
}

impl Folded {
    /// The folded characters of token `index`; empty when there is no such token.
    pub fn word(&self, index: usize) -> &str {
        self.tokens
            .get(index)
            .and_then(|t| self.text.get(t.start as usize..t.end as usize))
            .unwrap_or_default()
    }

    /// All words in order.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        (0..self.tokens.len()).map(|i| self.word(i))
    }
}

/// The plain letter under the accents that Portuguese, Spanish and their neighbours use.
///
/// A shortcut: full decomposition gives the same, more slowly.
fn plain_latin(c: char) -> Option<char> {
    Some(match c {
        'À'..='Å' | 'à'..='å' => 'a',
        'Ç' | 'ç' => 'c',
        'È'..='Ë' | 'è'..='ë' => 'e',
        'Ì'..='Ï' | 'ì'..='ï' => 'i',
        'Ñ' | 'ñ' => 'n',
        'Ò'..='Ö' | 'ò'..='ö' => 'o',
        'Ù'..='Ü' | 'ù'..='ü' => 'u',
        _ => return None,
    })
}

/// Appends `c` without accents and in lower case.
fn push_folded(out: &mut String, c: char) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase());
        return;
    }
    if let Some(plain) = plain_latin(c) {
        out.push(plain);
        return;
    }
    for d in std::iter::once(c).nfkd() {
        if ('\u{300}'..='\u{36f}').contains(&d) {
            continue;
        }
        for lower in d.to_lowercase() {
            out.push(match lower {
                'ª' => 'a',
                'º' => 'o',
                '’' | '‘' | '`' | '´' => '\'',
                other => other,
            });
        }
    }
}

/// `text` without accents and in lower case, everything else unchanged.
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        push_folded(&mut out, c);
    }
    out
}

/// `word` with every run of one letter reduced to a single one: "porra" → "pora".
///
/// Lossy ("carro" and "caro" meet), so only for comparing words known to be stretched.
pub fn squeeze(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    let mut last = None;
    for c in word.chars() {
        if last != Some(c) {
            out.push(c);
        }
        last = Some(c);
    }
    out
}

/// `word` with digits and signs read as the letters they imitate ("p0rr4" → "porra").
pub fn unmask(word: &str) -> String {
    word.chars()
        .map(|c| match c {
            '0' => 'o',
            '1' | '!' => 'i',
            '3' => 'e',
            '4' | '@' => 'a',
            '5' | '$' => 's',
            '7' => 't',
            other => other,
        })
        .collect()
}

/// Whether `masked`, where `*` and `#` stand for one letter each, can be `word`.
pub fn mask_fits(masked: &str, word: &str) -> bool {
    masked.chars().count() == word.chars().count()
        && masked.chars().zip(word.chars()).all(|(m, w)| m == w || m == '*' || m == '#')
}

/// Pictographs: what people append to a sentence to show a feeling.
fn is_emoji(c: char) -> bool {
    matches!(c as u32, 0x2600..=0x27bf | 0x1f300..=0x1faff | 0x2b50..=0x2b55)
}

/// Written laughter: `kkk`, `haha`, `rsrs`, `huahua`, `jajaja`, `lol`.
fn is_laughter(raw: &str) -> bool {
    const LONGEST: usize = 12;
    if !raw.starts_with(['k', 'K', 'h', 'H', 'r', 'j', 'J', 'l', 'a', 'A']) {
        return false;
    }
    let lower: Vec<u8> = raw.bytes().take(LONGEST).map(|b| b.to_ascii_lowercase()).collect();
    let bytes = lower.as_slice();
    let only = |set: &[u8]| bytes.iter().all(|b| set.contains(b));
    match bytes {
        b"rs" | b"lol" | b"lmao" => true,
        [b'k', b'k', ..] => only(b"k"),
        [b'r', b's', b'r', ..] => only(b"rs"),
        [a, b, c, d, ..] if a == c && b == d => {
            only(b"ha") || only(b"he") || only(b"ja") || only(b"je") || only(b"hau")
        }
        [b'h', b'u', b'a', ..] => only(b"hua"),
        _ => false,
    }
}

/// Signs that may imitate or hide a letter inside a word.
fn is_mask(c: char) -> bool {
    matches!(c, '*' | '#' | '@' | '$')
}

/// Characters read at the beginning and at the end of a text. Nobody types twice as many; what a
/// pasted document says in its middle is not what the customer feels.
const ENDS: usize = 3_000;

/// The parts of `text` that are read: all of it, or its two ends.
pub fn ends(text: &str) -> (&str, &str) {
    if text.len() <= 2 * ENDS {
        return (text, "");
    }
    let head = text.floor_char_boundary(ENDS);
    let tail = text.ceil_char_boundary(text.len() - ENDS);
    (&text[..head], &text[tail..])
}

/// Splits `text`, or its two ends where it is very long, into folded tokens. Linear in its length.
pub fn tokenize(text: &str) -> Folded {
    let (head, tail) = ends(text);
    if tail.is_empty() {
        return tokenize_all(head);
    }
    tokenize_all(&format!("{head}\n{tail}"))
}

fn tokenize_all(text: &str) -> Folded {
    let mut out = Folded { text: String::with_capacity(text.len()), ..Folded::default() };
    let mut scan =
        Scanner { pending: Break::Hard, inverted: false, marks: 0, sentence: 0, out: &mut out };
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c.is_alphanumeric() {
            let mut end = at + c.len_utf8();
            while let Some(&(next, n)) = chars.peek() {
                let inside = n.is_alphanumeric() || joins(&text[..next], n, &text[next..]);
                if !inside {
                    break;
                }
                end = next + n.len_utf8();
                chars.next();
            }
            scan.token(&text[at..end]);
        } else {
            scan.sign(c, text[at + c.len_utf8()..].chars().next());
        }
    }
    scan.end_sentence(false);
    out
}

/// Whether the sign `c` belongs to the word it stands in; `rest` begins with it.
fn joins(before: &str, c: char, rest: &str) -> bool {
    let follows = rest.chars().nth(1);
    match c {
        // "p*rra" and "f***" hide letters; "*negrito*" is only markup
        _ if is_mask(c) => {
            follows.is_some_and(|f| f.is_alphanumeric() || is_mask(f)) || before.ends_with(is_mask)
        }
        '.' | ',' => {
            before.ends_with(|p: char| p.is_ascii_digit())
                && follows.is_some_and(|f| f.is_ascii_digit())
        }
        '\'' | '’' => {
            before.ends_with(char::is_alphabetic) && follows.is_some_and(char::is_alphabetic)
        }
        _ => ('\u{300}'..='\u{36f}').contains(&c),
    }
}

/// State of [`tokenize`] between tokens.
struct Scanner<'o> {
    pending: Break,
    inverted: bool,
    marks: u32,
    sentence: usize,
    out: &'o mut Folded,
}

impl Scanner<'_> {
    fn token(&mut self, raw: &str) {
        let start = self.out.text.len();
        push_word(&mut self.out.text, raw);
        let signed = self.out.text[start..].contains(is_mask);
        let digits = raw.bytes().filter(u8::is_ascii_digit).count();
        let letters = raw.chars().filter(|c| c.is_alphabetic()).count();
        let elongated = is_stretched(raw);
        let kind = if letters == 0 {
            TokenKind::Number
        } else if letters == raw.len() && is_laughter(raw) {
            self.out.text.truncate(start);
            self.out.text.push_str("kkk");
            TokenKind::Laughter
        } else {
            TokenKind::Word
        };
        let masked = kind == TokenKind::Word && (digits > 0 || signed);
        self.out.tokens.push(Token {
            start: u32::try_from(start).unwrap_or(u32::MAX),
            end: u32::try_from(self.out.text.len()).unwrap_or(u32::MAX),
            kind,
            break_before: self.pending,
            elongated,
            masked,
            capital: raw.starts_with(char::is_uppercase),
            question: false,
        });
        self.pending = Break::None;
        self.marks = 0;
    }

    /// Takes in a character that is no part of a word; `next` is the one after it.
    fn sign(&mut self, c: char, next: Option<char>) {
        if matches!(c, '!' | '?') {
            self.marks += 1;
            self.out.repeated_marks |= self.marks > 1;
        } else if !c.is_whitespace() {
            self.marks = 0;
        }
        match c {
            '?' => self.end_sentence(true),
            '¿' => {
                self.end_sentence(false);
                self.inverted = true;
            }
            // "f.d.p" is one word spelled out
            '.' if next.is_some_and(char::is_alphanumeric) => {
                let before = self.out.tokens.last();
                if before.is_none_or(|t| t.end - t.start > 1) {
                    self.raise(Break::Soft);
                }
            }
            '.' | '!' | ';' | ':' | '\n' | '¡' => self.end_sentence(false),
            ',' | '(' | ')' | '…' | '—' | '–' | '"' | '“' | '”' => {
                self.raise(Break::Soft);
            }
            '-' if next == Some(' ') => self.raise(Break::Soft),
            c if is_emoji(c) => self.out.emoji.push(c),
            _ => {}
        }
    }

    fn raise(&mut self, to: Break) {
        self.pending = self.pending.max(to);
    }

    fn end_sentence(&mut self, question: bool) {
        let last = self.out.tokens.len();
        if question || self.inverted {
            for token in &mut self.out.tokens[self.sentence..] {
                token.question = true;
            }
        }
        if last > self.sentence {
            self.inverted = false;
        }
        self.sentence = last;
        self.raise(Break::Hard);
    }
}

/// Appends `raw` folded, apostrophes dropped, runs of three or more letters shortened.
///
/// A run of `r` or `s` inside a word becomes two, as in "carro" and "passo"; others become one.
fn push_word(out: &mut String, raw: &str) {
    let start = out.len();
    for c in raw.chars().filter(|c| !matches!(c, '\'' | '’')) {
        push_folded(out, c);
    }
    let bytes = out.as_bytes();
    let stretched = bytes[start..].windows(3).any(|w| w[0] == w[1] && w[1] == w[2]);
    if !stretched {
        return;
    }
    let word: Vec<char> = out[start..].chars().collect();
    out.truncate(start);
    let mut i = 0;
    while let Some(&c) = word.get(i) {
        let run = word[i..].iter().take_while(|d| **d == c).count();
        let edge = i == 0 || i + run == word.len();
        let keep = match run {
            0..=2 => run,
            _ if !c.is_alphabetic() => run,
            _ if matches!(c, 'r' | 's') && !edge => 2,
            _ => 1,
        };
        out.extend(std::iter::repeat_n(c, keep));
        i += run;
    }
}

/// Whether a letter of `raw` was stretched: three in a row, or a doubled vowel at the end.
fn is_stretched(raw: &str) -> bool {
    let bytes = raw.as_bytes();
    let same = |a: u8, b: u8| a.is_ascii_alphabetic() && a.eq_ignore_ascii_case(&b);
    let long = bytes.windows(3).any(|w| same(w[0], w[1]) && same(w[1], w[2]));
    let tail = matches!(bytes, [.., a, b] if same(*a, *b)
        && matches!(b.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u'));
    long || (tail && bytes.len() > 4)
}

#[cfg(test)]
mod tests;
