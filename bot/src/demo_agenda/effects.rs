//! What registering, booking and cancelling do to the book.

use chrono::{DateTime, Utc};
use lembra_agent::domain::scheduling::patient::cpf;
use lembra_agent::services::agenda::contract::code;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::book::{Appointment, Book, Patient, Reply, Status};
use super::{catalogue, slots};

/// A patient to be registered, as the contract has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NewPatient {
    name: String,
    #[serde(default)]
    birth_date: Option<String>,
    #[serde(default)]
    cpf: Option<String>,
    #[serde(default)]
    phone: Option<String>,
    #[serde(default)]
    insurance_id: Option<String>,
}

/// A time to be booked, as the contract has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Booking {
    slot_id: String,
    patient_id: String,
    #[serde(default)]
    procedure_id: Option<String>,
}

/// Registers a patient under `id`, or finds the one with the same CPF.
pub fn register(book: &mut Book, new: NewPatient, id: String) -> Reply {
    let is_cpf = new.cpf.as_deref().is_none_or(|text| cpf(text).as_deref() == Some(text));
    if new.name.trim().chars().count() < 2 || !is_cpf {
        return Reply::refusal(422, code::PATIENT_INVALID);
    }
    if new.insurance_id.as_deref().is_some_and(|id| catalogue::insurance(id).is_none()) {
        return Reply::refusal(404, code::INSURANCE_NOT_FOUND);
    }
    let known = book.patients.iter().find(|patient| new.cpf.is_some() && patient.cpf == new.cpf);
    if let Some(known) = known {
        return Reply::ok(200, &json!({ "id": known.id }));
    }
    let reply = Reply::ok(201, &json!({ "id": id }));
    book.patients.push(Patient {
        id,
        name: new.name,
        birth_date: new.birth_date,
        cpf: new.cpf,
        phone: new.phone,
        insurance_id: new.insurance_id,
    });
    reply
}

/// Books a time under `id`.
pub fn book(book: &mut Book, wish: &Booking, id: String, now: DateTime<Utc>) -> Reply {
    let slot = slots::by_id(&wish.slot_id);
    let slot = slot.filter(|slot| slot.doctor.automatic_scheduling && slot.start > now);
    let Some(slot) = slot else {
        return Reply::refusal(404, code::SLOT_NOT_FOUND);
    };
    let Some(patient) = book.patient(&wish.patient_id) else {
        return Reply::refusal(404, code::PATIENT_NOT_FOUND);
    };
    let procedure = match wish.procedure_id.as_deref() {
        None => None,
        Some(id) => match catalogue::procedure(id) {
            None => return Reply::refusal(404, code::PROCEDURE_NOT_FOUND),
            Some(one) if !slot.doctor.procedures.contains(&one.id) => {
                return Reply::refusal(422, code::PROCEDURE_NOT_OFFERED);
            }
            Some(one) => Some(one),
        },
    };
    if slot.is_taken || book.is_booked(&slot.id) {
        return Reply::refusal(409, code::SLOT_TAKEN);
    }
    let pays = patient.insurance_id.is_none();
    let appointment = Appointment {
        id,
        slot_id: slot.id,
        patient_id: wish.patient_id.clone(),
        doctor_id: slot.doctor.id.to_owned(),
        doctor_name: slot.doctor.name.to_owned(),
        procedure_name: procedure.map(|one| one.name.to_owned()),
        start: slot.start.fixed_offset(),
        price_cents: procedure.map(|one| one.price_cents).filter(|_| pays),
        status: Status::Booked,
    };
    let reply = Reply::ok(201, &appointment);
    book.appointments.push(appointment);
    reply
}

