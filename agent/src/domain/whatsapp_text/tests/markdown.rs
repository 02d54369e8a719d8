//! What each piece of Markdown becomes.

use crate::domain::whatsapp_text::from_markdown;

#[track_caller]
fn becomes(table: &[(&str, &str)]) {
    for (markdown, expected) in table {
        assert_eq!(from_markdown(markdown), *expected, "from {markdown:?}");
    }
}

#[track_caller]
fn stays(table: &[&str]) {
    for text in table {
        assert_eq!(from_markdown(text), *text);
    }
}

#[test]
fn emphasis_becomes_the_marks_of_whatsapp() {
    becomes(&[
        ("**forte** e __forte__", "*forte* e *forte*"),
        ("*leve* e _leve_", "_leve_ e _leve_"),
        ("~~fora~~ e ~fora~", "~fora~ e ~fora~"),
        ("***os dois***", "_*os dois*_"),
        ("**a _b_ ~~c~~**", "*a _b_ ~c~*"),
        ("**Preço:** R$ 10", "*Preço:* R$ 10"),
        ("**10% off**, só _hoje_!", "*10% off*, só _hoje_!"),
        ("(**forte**)", "(*forte*)"),
        ("**-10%** hoje", "*-10%* hoje"),
    ]);
}

#[test]
fn a_mark_inside_one_of_its_kind_is_dropped() {
    becomes(&[
        ("**a __b__ c**", "*a b c*"),
        ("*a _b_ c*", "_a b c_"),
        ("## **Título** novo", "*Título novo*"),
    ]);
}

#[test]
fn marks_end_with_the_line_and_begin_again_on_the_next() {
    becomes(&[
        ("**um\ndois**", "*um*\n*dois*"),
        ("**um *dois\ntrês* quatro**", "*um _dois_*\n*_três_ quatro*"),
        ("> **um\n> dois**", "> *um*\n> *dois*"),
        ("**um\\\ndois**", "*um*\n*dois*"),
    ]);
}

#[test]
fn what_whatsapp_could_not_show_stays_as_written() {
    stays(&[
        "2*3*4",
        "x**2 + y**2",
        "a~~b~~c",
        "(*) obrigatório (*)",
        "CPF ***.456.789-**",
        "CNPJ **.345.678/0001-**",
        "Preço*: 10\n*sujeito a mudança",
        "https://a.b/*x*/__y__/z",
        "veja www.a.b/__y__",
    ]);
    becomes(&[
        ("**https://a.b/c_d** e **b**", "*https://a.b/c_d* e *b*"),
        ("**a 2*3*4 b**", "*a 2*3*4 b*"),
    ]);
}

#[test]
fn code_is_left_alone() {
    stays(&[
        "use `a_b **c** <d>` aqui",
        "```\n**a**  \n\n\n\n  [b](c)\n```",
        "antes\n```\n# a\n```\ndepois",
        "```x```",
        "- a\n  ```\n  x\n\n\n    y\n  ```\n- b",
    ]);
    becomes(&[
        ("``a``", "`a`"),
        ("`` a`b ``", "```a`b```"),
        ("```rust\nfn a() {}\n```", "```\nfn a() {}\n```"),
        ("~~~\na\n~~~\nb", "```\na\n```\nb"),
        ("````\na\n````", "```\na\n```"),
        ("**`a`**", "*`a`*"),
    ]);
}

#[test]
fn code_that_was_never_closed_is_closed() {
    becomes(&[
        ("```\na", "```\na\n```"),
        ("```py\na\n", "```\na\n```"),
        ("> ```\n> a\n\nb", "> ```\n> a\n> ```\n\nb"),
        ("```", "```\n```"),
    ]);
}

#[test]
fn headings_become_bold_lines() {
    becomes(&[
        ("# Um\ntexto", "*Um*\ntexto"),
        ("### 1. Um: `x` ###\n\ntexto", "*1. Um: `x`*\n\ntexto"),
        ("Um\n===\ntexto", "*Um*\ntexto"),
        ("Um\n---\ntexto", "*Um*\ntexto"),
        ("> ## Um\n> texto", "> *Um*\n> texto"),
        ("- # Um", "- *Um*"),
        ("a\n\n##\n\nb", "a\n\n##\n\nb"),
    ]);
}

#[test]
fn lines_over_dashes_are_a_heading_only_when_it_is_sure() {
    becomes(&[
        ("um\ndois\n---\ntrês", "um\ndois\n———\ntrês"),
        ("um\n-\ndois", "um\n-\ndois"),
        ("um\n=\ndois", "um\n=\ndois"),
        ("um\n\n---\n\ndois", "um\n\n———\n\ndois"),
        ("***\n* * *\n___", "———\n———\n———"),
    ]);
}

