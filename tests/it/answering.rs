//! From a webhook to an answer.

use chrono::TimeDelta;
use serde_json::json;

use crate::support::bodies::{self, ANA, BIA};
use crate::support::fake_model::Answer;
use crate::support::on_both_databases;

const FRUSTRATED: &str = "Vi que tu tá frustrado e eu entendo. Bora tentar de outro jeito — me conta o que tu precisa em 1 frase curta?";
const LOOP: &str = "Acho que travei. Não consegui te ajudar com isso. Quer reformular ou esperar um humano entrar pra te ajudar mais tarde?";
const HUMAN_REQUEST: &str = "Por enquanto só eu (mel) por aqui — sem humano. Anoto o pedido pra avisar quando suporte entrar. Enquanto isso, posso te ajudar com orçamento, metas ou fatura?";
const TECHNICAL: &str = "Desculpe, tive um problema tecnico. Um atendente ja foi acionado.";

on_both_databases! {
    async fn a_customer_who_writes_gets_the_models_answer(app: TestApp) {
        app.model.answer_next(Answer::Text("O total do mês é **alto**.".into()));
        let id = app.say(ANA, "qual o total do mês?").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA), ["O total do mês é *alto*."]);
        let message = app.message(&id).await;
        assert_eq!(message.verdict.as_deref(), Some("proceed"));
        assert_eq!(message.outcome.as_deref(), Some("answered"));
        let turns = app.turns().await;
        assert_eq!(turns.len(), 1);
        assert_eq!(message.turn_id, Some(turns[0].id));
        assert_eq!((turns[0].model.as_str(), turns[0].prompt_tokens), ("fake-1", Some(11)));
        let prompt = app.model.requests()[0]["messages"].clone();
        assert_eq!(prompt[0]["role"], "system");
        assert_eq!(prompt[1], json!({ "role": "user", "content": "qual o total do mês?" }));
    }

    async fn a_frustrated_customer_is_answered_without_any_model_call(app: TestApp) {
        let id = app.say(ANA, "esse bot é uma porra, não funciona NADA").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA), [FRUSTRATED]);
        assert_eq!(app.model.requests().len(), 0);
        let message = app.message(&id).await;
        assert_eq!(message.verdict.as_deref(), Some("frustrated"));
        assert_eq!(message.outcome.as_deref(), Some("preempted"));
        assert!(message.rule.is_some());
        // Stored like any turn.
        assert_eq!(app.turns().await[0].reply, FRUSTRATED);
    }

    async fn a_request_for_a_person_is_answered_without_any_model_call(app: TestApp) {
        app.say(ANA, "quero falar com uma pessoa, não com bot").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA), [HUMAN_REQUEST]);
        assert_eq!(app.model.requests().len(), 0);
    }

    async fn frustration_comes_before_the_request_for_a_person(app: TestApp) {
        app.say(ANA, "VAI A MERDA, QUERO FALAR COM HUMANO").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA), [FRUSTRATED]);
    }

    async fn the_third_time_of_the_same_question_is_a_loop(app: TestApp) {
        for text in ["qual o saldo?", "saldo?"] {
            app.say(ANA, text).await;
            app.settle().await;
        }
        assert_eq!(app.model.requests().len(), 2);
        app.say(ANA, "saldo mesmo?").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).last().map(String::as_str), Some(LOOP));
        assert_eq!(app.model.requests().len(), 2);
    }

    async fn a_redelivered_webhook_is_answered_once(app: TestApp) {
        let message = bodies::text_message(ANA, "wamid.SAME", "oi, tudo bem?", app.now().timestamp());
        let body = bodies::envelope(&[vec![bodies::messages(&[message])]]);
        for _ in 0..3 {
            assert_eq!(app.post(body.to_string()).await, 200);
            app.settle().await;
        }
        // The same message in other bytes, as a provider that writes it anew would send.
        assert_eq!(app.post(serde_json::to_string_pretty(&body).unwrap()).await, 200);
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
        assert_eq!(app.outcomes().await.len(), 1);
    }

    async fn the_same_delivery_five_times_at_once_is_one_message_and_one_answer(app: TestApp) {
        let message = bodies::text_message(ANA, "wamid.SAME", "oi, tudo bem?", app.now().timestamp());
        let body = bodies::envelope(&[vec![bodies::messages(&[message])]]).to_string();
        let posts = (0..5).map(|_| app.post(body.clone()));
        assert_eq!(futures::future::join_all(posts).await, [200; 5]);
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
        assert_eq!(app.outcomes().await.len(), 1);
        assert_eq!(app.conversations().await.len(), 1);
    }

    async fn every_message_of_a_batch_is_answered(app: TestApp) {
        let now = app.now().timestamp();
        let customer = |number: usize| format!("551198765{number:04}");
        let change = |first: usize| {
            let message = |number: usize| {
                bodies::text_message(&customer(number), &format!("wamid.B{number}"), "tem vaga?", now)
            };
            bodies::messages(&[message(first), message(first + 1)])
        };
        let body = bodies::envelope(&[vec![change(0), change(2)], vec![change(4), change(6)]]);
        assert_eq!(app.post(body.to_string()).await, 200);
        app.settle().await;
        for number in 0..8 {
            assert_eq!(app.meta.texts_to(&customer(number)).len(), 1, "customer {number}");
        }
    }

    async fn five_short_messages_are_read_by_one_turn(app: TestApp) {
        let texts = ["oi", "quero pix", "doc é 123", "pode ser hoje", "obrigada"];
        for text in texts {
            app.say(ANA, text).await;
            app.clock.advance(TimeDelta::milliseconds(400));
        }
        app.settle().await;
        assert_eq!(app.model.requests().len(), 1);
        assert_eq!(app.model.said_in(0), texts);
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
        let outcomes: Vec<_> = app.outcomes().await.into_iter().flatten().collect();
        assert_eq!(outcomes, ["coalesced", "coalesced", "coalesced", "coalesced", "answered"]);
    }

    async fn whoever_goes_on_writing_waits_ten_seconds_at_most(app: TestApp) {
        let began = app.now();
        for number in 0..8 {
            app.say(ANA, &format!("mais uma coisa, a {number}ª")).await;
            app.drain().await;
            app.clock.advance(TimeDelta::seconds(2));
        }
        let jobs = app.jobs().await;
        let first = jobs.iter().find(|job| job.kind == "respond").unwrap();
        assert!(first.run_at <= began + TimeDelta::seconds(10), "{}", first.run_at - began);
        assert_eq!(app.model.requests().len(), 1);
    }

    async fn the_model_sees_what_was_said_before_also_after_a_resolved_conversation(app: TestApp) {
        app.say(ANA, "sou a Ana").await;
        app.settle().await;
        let conversation = app.conversations().await[0].id;
        let resolved = lembra_agent::services::conversations::resolve(
            app.db(), &app.runtime.clock, conversation,
        );
        assert!(resolved.await.unwrap());
        app.say(ANA, "e o café?").await;
        app.settle().await;
        assert_eq!(app.conversations().await.len(), 2);
        assert_eq!(app.model.said_in(1), ["sou a Ana", "e o café?"]);
    }

    async fn a_model_that_fails_is_asked_again(app: TestApp) {
        app.model.answer_next(Answer::Status(503));
        app.model.answer_next(Answer::Body("<html>".into()));
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        assert_eq!(app.model.requests().len(), 3);
        assert_eq!(app.meta.texts_to(ANA), ["Resposta 3."]);
    }

    async fn a_models_wish_to_wait_is_obeyed(app: TestApp) {
        app.model.answer_next(Answer::Busy(40));
        app.say(ANA, "tem vaga?").await;
        app.clock.advance(TimeDelta::seconds(3));
        app.drain().await;
        app.clock.advance(TimeDelta::seconds(39));
        app.drain().await;
        assert_eq!(app.model.requests().len(), 1);
        app.clock.advance(TimeDelta::seconds(2));
        app.drain().await;
        assert_eq!(app.model.requests().len(), 2);
    }

    async fn a_model_that_never_answers_leads_to_the_technical_sentence_and_a_person(app: TestApp) {
        app.model.answer_always(Answer::Status(500));
        let id = app.say(ANA, "tem vaga?").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA), [TECHNICAL]);
        assert_eq!(app.message(&id).await.outcome.as_deref(), Some("failed"));
        let conversation = &app.conversations().await[0];
        assert_eq!(conversation.handler, "human");
        assert_eq!(conversation.handler_reason.as_deref(), Some("technical_problem"));
        let dead: Vec<_> = app.jobs().await.into_iter().filter(|job| job.state == "dead").collect();
        assert_eq!(dead.len(), 1);
        assert_eq!(dead[0].attempts, 4);
        // The bot stays silent from then on.
        let next = app.say(ANA, "alô?").await;
        app.settle().await;
        assert_eq!(app.message(&next).await.outcome.as_deref(), Some("human"));
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
    }

    async fn a_refused_key_is_not_tried_again(app: TestApp) {
        app.model.answer_always(Answer::Status(401));
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        assert_eq!(app.model.requests().len(), 1);
        assert_eq!(app.meta.texts_to(ANA), [TECHNICAL]);
    }

    async fn emoji_and_very_long_texts_are_answered(app: TestApp) {
        app.say(ANA, "👍🏽🎉").await;
        app.say(BIA, &"palavra ".repeat(7_500)).await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
        assert_eq!(app.meta.texts_to(BIA).len(), 1);
    }

    async fn a_text_of_nothing_is_kept_and_hurts_nobody(app: TestApp) {
        let empty = app.say(ANA, "\u{0}").await;
        let mixed = app.say(BIA, "tem\u{0} vaga?").await;
        app.settle().await;
        assert_eq!(app.message(&empty).await.outcome.as_deref(), Some("ignored"));
        assert_eq!(app.message(&mixed).await.text, "tem vaga?");
        assert_eq!(app.meta.texts_to(BIA).len(), 1);
    }

    async fn a_customer_without_a_phone_is_answered_at_their_user_id(app: TestApp) {
        let mut message = bodies::text_message("", "wamid.BSUID", "oi", app.now().timestamp());
        message["from_user_id"] = json!("BR.1502576394655843");
        let contact = json!({ "profile": { "name": "Ana" }, "user_id": "BR.1502576394655843" });
        let value = json!({ "contacts": [contact], "messages": [message] });
        assert_eq!(app.deliver(vec![bodies::change(bodies::PHONE_NUMBER_ID, value)]).await, 200);
        app.settle().await;
        let sends = app.meta.sends();
        assert_eq!(sends.len(), 1);
        assert_eq!((sends[0].to.as_str(), sends[0].addressed_by), ("BR.1502576394655843", "recipient"));
    }

    async fn with_and_without_the_ninth_digit_it_is_one_customer_answered_as_they_wrote(app: TestApp) {
        app.say("5585987650002", "oi").await;
        app.settle().await;
        app.say(BIA, "e aí?").await;
        app.settle().await;
        assert_eq!(app.conversations().await.len(), 1);
        assert_eq!(app.meta.texts_to("5585987650002").len(), 1);
        assert_eq!(app.meta.texts_to(BIA).len(), 1);
    }

    async fn a_customer_who_is_angry_meanwhile_gets_the_canonical_answer_alone(app: TestApp) {
        app.say(ANA, "qual o saldo?").await;
        // The turn has read the first message when the second one is answered by triage.
        let job = app.jobs().await.into_iter().find(|job| job.kind == "respond").unwrap();
        app.clock.set(job.run_at);
        app.model.delay(std::time::Duration::from_millis(1_200));
        let angry = async {
            crate::support::until(5, "the model is asked", || async { !app.model.requests().is_empty() }).await;
            app.say(ANA, "que porcaria de bot, não serve pra nada, porra").await;
        };
        tokio::join!(app.run_job(job.id), angry);
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA), [FRUSTRATED]);
        let outcomes: Vec<_> = app.outcomes().await.into_iter().flatten().collect();
        assert_eq!(outcomes, ["preempted", "preempted"]);
    }

    async fn a_message_that_comes_while_the_model_thinks_is_answered_by_the_next_turn(app: TestApp) {
        app.say(ANA, "qual o saldo?").await;
        let job = app.jobs().await.into_iter().find(|job| job.kind == "respond").unwrap();
        app.clock.set(job.run_at);
        app.model.delay(std::time::Duration::from_millis(1_200));
        let later = async {
            crate::support::until(5, "the model is asked", || async { !app.model.requests().is_empty() }).await;
            app.say(ANA, "e o do mês passado?").await;
        };
        tokio::join!(app.run_job(job.id), later);
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA), ["Resposta 1.", "Resposta 2."]);
        assert_eq!(app.model.said_in(1), ["qual o saldo?", "e o do mês passado?"]);
    }
}
