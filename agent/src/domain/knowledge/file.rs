//! A file of entries: its form, its encoding, and what was read in it.

use std::borrow::Cow;

use encoding_rs::{Encoding, WINDOWS_1252};

use super::entry::{Entry, Refusal, key};
use super::{csv_file, markdown_file};

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Rows of question, answer and perhaps category, under a row of names.
    Csv,
    /// Headings that ask, with the answer below.
    Markdown,
}

impl Format {
    /// By name: `csv`, `markdown`.
    pub fn parse(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "csv" | "tsv" => Some(Self::Csv),
            "markdown" | "md" => Some(Self::Markdown),
            _ => None,
        }
    }

    /// By the ending of a file's name.
    pub fn of_file(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        if ending.eq_ignore_ascii_case("txt") { None } else { Self::parse(ending) }
    }

    /// By what it looks like: a table names its columns, and of the rest only Markdown has lines
    /// that begin with `#` and a space.
    pub fn of_text(text: &str) -> Self {
        let heading = |line: &str| {
            let after = line.trim_start_matches('#');
            after.len() < line.len() && after.starts_with(' ')
        };
        let is_table = csv_file::read(text).is_ok();
        if !is_table && text.lines().any(heading) { Self::Markdown } else { Self::Csv }
    }
}

/// An entry as it stands in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Counted from 1.
    pub line: u64,
    pub entry: Entry,
}

/// Something that is no entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused {
    pub line: u64,
    pub why: Refusal,
}

/// What was read in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    pub found: Vec<Found>,
    pub refused: Vec<Refused>,
}

/// The whole file says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("the first row must name the columns: pergunta, resposta and, if wanted, categoria")]
    NoColumns,
    #[error("there is no heading; each heading is a question, the text below it the answer")]
    NoHeading,
    #[error("the file is empty")]
    Empty,
}

impl Unreadable {
    /// A stable word for the words of pages.
    pub fn code(self) -> &'static str {
        match self {
            Unreadable::NoColumns => "no_columns",
            Unreadable::NoHeading => "no_heading",
            Unreadable::Empty => "empty_file",
        }
    }
}

/// Reads a file. `format` is guessed where it is not given.
pub fn read(bytes: &[u8], format: Option<Format>) -> Result<Reading, Unreadable> {
    let text = decode(bytes);
    if text.trim().is_empty() {
        return Err(Unreadable::Empty);
    }
    let mut reading = match format.unwrap_or_else(|| Format::of_text(&text)) {
        Format::Csv => csv_file::read(&text)?,
        Format::Markdown => markdown_file::read(&text)?,
    };
    reading.take_repeated_out();
    Ok(reading)
}

impl Reading {
    pub(super) fn add(&mut self, line: u64, entry: Result<Entry, Refusal>) {
        match entry {
            Ok(entry) => self.found.push(Found { line, entry }),
            Err(why) => self.refused.push(Refused { line, why }),
        }
    }

    /// Whether an earlier state of the same file had this question, a further part of a text that
    /// has fewer parts now.
    pub fn has_outgrown(&self, question: &str) -> bool {
        let holds = |question: &str| {
            let key = key(question);
            self.found.iter().any(|found| found.entry.key() == key)
        };
        markdown_file::whole_of(question).is_some_and(holds) && !holds(question)
    }

    /// The first of several same questions stands; which answer would be right is not for us to say.
    fn take_repeated_out(&mut self) {
        let mut seen = std::collections::HashMap::new();
        let found = std::mem::take(&mut self.found);
        for one in found {
            let line = *seen.entry(one.entry.key()).or_insert(one.line);
            if line == one.line {
                self.found.push(one);
            } else {
                self.refused.push(Refused { line: one.line, why: Refusal::Repeated { line } });
            }
        }
        self.refused.sort_by_key(|refused| refused.line);
    }
}

/// The text of a file: UTF-8 or UTF-16 by its mark, UTF-8 where it is that, else the Latin
/// alphabet of Windows, in which spreadsheets of Brazil save.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_in_whatever_alphabet_it_was_saved() {
        let text = "pergunta;resposta\nAceitam cartão?;Sim – débito e crédito “à vista”\n";
        let utf16: Vec<u8> = "\u{feff}"
            .encode_utf16()
            .chain(text.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        let with_mark = format!("\u{feff}{text}").into_bytes();
        let (windows, ..) = WINDOWS_1252.encode(text);
        for bytes in [text.as_bytes(), &with_mark, &utf16, &windows] {
            let reading = read(bytes, None).unwrap();
            assert_eq!(reading.found[0].entry.question, "Aceitam cartão?");
            assert_eq!(reading.found[0].entry.answer, "Sim – débito e crédito “à vista”");
            assert_eq!(reading.found[0].line, 2);
        }
    }

    #[test]
    fn the_form_is_told_by_name_or_by_look() {
        assert_eq!(Format::of_file("FAQ.CSV"), Some(Format::Csv));
        assert_eq!(Format::of_file("faq.v2.md"), Some(Format::Markdown));
        assert_eq!(Format::of_file("faq.txt"), None);
        assert_eq!(Format::of_file("faq"), None);
        assert_eq!(Format::of_text("\n## Qual?\nEsta.\n"), Format::Markdown);
        assert_eq!(Format::of_text("pergunta,resposta\n#1?,\"# Sim\n# Não\"\n"), Format::Csv);
    }

    #[test]
    fn of_two_same_questions_the_first_stands() {
        let text = "pergunta,resposta\nAceitam pix?,Sim\nTem wifi?,Sim\nACEITAM PIX,Não\n";
        let reading = read(text.as_bytes(), Some(Format::Csv)).unwrap();
        assert_eq!(reading.found.len(), 2);
        assert_eq!(reading.refused, [Refused { line: 4, why: Refusal::Repeated { line: 2 } }]);
    }

    #[test]
    fn a_file_that_says_nothing_is_unreadable() {
        assert_eq!(read(b" \n", None), Err(Unreadable::Empty));
        assert_eq!(read("uma coisa, outra\n".as_bytes(), None), Err(Unreadable::NoColumns));
        assert_eq!(read(b"so texto", Some(Format::Markdown)), Err(Unreadable::NoHeading));
    }
}
