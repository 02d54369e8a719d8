use std::collections::HashMap;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};

use super::*;
use crate::domain::tool_failure::ToolFailure;
use crate::services::agenda::Pace;
use crate::services::tools::{Caller, Invocation, ToolError, arguments};

mod consulting;
mod server;

use server::{Answer, Server};

/// Monday 30 November 2026, 15:00 in São Paulo.
fn now() -> DateTime<Utc> {
    DateTime::parse_from_rfc3339("2026-11-30T15:00:00-03:00").unwrap().to_utc()
}

const DOCTORS: &str = r#"{"doctors":[
    {"id":"d1","name":"Dra. Joana Prado","specialty":"Dermatologia","automatic_scheduling":true},
    {"id":"d2","name":"Dr. Paulo Nogueira","specialty":"Cardiologia","automatic_scheduling":true},
    {"id":"d3","name":"Dr. Otávio Brandão","specialty":"Ortopedia","automatic_scheduling":false},
    {"id":"d4","name":"Dra. Ana Lima","specialty":"Pediatria","automatic_scheduling":true},
    {"id":"d5","name":"Dra. Ana Souza","specialty":"Pediatria","automatic_scheduling":true}]}"#;
const INSURANCES: &str = r#"{"insurances":[{"id":"i1","name":"Unimed"}]}"#;
const PROCEDURES: &str = r#"{"procedures":[
    {"id":"p1","name":"Consulta dermatológica","price_cents":35000},
    {"id":"p2","name":"Eletrocardiograma"}]}"#;
const ONE_SLOT: &str =
    r#"{"slots":[{"id":"s1","doctor_id":"d1","start":"2026-12-01T14:30:00-03:00"}]}"#;
const NO_SLOT: &str = r#"{"slots":[]}"#;
const BOOKED: &str = r#"{"id":"a1","slot_id":"s1","doctor_name":"Dra. Joana Prado",
    "start":"2026-12-01T17:30:00Z","status":"booked","price_cents":35000}"#;

