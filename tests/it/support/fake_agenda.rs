//! A clinic's agenda, as an HTTP server: it speaks `docs/agenda.openapi.yaml`, keeps what is booked,
//! records what it was asked, and misbehaves when a test says so.
//!
//! From the start it has Dra. Joana Prado (`d1`), Dr. Paulo Nogueira (`d2`), and Dr. Otávio Brandão
//! (`d3`, whom people book); the insurances Unimed and Bradesco Saúde; two procedures; and the times
//! of [`SLOTS`], in the week after the tests' clock begins.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use chrono::DateTime;
use lembra_agent::services::agenda::contract::{
    BOOK, CANCEL, LIST_APPOINTMENTS, LIST_DOCTORS, LIST_INSURANCES, LIST_PROCEDURES, LIST_SLOTS,
    OPERATIONS, Operation, REGISTER_PATIENT,
};
use serde_json::{Value, json};

use super::app::TestApp;

/// Whoever does not send it is refused.
pub const TOKEN: &str = "segredo-da-agenda";

/// Id, doctor and start of the times that are free at first.
pub const SLOTS: [(&str, &str, &str); 5] = [
    ("s1", "d1", "2026-12-01T09:00:00-03:00"),
    ("s2", "d1", "2026-12-01T14:00:00-03:00"),
    ("s3", "d1", "2026-12-02T09:30:00-03:00"),
    ("s4", "d1", "2026-12-03T16:00:00-03:00"),
    ("s5", "d2", "2026-12-01T10:00:00-03:00"),
];

/// What an operation does in place of what it should.
#[derive(Debug, Clone)]
pub enum Trouble {
    /// Does it, and answers so much later.
    Late(Duration),
    /// Does nothing, and answers with this status and body.
    Body(u16, String),
    /// Does nothing, and refuses with this status and code of the contract.
    Refuse(u16, &'static str),
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Asked {
    pub operation: Operation,
    pub query: HashMap<String, String>,
    /// Its Idempotency-Key.
    pub key: Option<String>,
    pub body: Value,
}

#[derive(Default)]
struct State {
    asked: Vec<Asked>,
    next: HashMap<String, VecDeque<Trouble>>,
    always: HashMap<String, Trouble>,
    slots: Vec<(String, String, String)>,
    /// Times that somebody else took after they were offered.
    taken: BTreeSet<String>,
    failed_doctors: Vec<String>,
    /// Whose agenda is answered, whoever is asked for.
    swapped: Option<String>,
    patients: usize,
    appointments: Vec<Value>,
    /// Answers by key.
    answers: HashMap<String, (u16, Value)>,
}

/// Clones are the same agenda.
#[derive(Clone)]
pub struct FakeAgenda {
    state: Arc<Mutex<State>>,
    pub url: String,
}

impl FakeAgenda {
    pub fn start() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let slots = SLOTS.map(|(id, doctor, start)| (id.into(), doctor.into(), start.into()));
        let state = State { slots: slots.to_vec(), ..State::default() };
        let agenda = Self { state: Arc::new(Mutex::new(state)), url };
        let data = web::Data::new(agenda.clone());
        let server = HttpServer::new(move || {
            App::new().app_data(data.clone()).default_service(web::to(answer))
        });
        let server = server.workers(1).disable_signals().listen(listener).expect("listens").run();
        tokio::spawn(server);
        agenda
    }

    /// Makes it the agenda of the account under test.
    pub async fn connect(&self, app: &TestApp) {
        let url = self.url.parse().expect("an address");
        let token = TOKEN.to_owned().into();
        let account = app.account().await;
        app.runtime.agendas.set(account, &url, Some(&token)).await.expect("is written");
    }

    /// The next request for this is answered so; several are taken one after the other.
    pub fn trouble_next(&self, operation: Operation, trouble: Trouble) {
        let mut state = self.state.lock().unwrap();
        state.next.entry(operation.to_string()).or_default().push_back(trouble);
    }

    /// Every request for this is answered so.
    pub fn trouble_always(&self, operation: Operation, trouble: Trouble) {
        self.state.lock().unwrap().always.insert(operation.to_string(), trouble);
    }

    /// Only these times are free.
    pub fn offer(&self, slots: &[(&str, &str, &str)]) {
        let slots = slots.iter().map(|(id, doctor, start)| {
            ((*id).to_owned(), (*doctor).to_owned(), (*start).to_owned())
        });
        self.state.lock().unwrap().slots = slots.collect();
    }

    /// Somebody else takes a time.
    pub fn take(&self, slot_id: &str) {
        self.state.lock().unwrap().taken.insert(slot_id.to_owned());
    }

    /// This doctor's agenda cannot be read, as the answers say.
    pub fn fail_doctor(&self, doctor_id: &str) {
        self.state.lock().unwrap().failed_doctors.push(doctor_id.to_owned());
    }

    /// Whoever is asked for, this doctor's agenda is answered.
    pub fn swap_doctor(&self, doctor_id: &str) {
        self.state.lock().unwrap().swapped = Some(doctor_id.to_owned());
    }

    /// Everything that was asked, in order.
    pub fn asked(&self) -> Vec<Asked> {
        self.state.lock().unwrap().asked.clone()
    }

    pub fn asked_for(&self, operation: Operation) -> Vec<Asked> {
        self.asked().into_iter().filter(|asked| asked.operation == operation).collect()
    }

    /// What is booked, and not cancelled.
    pub fn booked(&self) -> Vec<Value> {
        let state = self.state.lock().unwrap();
        let booked = state.appointments.iter().filter(|one| one["status"] == "booked");
        booked.cloned().collect()
    }
}

impl State {
    fn trouble(&mut self, operation: Operation) -> Option<Trouble> {
        let name = operation.to_string();
        let next = self.next.get_mut(&name).and_then(VecDeque::pop_front);
        next.or_else(|| self.always.get(&name).cloned())
    }

