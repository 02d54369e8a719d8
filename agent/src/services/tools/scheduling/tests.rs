use std::collections::HashMap;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};

use super::*;
use crate::domain::tool_failure::ToolFailure;
use crate::services::agenda::Pace;
use crate::services::tools::{Caller, Invocation, ToolError, arguments};

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
async fn slots_are_told_on_the_clinics_clock_with_price_and_in_words() {
    let server = agenda(&[]);
    let asked = json!({ "medico": "dra joana", "procedimento": "dermatologista" });
    let answer = call(&server, CONSULT, &asked).await.unwrap();
    let slot = json!({
        "horario_id": "s1",
        "medico": "Dra. Joana Prado",
        "inicio": "2026-12-01T14:30:00-03:00",
        "quando": "amanhã, terça-feira, 1º de dezembro, às 14h30",
        "procedimento": "Consulta dermatológica",
        "preco": "R$ 350,00",
    });
    assert_eq!(answer["situacao"], "horarios");
    assert_eq!(answer["horarios"], json!([slot]));
    let asked = server.requests("GET /slots").pop().unwrap();
    for part in ["doctor_id=d1", "procedure_id=p1", "from=2026-11-30T15%3A00%3A00-03%3A00"] {
        assert!(asked.query.contains(part), "{part}: {}", asked.query);
    }
    assert_eq!(asked.authorization, "Bearer segredo");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_of_the_failures_of_consulting_has_its_condition() {
    let ok = Answer::ok;
    let joana = json!({ "medico": "Joana" });
    let name = |name: &str| name.to_owned();
    for (but, asked, expected) in [
        (
            vec![],
            json!({ "medico": "Dr. Otávio" }),
            ToolFailure::DoctorWithoutScheduling { doctor: name("Dr. Otávio Brandão") },
        ),
        (
            vec![("GET /slots", refusal(422, "doctor_without_scheduling"))],
            joana.clone(),
            ToolFailure::DoctorWithoutScheduling { doctor: name("Joana") },
        ),
        (
            vec![],
            json!({ "medico": "Dr. House" }),
            ToolFailure::DoctorNotFound { doctor: name("Dr. House") },
        ),
        (
            vec![],
            json!({ "convenio": "Golden Cross" }),
            ToolFailure::InsuranceNotFound { insurance: name("Golden Cross") },
        ),
        (
            vec![("GET /slots", refusal(422, "insurance_not_accepted"))],
            json!({ "medico": "Joana", "convenio": "unimed" }),
            ToolFailure::InsuranceNotFound { insurance: name("unimed") },
        ),
        (
            vec![],
            json!({ "procedimento": "Ressonância" }),
            ToolFailure::ProcedureNotFound { procedure: name("Ressonância") },
        ),
        (vec![("GET /slots", ok(NO_SLOT))], joana.clone(), ToolFailure::AgendaEmpty),
        (vec![("GET /slots", ok(NO_SLOT))], json!({}), ToolFailure::NoDoctorAvailable),
        (
            vec![("GET /slots", Answer::Status(503, "<html>".to_owned()))],
            joana.clone(),
            ToolFailure::ScheduleUnreachable,
        ),
        (vec![("GET /slots", Answer::Silence)], joana.clone(), ToolFailure::ScheduleUnreachable),
        (vec![("GET /doctors", Answer::HangUp)], joana.clone(), ToolFailure::ScheduleUnreachable),
        (
            vec![("GET /slots", ok(r#"{"slots":[],"failed_doctors":["d1"]}"#))],
            joana.clone(),
            ToolFailure::ScheduleUnreachable,
        ),
        (
            vec![("GET /slots", ok(ONE_SLOT))],
            json!({ "medico": "Paulo" }),
            ToolFailure::AgendaMismatch,
        ),
        (
            vec![("GET /slots", ok(&ONE_SLOT.replace("d1", "d9")))],
            json!({}),
            ToolFailure::AgendaMismatch,
        ),
        (
            vec![("GET /slots", refusal(422, "internal"))],
            joana.clone(),
            ToolFailure::internal("internal"),
        ),
        (
            vec![("GET /slots", Answer::Status(401, String::new()))],
            joana.clone(),
            ToolFailure::internal("unauthorized"),
        ),
        (vec![("GET /slots", ok(""))], joana.clone(), ToolFailure::EmptyAnswer),
        (vec![("GET /slots", ok("{}"))], joana.clone(), ToolFailure::EmptyAnswer),
        (
            vec![("GET /doctors", Answer::Status(204, String::new()))],
            joana.clone(),
            ToolFailure::EmptyAnswer,
        ),
    ] {
        assert_eq!(failure(&but, CONSULT, asked.clone()).await, expected, "{but:?} {asked}");
    }
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
async fn what_is_not_of_the_contract_is_no_controlled_failure() {
    let large = format!(r#"{{"slots":[],"x":"{}"}}"#, "a".repeat(1 << 20));
    for (answer, part) in [
        (Answer::ok("<html>segredo do paciente</html>"), "status 200 without JSON"),
        (Answer::Status(404, "<html>segredo</html>".to_owned()), "status 404 without JSON"),
        (Answer::ok(r#"{"data":[{"segredo":1}]}"#), "JSON of another shape"),
        (Answer::ok(r#"{"slots":[{"segredo":1}]}"#), "JSON of another shape"),
        (Answer::Status(302, String::new()), "status 302"),
        (Answer::Status(418, "{}".to_owned()), "status 418"),
        (Answer::Status(404, r#"{"detail":"segredo"}"#.to_owned()), "404 without a code"),
        (Answer::ok(&large), "over 1 MiB"),
    ] {
        let server = agenda(&[("GET /slots", answer)]);
        match call(&server, CONSULT, &json!({ "medico": "Joana" })).await {
            Err(ToolError::Uncontrolled(detail)) => {
                assert!(detail.contains(part) && !detail.contains("segredo"), "{detail}");
            }
            other => panic!("{part}: {other:?}"),
        }
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
async fn what_there_is_is_told() {
    let some = r#"{"slots":[
        {"id":"s1","doctor_id":"d1","start":"2026-12-01T14:30:00-03:00"},
        {"id":"s2","doctor_id":"d2","start":"2026-12-01T09:00:00-03:00"},
        {"id":"s2","doctor_id":"d2","start":"2026-12-01T09:00:00-03:00"},
        {"id":"s3","doctor_id":"d3","start":"2026-12-01T09:00:00-03:00"},
        {"id":"s4","doctor_id":"d1","start":"2026-11-30T09:00:00-03:00"},
        {"id":"s5","doctor_id":"d1","start":"logo"}],
        "failed_doctors":["d4"]}"#;
    let answer = call(&agenda(&[("GET /slots", Answer::ok(some))]), CONSULT, &json!({})).await;
    let answer = answer.unwrap();
    let ids: Vec<&Value> =
        answer["horarios"].as_array().unwrap().iter().map(|slot| &slot["horario_id"]).collect();
    assert_eq!(ids, ["s2", "s1"]);
    assert!(answer["observacao"].as_str().unwrap().contains("Dra. Ana Lima"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_day_is_followed_by_the_next_free_ones() {
    let server = agenda(&[(
        "GET /slots",
        Answer::First(
            Box::new(Answer::ok(NO_SLOT)),
            Box::new(Answer::ok(&ONE_SLOT.replace("12-01T", "12-03T"))),
        ),
    )]);
    let asked = json!({ "medico": "Joana", "de": "2026-12-01", "ate": "2026-12-01",
        "periodo": "manhã", "hora": "09:00" });
    let answer = call(&server, CONSULT, &asked).await.unwrap();
    assert_eq!(answer["horarios"][0]["quando"], "quinta-feira, 3 de dezembro, às 14h30");
    let note = answer["observacao"].as_str().unwrap();
    for part in ["dias pedidos", "período", "hora pedida"] {
        assert!(note.contains(part), "{note}");
    }
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
async fn who_pays_without_an_insurance_is_offered_times_all_the_same() {
    let server = agenda(&[]);
    for insurance in ["particular", "", "não tenho convênio"] {
        let asked = json!({ "medico": "cardiologista", "convenio": insurance });
        let failed = call(&server, CONSULT, &asked).await;
        // The only slot is another doctor's; the insurance is not what is wrong.
        assert_eq!(failed, Err(ToolError::Failed(ToolFailure::AgendaMismatch)));
    }
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
