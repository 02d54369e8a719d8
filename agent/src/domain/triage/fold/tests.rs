use super::*;

fn words(text: &str) -> Vec<String> {
    tokenize(text).words().map(str::to_owned).collect()
}

#[test]
fn accents_and_case_are_dropped() {
    assert_eq!(fold("NÃO Está à toa, Ñandú"), "nao esta a toa, nandu");
}

#[test]
fn decomposed_accents_fold_like_composed_ones() {
    assert_eq!(words("na\u{303}o"), ["nao"]);
}

#[test]
fn stretched_words_become_plain_and_legitimate_doubles_stay() {
    assert_eq!(
        words("merdaaaa socorrrro passsso carro passo"),
        ["merda", "socorro", "passo", "carro", "passo"]
    );
    assert_eq!(words("1000 reais"), ["1000", "reais"]);
}

#[test]
fn signs_inside_a_word_hide_letters_and_around_it_are_markup() {
    assert_eq!(words("p*rra *importante* f***"), ["p*rra", "importante", "f***"]);
    assert_eq!(unmask("p0rr4"), "porra");
    assert!(mask_fits("m*rda", "merda"));
    assert!(!mask_fits("m*rda", "morta"));
}

#[test]
fn amounts_stay_whole_and_spelled_words_do_not_end_sentences() {
    assert_eq!(words("paguei 1.500,00."), ["paguei", "1.500,00"]);
    let spelled = tokenize("f.d.p");
    assert!(spelled.tokens[1..].iter().all(|t| t.break_before == Break::None));
}

#[test]
fn questions_mark_every_token_of_their_sentence_only() {
    let text = tokenize("Obrigado. Tem vaga? Sim");
    let asked: Vec<bool> = text.tokens.iter().map(|t| t.question).collect();
    assert_eq!(asked, [false, true, true, false]);
    assert!(tokenize("¿tienen mesa").tokens[0].question);
}

#[test]
fn laughter_and_pictographs_are_recognised() {
    for laugh in ["kkkkkk", "hahaha", "rsrsrs", "jajaja", "huahuahua"] {
        assert_eq!(words(laugh), ["kkk"], "{laugh}");
    }
    assert_eq!(tokenize("boa 🤣").emoji, ['🤣']);
    assert_eq!(words("hotel casa"), ["hotel", "casa"]);
}

#[test]
fn one_edit_covers_typos_and_no_more() {
    for (typo, word) in
        [("atendende", "atendente"), ("tendente", "atendente"), ("hmuano", "humano")]
    {
        assert!(within_one_edit(typo, word), "{typo}");
    }
    assert!(!within_one_edit("atender", "atendente"));
    assert!(!within_one_edit("ab", "cd"));
}

#[test]
fn of_a_very_long_text_only_the_ends_are_read() {
    let text = format!("{} merda {} lixo", "começo ".repeat(9_000), "fim é ".repeat(9_000));
    let folded = tokenize(&text);
    assert!(folded.tokens.len() < 1_500, "{}", folded.tokens.len());
    assert_eq!(folded.word(0), "comeco");
    assert_eq!(folded.words().last(), Some("lixo"));
    assert!(folded.words().all(|word| word != "merda"));
}
