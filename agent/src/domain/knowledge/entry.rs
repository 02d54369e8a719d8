//! One entry: what makes it one, and what makes two the same.

use sha2::{Digest, Sha256};

use crate::domain::triage::fold::fold;

/// Longest texts, in characters.
pub const MOST_QUESTION_CHARS: usize = 500;
pub const MOST_ANSWER_CHARS: usize = 4_000;
pub const MOST_CATEGORY_CHARS: usize = 200;
/// What of an answer is embedded with its question: more would drown the question.
const EMBEDDED_ANSWER_CHARS: usize = 600;

/// A question with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// One line of 1 to 500 characters, with a letter or digit in it.
    pub question: String,
    /// 1 to 4,000 characters; may have lines, lists, tables.
    pub answer: String,
    /// A name, or a path of names with ` > ` between them; at most 200 characters.
    pub category: Option<String>,
}

/// Why something is no entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("there is no question")]
    NoQuestion,
    #[error("the question has more than {MOST_QUESTION_CHARS} characters")]
    QuestionTooLong,
    #[error("there is no answer")]
    NoAnswer,
    #[error("the answer has more than {MOST_ANSWER_CHARS} characters")]
    AnswerTooLong,
    #[error("the category has more than {MOST_CATEGORY_CHARS} characters")]
    CategoryTooLong,
    /// Most likely an unquoted text with the delimiter in it, cut where it must not be.
    #[error("there are more fields than in the first row: put quotes around texts with delimiters")]
    TooManyFields,
    #[error("a quotation mark is opened and not closed")]
    UnclosedQuote,
    #[error("there is text before the first heading")]
    BeforeFirstHeading,
    #[error("the same question stands in line {line}")]
    Repeated { line: u64 },
    /// The account holds as many entries as it may.
    #[error("the account has no room for more entries")]
    NoRoom,
}

impl Refusal {
    /// A stable word for programs and for the words of pages.
    pub fn code(self) -> &'static str {
        match self {
            Refusal::NoQuestion => "no_question",
            Refusal::QuestionTooLong => "question_too_long",
            Refusal::NoAnswer => "no_answer",
            Refusal::AnswerTooLong => "answer_too_long",
            Refusal::CategoryTooLong => "category_too_long",
            Refusal::TooManyFields => "too_many_fields",
            Refusal::UnclosedQuote => "unclosed_quote",
            Refusal::BeforeFirstHeading => "before_first_heading",
            Refusal::Repeated { .. } => "repeated",
            Refusal::NoRoom => "no_room",
        }
    }

    /// The field of an entry that it is about, where it is about one.
    pub fn field(self) -> Option<&'static str> {
        match self {
            Refusal::NoQuestion | Refusal::QuestionTooLong => Some("question"),
            Refusal::NoAnswer | Refusal::AnswerTooLong => Some("answer"),
            Refusal::CategoryTooLong => Some("category"),
            _ => None,
        }
    }
}

impl Entry {
    /// An entry of texts that somebody wrote, tidied.
    pub fn read(question: &str, answer: &str, category: Option<&str>) -> Result<Self, Refusal> {
        let question = one_line(question);
        if !question.chars().any(char::is_alphanumeric) {
            return Err(Refusal::NoQuestion);
        }
        if question.chars().count() > MOST_QUESTION_CHARS {
            return Err(Refusal::QuestionTooLong);
        }
        let answer = tidy(answer);
        if answer.is_empty() {
            return Err(Refusal::NoAnswer);
        }
        if answer.chars().count() > MOST_ANSWER_CHARS {
            return Err(Refusal::AnswerTooLong);
        }
        let category = category.map(one_line).filter(|name| !name.is_empty());
        if category.as_ref().is_some_and(|name| name.chars().count() > MOST_CATEGORY_CHARS) {
            return Err(Refusal::CategoryTooLong);
        }
        Ok(Self { question, answer, category })
    }

    /// The name of its question: the same for questions that differ in accents, case, spaces and
    /// marks only. 64 hexadecimal digits.
    pub fn key(&self) -> String {
        key(&self.question)
    }

    /// Its texts, folded, for looking up parts of words.
    pub fn folded(&self) -> String {
        fold(&format!("{}\n{}", self.question, self.answer))
    }
}

/// The key of a question; see [`Entry::key`].
pub fn key(question: &str) -> String {
    hex::encode(Sha256::digest(normal(question)))
}

/// A text without accents, case and marks: its words with one space between.
pub fn normal(text: &str) -> String {
    let folded = fold(text);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// What is embedded of an entry.
pub fn embedded_text(question: &str, answer: &str) -> String {
    let answer: String = answer.chars().take(EMBEDDED_ANSWER_CHARS).collect();
    format!("{question}\n{answer}")
}

/// Signs that show nothing: they come with copied texts, and NUL is refused by databases.
fn is_invisible(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{202a}'..='\u{202e}')
}

fn one_line(text: &str) -> String {
    let shown: String = text
        .chars()
        .map(|c| if c == '\r' { ' ' } else { c })
        .filter(|c| !is_invisible(*c))
        .collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lines without spaces behind them, and never two empty ones in a row.
fn tidy(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let shown: String = text.chars().filter(|c| !is_invisible(*c)).collect();
    let mut tidied = String::with_capacity(shown.len());
    let mut empty = 0;
    for line in shown.lines().map(str::trim_end) {
        empty = if line.is_empty() { empty + 1 } else { 0 };
        if empty < 2 {
            tidied.push_str(line);
            tidied.push('\n');
        }
    }
    // Spaces before the first line may be a list's; empty lines say nothing.
    tidied.trim_start_matches('\n').trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_tidied_and_their_lines_kept() {
        let entry = Entry::read(
            "  Qual o\u{feff} horário\r\n de\u{a0}atendimento? ",
            "\r\n\r\n- Segunda: 8h\u{0}  \r\n- Sábado: 9h\r\n\r\n\r\n\r\nFeriados: fechado\r",
            Some("  Horários "),
        );
        assert_eq!(
            entry,
            Ok(Entry {
                question: "Qual o horário de atendimento?".into(),
                answer: "- Segunda: 8h\n- Sábado: 9h\n\nFeriados: fechado".into(),
                category: Some("Horários".into()),
            })
        );
        assert_eq!(Entry::read("a?", "b", Some(" ")).unwrap().category, None);
    }

    #[test]
    fn what_is_no_entry_says_why() {
        let long = |chars: usize| "ã".repeat(chars);
        for (question, answer, category, why) in [
            ("?!".to_owned(), "sim".to_owned(), None, Some(Refusal::NoQuestion)),
            ("a?".to_owned(), " \n\u{200b}\n".to_owned(), None, Some(Refusal::NoAnswer)),
            (long(500), long(4_000), Some(long(200)), None),
            (long(501), "sim".to_owned(), None, Some(Refusal::QuestionTooLong)),
            ("a?".to_owned(), long(4_001), None, Some(Refusal::AnswerTooLong)),
            ("a?".to_owned(), "b".to_owned(), Some(long(201)), Some(Refusal::CategoryTooLong)),
        ] {
            assert_eq!(Entry::read(&question, &answer, category.as_deref()).err(), why);
        }
    }

    #[test]
    fn a_question_is_the_same_in_another_spelling() {
        assert_eq!(key("Aceitam cartão?"), key("  ACEITAM  cartao "));
        assert_eq!(key("Horário do check-in"), key("horario do check in?"));
        assert_ne!(key("Aceitam cartão?"), key("Aceitam cartões?"));
        assert_ne!(key("Quarto 101"), key("Quarto 10 1"));
        assert_eq!(key("a").len(), 64);
    }
}
