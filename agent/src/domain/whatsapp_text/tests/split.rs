//! Where a text is cut.

use crate::domain::whatsapp_text::{MAX_BODY, split};

#[track_caller]
fn parts(table: &[(&str, usize, &[&str])]) {
    for (text, limit, expected) in table {
        assert_eq!(split(text, *limit), *expected, "of {text:?}");
    }
}

#[test]
fn a_text_within_the_limit_is_one_part() {
    parts(&[("oi", 2, &["oi"]), (" oi \n", 2, &["oi"]), ("a\n\nb", 4, &["a\n\nb"])]);
    let full = "é".repeat(MAX_BODY);
    assert_eq!(split(&full, MAX_BODY), [full]);
}

#[test]
fn white_space_alone_is_no_part() {
    parts(&[("", 9, &[]), (" \n\t\u{a0}", 1, &[]), ("\n\n\n", 0, &[])]);
}

#[test]
fn the_best_end_before_the_limit_is_taken() {
    parts(&[
        ("um.\n\ndois\ntrês. quatro", 17, &["um.", "dois\ntrês. quatro"]),
        ("um\n \ndois\ntrês", 9, &["um", "dois\ntrês"]),
        ("um. dois\ntrês quatro", 12, &["um. dois", "três quatro"]),
        ("um. dois três", 9, &["um.", "dois três"]),
        ("(um!) dois três", 11, &["(um!)", "dois três"]),
        ("*um…* dois três", 11, &["*um…*", "dois três"]),
        ("custa 1.234,56 hoje", 16, &["custa 1.234,56", "hoje"]),
        ("um dois três", 8, &["um dois", "três"]),
        ("umdoistrês", 4, &["umdo", "istr", "ês"]),
    ]);
}

#[test]
fn an_end_exactly_at_the_limit_counts() {
    parts(&[
        ("um\n\ndois", 2, &["um", "do", "is"]),
        ("um dois", 2, &["um", "do", "is"]),
        ("um. dois", 4, &["um.", "dois"]),
    ]);
}

#[test]
fn the_number_of_an_item_is_not_a_sentence() {
    parts(&[("1. um dois", 7, &["1. um", "dois"])]);
}

#[test]
fn a_space_that_joins_is_no_place_for_a_cut() {
    parts(&[("por R$\u{a0}10", 7, &["por", "R$\u{a0}10"])]);
}

#[test]
fn grapheme_clusters_stay_whole_if_they_fit() {
    parts(&[
        ("ae\u{301}b", 2, &["a", "e\u{301}", "b"]),
        ("🇧🇷🇧🇷", 6, &["🇧🇷", "🇧🇷"]),
        ("a👩‍👩‍👧", 8, &["a", "👩‍👩‍👧"]),
        ("👩‍👩‍👧", 5, &["👩‍👩", "\u{200d}👧"]),
    ]);
}

#[test]
fn characters_count_as_utf_16_does() {
    parts(&[("😀😀😀", 4, &["😀😀", "😀"]), ("😀a", 1, &["😀", "a"])]);
}

#[test]
fn code_stays_whole_if_it_fits() {
    let code = format!("```\n{}\n\nfim\n```", "x".repeat(20));
    let text = format!("Olha o código:\n{code}\ndepois");
    assert_eq!(split(&text, 40), ["Olha o código:".to_owned(), format!("{code}\ndepois")]);
    assert_eq!(
        split(&format!("{code}\n{}", "palavra ".repeat(3)), 40),
        [code, "palavra palavra palavra".to_owned()]
    );
}

#[test]
fn long_code_is_closed_and_opened_again() {
    let lines = ["a = 1", "    b = 22222", "", "c = 333333", "d = 4"];
    let text = format!("Veja:\n\n```\n{}\n```\nPronto.", lines.join("\n"));
    assert_eq!(
        split(&text, 32),
        ["Veja:", "```\na = 1\n    b = 22222\n\n```", "```\nc = 333333\nd = 4\n```\nPronto.",]
    );
}

#[test]
fn code_of_one_long_line_is_cut_between_words_or_characters() {
    let parts = split(&format!("```\n{}\n```", "x".repeat(100)), 40);
    assert!(parts.iter().all(|part| part.len() <= 40));
    assert!(parts.iter().all(|part| part.starts_with("```\nx") && part.ends_with("x\n```")));
    assert_eq!(
        split(&format!("```\n{} fim\n```", "x".repeat(30)), 40),
        [format!("```\n{}\n```", "x".repeat(30)), "```\nfim\n```".to_owned()]
    );
}

#[test]
fn a_fence_without_a_partner_is_text() {
    let text = format!("``` {}", "palavra ".repeat(10));
    assert_eq!(split(&text, 40).concat().matches("```").count(), 1);
}