    /// Does what is asked, once per key.
    fn act(&mut self, asked: &Asked, id: &str) -> (u16, Value) {
        if let Some(answer) = asked.key.as_ref().and_then(|key| self.answers.get(key)) {
            return answer.clone();
        }
        let answer = match asked.operation {
            LIST_DOCTORS => (200, doctors()),
            LIST_INSURANCES => (
                200,
                json!({ "insurances": [
                    { "id": "i1", "name": "Unimed" }, { "id": "i2", "name": "Bradesco Saúde" },
                ] }),
            ),
            LIST_PROCEDURES => (
                200,
                json!({ "procedures": [
                    { "id": "p1", "name": "Consulta dermatológica", "price_cents": 35_000 },
                    { "id": "p2", "name": "Eletrocardiograma" },
                ] }),
            ),
            LIST_SLOTS => (200, self.slots(&asked.query)),
            LIST_APPOINTMENTS => {
                let of = asked.query.get("patient_id");
                let own = self
                    .appointments
                    .iter()
                    .filter(|one| one["patient_id"].as_str() == of.map(String::as_str));
                (200, json!({ "appointments": own.collect::<Vec<_>>() }))
            }
            REGISTER_PATIENT => {
                self.patients += 1;
                (201, json!({ "id": format!("pt{}", self.patients) }))
            }
            BOOK => self.book(&asked.body),
            CANCEL => self.cancel(id),
            _ => refusal(404, "invalid_request"),
        };
        if let Some(key) = asked.key.clone().filter(|_| answer.0 < 300) {
            self.answers.insert(key, answer.clone());
        }
        answer
    }

    fn is_free(&self, id: &str) -> bool {
        let mut booked = self.appointments.iter().filter(|one| one["status"] == "booked");
        !self.taken.contains(id) && !booked.any(|one| one["slot_id"] == id)
    }

    fn slots(&self, query: &HashMap<String, String>) -> Value {
        let instant = |text: &str| DateTime::parse_from_rfc3339(text).expect("an instant");
        let (from, to) = (instant(&query["from"]), instant(&query["to"]));
        let wanted = self.swapped.as_ref().or_else(|| query.get("doctor_id"));
        let free = self.slots.iter().filter(|(id, doctor, start)| {
            let start = instant(start);
            wanted.is_none_or(|wanted| wanted == doctor)
                && !self.failed_doctors.contains(doctor)
                && from <= start
                && start < to
                && self.is_free(id)
        });
        let free: Vec<Value> = free
            .map(|(id, doctor, start)| json!({ "id": id, "doctor_id": doctor, "start": start }))
            .collect();
        json!({ "slots": free, "failed_doctors": self.failed_doctors })
    }

