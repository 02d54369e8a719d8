//! `FALHA_CONSULTA` from an HTTP condition at the agenda to the customer, the operators and the
//! queue of people (seed 004).

use std::time::Duration;

use lembra_agent::services::agenda::contract::{BOOK, LIST_DOCTORS, LIST_SLOTS, REGISTER_PATIENT};
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::bodies::ANA;
use crate::support::fake_agenda::{FakeAgenda, Trouble};
use crate::support::fake_model::Answer;
use crate::support::on_both_databases;

/// What goes out in place of an answer that nobody may believe.
const INSTEAD: &str = "Tive uma dificuldade para consultar isso agora. Vou te passar para um atendente, que consegue verificar e te responder por aqui.";
const SORRY: &str = "Não consegui consultar agora. Vou te encaminhar para um atendente.";

fn consult(arguments: Value) -> Answer {
    Answer::call("consultar_horarios", arguments)
}

fn text(text: &str) -> Answer {
    Answer::Text(text.to_owned())
}

fn transfer(motive: &str) -> Answer {
    Answer::call("transferir_atendimento", json!({ "motivo": motive }))
}

async fn agenda(app: &TestApp) -> FakeAgenda {
    let agenda = FakeAgenda::start();
    agenda.connect(app).await;
    agenda
}

/// The customer asks, and everything runs that follows.
async fn asks(app: &TestApp, said: &str) -> Vec<String> {
    app.say(ANA, said).await;
    app.settle().await;
    app.meta.texts_to(ANA)
}

