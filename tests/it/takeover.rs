//! A person takes a conversation, and gives it back.

use std::time::Duration;

use chrono::TimeDelta;
use lembra_agent::services::handoff;

use crate::support::bodies::{ANA, BIA};
use crate::support::{on_both_databases, until};

on_both_databases! {
    async fn a_person_who_writes_during_a_turn_ends_it_at_once(app: TestApp) {
        let id = app.say(ANA, "tem vaga?").await;
        let job = app.jobs().await.into_iter().find(|job| job.kind == "respond").unwrap();
        app.clock.set(job.run_at);
        app.model.delay(Duration::from_secs(20));
        let person = async {
            until(5, "the model is asked", || async { !app.model.requests().is_empty() }).await;
            app.person_writes(ANA, "Deixa comigo, Ana.").await;
        };
        let started = std::time::Instant::now();
        tokio::join!(app.run_job(job.id), person);
        assert!(started.elapsed() < Duration::from_secs(10), "it waited for the model");
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 0);
        assert_eq!(app.message(&id).await.outcome.as_deref(), Some("human"));
    }

    async fn a_chat_that_a_person_began_is_theirs_too(app: TestApp) {
        app.person_writes(ANA, "Oi Ana, aqui é da pousada!").await;
        app.clock.advance(TimeDelta::minutes(5));
        app.say(ANA, "oi! tem vaga?").await;
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 0);
    }

    async fn each_message_of_a_person_begins_the_hour_anew(app: TestApp) {
        app.person_writes(ANA, "Oi!").await;
        app.clock.advance(TimeDelta::minutes(50));
        app.person_writes(ANA, "Ainda aí?").await;
        app.clock.advance(TimeDelta::minutes(50));
        app.say(ANA, "estou").await;
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 0);
        app.clock.advance(TimeDelta::minutes(11));
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 1);
    }

    async fn an_operator_pauses_the_bot_and_gives_the_conversation_back(app: TestApp) {
        app.say(ANA, "tem vaga?").await;
        let id = app.conversations().await[0].id;
        let clock = app.runtime.clock.clone();
        assert!(handoff::pause(app.db(), &clock, id, None).await.unwrap());
        app.settle().await;
        app.say(ANA, "oi?").await;
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 0);
        handoff::hand_back(app.db(), &clock, id).await.unwrap();
        app.say(ANA, "alguém?").await;
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 1);
    }

    async fn a_program_with_a_token_pauses_and_resumes_and_nobody_else_does(app: TestApp) {
        use secrecy::ExposeSecret;
        app.say(ANA, "tem vaga?").await;
        let id = app.conversations().await[0].id;
        let account = app.account().await;
        let clock = app.runtime.clock.clone();
        let (_, token) = lembra_agent::services::tokens::add(app.db(), &clock, account, "crm", lembra_agent::services::tokens::usual_scopes()).await.unwrap();
        let post = |path: &str, token: &str| {
            let url = format!("{}/api/accounts/{account}/conversations/{path}", app.url);
            app.http.post(url).bearer_auth(token).send()
        };
        let token = token.expose_secret();
        assert_eq!(post(&format!("{id}/pause"), "lembra_falso").await.unwrap().status(), 401);
        assert_eq!(post("999/pause", token).await.unwrap().status(), 404);
        assert_eq!(post(&format!("{id}/pause?minutes=0"), token).await.unwrap().status(), 400);
        assert_eq!(post(&format!("{id}/pause?minutes=30"), token).await.unwrap().status(), 200);
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 0);
        assert_eq!(post(&format!("{id}/resume"), token).await.unwrap().status(), 200);
        app.say(ANA, "oi?").await;
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 1);
    }

    async fn a_longer_pause_of_an_operator_outlasts_a_message_from_the_phone(app: TestApp) {
        app.say(ANA, "tem vaga?").await;
        let id = app.conversations().await[0].id;
        let clock = app.runtime.clock.clone();
        let until = app.now() + TimeDelta::hours(8);
        handoff::pause(app.db(), &clock, id, Some(until)).await.unwrap();
        app.person_writes(ANA, "Já te respondo").await;
        assert_eq!(app.conversations().await[0].paused_until, Some(until));
    }

    async fn what_a_person_wrote_hours_ago_silences_nobody_now(app: TestApp) {
        let waiting = app.say(ANA, "tem vaga?").await;
        let at = (app.now() - TimeDelta::hours(5)).timestamp();
        let echo = crate::support::bodies::echo(ANA, &app.wamid(), "Boa noite!", at);
        app.deliver(vec![echo]).await;
        app.settle().await;
        assert_eq!(app.message(&waiting).await.outcome.as_deref(), Some("answered"));
    }

    async fn our_own_message_seen_from_outside_silences_nobody(app: TestApp) {
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        let own = app.meta.sends()[0].clone();
        let echo = crate::support::bodies::echo(ANA, &own.id, &own.text, app.now().timestamp());
        app.deliver(vec![echo]).await;
        app.say(ANA, "e o café?").await;
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 2);
    }

    async fn an_automatic_greeting_does_not_silence_the_bot_for_ever(app: TestApp) {
        let greeting = "Olá! Obrigado por falar com a Pousada. Já respondemos!";
        for number in 0..4 {
            let customer = format!("55119800000{number:02}");
            app.say(&customer, "oi, tem vaga?").await;
            app.clock.advance(TimeDelta::seconds(2));
            app.person_writes(&customer, greeting).await;
            app.settle().await;
        }
        // It takes three conversations to be sure.
        let answered: Vec<usize> =
            (0..4).map(|number| app.meta.texts_to(&format!("55119800000{number:02}")).len()).collect();
        assert_eq!(answered, [0, 0, 1, 1]);
        // A person who says something else is a person.
        app.person_writes("5511980000003", "Deixa comigo").await;
        app.say("5511980000003", "ok?").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to("5511980000003").len(), 1);
        assert_eq!(app.meta.texts_to(BIA).len(), 0);
    }
}