/// An agenda where everything goes well, but for what is given.
fn agenda(but: &[(&str, Answer)]) -> Server {
    let mut answers: HashMap<String, Answer> = [
        ("GET /doctors", DOCTORS),
        ("GET /insurances", INSURANCES),
        ("GET /procedures", PROCEDURES),
        ("GET /slots", ONE_SLOT),
        ("POST /patients", r#"{"id":"pt1"}"#),
        ("POST /appointments", BOOKED),
        ("GET /appointments", r#"{"appointments":[]}"#),
        ("DELETE /appointments/a1", &BOOKED.replace("booked", "cancelled")),
    ]
    .into_iter()
    .map(|(route, body)| (route.to_owned(), Answer::ok(body)))
    .collect();
    answers.extend(but.iter().map(|(route, answer)| ((*route).to_owned(), answer.clone())));
    Server::start(answers)
}

fn refusal(status: u16, code: &str) -> Answer {
    Answer::Status(status, json!({ "error": { "code": code } }).to_string())
}

/// Calls a tool as the turn does: arguments fit the schema.
async fn call(server: &Server, name: &str, arguments: &Value) -> Result<Value, ToolError> {
    crate::http::install_tls_provider();
    let http = crate::http::client(Duration::from_secs(5)).unwrap();
    let pace = Pace {
        attempt: server::PATIENCE,
        pause: Duration::from_millis(5),
        whole: Duration::from_secs(10),
    };
    let url = server.url.parse().unwrap();
    let zone = chrono_tz::America::Sao_Paulo;
    let client =
        AgendaClient::new(http, url, Some("segredo".to_owned().into()), zone).at_pace(pace);
    let tools = tools(Some(client));
    let tool = tools.iter().find(|tool| tool.spec().name == name).unwrap();
    let arguments: Map<String, Value> =
        arguments::read(&arguments.to_string(), &tool.spec().parameters).unwrap();
    let caller = Caller { account_id: 1, inbox_id: 1, contact_id: 1, conversation_id: 1 };
    let call = Invocation { caller: &caller, arguments: &arguments, key: "turn-7/0", now: now() };
    let answer = tool.call(&call).await?;
    Ok(serde_json::from_str(&answer).unwrap())
}

async fn failure(but: &[(&str, Answer)], name: &str, arguments: Value) -> ToolFailure {
    match call(&agenda(but), name, &arguments).await {
        Err(ToolError::Failed(failure)) => failure,
        other => panic!("{name} {arguments}: {other:?}"),
    }
}

const CONSULT: &str = "consultar_horarios";
const REGISTER: &str = "cadastrar_paciente";
const BOOK: &str = "agendar_horario";
const CANCEL: &str = "cancelar_horario";

fn booking() -> Value {
    json!({ "horario_id": "s1", "paciente_id": "pt1" })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_failures_of_effects_have_their_conditions() {
    let patient = || json!({ "nome": "Ana Souza", "cpf": "529.982.247-25" });
    for answer in [
        refusal(422, "patient_invalid"),
        Answer::Status(400, String::new()),
        Answer::Status(500, String::new()),
        Answer::Silence,
        Answer::HangUp,
    ] {
        let failed = failure(&[("POST /patients", answer.clone())], REGISTER, patient()).await;
        assert_eq!(failed, ToolFailure::PatientNotRegistered, "{answer:?}");
    }
    for (answer, expected) in [
        (refusal(409, "slot_taken"), ToolFailure::SlotTaken),
        (refusal(404, "slot_not_found"), ToolFailure::SlotTaken),
        (Answer::Status(409, String::new()), ToolFailure::SlotTaken),
        (refusal(404, "patient_not_found"), ToolFailure::internal("patient_not_found")),
        (Answer::Silence, ToolFailure::internal("sem resposta ao agendar")),
        (Answer::Status(502, String::new()), ToolFailure::internal("sem resposta ao agendar")),
        (Answer::ok("{}"), ToolFailure::EmptyAnswer),
        (
            Answer::ok(&BOOKED.replace("s1", "s2")),
            ToolFailure::internal("a agenda confirmou outro horario"),
        ),
        (
            Answer::ok(&BOOKED.replace("booked", "waiting")),
            ToolFailure::internal("a agenda nao confirmou o agendamento"),
        ),
    ] {
        let failed = failure(&[("POST /appointments", answer.clone())], BOOK, booking()).await;
        assert_eq!(failed, expected, "{answer:?}");
    }
    let route = "DELETE /appointments/a1";
    for (answer, expected) in [
        (refusal(404, "appointment_not_found"), ToolFailure::internal("appointment_not_found")),
        (Answer::Silence, ToolFailure::internal("sem resposta ao cancelar")),
    ] {
        let asked = json!({ "agendamento_id": "a1" });
        assert_eq!(
            failure(&[(route, answer.clone())], CANCEL, asked).await,
            expected,
            "{answer:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_listening_is_an_agenda_out_of_reach() {
    let server = Server::deserted();
    for (tool, arguments, expected) in [
        (CONSULT, json!({}), ToolFailure::ScheduleUnreachable),
        (BOOK, booking(), ToolFailure::ScheduleUnreachable),
        (REGISTER, json!({ "nome": "Ana Souza" }), ToolFailure::PatientNotRegistered),
    ] {
        let failed = call(&server, tool, &arguments).await;
        assert_eq!(failed, Err(ToolError::Failed(expected)), "{tool}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_attempt_that_succeeds_is_a_success_under_the_same_key() {
    let server = agenda(&[(
        "POST /appointments",
        Answer::First(Box::new(Answer::HangUp), Box::new(Answer::ok(BOOKED))),
    )]);
    let answer = call(&server, BOOK, &booking()).await.unwrap();
    assert_eq!(answer["situacao"], "agendado");
    assert_eq!(answer["quando"], "amanhã, terça-feira, 1º de dezembro, às 14h30");
    let keys: Vec<String> =
        server.requests("POST /appointments").into_iter().map(|request| request.key).collect();
    assert_eq!(keys, ["turn-7/0", "turn-7/0"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_without_an_answer_is_looked_up() {
    let standing = format!(r#"{{"appointments":[{BOOKED}]}}"#);
    let server = agenda(&[
        ("POST /appointments", Answer::Silence),
        ("GET /appointments", Answer::ok(&standing)),
    ]);
    let answer = call(&server, BOOK, &booking()).await.unwrap();
    assert_eq!(answer["agendamento_id"], "a1");
    assert_eq!(server.requests("POST /appointments").len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_unclear_is_asked_and_nothing_is_done() {
    let server = agenda(&[]);
    for (tool, arguments, part) in [
        (CONSULT, json!({ "medico": "Dra. Ana" }), "Dra. Ana Souza"),
        (CONSULT, json!({ "medico": "pediatra" }), "Dra. Ana Lima"),
        (CONSULT, json!({ "procedimento": "Consulta dermatológica infantil" }), "dermatológica"),
        (CONSULT, json!({ "de": "2026-02-31" }), "não existe"),
        (REGISTER, json!({ "nome": "Ana", "cpf": "123.456.789-00" }), "CPF"),
        (REGISTER, json!({ "nome": "Ana", "nascimento": "2030-01-01" }), "futuro"),
    ] {
        let answer = call(&server, tool, &arguments).await.unwrap();
        assert!(is_question(&answer.to_string()), "{answer}");
        assert!(answer.to_string().contains(part), "{answer}");
    }
    assert_eq!(server.requests("POST /patients").len(), 0);
    assert_eq!(server.requests("GET /slots").len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_patient_is_registered_with_clean_data_under_the_calls_key() {
    let server = agenda(&[]);
    let arguments = json!({ "nome": " Ana  Souza ", "nascimento": "1990-05-17",
        "cpf": "529.982.247-25", "telefone": "(11) 98765-0001", "convenio": "Unimed" });
    let answer = call(&server, REGISTER, &arguments).await.unwrap();
    assert_eq!(
        answer,
        json!({ "situacao": "cadastrado", "paciente_id": "pt1", "nome": "Ana Souza" })
    );
    let sent = server.requests("POST /patients").pop().unwrap();
    assert_eq!(sent.key, "turn-7/0");
    let expected = json!({ "name": "Ana Souza", "birth_date": "1990-05-17",
        "cpf": "52998224725", "phone": "11987650001", "insurance_id": "i1" });
    assert_eq!(serde_json::from_str::<Value>(&sent.body).unwrap(), expected);
}

#[test]
fn an_account_without_an_agenda_has_no_scheduling_tools() {
    assert!(tools(None).is_empty());
}

#[test]
fn each_tool_is_told_with_a_strict_schema_and_effects_are_known() {
    crate::http::install_tls_provider();
    let http = crate::http::client(Duration::from_secs(1)).unwrap();
    let url = "http://127.0.0.1:1".parse().unwrap();
    let agenda = AgendaClient::new(http, url, None, chrono_tz::America::Sao_Paulo);
    let tools = tools(Some(agenda));
    let effects: Vec<(&str, bool)> =
        tools.iter().map(|tool| (tool.spec().name.as_str(), tool.has_effect())).collect();
    assert_eq!(effects, [(CONSULT, false), (REGISTER, true), (BOOK, true), (CANCEL, true)]);
    for tool in tools {
        let spec = tool.spec();
        assert!(arguments::validator(&spec.parameters).is_ok(), "{}", spec.name);
        assert_eq!(spec.parameters["additionalProperties"], json!(false));
        let unknown = arguments::read(r#"{"outro":1}"#, &spec.parameters);
        assert!(unknown.is_err(), "{}", spec.name);
    }
}
