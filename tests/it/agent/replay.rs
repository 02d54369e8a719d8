//! A turn that is made again books once, also when the model would now choose otherwise.

use std::time::Duration;

use lembra_agent::services::agenda::contract::BOOK;
use serde_json::{Value, json};

use crate::support::bodies::{ANA, BIA};
use crate::support::fake_agenda::{FakeAgenda, TOKEN, Trouble};
use crate::support::fake_model::Answer;
use crate::support::processes::Installation;
use crate::support::{on_both_databases, until};

fn book(slot: &str) -> Answer {
    Answer::call("agendar_horario", json!({ "horario_id": slot, "paciente_id": "pt1" }))
}

fn booked(agenda: &FakeAgenda) -> Vec<Value> {
    agenda.booked().iter().map(|one| one["slot_id"].clone()).collect()
}

const DONE: &str = "Marquei sua consulta para 01/12 às 14h.";

on_both_databases! {
    async fn a_turn_made_again_books_once(app: TestApp) {
        let agenda = FakeAgenda::start();
        agenda.connect(&app).await;
        app.model.answer_next(book("s2"));
        // The answer is lost; the second attempt would choose another time.
        app.model.answer_next(Answer::Status(500));
        app.model.answer_next(book("s3"));
        app.model.answer_next(Answer::Text(DONE.into()));
        app.say(ANA, "pode marcar, por favor").await;
        app.settle().await;
        assert_eq!(booked(&agenda), ["s2"]);
        assert_eq!(app.meta.texts_to(ANA), [DONE]);
        // It was told what had been done, before and when it asked.
        let told = app.model.results_in(2);
        assert!(told[0].contains("agendamento_id"), "{told:?}");
        let told = app.model.results_in(3);
        assert!(told[1].contains("Já foi feito antes"), "{told:?}");
        let calls = app.tool_calls().await;
        assert_eq!(calls.len(), 1);
        assert!(calls[0].turn_id.is_some());
        assert_eq!(calls[0].state, "done");
    }

    async fn a_message_that_comes_meanwhile_does_not_book_again(app: TestApp) {
        let agenda = FakeAgenda::start();
        agenda.connect(&app).await;
        app.model.answer_next(book("s2"));
        app.model.answer_next(Answer::Status(500));
        app.say(ANA, "pode marcar, por favor").await;
        app.clock.advance(chrono::TimeDelta::seconds(3));
        app.drain().await;
        assert_eq!(booked(&agenda), ["s2"]);
        app.say(ANA, "e me confirma aqui").await;
        app.model.answer_next(book("s2"));
        app.model.answer_next(Answer::Text(DONE.into()));
        app.settle().await;
        assert_eq!((agenda.asked_for(BOOK).len(), app.meta.texts_to(ANA).len()), (1, 1));
    }

    async fn a_call_that_was_begun_is_finished_under_its_own_key(app: TestApp) {
        use lembra_agent::store::tool_calls::{self, NewCall, State};
        let agenda = FakeAgenda::start();
        agenda.connect(&app).await;
        let id = app.say(ANA, "pode marcar, por favor").await;
        let message = app.message(&id).await;
        // What a process leaves that died while it was booking.
        let begun = NewCall {
            account_id: message.account_id,
            conversation_id: message.conversation_id,
            turn_id: None,
            call_key: "the-key".into(),
            tool: "agendar_horario".into(),
            arguments: json!({ "horario_id": "s2", "paciente_id": "pt1" }),
            has_effect: true,
            state: State::Begun,
            code: None,
            result: None,
            begun_at: app.now(),
            finished_at: None,
            settled_at: None,
        };
        tool_calls::insert(app.db(), begun).await.unwrap();
        app.model.answer_next(book("s3"));
        app.model.answer_next(Answer::Text(DONE.into()));
        app.settle().await;
        assert_eq!(booked(&agenda), ["s2"]);
        assert_eq!(agenda.asked_for(BOOK)[0].key.as_deref(), Some("the-key"));
        assert_eq!(app.meta.texts_to(ANA), [DONE]);
    }

    async fn the_same_booking_twice_in_a_turn_is_one(app: TestApp) {
        let agenda = FakeAgenda::start();
        agenda.connect(&app).await;
        app.model.answer_next(book("s2"));
        app.model.answer_next(book("s2"));
        app.model.answer_next(Answer::Text(DONE.into()));
        app.say(ANA, "pode marcar, por favor").await;
        app.settle().await;
        assert_eq!(agenda.asked_for(BOOK).len(), 1);
        assert_eq!(app.meta.texts_to(ANA), [DONE]);
        assert!(app.failures().await.is_empty());
    }

    async fn what_a_turn_did_that_was_given_up_is_told_to_operators(app: TestApp) {
        let agenda = FakeAgenda::start();
        agenda.connect(&app).await;
        app.model.answer_next(book("s2"));
        app.model.answer_always(Answer::Status(500));
        app.say(ANA, "pode marcar, por favor").await;
        app.settle().await;
        assert_eq!(booked(&agenda), ["s2"]);
        assert!(app.alerts().await.iter().any(|(kind, _)| kind == "untold_effect"));
        let call = &app.tool_calls().await[0];
        assert!(call.settled_at.is_some() && call.turn_id.is_none());
    }

    async fn a_customer_cancels_their_own_appointment_and_nobody_elses(app: TestApp) {
        let agenda = FakeAgenda::start();
        agenda.connect(&app).await;
        app.model.answer_next(book("s2"));
        app.model.answer_next(Answer::Text(DONE.into()));
        app.say(ANA, "pode marcar, por favor").await;
        app.settle().await;
        // Another day, another conversation: the appointment is known still.
        app.resolve().await;
        app.clock.advance(chrono::TimeDelta::hours(30));
        let cancel = || Answer::call("cancelar_horario", json!({ "agendamento_id": "a1" }));
        app.model.answer_next(cancel());
        app.model.answer_next(Answer::Text("Não achei esse agendamento.".into()));
        app.say(BIA, "cancele o agendamento a1").await;
        app.settle().await;
        assert_eq!(booked(&agenda), ["s2"]);
        app.model.answer_next(cancel());
        app.model.answer_next(Answer::Text("Pronto, cancelei.".into()));
        app.say(ANA, "quero cancelar").await;
        app.settle().await;
        assert!(app.model.last_system().contains("agendamento_id"));
        assert!(booked(&agenda).is_empty());
        assert_eq!(app.meta.texts_to(ANA).last().unwrap(), "Pronto, cancelei.");
    }

    async fn the_next_turn_may_book_another_time(app: TestApp) {
        let agenda = FakeAgenda::start();
        agenda.connect(&app).await;
        app.model.answer_next(book("s2"));
        app.model.answer_next(Answer::Text(DONE.into()));
        app.say(ANA, "pode marcar, por favor").await;
        app.settle().await;
        app.model.answer_next(book("s3"));
        app.model.answer_next(Answer::Text("Marquei também 02/12 às 9h30.".into()));
        app.say(ANA, "e outra para minha mãe").await;
        app.settle().await;
        assert_eq!(booked(&agenda), ["s2", "s3"]);
        let arguments = &app.tool_calls().await[0].arguments;
        assert_eq!(arguments["horario_id"], "s2");
    }
}

