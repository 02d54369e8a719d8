use super::*;

fn found(text: &str) -> Vec<(u64, String, String, Option<String>)> {
    let found = read(text).unwrap().found.into_iter();
    found.map(|one| (one.line, one.entry.question, one.entry.answer, one.entry.category)).collect()
}

fn refused(text: &str) -> Vec<(u64, Refusal)> {
    read(text).unwrap().refused.into_iter().map(|one| (one.line, one.why)).collect()
}

#[test]
fn headings_ask_and_nesting_is_the_category() {
    let text = "\
# Perguntas da Pousada

Bem-vindo.

## Hospedagem

### Qual o horário do **check-in**?

A partir das *14h*.

- Antes: sob consulta
- Depois: livre

### 2. Aceitam `pets`? {#pets}
Sim.

## Pagamento
### Quais formas?

| Forma | Parcelas |
|---|---|
| Cartão | 3x |
";
    let of = |line, question: &str, answer: &str, category: Option<&str>| {
        (line, question.to_owned(), answer.to_owned(), category.map(str::to_owned))
    };
    assert_eq!(
        found(text),
        [
            of(1, "Perguntas da Pousada", "Bem-vindo.", None),
            of(
                7,
                "Qual o horário do check-in?",
                "A partir das *14h*.\n\n- Antes: sob consulta\n- Depois: livre",
                Some("Hospedagem")
            ),
            of(14, "Aceitam pets?", "Sim.", Some("Hospedagem")),
            of(
                18,
                "Quais formas?",
                "| Forma | Parcelas |\n|---|---|\n| Cartão | 3x |",
                Some("Pagamento")
            ),
        ]
    );
    assert!(refused(text).is_empty());
}

#[test]
fn the_category_is_the_whole_path_below_the_documents_title() {
    let text = "# A\n## B\n### C\n#### Qual?\nEsta.\n# D\n## Outra?\nSim.\n";
    let categories: Vec<_> = found(text).into_iter().map(|one| one.3).collect();
    assert_eq!(categories, [Some("A > B > C".to_owned()), Some("D".to_owned())]);
    let text = "# Horários\n## Abre domingo?\nNão.\n";
    assert_eq!(found(text)[0].3.as_deref(), Some("Horários"));
}

#[test]
fn a_line_below_a_text_divides_where_headings_are_marked() {
    let text = "## Aceita cartão?\nSim, todos.\n---\n## Tem estacionamento?\nSim.\n\n***\n";
    let answers: Vec<_> = found(text).into_iter().map(|one| (one.1, one.2)).collect();
    assert_eq!(
        answers,
        [
            ("Aceita cartão?".to_owned(), "Sim, todos.".to_owned()),
            ("Tem estacionamento?".to_owned(), "Sim.".to_owned()),
        ]
    );
    let underlined = "Pagamento\n=========\n\nAceita cartão?\n--------------\nSim.\n";
    let one = found(underlined).remove(0);
    assert_eq!((one.1.as_str(), one.2.as_str()), ("Aceita cartão?", "Sim."));
    assert_eq!(one.3.as_deref(), Some("Pagamento"));
}

#[test]
fn headings_inside_of_lists_quotes_and_code_ask_nothing() {
    let text = "# Qual?\n\n> # Isto\n\n- # Aquilo\n\n```\n# comentário\n```\n";
    let found = found(text);
    assert_eq!(found.len(), 1);
    assert!(found[0].2.contains("# comentário"));
}

#[test]
fn what_is_not_for_reading_is_left_out() {
    let text = "---\ntitle: FAQ\n---\n\n# Qual?\n\n<!-- revisar -->\nEsta.\n";
    assert_eq!(found(text)[0].2, "Esta.");
    assert!(refused(text).is_empty());
}

#[test]
fn what_is_no_entry_is_refused_with_its_line() {
    let text =
        "\nUma introdução.\n\n# Pagamento\n## Aceita pix?\n## Aceita cartão?\nSim.\n## ?\nNada.\n";
    assert_eq!(
        refused(text),
        [(2, Refusal::BeforeFirstHeading), (5, Refusal::NoAnswer), (8, Refusal::NoQuestion),]
    );
}

#[test]
fn the_same_heading_below_two_is_two_questions() {
    let text = "# Consulta\n## Valores\nR$ 300.\n# Exame\n## Valores\nR$ 90.\n";
    let questions: Vec<_> = found(text).into_iter().map(|one| one.1).collect();
    assert_eq!(questions, ["Consulta: Valores", "Exame: Valores"]);
}

#[test]
fn a_long_text_becomes_parts_that_lose_nothing() {
    let paragraph = "Frase sobre o regulamento da casa. ".repeat(20);
    let text = format!("# Regulamento\n{}", format!("{}\n\n", paragraph.trim()).repeat(12));
    let found = found(&text);
    assert!(found.len() > 2);
    assert_eq!(found[0].1, "Regulamento");
    assert_eq!(found[1].1, "Regulamento (parte 2)");
    let sentences = |text: &str| text.matches("Frase sobre o regulamento da casa.").count();
    assert_eq!(found.iter().map(|one| sentences(&one.2)).sum::<usize>(), 240);
    assert!(found.iter().all(|one| one.2.chars().count() <= PART_CHARS));
    // What the file had before, and has no more.
    let reading = super::super::file::read(text.as_bytes(), None).unwrap();
    let questions =
        ["Regulamento (parte 2)", "Regulamento", "Outra (parte 99)", "Regulamento (parte x)"];
    assert!(questions.iter().all(|question| !reading.has_outgrown(question)));
    assert!(reading.has_outgrown("Regulamento (parte 99)"));
}

#[test]
fn numbers_that_count_headings_are_no_part_of_them() {
    for (title, question) in [
        ("1. Qual?", "Qual?"),
        ("2.3 Qual?", "Qual?"),
        ("4) Qual?", "Qual?"),
        ("24 horas por dia?", "24 horas por dia?"),
        ("10h é cedo?", "10h é cedo?"),
        ("3.500 reais?", "3.500 reais?"),
    ] {
        assert_eq!(without_number(title), question, "{title}");
    }
}