    fn book(&mut self, wish: &Value) -> (u16, Value) {
        let slot_id = wish["slot_id"].as_str().unwrap_or_default();
        let Some((_, doctor, start)) = self.slots.iter().find(|(id, _, _)| id == slot_id) else {
            return refusal(404, "slot_not_found");
        };
        if !self.is_free(slot_id) {
            return refusal(409, "slot_taken");
        }
        let doctors = doctors();
        let known = doctors["doctors"].as_array().expect("a list").iter();
        let name = known.filter(|one| one["id"] == doctor.as_str()).map(|one| &one["name"]).next();
        let appointment = json!({
            "id": format!("a{}", self.appointments.len() + 1),
            "slot_id": slot_id,
            "patient_id": wish["patient_id"],
            "doctor_id": doctor,
            "doctor_name": name,
            "start": start,
            "status": "booked",
        });
        self.appointments.push(appointment.clone());
        (201, appointment)
    }

    fn cancel(&mut self, id: &str) -> (u16, Value) {
        match self.appointments.iter_mut().find(|one| one["id"] == id) {
            None => refusal(404, "appointment_not_found"),
            Some(appointment) => {
                appointment["status"] = json!("cancelled");
                (200, appointment.clone())
            }
        }
    }
}

fn doctors() -> Value {
    let doctor = |id: &str, name: &str, specialty: &str, automatic: bool| json!({ "id": id, "name": name, "specialty": specialty, "automatic_scheduling": automatic });
    json!({ "doctors": [
        doctor("d1", "Dra. Joana Prado", "Dermatologia", true),
        doctor("d2", "Dr. Paulo Nogueira", "Cardiologia", true),
        doctor("d3", "Dr. Otávio Brandão", "Ortopedia", false),
    ] })
}

fn refusal(status: u16, code: &str) -> (u16, Value) {
    (status, json!({ "error": { "code": code } }))
}

/// The operation of a request, with what stands in the place of `{id}`.
fn operation(request: &HttpRequest) -> Option<(Operation, String)> {
    OPERATIONS.into_iter().find_map(|operation| {
        let id = match operation.path.strip_suffix("{id}") {
            Some(before) => request.path().strip_prefix(before)?,
            None => (request.path() == operation.path).then_some("")?,
        };
        (request.method().as_str() == operation.method).then(|| (operation, id.to_owned()))
    })
}

async fn answer(
    agenda: web::Data<FakeAgenda>,
    request: HttpRequest,
    body: web::Bytes,
) -> HttpResponse {
    let header = |name: &str| Some(request.headers().get(name)?.to_str().ok()?.to_owned());
    let reply = |(status, body): (u16, Value)| {
        HttpResponse::build(status.try_into().expect("a status")).json(body)
    };
    if header("authorization") != Some(format!("Bearer {TOKEN}")) {
        return reply(refusal(401, "unauthorized"));
    }
    let Some((operation, id)) = operation(&request) else {
        return reply(refusal(404, "invalid_request"));
    };
    let query = web::Query::<HashMap<String, String>>::from_query(request.query_string());
    let asked = Asked {
        operation,
        query: query.map(web::Query::into_inner).unwrap_or_default(),
        key: header("idempotency-key"),
        body: serde_json::from_slice(&body).unwrap_or_default(),
    };
    if operation.method != "GET" && asked.key.is_none() {
        return reply(refusal(400, "idempotency_key_missing"));
    }
    let (trouble, done) = {
        let mut state = agenda.state.lock().unwrap();
        state.asked.push(asked.clone());
        let trouble = state.trouble(operation);
        let done = match trouble {
            None | Some(Trouble::Late(_)) => Some(state.act(&asked, &id)),
            Some(_) => None,
        };
        (trouble, done)
    };
    match trouble {
        Some(Trouble::Late(late)) => tokio::time::sleep(late).await,
        Some(Trouble::Body(status, body)) => {
            return HttpResponse::build(status.try_into().expect("a status")).body(body);
        }
        Some(Trouble::Refuse(status, code)) => return reply(refusal(status, code)),
        None => {}
    }
    done.map_or_else(|| HttpResponse::InternalServerError().finish(), reply)
}
