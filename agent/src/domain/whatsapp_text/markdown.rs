//! Markdown to WhatsApp's marks.
//!
//! The text is not rendered anew: everything is copied as it was written, and only what is a mark
//! of Markdown is replaced. So text without marks comes out identical, whatever its spacing.
//!
//! | Markdown | WhatsApp |
//! |---|---|
//! | `**b**`, `__b__` | `*b*` |
//! | `*i*`, `_i_` | `_i_`: CommonMark's reading, also of a model that meant WhatsApp's bold |
//! | `~~s~~` | `~s~` |
//! | `# Title`, underlined titles | `*Title*` |
//! | `[text](url)`, `![alt](url)` | `text (url)`, or the url alone if the text says the same |
//! | `* item` | `- item`; a `+` stays, for it may be the sign of a sum |
//! | `---` | `———` |
//! | tables | a line per row |
//! | ` ``` `, `~~~` | ` ``` ` without the language's name |
//! | quotes, numbered lists, HTML, indented code | as written |

mod blank_lines;
mod blocks;
mod cell_rows;
mod delimiters;
mod headings;
mod inline;
mod marks;
mod urls;
mod writer;

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use writer::Writer;

/// Turns the Markdown of a language model into text with WhatsApp's marks.
///
/// Text without Markdown in it comes out as it went in, line breaks included; only runs of blank
/// lines become one, and line ends become `\n`.
pub fn from_markdown(markdown: &str) -> String {
    let source = markdown.replace("\r\n", "\n");
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut writer = Writer::new(&source);
    for (event, range) in Parser::new_ext(&source, options).into_offset_iter() {
        writer.event(event, range);
    }
    writer.finish()
}

impl<'a> Writer<'a> {
    fn event(&mut self, event: Event<'a>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, &range),
            Event::End(tag) => self.end(tag, &range),
            Event::Text(_) if self.code.is_some() => self.copy_to(range.end),
            Event::Text(text) => self.text(&text, &range),
            Event::Code(code) => self.inline_code(&code, &range),
            Event::SoftBreak | Event::HardBreak => self.line_break(&range),
            Event::Rule => self.rule(&range),
            _ => self.content(&range),
        }
    }

    fn start(&mut self, tag: Tag<'a>, range: &Range<usize>) {
        match tag {
            Tag::Strong => self.start_span('*', 2, range),
            Tag::Emphasis => self.start_span('_', 1, range),
            Tag::Strikethrough => self.start_span('~', self.tildes(range), range),
            Tag::Link { link_type, dest_url, .. } => {
                let bare = matches!(link_type, LinkType::Autolink | LinkType::Email);
                self.start_link(dest_url.to_string(), bare, "[".len(), range);
            }
            Tag::Image { dest_url, .. } => {
                self.start_link(dest_url.to_string(), false, "![".len(), range);
            }
            Tag::Heading { .. } => self.start_heading(range),
            Tag::Item => self.start_item(range),
            Tag::CodeBlock(CodeBlockKind::Fenced(_)) => self.start_fence(range),
            Tag::CodeBlock(CodeBlockKind::Indented) => self.copy_to(range.end),
            Tag::Table(_) => self.start_table(range),
            Tag::TableHead => self.start_table_head(),
            Tag::TableCell => self.start_cell(range),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: &Range<usize>) {
        match tag {
            TagEnd::Strong => self.end_span(2, range),
            TagEnd::Emphasis => self.end_span(1, range),
            TagEnd::Strikethrough => self.end_span(self.tildes(range), range),
            TagEnd::Link | TagEnd::Image => self.end_link(range),
            TagEnd::Heading(_) => self.end_heading(range),
            TagEnd::CodeBlock => self.end_fence(range),
            TagEnd::TableCell => self.end_cell(),
            TagEnd::TableHead => self.end_table_head(),
            TagEnd::TableRow => self.end_row(range),
            TagEnd::Table => self.end_table(range),
            _ => {}
        }
    }
}