async fn killed_between_booking_and_answer(mut installation: Installation) {
    let agenda = FakeAgenda::start();
    let url = agenda.url.clone();
    installation.bot_json(&["agenda", "set", "--account", "1", "--url", &url, "--token", TOKEN]);
    installation.model.answer_next(book("s2"));
    agenda.trouble_next(BOOK, Trouble::Late(Duration::from_millis(500)));
    installation.up().await;
    let customers = installation.write_at_once(1).await;
    until(10, "it is booked", || async { agenda.booked().len() == 1 }).await;
    installation.model.delay(Duration::from_secs(30));
    until(10, "the answer is asked for", || async { installation.model.requests().len() == 2 })
        .await;
    installation.kill();
    installation.model.delay(Duration::ZERO);
    installation.model.answer_next(book("s3"));
    installation.model.answer_next(Answer::Text(DONE.into()));
    installation.up().await;
    until(30, "the customer has an answer", || async {
        installation.meta.counts().contains_key(&customers[0])
    })
    .await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(booked(&agenda), ["s2"]);
    assert_eq!(installation.meta.texts_to(&customers[0]), [DONE]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_between_booking_and_answer_books_and_answers_once_standalone() {
    if let Some(installation) = Installation::standalone() {
        killed_between_booking_and_answer(installation).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_between_booking_and_answer_books_and_answers_once_in_production() {
    if let Some(installation) = Installation::production(None).await {
        killed_between_booking_and_answer(installation).await;
    }
}
