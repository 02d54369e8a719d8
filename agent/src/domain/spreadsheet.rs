//! Tables that people open in a spreadsheet: RFC 4180, in the dialect that Excel in Brazil opens by
//! a double click.
//!
//! The separator is `;`: where the comma is the decimal mark, Excel takes the semicolon as its list
//! separator and puts a file with commas into one column; LibreOffice and Google find either. A byte
//! order mark says that it is UTF-8, without which Excel shows "Ã©" for "é". Lines end in CR LF.

use std::borrow::Cow;

/// What separates cells.
const SEPARATOR: u8 = b';';
/// The byte order mark of UTF-8.
const MARK: &str = "\u{feff}";
/// What begins a formula in some spreadsheet, full-width forms included, and what such a beginning
/// may hide behind.
const FORMULA: &[char] = &['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// A cell that no spreadsheet runs: customers' words are text, whatever they begin with (OWASP,
/// "CSV injection"). Numbers stay numbers.
pub fn cell(text: &str) -> Cow<'_, str> {
    let number = text.strip_prefix('-').unwrap_or(text);
    let is_number = !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b',')
        && number.bytes().filter(|byte| *byte == b',').count() <= 1;
    let hidden = text.trim_start().starts_with(FORMULA) || text.starts_with(FORMULA);
    if hidden && !is_number { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// A file of these rows, the first of which names the columns. `None` when the rows differ in their
/// number of cells.
pub fn file<R, C>(rows: impl IntoIterator<Item = R>) -> Option<Vec<u8>>
where
    R: IntoIterator<Item = C>,
    C: AsRef<str>,
{
    let mut writer = ::csv::WriterBuilder::new()
        .delimiter(SEPARATOR)
        .terminator(::csv::Terminator::CRLF)
        .from_writer(MARK.as_bytes().to_vec());
    for row in rows {
        let cells: Vec<String> =
            row.into_iter().map(|text| cell(text.as_ref()).into_owned()).collect();
        writer.write_record(&cells).ok()?;
    }
    writer.into_inner().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_spreadsheet_would_run_is_text() {
        for text in ["=1+1", "+55", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "  =1", "＝1", "-"] {
            assert_eq!(cell(text), format!("'{text}"), "{text:?}");
        }
        for text in ["", "Ar-condicionado", "12", "-12", "-3,5", "1,5", "R$ 10", "a=b"] {
            assert_eq!(cell(text), text);
        }
    }

    #[test]
    fn a_file_opens_in_columns_with_its_accents() {
        let rows =
            [["reclamação", "clientes"], ["disse \"frio\"; e saiu", "2"], ["=HYPERLINK(1)", "1"]];
        let text = String::from_utf8(file(rows).unwrap()).unwrap();
        let expected = "\u{feff}reclamação;clientes\r\n\"disse \"\"frio\"\"; e saiu\";2\r\n'=HYPERLINK(1);1\r\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn rows_of_different_lengths_are_no_table() {
        assert_eq!(file([vec!["a", "b"], vec!["a"]]), None);
    }
}
