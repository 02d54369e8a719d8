//! Entries in a document: a heading is a question, the text below it the answer, and the headings
//! above it the category. The text is kept as it was written, so lists and tables stay what they
//! are.

use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::entry::{Entry, MOST_CATEGORY_CHARS, Refusal, normal};
use super::file::{Reading, Refused, Unreadable};
use crate::domain::whatsapp_text;

/// Between the names of a category's path.
pub const PATH: &str = " > ";
/// A longer text than an answer may be becomes parts of about this length: short enough that what
/// is found of it is about the question.
const PART_CHARS: usize = 2_000;
/// Between a question and the number of its part.
pub const PART: &str = " (parte ";

/// A heading with what stands below it, up to the next.
#[derive(Debug)]
struct Section {
    line: u64,
    level: usize,
    title: String,
    text: String,
}

/// Reads a document. Entries are counted by the line of their heading.
pub fn read(text: &str) -> Result<Reading, Unreadable> {
    let source = text.replace("\r\n", "\n");
    let outline = outline(&source);
    if outline.headings.is_empty() {
        return Err(Unreadable::NoHeading);
    }
    let mut reading = Reading::default();
    let first = outline.headings.first().map_or(source.len(), |heading| heading.range.start);
    let before = outline.shown(&source, 0..first);
    if !before.trim().is_empty() {
        let skipped = source.len() - source.trim_start().len();
        let line = line_of(&source, skipped.min(first));
        reading.refused.push(Refused { line, why: Refusal::BeforeFirstHeading });
    }
    let sections = sections(&source, &outline);
    entries(&sections, &mut reading);
    Ok(reading)
}

/// A heading of the document itself, not of a quote or a list in it.
struct Heading {
    range: Range<usize>,
    level: usize,
    title: String,
    /// Written with `#`, not underlined.
    marked: bool,
}

/// What divides a document, and what in it is not for reading.
struct Outline {
    headings: Vec<Heading>,
    hidden: Vec<Range<usize>>,
}

impl Outline {
    /// The text of a range without what is hidden.
    fn shown(&self, source: &str, range: Range<usize>) -> String {
        let (mut shown, mut at) = (String::new(), range.start);
        let inside =
            |hidden: &&Range<usize>| hidden.start >= range.start && hidden.end <= range.end;
        for hidden in self.hidden.iter().filter(inside) {
            shown.push_str(source.get(at..hidden.start).unwrap_or_default());
            at = hidden.end;
        }
        shown.push_str(source.get(at..range.end).unwrap_or_default());
        shown
    }
}

fn outline(source: &str) -> Outline {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let (mut headings, mut hidden) = (Vec::new(), Vec::new());
    let mut depth = 0_usize;
    let mut title: Option<String> = None;
    for (event, range) in Parser::new_ext(source, options).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { .. }) if depth == 0 => title = Some(String::new()),
            Event::End(TagEnd::Heading(level)) if depth == 0 => {
                let written = source.get(range.clone()).unwrap_or_default();
                let marked = written.trim_start().starts_with('#');
                let title = title.take().unwrap_or_default();
                headings.push(Heading { range, level: level as usize, title, marked });
            }
            Event::Start(Tag::MetadataBlock(_)) => {
                hidden.push(range);
                depth += 1;
            }
            Event::Start(Tag::BlockQuote(_) | Tag::List(_) | Tag::Item) => depth += 1,
            Event::End(
                TagEnd::MetadataBlock(_) | TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item,
            ) => depth = depth.saturating_sub(1),
            Event::Html(html) | Event::InlineHtml(html) if html.starts_with("<!--") => {
                hidden.push(range);
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some(title) = &mut title {
                    title.push_str(&text);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(title) = &mut title {
                    title.push(' ');
                }
            }
            _ => {}
        }
    }
    // Where headings are marked, a text over `---` is a text, and the line divides.
    if headings.iter().any(|heading| heading.marked) {
        let underlined = |heading: &Heading| {
            let written = source.get(heading.range.clone()).unwrap_or_default();
            !heading.marked && written.trim_end().ends_with('-')
        };
        headings.retain(|heading| !underlined(heading));
    }
    Outline { headings, hidden }
}

