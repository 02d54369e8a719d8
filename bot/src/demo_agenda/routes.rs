//! The contract's operations, as routes.

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::StatusCode;
use actix_web::http::header::AUTHORIZATION;
use actix_web::middleware::{Next, from_fn};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, Route, web};
use chrono::{DateTime, FixedOffset};
use lembra_agent::config::random_bytes;
use lembra_agent::services::agenda::contract::{
    BOOK, CANCEL, IDEMPOTENCY_KEY, LIST_APPOINTMENTS, LIST_DOCTORS, LIST_INSURANCES,
    LIST_PROCEDURES, LIST_SLOTS, OPERATIONS, Operation, REGISTER_PATIENT, code,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::book::{Book, Reply};
use super::catalogue::{self, Doctor};
use super::effects::{self, Booking, NewPatient};
use super::{DemoAgenda, PATH, slots};

/// Largest body of a request, in bytes.
const MOST_BYTES: usize = 64 * 1024;
/// Times in one answer when the caller names no limit, and at most.
const USUAL_LIMIT: usize = 100;
const HIGHEST_LIMIT: usize = 500;
/// Bounds of a key.
const LONGEST_KEY: usize = 255;

/// Adds the routes of `agenda`.
pub fn configure(config: &mut web::ServiceConfig, agenda: DemoAgenda) {
    let invalid = || InternalError::from_response("request", refuse(400, code::INVALID_REQUEST));
    let json =
        web::JsonConfig::default().limit(MOST_BYTES).error_handler(move |_, _| invalid().into());
    let query = web::QueryConfig::default().error_handler(move |_, _| invalid().into());
    let mut scope =
        web::scope(PATH).app_data(web::Data::new(agenda)).app_data(json).app_data(query);
    for operation in OPERATIONS {
        scope = scope.route(operation.path, route(operation));
    }
    config.service(scope.wrap(from_fn(authorized)));
}

fn route(operation: Operation) -> Route {
    match operation {
        LIST_DOCTORS => web::get().to(doctors),
        LIST_INSURANCES => web::get().to(insurances),
        LIST_PROCEDURES => web::get().to(procedures),
        LIST_SLOTS => web::get().to(list_slots),
        REGISTER_PATIENT => web::post().to(register),
        LIST_APPOINTMENTS => web::get().to(appointments),
        BOOK => web::post().to(book),
        CANCEL => web::delete().to(cancel),
        _ => web::to(HttpResponse::NotImplemented),
    }
}

fn answer(reply: &Reply) -> HttpResponse {
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    HttpResponseBuilder::new(status).json(&reply.body)
}

fn refuse(status: u16, code: &str) -> HttpResponse {
    answer(&Reply::refusal(status, code))
}

/// Lets in who knows the token.
async fn authorized(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<EitherBody<impl MessageBody>>, actix_web::Error> {
    let header = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = header.and_then(|header| header.strip_prefix("Bearer ")).unwrap_or_default();
    let agenda = request.app_data::<web::Data<DemoAgenda>>();
    if agenda.is_some_and(|agenda| agenda.knows(token)) {
        return Ok(next.call(request).await?.map_into_left_body());
    }
    Ok(request.into_response(refuse(401, code::UNAUTHORIZED)).map_into_right_body())
}

async fn doctors() -> HttpResponse {
    let doctors = catalogue::DOCTORS.iter().map(|doctor| {
        json!({
            "id": doctor.id,
            "name": doctor.name,
            "specialty": doctor.specialty,
            "automatic_scheduling": doctor.automatic_scheduling,
        })
    });
    HttpResponse::Ok().json(json!({ "doctors": doctors.collect::<Vec<_>>() }))
}

async fn insurances() -> HttpResponse {
    let insurances =
        catalogue::INSURANCES.iter().map(|one| json!({ "id": one.id, "name": one.name }));
    HttpResponse::Ok().json(json!({ "insurances": insurances.collect::<Vec<_>>() }))
}

async fn procedures() -> HttpResponse {
    let procedures = catalogue::PROCEDURES
        .iter()
        .map(|one| json!({ "id": one.id, "name": one.name, "price_cents": one.price_cents }));
    HttpResponse::Ok().json(json!({ "procedures": procedures.collect::<Vec<_>>() }))
}

#[derive(Deserialize)]
struct SlotQuery {
    doctor_id: Option<String>,
    procedure_id: Option<String>,
    insurance_id: Option<String>,
    from: DateTime<FixedOffset>,
    to: DateTime<FixedOffset>,
    limit: Option<usize>,
}

impl SlotQuery {
    /// The doctors whose times are asked for, or why there can be none.
    fn doctors(&self) -> Result<Vec<&'static Doctor>, Reply> {
        let (procedure, insurance) = (self.procedure_id.as_deref(), self.insurance_id.as_deref());
        if procedure.is_some_and(|id| catalogue::procedure(id).is_none()) {
            return Err(Reply::refusal(404, code::PROCEDURE_NOT_FOUND));
        }
        if insurance.is_some_and(|id| catalogue::insurance(id).is_none()) {
            return Err(Reply::refusal(404, code::INSURANCE_NOT_FOUND));
        }
        let does = |doctor: &Doctor| procedure.is_none_or(|id| doctor.procedures.contains(&id));
        let takes = |doctor: &Doctor| insurance.is_none_or(|id| doctor.insurances.contains(&id));
        let Some(id) = &self.doctor_id else {
            let all = catalogue::DOCTORS.iter().filter(|doctor| doctor.automatic_scheduling);
            return Ok(all.filter(|doctor| does(doctor) && takes(doctor)).collect());
        };
        match catalogue::doctor(id) {
            None => Err(Reply::refusal(404, code::DOCTOR_NOT_FOUND)),
            Some(doctor) if !doctor.automatic_scheduling => {
                Err(Reply::refusal(422, code::DOCTOR_WITHOUT_SCHEDULING))
            }
            Some(doctor) if !does(doctor) => Err(Reply::refusal(422, code::PROCEDURE_NOT_OFFERED)),
            Some(doctor) if !takes(doctor) => {
                Err(Reply::refusal(422, code::INSURANCE_NOT_ACCEPTED))
            }
            Some(doctor) => Ok(vec![doctor]),
        }
    }
}

async fn list_slots(agenda: web::Data<DemoAgenda>, query: web::Query<SlotQuery>) -> HttpResponse {
    let doctors = match query.doctors() {
        Ok(doctors) => doctors,
        Err(refusal) => return answer(&refusal),
    };
    let zone = chrono_tz::America::Sao_Paulo;
    let now = agenda.clock.now().with_timezone(&zone);
    let (from, to) = (query.from.with_timezone(&zone).max(now), query.to.with_timezone(&zone));
    let procedure = query.procedure_id.as_deref().and_then(catalogue::procedure);
    let price = procedure.map(|one| one.price_cents).filter(|_| query.insurance_id.is_none());
    let book = agenda.book.read();
    let mut free: Vec<_> = doctors
        .into_iter()
        .flat_map(|doctor| slots::between(doctor, from, to))
        .filter(|slot| slot.start > now && !slot.is_taken && !book.is_booked(&slot.id))
        .collect();
    drop(book);
    free.sort_by_key(|slot| slot.start);
    free.truncate(query.limit.unwrap_or(USUAL_LIMIT).clamp(1, HIGHEST_LIMIT));
    let slots = free.iter().map(|slot| {
        let mut told = json!({
            "id": slot.id,
            "doctor_id": slot.doctor.id,
            "start": slot.start.fixed_offset(),
        });
        if let Some(price) = price {
            told["price_cents"] = json!(price);
        }
        told
    });
    HttpResponse::Ok().json(json!({ "slots": slots.collect::<Vec<_>>(), "failed_doctors": [] }))
}

#[derive(Deserialize)]
struct OfPatient {
    patient_id: String,
}

async fn appointments(agenda: web::Data<DemoAgenda>, query: web::Query<OfPatient>) -> HttpResponse {
    let (book, now) = (agenda.book.read(), agenda.clock.now());
    if book.patient(&query.patient_id).is_none() {
        return refuse(404, code::PATIENT_NOT_FOUND);
    }
    let coming = book
        .appointments
        .iter()
        .filter(|one| one.patient_id == query.patient_id && one.start > now)
        .collect::<Vec<_>>();
    HttpResponse::Ok().json(json!({ "appointments": coming }))
}

async fn register(
    agenda: web::Data<DemoAgenda>,
    request: HttpRequest,
    new: web::Json<NewPatient>,
) -> HttpResponse {
    let new = new.into_inner();
    let asked = asked(REGISTER_PATIENT, &new);
    effect(&agenda, &request, asked, move |book, id| effects::register(book, new, id)).await
}

async fn book(
    agenda: web::Data<DemoAgenda>,
    request: HttpRequest,
    wish: web::Json<Booking>,
) -> HttpResponse {
    let (wish, now) = (wish.into_inner(), agenda.clock.now());
    let asked = asked(BOOK, &wish);
    effect(&agenda, &request, asked, move |book, id| effects::book(book, &wish, id, now)).await
}

async fn cancel(
    agenda: web::Data<DemoAgenda>,
    request: HttpRequest,
    id: web::Path<String>,
) -> HttpResponse {
    let id = id.into_inner();
    let asked = asked(CANCEL, &id);
    effect(&agenda, &request, asked, move |book, _| effects::cancel(book, &id)).await
}

/// A request as it is recognised again.
fn asked(operation: Operation, body: &impl Serialize) -> String {
    format!("{operation} {}", json!(body))
}

/// Does `act`, which is given a fresh id, once under the request's key.
async fn effect(
    agenda: &DemoAgenda,
    request: &HttpRequest,
    asked: String,
    act: impl FnOnce(&mut Book, String) -> Reply + Send + 'static,
) -> HttpResponse {
    let key = request.headers().get(IDEMPOTENCY_KEY).and_then(|key| key.to_str().ok());
    let Some(key) = key.filter(|key| (1..=LONGEST_KEY).contains(&key.len())).map(str::to_owned)
    else {
        return refuse(400, code::IDEMPOTENCY_KEY_MISSING);
    };
    let Ok(random) = random_bytes::<12>() else {
        return refuse(500, code::INTERNAL);
    };
    let id: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let book = agenda.book.clone();
    // The file is written with fsync, which blocks.
    let done = web::block(move || book.once(&key, &asked, |book| act(book, id))).await;
    match done {
        Ok(Ok(reply)) => answer(&reply),
        Ok(Err(error)) => {
            tracing::error!(%error, "the demo agenda cannot be written");
            refuse(500, code::INTERNAL)
        }
        Err(_) => refuse(500, code::INTERNAL),
    }
}
