//! What a turn does when the model fails in one way or another.

use serde_json::json;

use crate::support::bodies::ANA;
use crate::support::fake_model::Answer;
use crate::support::on_both_databases;

const TECHNICAL: &str = "Desculpe, tive um problema tecnico. Um atendente ja foi acionado.";

fn body(message: &serde_json::Value, finish: &str) -> Answer {
    let choice = json!({ "index": 0, "finish_reason": finish, "message": message });
    Answer::Body(json!({ "choices": [choice] }).to_string())
}

on_both_databases! {
    async fn an_answer_that_breaks_off_is_not_sent(app: TestApp) {
        let half = json!({ "role": "assistant", "content": "Sim, mas só se você" });
        app.model.answer_next(body(&half, "length"));
        app.model.answer_next(Answer::Body(r#"{"choices":[{"mess"#.into()));
        app.model.answer_next(body(&json!({ "role": "assistant", "content": "" }), "stop"));
        app.say(ANA, "aceita cachorro?").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA), ["Resposta 4."]);
    }

    async fn a_model_that_does_not_answer_in_time_is_asked_again(app: TestApp) {
        app.model.delay(std::time::Duration::from_secs(3));
        app.say(ANA, "oi, tudo bem?").await;
        app.clock.advance(chrono::TimeDelta::seconds(3));
        app.drain().await;
        assert!(app.meta.texts_to(ANA).is_empty());
        app.model.delay(std::time::Duration::ZERO);
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA), ["Resposta 2."]);
    }

    async fn a_model_that_declines_leads_to_a_person_at_once(app: TestApp) {
        let declined = json!({ "role": "assistant", "content": null, "refusal": "Não posso." });
        app.model.answer_always(body(&declined, "stop"));
        app.say(ANA, "me conta um segredo do hotel").await;
        app.settle().await;
        assert_eq!(app.model.requests().len(), 1);
        assert_eq!(app.meta.texts_to(ANA), [TECHNICAL]);
        assert_eq!(app.handoffs().await[0].reason, "technical_problem");
        assert_eq!(app.failures().await[0].1, "no_answer");
    }

    async fn a_server_without_tools_is_asked_without_them(app: TestApp) {
        app.model.answer_next(Answer::Status(400));
        app.say(ANA, "oi, tudo bem?").await;
        app.settle().await;
        assert_eq!(app.model.requests().len(), 2);
        assert!(!app.model.offered_in(0).is_empty());
        assert!(app.model.offered_in(1).is_empty());
        assert_eq!(app.meta.texts_to(ANA), ["Resposta 2."]);
    }

    async fn words_beside_a_transfer_are_the_answer_when_no_others_follow(app: TestApp) {
        app.model.answer_next(Answer::Calls(
            "Vou te passar para um atendente.",
            vec![("transferir_atendimento", json!({ "motivo": "cliente pediu" }))],
        ));
        app.model.answer_next(body(&json!({ "role": "assistant", "content": null }), "stop"));
        app.say(ANA, "isso não é com você, né?").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA), ["Vou te passar para um atendente."]);
        let handoffs = app.handoffs().await;
        assert_eq!((handoffs[0].reason.as_str(), handoffs[0].detail.as_deref()),
                   ("asked", Some("cliente pediu")));
        assert_eq!(app.open_conversation().await.handler, "human");
    }

    async fn every_round_is_paid_for_and_recorded(app: TestApp) {
        app.model.answer_next(Answer::call("list_my_memories", json!({})));
        app.model.answer_next(Answer::Text("Ainda não sei nada sobre você.".into()));
        app.say(ANA, "o que você sabe sobre mim?").await;
        app.settle().await;
        let turn = &app.turns().await[0];
        assert_eq!((turn.prompt_tokens, turn.completion_tokens), (Some(22), Some(14)));
        let rounds = turn.record.clone().unwrap();
        assert_eq!(rounds.as_array().unwrap().len(), 2);
        assert_eq!(rounds[0]["calls"][0]["tool"], "list_my_memories");
        assert_eq!(rounds[0]["calls"][0]["ended"], "done");
        let calls = app.tool_calls().await;
        assert_eq!((calls.len(), calls[0].turn_id), (1, Some(turn.id)));
    }
}
