//! The guard as a whole: the scenarios of its contract, its order, and its cost.

use super::*;

fn user(texts: &[&str]) -> Vec<ChatMessage> {
    texts.iter().map(|t| ChatMessage::user(*t)).collect()
}

fn verdict(texts: &[&str], turns: Option<u32>) -> GuardVerdict {
    let messages = user(texts);
    ConversationGuard::evaluate(&GuardInput {
        messages: &messages,
        past_turns_without_tool_call: turns,
    })
}

fn kind(text: &str) -> Option<GuardKind> {
    verdict(&[text], None).kind()
}

#[test]
fn a_frustrated_customer_gets_the_empathetic_answer() {
    let verdict = verdict(&["esse bot é uma porra, não funciona NADA"], None);
    assert!(matches!(
        verdict,
        GuardVerdict::Preempt {
            kind: GuardKind::Frustrated,
            response: GUARD_RESPONSE_FRUSTRATED,
            ..
        }
    ));
}

#[test]
fn three_similar_questions_without_a_useful_tool_are_a_loop() {
    let asked = ["qual o saldo?", "saldo?", "saldo mesmo?"];
    assert_eq!(verdict(&asked, Some(2)).kind(), Some(GuardKind::Loop));
    for turns in [None, Some(0), Some(1)] {
        assert_eq!(verdict(&asked, turns), GuardVerdict::Proceed);
    }
    assert_eq!(verdict(&asked[1..], Some(5)), GuardVerdict::Proceed);
}

#[test]
fn an_explicit_request_for_a_person_is_recognised() {
    assert_eq!(kind("quero falar com uma pessoa, não com bot"), Some(GuardKind::HumanRequest));
}

#[test]
fn an_ordinary_question_goes_to_the_model() {
    assert_eq!(verdict(&["qual o total do mês?"], Some(7)), GuardVerdict::Proceed);
    assert_eq!(verdict(&[], Some(7)), GuardVerdict::Proceed);
}

#[test]
fn frustration_comes_before_a_request_for_a_person_and_both_before_a_loop() {
    assert_eq!(kind("VAI A MERDA, QUERO FALAR COM HUMANO"), Some(GuardKind::Frustrated));
    let asked = ["quero um atendente"; 3];
    assert_eq!(verdict(&asked, Some(2)).kind(), Some(GuardKind::HumanRequest));
}

#[test]
fn only_the_last_user_message_is_judged() {
    let mut messages = user(&["que merda", "qual o saldo?"]);
    messages.push(ChatMessage::assistant("porra"));
    let input = GuardInput { messages: &messages, past_turns_without_tool_call: None };
    assert_eq!(ConversationGuard::evaluate(&input), GuardVerdict::Proceed);
}

#[test]
fn the_answers_are_those_of_the_contract_to_the_letter() {
    assert_eq!(
        GUARD_RESPONSE_FRUSTRATED,
        "Vi que tu tá frustrado e eu entendo. Bora tentar de outro jeito — me conta o que tu \
         precisa em 1 frase curta?"
    );
    assert_eq!(
        GUARD_RESPONSE_LOOP,
        "Acho que travei. Não consegui te ajudar com isso. Quer reformular ou esperar um humano \
         entrar pra te ajudar mais tarde?"
    );
    assert_eq!(
        GUARD_RESPONSE_HUMAN_REQUEST,
        "Por enquanto só eu (mel) por aqui — sem humano. Anoto o pedido pra avisar quando suporte \
         entrar. Enquanto isso, posso te ajudar com orçamento, metas ou fatura?"
    );
}

#[test]
fn verdicts_serialise_in_the_shape_of_the_contract() {
    let proceed = serde_json::to_value(GuardVerdict::Proceed).unwrap();
    assert_eq!(proceed, serde_json::json!({"preempt": false}));
    let human = serde_json::to_value(verdict(&["me encaminha pra uma atendente"], None)).unwrap();
    assert_eq!(
        human,
        serde_json::json!({
            "preempt": true,
            "kind": "human-request",
            "response": GUARD_RESPONSE_HUMAN_REQUEST,
        })
    );
}

#[test]
fn every_class_named_in_a_phrase_exists() {
    let tables = [
        profanity::TABLES,
        evaluative::TABLES,
        complaint::TABLES,
        cheer::TABLES,
        human_request::TABLES,
    ];
    let classes = words::classes();
    for phrase in tables.iter().copied().flatten().flat_map(|t| t.phrases) {
        for word in phrase.split([' ', '|']).map(|w| w.trim_end_matches('?')) {
            if let Some(name) = word.strip_prefix('<').and_then(|w| w.strip_suffix('>')) {
                assert!(classes.iter().any(|class| class.name == name), "{name} in {phrase}");
            }
            assert!(word.is_ascii(), "{word} is not folded");
        }
    }
    for (_, list) in words::CLASSES {
        assert!(list.is_ascii(), "{list}");
    }
}

#[test]
fn any_text_is_judged_without_panic() {
    for text in [
        "",
        " ",
        "?",
        "¿",
        "...",
        "*",
        "**",
        "a*",
        "*a",
        "🖕🏽",
        "\u{301}",
        "ﬁm",
        "ß",
        "İ",
        "日本語",
        "a.b.c.d.e",
        "1,2,3.",
        "'''",
        "- - -",
        "\n\n\n",
        "@ @",
        "ª º",
        "👨‍👩‍👧",
    ] {
        let _ = kind(text);
    }
}
