//! What an answer may say: figures and deeds that something holds (DESIGN §6.4).

use lembra_agent::store::accounts::Changes;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::bodies::ANA;
use crate::support::fake_agenda::FakeAgenda;
use crate::support::fake_model::Answer;
use crate::support::on_both_databases;

const INSTEAD: &str = "Não tenho esse dado confirmado aqui e prefiro não te passar uma informação errada. Quer que eu chame um atendente para confirmar?";

async fn asks(app: &TestApp, said: &str) -> String {
    app.say(ANA, said).await;
    app.settle().await;
    app.meta.texts_to(ANA).last().cloned().expect("an answer")
}

on_both_databases! {
    async fn a_price_that_nothing_holds_is_not_sent(app: TestApp) {
        app.model.answer_next(Answer::Text("A diária sai por R$ 289,90.".into()));
        app.model.answer_next(Answer::Text("Custa 289 reais e 90 centavos.".into()));
        assert_eq!(asks(&app, "quanto custa a diária?").await, INSTEAD);
        assert_eq!(app.model.requests().len(), 2);
        let failures = app.failures().await;
        assert_eq!((failures[0].0.as_str(), failures.len()), ("ungrounded", 1));
        // Nobody was called: the customer is asked whether to.
        assert!(app.handoffs().await.is_empty());
    }

    async fn a_price_of_the_accounts_facts_is_sent(app: TestApp) {
        let facts = Some("Diária da suíte standard: R$ 289,90. Check-in às 14:00.");
        app.set(Changes { facts, ..Changes::default() }).await;
        let answer = "A diária da standard é R$ 289,90, com entrada às 14h.";
        app.model.answer_next(Answer::Text(answer.into()));
        assert_eq!(asks(&app, "quanto custa a diária?").await, answer);
        assert!(app.model.last_system().contains("Check-in às 14:00"));
    }

    async fn a_price_of_the_knowledge_may_be_said_in_a_later_message(app: TestApp) {
        let account = app.account().await;
        let (asked, told) = ("Quanto custa a diária?", "A diária custa R$ 289,90.");
        app.runtime.knowledge.add(account, asked, told, None, "test").await.unwrap();
        app.model.answer_next(Answer::Text("É R$ 289,90 por noite.".into()));
        asks(&app, "quanto custa a diária?").await;
        let answer = "Perfeito! São R$ 289,90 então. Quer reservar?";
        app.model.answer_next(Answer::Text(answer.into()));
        assert_eq!(asks(&app, "ok, pode ser").await, answer);
    }

    async fn what_the_bot_said_before_licenses_nothing(app: TestApp) {
        let facts = Some("Diária: R$ 289,90.");
        app.set(Changes { facts, ..Changes::default() }).await;
        app.model.answer_next(Answer::Text("É R$ 289,90.".into()));
        asks(&app, "quanto custa a diária?").await;
        app.set(Changes { facts: Some(""), ..Changes::default() }).await;
        app.model.answer_always(Answer::Text("Como eu disse, R$ 289,90.".into()));
        assert_eq!(asks(&app, "quanto mesmo?").await, INSTEAD);
    }

    async fn the_customers_own_figures_may_be_repeated(app: TestApp) {
        let answer = "Anotado: chegada dia 12/12 às 21h, certo?";
        app.model.answer_next(Answer::Text(answer.into()));
        assert_eq!(asks(&app, "chego dia 12/12 umas 21h").await, answer);
    }

    async fn a_booking_that_was_not_made_is_not_confirmed(app: TestApp) {
        app.model.answer_always(Answer::Text("Prontinho, sua reserva está confirmada!".into()));
        assert_eq!(asks(&app, "reserva pra amanhã às 14h").await, INSTEAD);
    }

    async fn an_earlier_booking_confirms_no_other_one(app: TestApp) {
        let agenda = FakeAgenda::start();
        agenda.connect(&app).await;
        let book = json!({ "horario_id": "s2", "paciente_id": "pt1" });
        app.model.answer_next(Answer::call("agendar_horario", book));
        let done = "Marquei sua consulta para 01/12 às 14h.";
        app.model.answer_next(Answer::Text(done.into()));
        assert_eq!(asks(&app, "pode marcar").await, done);
        app.model.answer_next(Answer::Text(done.into()));
        assert_eq!(asks(&app, "ficou marcado mesmo?").await, done);
        let more = "Sua consulta está confirmada para 01/12 às 14h. Te esperamos, qualquer dúvida é só chamar.";
        app.model.answer_next(Answer::Text(more.into()));
        assert_eq!(asks(&app, "certo, confirmado?").await, more);
        app.model.answer_always(Answer::Text("Marquei quinta às 15h.".into()));
        assert_eq!(asks(&app, "marca outra quinta às 15h").await, INSTEAD);
    }

    async fn a_free_time_that_nobody_looked_up_is_not_offered(app: TestApp) {
        let offer = "Temos vaga amanhã às 14h, sim!";
        app.model.answer_next(Answer::Text(offer.into()));
        app.model.answer_next(Answer::Text(offer.into()));
        assert_eq!(asks(&app, "tem vaga amanhã às 14h?").await, INSTEAD);
        // What the house says of itself may be repeated.
        let facts = Some("Sempre temos vagas no estacionamento e mesas livres no jardim.");
        app.set(Changes { facts, ..Changes::default() }).await;
        let answer = "Temos mesas livres no jardim.";
        app.model.answer_next(Answer::Text(answer.into()));
        assert_eq!(asks(&app, "e mesa no jardim?").await, answer);
    }

    async fn a_time_of_an_earlier_result_may_be_said_again(app: TestApp) {
        let agenda = FakeAgenda::start();
        agenda.connect(&app).await;
        let consult = json!({ "medico": "Joana" });
        app.model.answer_next(Answer::call("consultar_horarios", consult));
        app.model.answer_next(Answer::Text("Tem dia 01/12 às 9h ou às 14h.".into()));
        asks(&app, "tem horário?").await;
        app.model.answer_next(Answer::Text("Isso: 1º de dezembro, 2 da tarde.".into()));
        assert_eq!(asks(&app, "qual era o da tarde?").await, "Isso: 1º de dezembro, 2 da tarde.");
    }

    async fn an_answer_that_says_a_person_was_called_calls_one(app: TestApp) {
        let answer = "Já acionei um atendente, ele te responde por aqui.";
        app.model.answer_next(Answer::Text(answer.into()));
        assert_eq!(asks(&app, "isso não resolve").await, answer);
        assert_eq!(app.handoffs().await[0].reason, "asked");
    }
}