/// Cancels an appointment; again is no error.
pub fn cancel(book: &mut Book, id: &str) -> Reply {
    match book.appointments.iter_mut().find(|appointment| appointment.id == id) {
        None => Reply::refusal(404, code::APPOINTMENT_NOT_FOUND),
        Some(appointment) => {
            appointment.status = Status::Cancelled;
            Reply::ok(200, appointment)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        DateTime::parse_from_rfc3339("2026-11-30T12:00:00Z").unwrap().to_utc()
    }

    fn patient(cpf: Option<&str>) -> NewPatient {
        NewPatient {
            name: "Ana Souza".to_owned(),
            birth_date: None,
            cpf: cpf.map(str::to_owned),
            phone: None,
            insurance_id: None,
        }
    }

    fn wish(slot_id: &str, procedure_id: Option<&str>) -> Booking {
        Booking {
            slot_id: slot_id.to_owned(),
            patient_id: "pt1".to_owned(),
            procedure_id: procedure_id.map(str::to_owned),
        }
    }

    fn refusal(reply: &Reply) -> String {
        reply.body["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    /// The first free time of a doctor on Tuesday.
    fn free() -> String {
        let doctor = catalogue::doctor("joana-prado").unwrap();
        let from = now().with_timezone(&chrono_tz::America::Sao_Paulo);
        let slots = slots::between(doctor, from, from + chrono::TimeDelta::days(2));
        slots.into_iter().find(|slot| !slot.is_taken).unwrap().id
    }

    #[test]
    fn the_same_cpf_is_the_same_patient() {
        let mut kept = Book::default();
        let cpf = Some("52998224725");
        assert_eq!(register(&mut kept, patient(cpf), "pt1".into()).status, 201);
        let again = register(&mut kept, patient(cpf), "pt2".into());
        assert_eq!(again, Reply::ok(200, &json!({ "id": "pt1" })));
        assert_eq!(register(&mut kept, patient(None), "pt3".into()).status, 201);
        let wrong = register(&mut kept, patient(Some("52998224726")), "pt4".into());
        assert_eq!(refusal(&wrong), code::PATIENT_INVALID);
        assert_eq!(kept.patients.len(), 2);
    }

    #[test]
    fn a_time_is_booked_by_one_and_free_again_when_cancelled() {
        let mut kept = Book::default();
        register(&mut kept, patient(None), "pt1".into());
        let slot = free();
        let booked = book(&mut kept, &wish(&slot, Some("limpeza-de-pele")), "a1".into(), now());
        assert_eq!((booked.status, &booked.body["price_cents"]), (201, &json!(22_000)));
        let again = book(&mut kept, &wish(&slot, None), "a2".into(), now());
        assert_eq!(refusal(&again), code::SLOT_TAKEN);
        assert_eq!(cancel(&mut kept, "a1").body["status"], "cancelled");
        assert_eq!(cancel(&mut kept, "a1").status, 200);
        assert_eq!(book(&mut kept, &wish(&slot, None), "a2".into(), now()).status, 201);
        assert_eq!(refusal(&cancel(&mut kept, "a9")), code::APPOINTMENT_NOT_FOUND);
    }

    #[test]
    fn what_cannot_be_booked_says_why() {
        let mut kept = Book::default();
        let slot = free();
        for (slot, procedure, expected) in [
            (slot.as_str(), None, code::PATIENT_NOT_FOUND),
            ("joana-prado.20261201T1200", None, code::SLOT_NOT_FOUND),
            // Past, and of a doctor whom people book.
            ("joana-prado.20261127T0900", None, code::SLOT_NOT_FOUND),
            ("otavio-brandao.20261201T0900", None, code::SLOT_NOT_FOUND),
        ] {
            let reply = book(&mut kept, &wish(slot, procedure), "a1".into(), now());
            assert_eq!(refusal(&reply), expected, "{slot}");
        }
        register(&mut kept, patient(None), "pt1".into());
        for (procedure, expected) in [
            ("eletrocardiograma", code::PROCEDURE_NOT_OFFERED),
            ("cirurgia", code::PROCEDURE_NOT_FOUND),
        ] {
            let reply = book(&mut kept, &wish(&slot, Some(procedure)), "a1".into(), now());
            assert_eq!(refusal(&reply), expected);
        }
        assert!(kept.appointments.is_empty());
    }
}
