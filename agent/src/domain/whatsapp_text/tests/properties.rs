//! What holds of any text.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use crate::domain::whatsapp_text::{MAX_BODY, from_markdown, split};

/// Words that mean nothing in Markdown, alone or next to each other.
const PLAIN: &[&str] = &[
    "oi",
    "preço",
    "R$ 1.234,56 * 2",
    "snake_case",
    "2 * 3 * 4",
    "~10 min ~",
    "+55 11 99999-0000",
    "https://a.b/x_y*z*",
    "😀",
    "👩‍👩‍👧",
    "#hashtag",
    "fim.",
    "quê?",
    "—",
    "(sim)",
    "1ª",
    "50%",
    "a@b.c",
    "_solto",
    "\"aspas\"",
    "…",
    "é/ou",
    "10:30",
    "[x]",
];

/// How lines of plain text may begin.
const BEGINNINGS: &[&str] = &["", "", "- ", "1. ", "2) ", "  ", "• ", "> "];

/// Pieces of which any Markdown is made.
const PIECES: &[&str] = &[
    "*",
    "**",
    "_",
    "__",
    "~~",
    "~",
    "`",
    "```",
    "~~~",
    "[",
    "](",
    ")",
    "![",
    "<",
    ">",
    "> ",
    "#",
    "## ",
    "- ",
    "* ",
    "+ ",
    "1. ",
    "|",
    "---",
    "===",
    "\n",
    "\n\n",
    "    ",
    "\t",
    " ",
    "\\",
    "&amp;",
    "a",
    "é",
    "😀",
    "https://a.b/",
    "\r\n",
    "[a]: b\n",
    "|a|b|\n|-|-|\n",
    "\u{0}",
    "\u{200d}",
    "e\u{301}",
];

/// Pieces of which no link, table or fence can be made, whose parts move, repeat or go.
const MOVING_NOTHING: &[&str] = &[
    "*",
    "**",
    "_",
    "__",
    "~~a",
    "`b`",
    "[",
    "]",
    "<",
    ">",
    "> ",
    "#",
    "## ",
    "- ",
    "* ",
    "+ ",
    "1. ",
    "---\n",
    "===\n",
    "\n",
    "\n\n",
    "    ",
    "\t",
    " ",
    "\\",
    "c",
    "é",
    "1",
    "https://a.b/",
    "\r\n",
];

fn words(of: &'static [&'static str], most: usize) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(of), 0..most)
}

fn any_markdown() -> impl Strategy<Value = String> {
    words(PIECES, 60).prop_map(|pieces| pieces.concat())
}

fn plain_text() -> impl Strategy<Value = String> {
    let line = (prop::sample::select(BEGINNINGS), words(PLAIN, 6))
        .prop_map(|(beginning, words)| format!("{beginning}{}", words.join(" ")));
    prop::collection::vec(line, 0..8)
        .prop_map(|lines| {
            let lines = lines.into_iter().filter(|line| !line.trim().is_empty());
            lines.collect::<Vec<_>>()
        })
        .prop_flat_map(|lines| {
            let breaks =
                prop::collection::vec(prop::sample::select(&["\n", "\n\n"][..]), lines.len());
            breaks.prop_map(move |breaks| {
                let pairs = lines.iter().zip(breaks);
                pairs.flat_map(|(line, end)| [line.as_str(), end]).collect::<String>()
            })
        })
}

fn visible(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn without_ticks(text: &str) -> String {
    visible(text).replace('`', "")
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn plain_text_comes_out_identical(text in plain_text()) {
        prop_assert_eq!(from_markdown(&text), text);
    }

    #[test]
    fn any_text_is_read_without_panic(text in any::<String>(), markdown in any_markdown()) {
        from_markdown(&text);
        from_markdown(&markdown);
    }

    #[test]
    fn letters_are_neither_lost_nor_moved(pieces in words(MOVING_NOTHING, 60)) {
        let markdown = pieces.concat();
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        prop_assert_eq!(letters(&from_markdown(&markdown)), letters(&markdown));
    }

    #[test]
    fn parts_are_within_the_limit_and_not_empty(text in any_markdown(), limit in 2..80usize) {
        for part in split(&text, limit) {
            prop_assert!(units(&part) <= limit, "{part:?}");
            prop_assert!(!part.trim().is_empty());
        }
    }

    #[test]
    fn parts_hold_every_character_in_order(
        text in any::<String>(),
        markdown in any_markdown(),
        limit in 0..80usize,
    ) {
        for text in [text, markdown] {
            let whole = split(&text, limit).concat();
            prop_assert_eq!(without_ticks(&whole), without_ticks(&text));
            if !text.contains("```") {
                prop_assert_eq!(visible(&whole), visible(&text));
            }
        }
    }

    #[test]
    fn code_is_as_open_at_the_end_of_a_part_as_at_its_beginning(
        blocks in prop::collection::vec(("[ab. \n]{0,90}", "[xy \n]{0,90}"), 1..4),
        limit in 32..80usize,
    ) {
        let blocks = blocks.iter().map(|(prose, code)| format!("{prose}\n```\n{code}\n```\n"));
        for part in split(&blocks.collect::<String>(), limit) {
            prop_assert_eq!(part.matches("```").count() % 2, 0, "{}", part);
            prop_assert!(units(&part) <= limit);
        }
    }
}

#[test]
fn deep_nesting_does_not_exhaust_the_stack() {
    const DEPTH: usize = 10_000;
    let around = |open: &str, close: &str| open.repeat(DEPTH) + "a" + &close.repeat(DEPTH);
    let indented = (0..300).map(|level| " ".repeat(level * 2) + "* a\n");
    let cases = [
        around("*", "*"),
        around("**a ", " a**"),
        around("_a *b ", " b* a_"),
        around("~~a ", " a~~"),
        around("[", "](b)"),
        around("![", "](b)"),
        around("<", ">"),
        around("`", "`"),
        around("(", ")"),
        around("> ", ""),
        ">".repeat(DEPTH) + "|a|\n" + &">".repeat(DEPTH) + "|-|\n|b|",
        around("- ", ""),
        around("* ", ""),
        around("1. ", ""),
        around("> * ", "\n"),
        around("**[a ", "](b)**"),
        around("|", "|\n|-|"),
        indented.collect(),
    ];
    let small_stack = std::thread::Builder::new().stack_size(512 * 1024);
    let read = small_stack.spawn(move || {
        for case in &cases {
            split(&from_markdown(case), MAX_BODY);
        }
    });
    read.unwrap().join().unwrap();
}

#[test]
fn a_long_text_takes_time_in_proportion() {
    const LENGTH: usize = 60_000;
    for piece in [
        "a",
        "palavra ",
        "Frase. ",
        "linha\n",
        "a\n\n",
        "🇧🇷",
        "e\u{301}",
        "\u{301}",
        "👩‍",
        "क\u{94d}",
        "```\na b\n```\n",
        "```",
        " ",
        "**a** [b](c) ",
        "https://a.b/ . ",
    ] {
        let text = piece.repeat(LENGTH / piece.chars().count());
        let begin = Instant::now();
        let parts = split(&text, MAX_BODY);
        from_markdown(&text);
        let taken = begin.elapsed();
        assert!(parts.iter().all(|part| units(part) <= MAX_BODY));
        // Some milliseconds when optimised; what grows with the square takes minutes.
        assert!(taken < Duration::from_secs(5), "{taken:?} for {piece:?}");
    }
}