on_both_databases! {
    async fn free_times_are_offered(app: TestApp) {
        let _agenda = agenda(&app).await;
        app.model.answer_next(consult(json!({ "medico": "Dra Joana" })));
        app.model.answer_next(text("Tenho terça, 01/12, às 9h ou às 14h. Qual prefere?"));
        let texts = asks(&app, "tem horário com a Dra Joana?").await;
        assert_eq!(texts, ["Tenho terça, 01/12, às 9h ou às 14h. Qual prefere?"]);
        assert!(app.failures().await.is_empty() && app.handoffs().await.is_empty());
        assert_eq!(app.open_conversation().await.past_turns_without_tool_call, 0);
    }

    async fn an_empty_agenda_is_said_and_a_person_is_called(app: TestApp) {
        let agenda = agenda(&app).await;
        agenda.offer(&[]);
        app.model.answer_next(consult(json!({ "medico": "Dra. Joana" })));
        app.model.answer_next(transfer("FALHA_CONSULTA: agenda sem horarios disponiveis"));
        let said = "Não encontrei horários disponíveis na agenda da Dra. Joana no momento. \
                    Vou te encaminhar para um atendente que consegue verificar alternativas.";
        app.model.answer_next(text(said));
        let texts = asks(&app, "Pode marcar amanha as 14h com a Dra Joana?").await;
        assert_eq!(texts, [said]);
        let handoff = &app.handoffs().await[0];
        assert_eq!(handoff.reason, "falha_consulta");
        assert_eq!(
            handoff.detail.as_deref(),
            Some("FALHA_CONSULTA: agenda sem horarios disponiveis"),
        );
        let failures = app.failures().await;
        assert_eq!(failures[0].0, "falha_consulta");
        assert_eq!((failures[0].1.as_str(), failures.len()), ("agenda_empty", 1));
    }

    async fn a_model_that_forgets_to_transfer_is_not_waited_for(app: TestApp) {
        let agenda = agenda(&app).await;
        agenda.offer(&[]);
        app.model.answer_next(consult(json!({ "medico": "Joana Prado" })));
        app.model.answer_next(text(SORRY));
        assert_eq!(asks(&app, "tem vaga com a Joana?").await, [SORRY]);
        let handoff = &app.handoffs().await[0];
        let failure = "FALHA_CONSULTA: agenda sem horarios disponiveis";
        assert_eq!(handoff.detail.as_deref(), Some(failure));
    }

    async fn a_model_that_calls_again_calls_nobody(app: TestApp) {
        let agenda = agenda(&app).await;
        agenda.offer(&[]);
        app.model.answer_next(consult(json!({ "medico": "Joana" })));
        app.model.answer_next(consult(json!({ "medico": "Paulo" })));
        app.model.answer_next(Answer::call(
            "agendar_horario", json!({ "horario_id": "s5", "paciente_id": "pt1" }),
        ));
        app.model.answer_next(text(SORRY));
        assert_eq!(asks(&app, "tem vaga com a Joana?").await, [SORRY]);
        assert_eq!(agenda.asked_for(LIST_SLOTS).len(), 1);
        assert_eq!(agenda.asked_for(BOOK).len(), 0);
        assert_eq!(app.handoffs().await.len(), 1);
    }

    async fn after_a_failure_no_time_or_confirmation_is_sent(app: TestApp) {
        let lies = [
            // What the customer asked for.
            "Prontinho! Marquei para amanhã às 14h com a Dra. Joana.",
            // What nobody said.
            "A Dra. Joana tem 15h livre, pode ser?",
            "Sua consulta está confirmada.",
            "Consegui um encaixe na quinta-feira de manhã.",
            "A consulta sai por R$ 350,00.",
        ];
        let agenda = agenda(&app).await;
        agenda.offer(&[]);
        for (number, lie) in lies.into_iter().enumerate() {
            app.model.answer_next(consult(json!({ "medico": "Joana" })));
            app.model.answer_always(text(lie));
            let customer = format!("551198700010{number}");
            app.say(&customer, "Pode marcar amanhã às 14h com a Dra Joana?").await;
            app.settle().await;
            assert_eq!(app.meta.texts_to(&customer), [INSTEAD], "{lie}");
            assert_eq!(app.handoffs().await.len(), number + 1);
        }
    }

    async fn an_answer_that_is_mended_goes_out(app: TestApp) {
        let agenda = agenda(&app).await;
        agenda.offer(&[]);
        app.model.answer_next(consult(json!({ "medico": "Joana" })));
        app.model.answer_next(text("Marquei para amanhã às 14h!"));
        app.model.answer_next(text(SORRY));
        assert_eq!(asks(&app, "Pode marcar amanhã às 14h?").await, [SORRY]);
        let last = app.model.requests().len() - 1;
        let asked = app.model.said_in(last).pop().unwrap();
        assert!(asked.contains("14h"), "{asked}");
    }

    async fn each_failure_comes_from_a_condition_at_the_agenda(app: TestApp) {
        type Sets = fn(&FakeAgenda);
        let joana = || json!({ "medico": "Dra. Joana" });
        let html = "<html><body>502</body></html>";
        let conditions: Vec<(&str, Sets, Value, &str)> = vec![
            ("consultar_horarios", |_| {}, json!({ "medico": "Otávio" }),
             "medico 'Dr. Otávio Brandão' nao possui agendamento automatico"),
            ("consultar_horarios", |_| {}, json!({ "medico": "Dr. Xavier" }),
             "medico 'Dr. Xavier' nao encontrado"),
            ("consultar_horarios", |_| {}, json!({ "convenio": "Vida Plena" }),
             "convenio nao encontrado: Vida Plena"),
            ("consultar_horarios", |_| {}, json!({ "procedimento": "Transplante" }),
             "procedimento 'Transplante' nao encontrado"),
            ("consultar_horarios", |agenda| agenda.offer(&[]), joana(),
             "agenda sem horarios disponiveis"),
            ("consultar_horarios", |agenda| agenda.offer(&[]), json!({}),
             "nenhum medico tem horarios disponiveis"),
            ("consultar_horarios",
             |agenda| agenda.trouble_always(LIST_SLOTS, Trouble::Body(503, String::new())),
             joana(), "erro ao consultar horarios apos 2 tentativas"),
            ("consultar_horarios", |agenda| agenda.swap_doctor("d2"), joana(),
             "agenda retornada nao bate com o medico esperado"),
            ("agendar_horario", |agenda| agenda.take("s2"),
             json!({ "horario_id": "s2", "paciente_id": "pt1" }),
             "slot indisponivel (pode ter sido ocupado)"),
            ("cadastrar_paciente",
             |agenda| agenda.trouble_always(REGISTER_PATIENT, Trouble::Body(503, String::new())),
             json!({ "nome": "Ana Souza" }), "cadastro de paciente falhou"),
            ("consultar_horarios",
             |agenda| agenda.trouble_always(LIST_DOCTORS, Trouble::Refuse(401, "unauthorized")),
             joana(), "erro interno: "),
            ("consultar_horarios",
             |agenda| agenda.trouble_always(LIST_SLOTS, Trouble::Body(200, String::new())),
             joana(), "resposta vazia"),
        ];
        for (number, (tool, sets, arguments, detail)) in conditions.into_iter().enumerate() {
            let agenda = agenda(&app).await;
            sets(&agenda);
            app.model.answer_next(Answer::call(tool, arguments));
            app.model.answer_next(text(SORRY));
            let customer = format!("55119870002{number:02}");
            app.say(&customer, "quero marcar uma consulta").await;
            app.settle().await;
            assert_eq!(app.meta.texts_to(&customer), [SORRY], "{detail}");
            let failures = app.failures().await;
            assert_eq!(failures.len(), number + 1, "{detail}");
            assert_eq!(failures[number].0, "falha_consulta", "{detail}");
            assert!(failures[number].2.starts_with(detail), "{detail}: {failures:?}");
            let told = app.model.results_in(app.model.requests().len() - 1);
            assert!(told[0].starts_with(&format!("FALHA_CONSULTA: {detail}")), "{told:?}");
            assert_eq!(app.handoffs().await[number].reason, "falha_consulta", "{detail}");
        }

        // HTML in place of JSON is none of the contract's failures.
        let agenda = agenda(&app).await;
        agenda.trouble_always(LIST_SLOTS, Trouble::Body(200, html.into()));
        app.model.answer_next(consult(joana()));
        let texts = asks(&app, "quero marcar uma consulta").await;
        assert_eq!(texts, ["Desculpe, tive um problema tecnico. Um atendente ja foi acionado."]);
        assert_eq!(app.failures().await.last().unwrap().0, "uncontrolled");
        assert_eq!(app.handoffs().await.last().unwrap().reason, "technical_problem");
        assert!(app.alerts().await.iter().any(|(kind, _)| kind == "tool_failures"));
    }

    async fn a_model_that_fails_after_a_failure_is_not_waited_for(app: TestApp) {
        let agenda = agenda(&app).await;
        agenda.offer(&[]);
        app.model.answer_next(consult(json!({ "medico": "Joana" })));
        app.model.answer_always(Answer::Status(500));
        assert_eq!(asks(&app, "tem vaga com a Joana?").await, [INSTEAD]);
        assert_eq!(app.handoffs().await[0].reason, "falha_consulta");
        assert_eq!(app.failures().await[0].1, "agenda_empty");
    }

    async fn an_agenda_that_does_not_answer_is_asked_twice(app: TestApp) {
        let agenda = agenda(&app).await;
        agenda.trouble_always(LIST_SLOTS, Trouble::Late(Duration::from_secs(7)));
        app.model.answer_next(consult(json!({ "medico": "Joana" })));
        app.model.answer_next(text(SORRY));
        assert_eq!(asks(&app, "tem vaga?").await, [SORRY]);
        assert_eq!(agenda.asked_for(LIST_SLOTS).len(), 2);
        assert_eq!(app.failures().await[0].1, "schedule_unreachable");
    }

    async fn failures_that_come_often_alert_the_operators(app: TestApp) {
        let agenda = agenda(&app).await;
        agenda.offer(&[]);
        for number in 0..5 {
            assert!(app.alerts().await.is_empty(), "after {number}");
            app.model.answer_next(consult(json!({ "medico": "Joana" })));
            app.model.answer_next(text(SORRY));
            app.say(&format!("551198700000{number}"), "tem vaga com a Joana?").await;
            app.settle().await;
        }
        assert_eq!(app.alerts().await[0].0, "tool_failures");
    }
}
