//! Whatever the text: no panic, time in proportion to its length, and it vouches for itself.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::super::{FigureKind, claims, figures, ungrounded, ungrounded_strict};
use super::scores::context;

/// Pieces that texts with figures are made of, in any order and spacing.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "R$",
        "US$",
        "€",
        "1.234,56",
        "80",
        "2",
        "mil",
        "e",
        "duzentos",
        "reais",
        "conto",
        "14h",
        "14",
        ":",
        "30",
        "h",
        "às",
        "das",
        "a",
        "da tarde",
        "da noite",
        "meia",
        "meio-dia",
        "p.m.",
        "/",
        "05",
        "3",
        "2026",
        "-",
        "de março",
        "dia",
        "dias",
        "primeiro",
        "March",
        "amanhã",
        "sexta",
        "segunda",
        "feira",
        "%",
        "por cento",
        "(11)",
        "98765-4321",
        "+55",
        "0800",
        "contato@x.com",
        "www.x.com",
        "https://",
        "wa.me/5511987654321",
        ",",
        ".",
        "\n",
        "{\"preco\": 12.5}",
        "\\u00e1",
        "\\n",
        "2026-12-05T14:00:00-03:00",
        "1️⃣",
        "não",
        "para as",
        "quinze",
        "menos",
        "cuarto",
        "até",
        "entre",
        "[1,2]",
        "«",
        "ção",
        "*",
        "_",
        "º",
        "15 para as 3",
        "half past two",
        "semana que vem",
        "marquei",
    ]);
    let joined = (piece, prop::sample::select(vec!["", " ", ""]));
    prop::collection::vec(joined, 0..24)
        .prop_map(|all| all.into_iter().map(|(piece, space)| format!("{piece}{space}")).collect())
}

proptest! {
    // The same texts every time: a run that fails must fail again.
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(14), ..ProptestConfig::default() })]

    #[test]
    fn any_text_vouches_for_itself(text in "\\PC{0,80}") {
        prop_assert_eq!(ungrounded_strict(&text, &[&text], &context()), Vec::new());
        claims(&text);
    }

    #[test]
    fn any_figures_vouch_for_themselves(text in pieces()) {
        prop_assert_eq!(ungrounded(&text, &[&text], &context()), Vec::new());
        prop_assert_eq!(ungrounded_strict(&text, &[&text], &context()), Vec::new());
        claims(&text);
    }

    // Words around a time may deny it or greet; nothing excuses an amount or an address.
    #[test]
    fn without_sources_every_amount_and_address_is_ungrounded(text in pieces()) {
        let found = figures(&text, &context());
        let strict = ungrounded_strict(&text, &[], &context());
        let time = [FigureKind::Clock, FigureKind::Date, FigureKind::Day];
        for figure in found.iter().filter(|figure| !time.contains(&figure.kind)) {
            prop_assert!(strict.contains(figure), "{:?}", figure);
        }
        prop_assert!(strict.iter().all(|figure| found.contains(figure)));
    }
}

#[test]
fn long_texts_are_read_in_proportion_to_their_length() {
    let pieces = [
        "1 ",
        "a.",
        "+1",
        "9h, ",
        "vinte e ",
        "\\u00e1",
        "1/",
        "não marquei ",
        "mesa reservada e ",
    ];
    for piece in pieces {
        let took = |chars: usize| {
            let text = piece.repeat(chars / piece.chars().count());
            // The least of three: whatever else the machine does only adds to it.
            let once = |_| {
                let began = Instant::now();
                figures(&text, &context());
                claims(&text);
                began.elapsed()
            };
            (0..3).map(once).min().unwrap_or_default()
        };
        let (short, long) = (took(2_000), took(16_000));
        // Eight times the length takes eight times as long, and in quadratic time 64 times.
        let most = short * 32 + Duration::from_millis(50);
        assert!(long < most, "{piece:?}: {short:?} for 2,000, {long:?} for 16,000");
    }
}