#[test]
fn links_show_where_they_lead() {
    becomes(&[
        ("[loja](https://a.b/c_d)", "loja (https://a.b/c_d)"),
        ("[loja](https://a.b \"título\").", "loja (https://a.b)."),
        ("[https://a.b](https://a.b)", "https://a.b"),
        ("[**https://a.b**](https://a.b)", "*https://a.b*"),
        ("[**loja**](https://a.b)", "*loja* (https://a.b)"),
        ("**[loja](https://a.b)**", "*loja (https://a.b)*"),
        ("<https://a.b/c>", "https://a.b/c"),
        ("<eu@a.b>", "eu@a.b"),
        ("[eu@a.b](mailto:eu@a.b)", "eu@a.b"),
        ("[loja]()", "loja"),
        ("[](https://a.b)", "https://a.b"),
        ("![foto](https://a.b/f.jpg)", "foto (https://a.b/f.jpg)"),
        ("![](https://a.b/f.jpg)", "https://a.b/f.jpg"),
        ("[![foto](f.jpg)](https://a.b)", "foto (f.jpg) (https://a.b)"),
    ]);
}

#[test]
fn lists_keep_their_shape() {
    becomes(&[
        ("* a\n* b", "- a\n- b"),
        ("*   a\n    *   b\n*   c", "- a\n    - b\n- c"),
        ("1. a\n   * b\n2. c", "1. a\n   - b\n2. c"),
        ("* **a**: b", "- *a*: b"),
        ("> * a", "> - a"),
    ]);
    stays(&[
        "- a\n  - b\n    - c\n- d",
        "3. a\n4. b",
        "1) a\n2) b",
        "1. a\n\n1. b",
        "- [ ] a\n- [x] b",
        "R$ 10\n+ R$ 5",
        "+ a\n+ b",
        "*",
        "-",
    ]);
}

#[test]
fn a_table_is_a_line_per_row() {
    becomes(&[
        (
            "| Plano | Preço |\n|---|--:|\n| **Um** | R$ 10 |\n| Dois | |\n\nfim",
            "*Plano*: *Um* | *Preço*: R$ 10\n*Plano*: Dois | *Preço*: —\n\nfim",
        ),
        ("| **a** |  |\n|--|--|\n| b | c |", "*a*: b | c"),
        ("| a | b |\n|--|--|", "*a* | *b*"),
        ("| a | b |\n|--|--|\n| | |", "*a* | *b*"),
        ("| a | b |\n|--|--|\ndepois", "*a* | *b*\ndepois"),
        ("a|b\n-|-\n1|`x\\|y` \\| z", "*a*: 1 | *b*: `x|y` | z"),
        ("| a |\n|---|\n| b | c | d |", "*a*: b | c | d"),
        ("| a |\n|---|\n| b |\nlogo depois", "*a*: b\nlogo depois"),
        ("> | a |\n> |---|\n> | b |\n> | c |", "> *a*: b\n> *a*: c"),
        (
            "- | a | b |\n  |---|---|\n  | [c](d) | e |\n  | f |",
            "- *a*: c (d) | *b*: e\n  *a*: f | *b*: —",
        ),
    ]);
}

#[test]
fn escapes_and_character_references_become_what_they_stand_for() {
    becomes(&[
        ("R\\$ 10 \\* 2", "R$ 10 * 2"),
        ("\\# não é título", "# não é título"),
        ("1\\. a", "1. a"),
        ("a \\\\ b", "a \\ b"),
        ("a &amp; b &lt;c&gt;", "a & b <c>"),
        ("**\\*a**", "**a*"),
    ]);
}

#[test]
fn blank_lines_in_a_row_become_one() {
    becomes(&[
        ("a\n\n\n\nb", "a\n\nb"),
        ("a\n \n\t\nb", "a\n \nb"),
        ("- a\n\n\n- b", "- a\n\n- b"),
        ("a\r\nb\r\n\r\nc", "a\nb\n\nc"),
    ]);
}

#[test]
fn plain_text_comes_out_identical() {
    stays(&[
        "",
        "   ",
        "\n",
        "oi\ntudo bem?\n\nsim\n",
        "  recuado\n    muito recuado\n\ttab",
        "linha com espaços  \noutra",
        "R$ 1.234,56 * 2",
        "2 * 3 * 4",
        "nome_do_campo e _solto",
        "~10 min ~",
        "~10 min a ~20 min",
        "+55 (11) 99999-0000",
        "https://a.b/x_y_z?q=*a*&copy=1#_c",
        "C:\\Users\\ana",
        "👩‍👩‍👧 🇧🇷 e\u{301}",
        "#hashtag #outra",
        "5 > 3 e 2 < 4",
        "> citação\nresto",
        "<b>html</b>\n<div>\n**a**\n</div>",
        "[nota]: texto",
        "[a] (b) [c]",
        "R$ 10 | R$ 20",
        "Vi que tu tá frustrado e eu entendo. Bora tentar de outro jeito — me conta o que tu \
         precisa em 1 frase curta?",
    ]);
}
