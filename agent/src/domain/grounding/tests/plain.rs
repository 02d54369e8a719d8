//! What is no figure, what a figure is read as, and the strict rule.

use super::super::{FigureKind, figures, ungrounded, ungrounded_strict};
use super::scores::context;

#[test]
fn what_counts_numbers_or_lasts_is_no_figure() {
    for text in [
        "1. Dr. Paulo\n2. Dra. Joana\n3) Dra. Lia",
        "Escolha uma opção:\n1️⃣ Agendar\n2️⃣ Cancelar",
        "Mesa para 2 pessoas, em 3 passos, com uma opção de sobremesa.",
        "A consulta dura 30 minutos e o retorno é em até 30 dias.",
        "Seu quarto é o 204, no 2º andar.",
        "Fundado em 1998, reformado em 2024.",
        "Atendemos 24h, ou 24 horas por dia.",
        "Só um minuto, um segundo só!",
        "Se precisar, ligue 188 (CVV), 190 ou 192.",
        "O apartamento tem 45 m², 2 camas e TV de 43 polegadas.",
        "Windows 11, Dipirona 500 mg, Vitamina B12, CRM 12345",
        "Bom dia! Boa tarde! Boa noite! Mil desculpas pela demora.",
        "A segunda opção e a terceira são iguais.",
        "São 3 noites, 10 parcelas e 2x por semana.",
        "Em 15 minutos um atendente responde.",
        "Dia a dia, meia dúzia, meia porção, primeira vez.",
        "Rua das Flores, 350, sala 12.",
        "Temos 1.200 avaliações e nota 4,9.",
        "Tome 1 comprimido de 8 em 8 horas por 7 dias.",
        "Pode me mandar por aqui mesmo, é 100% seguro.",
        "Idade mínima: 12 anos. Peso máximo: 100 kg. Altura: 1,40 m.",
        "O voo é o LA3456 e a placa ABC1D23.",
        "You have 2 rooms and 3 nights left.",
    ] {
        assert_eq!(figures(text, &context()), Vec::new(), "{text}");
    }
}

#[test]
fn figures_keep_their_writing_and_their_order() {
    let text = "Dia 05/12 às 14h30: R$ 1.200,00 com *10%* off, ligue (11) 98765-4321!";
    let found: Vec<_> = figures(text, &context()).into_iter().map(|f| (f.kind, f.text)).collect();
    let expected = [
        (FigureKind::Date, "05/12"),
        (FigureKind::Clock, "14h30"),
        (FigureKind::Money, "R$ 1.200,00"),
        (FigureKind::Percent, "10%"),
        (FigureKind::Phone, "(11) 98765-4321"),
    ];
    let expected: Vec<_> = expected.map(|(kind, text)| (kind, text.to_owned())).into();
    assert_eq!(found, expected);
}

#[test]
fn days_are_asked_for_in_strict_turns_only() {
    let tool = r#"{"horarios":[{"data":"2026-12-01","hora":"14:00"}]}"#;
    for (answer, sources, invented) in [
        ("Tenho amanhã às 14h com a Dra. Joana.", vec![tool], vec![]),
        ("Tenho terça à tarde, às 14h.", vec![tool], vec![]),
        ("Tem vaga terça-feira (01/12).", vec![tool], vec![]),
        ("Tenho depois de amanhã às 14h.", vec![tool], vec!["depois de amanhã"]),
        ("Tenho sexta às 14h.", vec![tool], vec!["sexta"]),
        ("Tenho amanhã de manhã.", vec![tool], vec!["de manhã"]),
        ("Só na semana que vem.", vec![tool], vec!["semana que vem"]),
        ("Marquei amanhã às 14h.", vec![], vec!["amanhã", "14h"]),
        ("Pode ser na quinta?", vec![], vec!["quinta"]),
        ("Vagas de seg a sex.", vec![], vec!["seg", "sex"]),
        ("Hoje, 30/11, não deu.", vec![], vec!["Hoje", "30/11"]),
        ("Não consegui consultar a agenda de amanhã.", vec![], vec![]),
        ("Não encontrei horários para sexta, mas tenho sábado.", vec![], vec!["sábado"]),
        ("Posso te ajudar em algo mais hoje?", vec![], vec![]),
        ("Boa tarde! A segunda via sai na hora, e a quarta parcela também.", vec![], vec![]),
        (
            "Não encontrei horários disponíveis na agenda da Dra. Joana no momento.\nVou te encaminhar para um atendente que consegue verificar alternativas.",
            vec![],
            vec![],
        ),
        ("Desculpe, tive um problema tecnico. Um atendente ja foi acionado.", vec![], vec![]),
    ] {
        let found = ungrounded_strict(answer, &sources, &context());
        let texts: Vec<_> = found.iter().map(|figure| figure.text.as_str()).collect();
        assert_eq!(texts, invented, "{answer}");
        let plain = ungrounded(answer, &sources, &context());
        assert!(plain.iter().all(|figure| figure.kind != FigureKind::Day), "{answer}");
    }
}

#[test]
fn after_a_failure_what_is_denied_passes_and_what_is_offered_is_caught() {
    for line in include_str!("strict.txt").lines().filter(|line| !line.starts_with('#')) {
        let (truth, answer) = line.split_once(" | ").unwrap();
        let caught = !ungrounded_strict(answer, &[], &context()).is_empty();
        assert_eq!(caught, truth == "caught", "{answer}");
    }
}
