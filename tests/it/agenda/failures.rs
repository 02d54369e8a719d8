//! One test per failure text of seed 004, from its HTTP condition.

use std::time::Duration;

use lembra_agent::services::agenda::contract;
use lembra_agent::services::tools::ToolError;
use serde_json::{Value, json};

use super::{BOOK, CONSULT, Clinic, REGISTER};
use crate::support::app::TestApp;
use crate::support::fake_agenda::Trouble;

async fn clinic() -> Clinic {
    Clinic::open(TestApp::on_sqlite().await).await
}

/// The text that the model is given.
async fn text(clinic: &Clinic, tool: &str, arguments: Value) -> String {
    clinic.failure(tool, &arguments).await.to_string()
}

fn joana() -> Value {
    json!({ "medico": "Dra Joana" })
}

fn booking() -> Value {
    json!({ "horario_id": "s1", "paciente_id": "pt1" })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_doctor_whom_people_book_is_not_offered() {
    let clinic = clinic().await;
    let said = text(&clinic, CONSULT, json!({ "medico": "dr otavio" })).await;
    let expected = "FALHA_CONSULTA: medico 'Dr. Otávio Brandão' nao possui agendamento automatico";
    assert_eq!(said, expected);
    assert!(clinic.agenda.asked_for(contract::LIST_SLOTS).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_doctor_is_named_as_the_customer_did() {
    let said = text(&clinic().await, CONSULT, json!({ "medico": "Dr.  House" })).await;
    assert_eq!(said, "FALHA_CONSULTA: medico 'Dr. House' nao encontrado");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_insurance_is_named() {
    let said = text(&clinic().await, CONSULT, json!({ "convenio": "Golden Cross" })).await;
    assert_eq!(said, "FALHA_CONSULTA: convenio nao encontrado: Golden Cross");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_insurance_that_the_doctor_does_not_take_is_not_found_either() {
    let clinic = clinic().await;
    let refusal = Trouble::Refuse(422, contract::code::INSURANCE_NOT_ACCEPTED);
    clinic.agenda.trouble_next(contract::LIST_SLOTS, refusal);
    let said = text(&clinic, CONSULT, json!({ "medico": "Paulo", "convenio": "Bradesco" })).await;
    assert_eq!(said, "FALHA_CONSULTA: convenio nao encontrado: Bradesco");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_procedure_is_named() {
    let said = text(&clinic().await, CONSULT, json!({ "procedimento": "Ressonância" })).await;
    assert_eq!(said, "FALHA_CONSULTA: procedimento 'Ressonância' nao encontrado");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_empty_agenda_of_the_doctor_who_was_asked_for() {
    let clinic = clinic().await;
    clinic.agenda.offer(&[("s5", "d2", "2026-12-01T10:00:00-03:00")]);
    let said = text(&clinic, CONSULT, joana()).await;
    assert_eq!(said, "FALHA_CONSULTA: agenda sem horarios disponiveis");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_doctor_has_a_time() {
    let clinic = clinic().await;
    clinic.agenda.offer(&[]);
    let said = text(&clinic, CONSULT, json!({})).await;
    assert_eq!(said, "FALHA_CONSULTA: nenhum medico tem horarios disponiveis");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_timeouts_two_errors_and_nobody_there_are_an_agenda_out_of_reach() {
    let expected = "FALHA_CONSULTA: erro ao consultar horarios apos 2 tentativas";
    for trouble in [
        Trouble::Late(Duration::from_secs(3)),
        Trouble::Body(500, "<html>".to_owned()),
        Trouble::Body(503, String::new()),
    ] {
        let clinic = clinic().await;
        clinic.agenda.trouble_always(contract::LIST_SLOTS, trouble.clone());
        assert_eq!(text(&clinic, CONSULT, joana()).await, expected, "{trouble:?}");
        assert_eq!(clinic.agenda.asked_for(contract::LIST_SLOTS).len(), 2, "{trouble:?}");
    }
    let clinic = clinic().await;
    let port = crate::support::processes::free_port();
    let nowhere = format!("http://127.0.0.1:{port}").parse().expect("an address");
    let account = clinic.app.account().await;
    clinic.app.runtime.agendas.set(account, &nowhere, None).await.expect("is written");
    assert_eq!(text(&clinic, CONSULT, joana()).await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_agenda_of_another_doctor() {
    let clinic = clinic().await;
    clinic.agenda.swap_doctor("d2");
    let said = text(&clinic, CONSULT, joana()).await;
    assert_eq!(said, "FALHA_CONSULTA: agenda retornada nao bate com o medico esperado");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_that_was_taken_between_offer_and_booking() {
    let clinic = clinic().await;
    clinic.call(CONSULT, &joana()).await.expect("times");
    clinic.agenda.take("s1");
    let taken = "FALHA_CONSULTA: slot indisponivel (pode ter sido ocupado)";
    assert_eq!(text(&clinic, BOOK, booking()).await, taken);
    // One that is not there any more is the same to the customer.
    clinic.agenda.offer(&[]);
    assert_eq!(text(&clinic, BOOK, booking()).await, taken);
    assert!(clinic.agenda.booked().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_patient_whom_the_agenda_does_not_register() {
    let expected = "FALHA_CONSULTA: cadastro de paciente falhou";
    for trouble in [
        Trouble::Refuse(422, contract::code::PATIENT_INVALID),
        Trouble::Body(400, String::new()),
        Trouble::Body(500, String::new()),
    ] {
        let clinic = clinic().await;
        clinic.agenda.trouble_always(contract::REGISTER_PATIENT, trouble.clone());
        let said = text(&clinic, REGISTER, json!({ "nome": "Ana Souza" })).await;
        assert_eq!(said, expected, "{trouble:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_code_of_the_contract_is_an_internal_error_with_it() {
    let clinic = clinic().await;
    let refusal = Trouble::Refuse(422, contract::code::INTERNAL);
    clinic.agenda.trouble_next(contract::LIST_SLOTS, refusal);
    let said = text(&clinic, CONSULT, joana()).await;
    assert_eq!(said, "FALHA_CONSULTA: erro interno: internal");
    let account = clinic.app.account().await;
    let url = clinic.agenda.url.parse().expect("an address");
    clinic.app.runtime.agendas.set(account, &url, None).await.expect("is written");
    let said = text(&clinic, CONSULT, joana()).await;
    assert_eq!(said, "FALHA_CONSULTA: erro interno: unauthorized");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_answer() {
    for trouble in [
        Trouble::Body(204, String::new()),
        Trouble::Body(200, String::new()),
        Trouble::Body(200, "{}".to_owned()),
    ] {
        let clinic = clinic().await;
        clinic.agenda.trouble_next(contract::LIST_SLOTS, trouble.clone());
        let said = text(&clinic, CONSULT, joana()).await;
        assert_eq!(said, "FALHA_CONSULTA: resposta vazia", "{trouble:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_other_json_and_unknown_statuses_are_no_controlled_failures() {
    for trouble in [
        Trouble::Body(200, "<html>Ana Souza</html>".to_owned()),
        Trouble::Body(200, r#"{"resultado":"Ana Souza"}"#.to_owned()),
        Trouble::Body(302, String::new()),
        Trouble::Body(418, "Ana Souza".to_owned()),
    ] {
        let clinic = clinic().await;
        clinic.agenda.trouble_next(contract::LIST_SLOTS, trouble.clone());
        match clinic.call(CONSULT, &joana()).await {
            Err(ToolError::Uncontrolled(detail)) => {
                assert!(detail.contains("GET /slots") && !detail.contains("Ana"), "{detail}");
            }
            other => panic!("{trouble:?}: {other:?}"),
        }
    }
}
