//! What goes well, and what is done once.

use std::time::Duration;

use lembra_agent::services::agenda::contract;
use lembra_agent::services::tools::scheduling;
use serde_json::{Value, json};

use super::{BOOK, CANCEL, CONSULT, Clinic, REGISTER};
use crate::support::app::TestApp;
use crate::support::fake_agenda::{SLOTS, Trouble};

async fn clinic() -> Clinic {
    Clinic::open(TestApp::on_sqlite().await).await
}

fn ids(answer: &Value) -> Vec<&str> {
    let slots = answer["horarios"].as_array().expect("times");
    slots.iter().map(|slot| slot["horario_id"].as_str().expect("an id")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn free_times_are_told_as_people_say_them() {
    let clinic = clinic().await;
    let asked = json!({ "medico": "joana", "procedimento": "dermatologista", "hora": "14:00",
        "de": "2026-12-01", "ate": "2026-12-01" });
    let answer = clinic.call(CONSULT, &asked).await.expect("times");
    assert_eq!(ids(&answer), ["s1", "s2"]);
    let second = &answer["horarios"][1];
    assert_eq!(second["medico"], "Dra. Joana Prado");
    assert_eq!(second["inicio"], "2026-12-01T14:00:00-03:00");
    assert_eq!(second["quando"], "terça-feira, 1º de dezembro, às 14h");
    assert_eq!(second["procedimento"], "Consulta dermatológica");
    assert_eq!(second["preco"], "R$ 350,00");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_time_in_place_of_four_is_told_and_so_is_a_doctor_whose_agenda_fails() {
    let clinic = clinic().await;
    clinic.agenda.offer(&SLOTS[1..2]);
    clinic.agenda.fail_doctor("d2");
    let answer = clinic.call(CONSULT, &json!({})).await.expect("a time");
    assert_eq!(ids(&answer), ["s2"]);
    assert!(answer["observacao"].as_str().is_some_and(|note| note.contains("Paulo")), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_attempt_that_fails_costs_nothing() {
    let clinic = clinic().await;
    for operation in [contract::LIST_DOCTORS, contract::LIST_SLOTS] {
        clinic.agenda.trouble_next(operation, Trouble::Body(502, "<html>".to_owned()));
    }
    let answer = clinic.call(CONSULT, &json!({ "medico": "Paulo" })).await.expect("times");
    assert_eq!(ids(&answer), ["s5"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_booking_is_one_appointment_with_the_same_answer() {
    let clinic = clinic().await;
    let patient =
        clinic.call_as("turn-1/0", REGISTER, &json!({ "nome": "Ana Souza" })).await.expect("one");
    let booking = json!({ "horario_id": "s1", "paciente_id": patient["paciente_id"] });
    let first = clinic.call_as("turn-1/1", BOOK, &booking).await.expect("booked");
    let again = clinic.call_as("turn-1/1", BOOK, &booking).await.expect("booked");
    assert_eq!(first, again);
    assert_eq!(first["situacao"], "agendado");
    assert_eq!(clinic.agenda.booked().len(), 1);
    let keys: Vec<_> =
        clinic.agenda.asked_for(contract::BOOK).into_iter().map(|asked| asked.key).collect();
    assert_eq!(keys, [Some("turn-1/1".to_owned()), Some("turn-1/1".to_owned())]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_whose_answers_never_come_is_looked_up_in_the_agenda() {
    let clinic = clinic().await;
    clinic.agenda.trouble_always(contract::BOOK, Trouble::Late(Duration::from_secs(3)));
    let booking = json!({ "horario_id": "s1", "paciente_id": "pt1" });
    let answer = clinic.call(BOOK, &booking).await.expect("booked");
    assert_eq!(answer["situacao"], "agendado");
    assert_eq!(clinic.agenda.booked().len(), 1);
    // Where not even that is answered, nobody says that it was booked, nor that it was not.
    let late = Trouble::Late(Duration::from_secs(3));
    clinic.agenda.trouble_always(contract::LIST_APPOINTMENTS, late);
    let other = json!({ "horario_id": "s3", "paciente_id": "pt1" });
    let failed = clinic.call_as("turn-2/0", BOOK, &other).await;
    let said = failed.expect_err("unclear").to_string();
    assert_eq!(said, "FALHA_CONSULTA: erro interno: sem resposta ao agendar");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_time_is_free_again() {
    let clinic = clinic().await;
    let booking = json!({ "horario_id": "s5", "paciente_id": "pt1" });
    let booked = clinic.call_as("k1", BOOK, &booking).await.expect("booked");
    let paulo = json!({ "medico": "Dr. Paulo Nogueira" });
    assert!(clinic.call(CONSULT, &paulo).await.is_err());
    let asked = json!({ "agendamento_id": booked["agendamento_id"] });
    for _ in 0..2 {
        let cancelled = clinic.call_as("k2", CANCEL, &asked).await.expect("cancelled");
        assert_eq!(cancelled["situacao"], "cancelado");
    }
    assert_eq!(ids(&clinic.call(CONSULT, &paulo).await.expect("times")), ["s5"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_may_be_several_is_a_question_and_no_failure() {
    let clinic = clinic().await;
    let answer = clinic.call(CONSULT, &json!({ "medico": "Joana Prado Lima" })).await;
    let answer = answer.expect("a question");
    assert!(scheduling::is_question(&answer.to_string()), "{answer}");
    assert_eq!(answer["opcoes"], json!(["Dra. Joana Prado (Dermatologia)"]));
    assert!(clinic.agenda.asked_for(contract::LIST_SLOTS).is_empty());
}
