//! The contract's operations, as functions.

use chrono::{DateTime, SecondsFormat};
use chrono_tz::Tz;
use serde_json::{Value, json};

use super::client::{Call, CallError, Request};
use super::contract::{
    BOOK, CANCEL, LIST_APPOINTMENTS, LIST_DOCTORS, LIST_INSURANCES, LIST_PROCEDURES, LIST_SLOTS,
    Operation, REGISTER_PATIENT,
};
use super::wire::{
    self, Appointment, Booking, Doctor, Misfit, Named, NewPatient, Patient, Procedure, Slots,
};

/// Which free times are asked for.
#[derive(Debug, Clone)]
pub struct SlotQuery<'a> {
    pub doctor_id: Option<&'a str>,
    pub procedure_id: Option<&'a str>,
    pub insurance_id: Option<&'a str>,
    pub from: DateTime<Tz>,
    /// Times that begin before it.
    pub to: DateTime<Tz>,
    pub limit: u32,
}

fn misfit(operation: Operation) -> impl Fn(Misfit) -> CallError {
    move |misfit| match misfit {
        Misfit::Empty => CallError::Empty,
        Misfit::Shape => CallError::Unusable(format!("{operation}: JSON of another shape")),
    }
}

/// No free time, while some agendas could not be read.
fn is_unfinished(answer: &Value) -> bool {
    let is_empty = answer.get("slots").and_then(Value::as_array).is_some_and(Vec::is_empty);
    is_empty && !wire::ids(answer, "failed_doctors").is_empty()
}

impl Call<'_> {
    pub async fn doctors(&self) -> Result<Vec<Doctor>, CallError> {
        let answer = self.send(&Request::of(LIST_DOCTORS)).await?;
        wire::list(&answer, "doctors").map_err(misfit(LIST_DOCTORS))
    }

    pub async fn insurances(&self) -> Result<Vec<Named>, CallError> {
        let answer = self.send(&Request::of(LIST_INSURANCES)).await?;
        wire::list(&answer, "insurances").map_err(misfit(LIST_INSURANCES))
    }

    pub async fn procedures(&self) -> Result<Vec<Procedure>, CallError> {
        let answer = self.send(&Request::of(LIST_PROCEDURES)).await?;
        wire::list(&answer, "procedures").map_err(misfit(LIST_PROCEDURES))
    }

    /// Free times. None at all while some agendas could not be read is a failed attempt.
    pub async fn slots(&self, query: &SlotQuery<'_>) -> Result<Slots, CallError> {
        let ids = [
            ("doctor_id", query.doctor_id),
            ("procedure_id", query.procedure_id),
            ("insurance_id", query.insurance_id),
        ];
        let ids = ids.into_iter().filter_map(|(name, id)| Some((name, id?.to_owned())));
        let instant = |at: DateTime<Tz>| at.to_rfc3339_opts(SecondsFormat::Secs, false);
        let more = [
            ("from", instant(query.from)),
            ("to", instant(query.to)),
            ("limit", query.limit.to_string()),
        ];
        let request =
            Request { query: ids.chain(more).collect(), is_unfinished, ..Request::of(LIST_SLOTS) };
        let answer = self.send(&request).await?;
        let slots = wire::list(&answer, "slots").map_err(misfit(LIST_SLOTS))?;
        Ok(Slots { slots, failed_doctors: wire::ids(&answer, "failed_doctors") })
    }

    pub async fn register(&self, patient: &NewPatient, key: &str) -> Result<Patient, CallError> {
        let request =
            Request { body: Some(json!(patient)), key: Some(key), ..Request::of(REGISTER_PATIENT) };
        wire::one(self.send(&request).await?).map_err(misfit(REGISTER_PATIENT))
    }

    pub async fn book(&self, booking: &Booking, key: &str) -> Result<Appointment, CallError> {
        let request = Request { body: Some(json!(booking)), key: Some(key), ..Request::of(BOOK) };
        wire::one(self.send(&request).await?).map_err(misfit(BOOK))
    }

    /// The patient's appointments that are to come, cancelled ones too.
    pub async fn appointments(&self, patient_id: &str) -> Result<Vec<Appointment>, CallError> {
        let query = vec![("patient_id", patient_id.to_owned())];
        let answer = self.send(&Request { query, ..Request::of(LIST_APPOINTMENTS) }).await?;
        wire::list(&answer, "appointments").map_err(misfit(LIST_APPOINTMENTS))
    }

    pub async fn cancel(&self, id: &str, key: &str) -> Result<Appointment, CallError> {
        let request = Request { id: Some(id), key: Some(key), ..Request::of(CANCEL) };
        wire::one(self.send(&request).await?).map_err(misfit(CANCEL))
    }
}