fn sections(source: &str, outline: &Outline) -> Vec<Section> {
    let ends = outline.headings.iter().skip(1).map(|next| next.range.start);
    let ends = ends.chain([source.len()]);
    // Headings come in order, so the lines are counted once.
    let (mut counted, mut line) = (0, 1);
    let section = |(heading, end): (&Heading, usize)| Section {
        line: {
            let at = heading.range.start.max(counted);
            line += line_of(source.get(counted..at).unwrap_or_default(), usize::MAX) - 1;
            counted = at;
            line
        },
        level: heading.level,
        title: without_number(&heading.title).to_owned(),
        text: without_rules(&outline.shown(source, heading.range.end..end)),
    };
    outline.headings.iter().zip(ends).map(section).collect()
}

/// The line of a place in the text, from 1.
fn line_of(source: &str, at: usize) -> u64 {
    let before = source.get(..at.min(source.len())).unwrap_or_default();
    before.bytes().filter(|byte| *byte == b'\n').count() as u64 + 1
}

/// A heading's text without the number that counts it: with a new one above, it would be another
/// question.
fn without_number(title: &str) -> &str {
    let title = title.trim();
    let Some((number, after)) = title.split_once(' ') else {
        return title;
    };
    let digits = number.strip_suffix(['.', ')']).unwrap_or(number);
    // "24 horas" counts nothing, "3.500 reais" neither.
    let counts = (digits.len() < number.len() || digits.contains('.'))
        && digits.split('.').all(|part| {
            (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        });
    if counts { after.trim_start() } else { title }
}

/// A text without the lines that divide it from what follows.
fn without_rules(text: &str) -> String {
    let is_rule = |line: &str| {
        let line: String = line.split_whitespace().collect();
        line.len() >= 3 && ["-", "*", "_"].iter().any(|sign| line.replace(sign, "").is_empty())
    };
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let last = lines.iter().rposition(|line| !line.trim().is_empty() && !is_rule(line));
    lines.get(..last.map_or(0, |last| last + 1)).unwrap_or_default().join("\n")
}

fn entries(sections: &[Section], reading: &mut Reading) {
    let only_title = is_only_title(sections);
    let mut times: HashMap<String, usize> = HashMap::new();
    for section in sections.iter().filter(|section| !section.text.trim().is_empty()) {
        *times.entry(normal(&section.title)).or_default() += 1;
    }
    let mut above: Vec<&Section> = Vec::new();
    for (index, section) in sections.iter().enumerate() {
        while above.last().is_some_and(|upper| upper.level >= section.level) {
            above.pop();
        }
        let path = &above[usize::from(only_title && above.len() > 1)..];
        if section.text.trim().is_empty() {
            let holds_others = sections.get(index + 1).is_some_and(|n| n.level > section.level);
            if !holds_others {
                reading.refused.push(Refused { line: section.line, why: Refusal::NoAnswer });
            }
        } else {
            // "Valores" under two headings are two questions.
            let shared = times.get(&normal(&section.title)).is_some_and(|times| *times > 1);
            let question = match path.last().filter(|_| shared) {
                Some(upper) => format!("{}: {}", upper.title, section.title),
                None => section.title.clone(),
            };
            add(reading, section, &question, category(path).as_deref());
        }
        above.push(section);
    }
}

/// Whether the first heading is the document's own title: the only one of its level, with all
/// others below. It says nothing about any of them.
fn is_only_title(sections: &[Section]) -> bool {
    let Some((first, others)) = sections.split_first() else {
        return false;
    };
    others.iter().all(|section| section.level > first.level)
}

/// The names above, as many of the innermost as there is room for.
fn category(path: &[&Section]) -> Option<String> {
    (0..path.len())
        .map(|from| {
            let names: Vec<&str> =
                path[from..].iter().map(|section| section.title.as_str()).collect();
            names.join(PATH)
        })
        .find(|name| name.chars().count() <= MOST_CATEGORY_CHARS)
}

fn add(reading: &mut Reading, section: &Section, question: &str, category: Option<&str>) {
    let entry = Entry::read(question, &section.text, category);
    if entry != Err(Refusal::AnswerTooLong) {
        reading.add(section.line, entry);
        return;
    }
    for (index, text) in whatsapp_text::split(&section.text, PART_CHARS).iter().enumerate() {
        reading.add(section.line, Entry::read(&part(question, index + 1), text, category));
    }
}

/// The question of a part; the first is the question itself.
fn part(question: &str, number: usize) -> String {
    if number == 1 { question.to_owned() } else { format!("{question}{PART}{number})") }
}

/// The question of which this is a further part.
pub fn whole_of(question: &str) -> Option<&str> {
    let (whole, number) = question.strip_suffix(')')?.rsplit_once(PART)?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then_some(whole)
}

#[cfg(test)]
mod tests;
