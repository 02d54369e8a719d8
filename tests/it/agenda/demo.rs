//! The agenda of standalone mode, from the first question to the file that survives.

use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Timelike, Utc};
use lembra_agent::config::{Config, Env};
use lembra_agent::services::agenda::AgendaClient;
use lembra_agent::services::tools::ToolError;
use lembra_agent::store::{agendas, inboxes};
use lembra_bot::app::Application;
use lembra_bot::standalone;
use lembra_worker::runtime::Runtime;
use serde_json::{Value, json};

use super::{BOOK, CANCEL, CONSULT, REGISTER, call};
use crate::support::app::KEY;
use crate::support::clock::ManualClock;

/// A standalone process, but for its jobs.
struct Standalone {
    runtime: Runtime,
    server: actix_web::dev::ServerHandle,
    url: String,
}

impl Standalone {
    async fn start(folder: &Path) -> Self {
        lembra_agent::http::install_tls_provider();
        let env = Env::default().with("DATA_DIR", folder.to_string_lossy()).with("LEMBRA_KEY", KEY);
        let config = Config::from_env(&env).expect("a configuration");
        let clock = Arc::new(ManualClock::at_noon());
        let runtime = Runtime::open(config, clock).await.expect("opens");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let (demo, _) = standalone::prepare(&runtime, address).await.expect("is prepared");
        let application =
            Application::build(&runtime, None, Some(demo), listener).expect("a server");
        let server = application.handle();
        tokio::spawn(application.server);
        Self { runtime, server, url: format!("http://{address}") }
    }

    async fn stop(self) {
        self.server.stop(false).await;
    }

    async fn account(&self) -> i64 {
        let rows = inboxes::list(&self.runtime.db).await.expect("answers");
        rows.into_iter().find(|row| row.simulated).expect("the demo inbox").account_id
    }

    async fn agenda(&self) -> AgendaClient {
        let account = self.account().await;
        self.runtime.agendas.of_account(account).await.expect("answers").expect("an agenda")
    }

    fn now(&self) -> DateTime<Utc> {
        self.runtime.clock.now()
    }

    async fn call(&self, key: &str, tool: &str, arguments: &Value) -> Result<Value, ToolError> {
        call(self.agenda().await, key, self.now(), tool, arguments).await
    }

    /// What is offered for a hint.
    async fn offered(&self, asked: &Value) -> Vec<Value> {
        let answer = self.call("-", CONSULT, asked).await.expect("times");
        answer["horarios"].as_array().expect("times").clone()
    }
}

fn names(offered: &[Value], id: &Value) -> bool {
    offered.iter().any(|slot| &slot["horario_id"] == id)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_is_found_booked_gone_and_after_cancelling_there_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = Standalone::start(folder.path()).await;
    let asked = json!({ "medico": "Dra Joana", "procedimento": "dermatologista",
        "de": "2026-12-01", "ate": "2026-12-01", "periodo": "tarde" });
    let offered = first.offered(&asked).await;
    let slot = &offered[0];
    assert_eq!(slot["preco"], "R$ 350,00", "{slot}");
    let start = slot["inicio"].as_str().expect("a start");
    let start = DateTime::parse_from_rfc3339(start).expect("an instant");
    assert!((13..18).contains(&start.hour()), "{start}");

    let patient = json!({ "nome": "Ana Souza", "cpf": "529.982.247-25" });
    let patient = first.call("turn-1/1", REGISTER, &patient).await.expect("registered");
    let booking = json!({ "horario_id": slot["horario_id"], "paciente_id": patient["paciente_id"],
        "procedimento": "Consulta dermatológica" });
    let booked = first.call("turn-1/2", BOOK, &booking).await.expect("booked");
    assert_eq!((&booked["situacao"], &booked["inicio"]), (&json!("agendado"), &slot["inicio"]));
    assert!(!names(&first.offered(&asked).await, &slot["horario_id"]));
    let late = first.call("turn-9/0", BOOK, &booking).await.expect_err("is taken").to_string();
    assert_eq!(late, "FALHA_CONSULTA: slot indisponivel (pode ter sido ocupado)");
    let before = first.url.clone();
    first.stop().await;

    // Another start, at another address and under another token.
    let second = Standalone::start(folder.path()).await;
    assert_ne!(second.url, before);
    assert!(!names(&second.offered(&asked).await, &slot["horario_id"]));
    let again = second.call("turn-1/2", BOOK, &booking).await.expect("the same answer");
    assert_eq!(again, booked);
    let cancelling = json!({ "agendamento_id": booked["agendamento_id"] });
    let cancelled = second.call("turn-3/0", CANCEL, &cancelling).await.expect("cancelled");
    assert_eq!(cancelled["situacao"], "cancelado");
    assert!(names(&second.offered(&asked).await, &slot["horario_id"]));
    second.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_has_a_doctor_for_each_difficulty() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Standalone::start(folder.path()).await;
    for (asked, said) in [
        (json!({ "medico": "Dra. Helena" }), "agenda sem horarios disponiveis"),
        (
            json!({ "medico": "ortopedista" }),
            "medico 'Dr. Otávio Brandão' nao possui agendamento automatico",
        ),
        (json!({ "medico": "Dr. Paulo", "convenio": "Amil" }), "convenio nao encontrado: Amil"),
        (
            json!({ "medico": "Dr. Paulo", "procedimento": "limpeza de pele" }),
            "procedimento 'limpeza de pele' nao encontrado",
        ),
        (
            json!({ "procedimento": "consulta pediátrica" }),
            "nenhum medico tem horarios disponiveis",
        ),
    ] {
        let failed = demo.call("-", CONSULT, &asked).await.expect_err("fails").to_string();
        assert_eq!(failed, format!("FALHA_CONSULTA: {said}"), "{asked}");
    }
    demo.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_agenda_answers_nobody_without_its_token() {
    let folder = tempfile::tempdir().expect("a folder");
    let demo = Standalone::start(folder.path()).await;
    let client = lembra_agent::http::client(std::time::Duration::from_secs(10)).expect("a client");
    let url = format!("{}/demo/agenda/doctors", demo.url);
    assert_eq!(client.get(&url).send().await.expect("an answer").status(), 401);
    let wrong = client.get(&url).bearer_auth("errado").send().await.expect("an answer");
    assert_eq!(wrong.status(), 401);
    demo.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agenda_of_ones_own_is_not_replaced_by_the_demo() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = Standalone::start(folder.path()).await;
    let (account, url) = (first.account().await, "https://agenda.example/v1".parse().expect("one"));
    first.runtime.agendas.set(account, &url, None).await.expect("is written");
    first.stop().await;
    let second = Standalone::start(folder.path()).await;
    let row = agendas::find(&second.runtime.db, account).await.expect("answers").expect("a row");
    assert_eq!(row.base_url, "https://agenda.example/v1");
    second.stop().await;
}
