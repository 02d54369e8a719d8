//! Entries in a table: the columns are found by their names, and the delimiter is the one with
//! which they are.

use ::csv::{ReaderBuilder, StringRecord};

use super::entry::{Entry, Refusal, normal};
use super::file::{Reading, Refused, Unreadable};

/// Names of columns, folded, in Portuguese, English and Spanish.
const QUESTION: &[&str] = &[
    "pergunta",
    "perguntas",
    "questao",
    "duvida",
    "question",
    "questions",
    "pregunta",
    "preguntas",
    "titulo",
    "title",
    "q",
    "p",
];
const ANSWER: &[&str] = &[
    "resposta",
    "respostas",
    "answer",
    "answers",
    "respuesta",
    "respuestas",
    "conteudo",
    "content",
    "texto",
    "text",
    "a",
    "r",
];
const CATEGORY: &[&str] = &[
    "categoria",
    "categorias",
    "category",
    "assunto",
    "tema",
    "topico",
    "topic",
    "grupo",
    "secao",
    "subject",
];
/// Semicolons come first: where the comma is the decimal mark, spreadsheets write them.
const DELIMITERS: [u8; 4] = [b';', b',', b'\t', b'|'];
/// Rows in which the names may stand: a title above them is common.
const ROWS_BEFORE: usize = 5;

/// Where the columns are.
#[derive(Debug, Clone, Copy)]
struct Columns {
    question: usize,
    answer: usize,
    category: Option<usize>,
    /// How many there are.
    all: usize,
}

impl Columns {
    fn of(row: &StringRecord) -> Option<Self> {
        let find =
            |names: &[&str]| row.iter().position(|field| names.contains(&normal(field).as_str()));
        let (question, answer) = (find(QUESTION)?, find(ANSWER)?);
        Some(Self { question, answer, category: find(CATEGORY), all: row.len() })
    }
}

/// Reads a table. Rows are counted by the line on which they begin.
pub fn read(text: &str) -> Result<Reading, Unreadable> {
    for delimiter in DELIMITERS {
        let rows = rows(text, delimiter);
        let head = rows.iter().take(ROWS_BEFORE).enumerate();
        let mut heads = head.filter_map(|(index, row)| Some((index, Columns::of(&row.record)?)));
        if let Some((index, columns)) = heads.next() {
            return Ok(below(text, &rows[index + 1..], columns));
        }
    }
    Err(Unreadable::NoColumns)
}

struct Row {
    line: u64,
    record: StringRecord,
}

fn rows(text: &str, delimiter: u8) -> Vec<Row> {
    let reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    // A text in memory that is UTF-8 and may have rows of any length gives no error.
    let records = reader.into_records().filter_map(Result::ok);
    let (mut at, mut line) = (0, 1);
    let row = |record: StringRecord| {
        let begins = record.position().map_or(0, ::csv::Position::byte);
        let begins = usize::try_from(begins).unwrap_or(text.len());
        // A position lies before the line ends and empty lines that precede the row.
        let rest = text.as_bytes().get(begins..).unwrap_or_default();
        let ends = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let passed = text.as_bytes().get(at..begins + ends).unwrap_or_default();
        line += passed.iter().filter(|byte| **byte == b'\n').count() as u64;
        at = begins + ends;
        Row { line, record }
    };
    records.map(row).collect()
}

fn below(text: &str, rows: &[Row], columns: Columns) -> Reading {
    let mut reading = Reading::default();
    // An opened quotation mark swallows all that follows.
    let unclosed = text.bytes().filter(|byte| *byte == b'"').count() % 2 == 1;
    for (index, Row { line, record }) in rows.iter().enumerate() {
        let is_last = index + 1 == rows.len();
        if record.iter().all(|field| field.trim().is_empty()) {
            continue;
        }
        if unclosed && is_last && record.iter().any(|field| field.contains('\n')) {
            reading.refused.push(Refused { line: *line, why: Refusal::UnclosedQuote });
            continue;
        }
        let beyond = record.iter().skip(columns.all);
        if beyond.into_iter().any(|field| !field.trim().is_empty()) {
            reading.refused.push(Refused { line: *line, why: Refusal::TooManyFields });
            continue;
        }
        let field = |column: usize| record.get(column).unwrap_or_default();
        let category = columns.category.map(field);
        reading.add(*line, Entry::read(field(columns.question), field(columns.answer), category));
    }
    reading
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines with questions, answers and categories.
    fn found(text: &str) -> Vec<(u64, String, String, Option<String>)> {
        let reading = read(text).unwrap();
        let of = |one: super::super::file::Found| {
            (one.line, one.entry.question, one.entry.answer, one.entry.category)
        };
        reading.found.into_iter().map(of).collect()
    }

    fn refused(text: &str) -> Vec<(u64, Refusal)> {
        read(text).unwrap().refused.into_iter().map(|one| (one.line, one.why)).collect()
    }

    #[test]
    fn every_common_table_is_read() {
        let expected = vec![
            (2, "Aceitam pix?".to_owned(), "Sim, à vista".to_owned(), Some("Pagamento".to_owned())),
            (3, "Tem wifi?".to_owned(), "Sim".to_owned(), None),
        ];
        for text in [
            "pergunta;resposta;categoria\nAceitam pix?;Sim, à vista;Pagamento\nTem wifi?;Sim;\n",
            "question,answer,category\nAceitam pix?,\"Sim, à vista\",Pagamento\nTem wifi?,Sim\n",
            "Categoria\tPergunta\tResposta\r\nPagamento\tAceitam pix?\tSim, à vista\r\n\tTem wifi?\tSim\r\n",
            "\"PERGUNTA \";\" Resposta\";\"Assunto\"\nAceitam pix?;\"Sim, à vista\";Pagamento\nTem wifi?;Sim",
            "id,Question,Answer,Category,x\n1,Aceitam pix?,\"Sim, à vista\",Pagamento,\n2,Tem wifi?,Sim,,\n",
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
        // A title, and what Excel tells itself, stand above the names.
        let text = "sep=;\nPerguntas da clínica;\n\nPergunta;Resposta\nTem wifi?;Sim\n";
        assert_eq!(found(text), [(5, "Tem wifi?".to_owned(), "Sim".to_owned(), None)]);
    }

    #[test]
    fn quoted_texts_have_lines_delimiters_and_quotes() {
        let text =
            "pergunta,resposta\n\"Quais, afinal?\",\"- um\n- \"\"dois\"\", e três\"\nOutra?,Sim\n";
        let found = found(text);
        assert_eq!(found[0].1, "Quais, afinal?");
        assert_eq!(found[0].2, "- um\n- \"dois\", e três");
        assert_eq!((found[1].0, found[1].1.as_str()), (4, "Outra?"));
        let text = text.replace('\n', "\r\n").replace("Outra?", "\r\n\r\nOutra?");
        assert_eq!(self::found(&text)[1].0, 6);
    }

    #[test]
    fn what_is_no_entry_is_refused_with_its_line() {
        let text = "pergunta,resposta\n,Sim\nAceitam cartão?,Sim, todos\nTem wifi?,\n,,\n\nTV de 50\"?,Sim\n";
        assert_eq!(
            refused(text),
            [(2, Refusal::NoQuestion), (3, Refusal::TooManyFields), (4, Refusal::NoAnswer),]
        );
        assert_eq!(found(text).len(), 1);
        let open = "pergunta,resposta\nTem wifi?,Sim\nTem TV?,\"Sim\nTem frigobar?,Sim\n";
        assert_eq!(refused(open), [(3, Refusal::UnclosedQuote)]);
    }
}
