//! What an agenda answers, read leniently: ids may be numbers, fields that nobody asked for are
//! passed over, and of a list what can be read is kept.

use chrono::{DateTime, FixedOffset};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// A doctor of the clinic.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Doctor {
    #[serde(deserialize_with = "id")]
    pub id: String,
    pub name: String,
    #[serde(default)]
    pub specialty: Option<String>,
    /// Whether times with them are booked here; otherwise a person of the clinic does it.
    #[serde(default = "yes")]
    pub automatic_scheduling: bool,
}

/// Something that has a name: an insurance.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Named {
    #[serde(deserialize_with = "id")]
    pub id: String,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Procedure {
    #[serde(deserialize_with = "id")]
    pub id: String,
    pub name: String,
    /// For those who pay themselves.
    #[serde(default)]
    pub price_cents: Option<i64>,
}

/// A time that can be booked.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Slot {
    #[serde(deserialize_with = "id")]
    pub id: String,
    #[serde(deserialize_with = "id")]
    pub doctor_id: String,
    pub start: DateTime<FixedOffset>,
    #[serde(default)]
    pub price_cents: Option<i64>,
}

/// Free times, and the doctors whose agendas could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slots {
    pub slots: Vec<Slot>,
    pub failed_doctors: Vec<String>,
}

/// A registered patient; what else the agenda knows of them is not read.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Patient {
    #[serde(deserialize_with = "id")]
    pub id: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Appointment {
    #[serde(deserialize_with = "id")]
    pub id: String,
    #[serde(deserialize_with = "id")]
    pub slot_id: String,
    pub doctor_name: String,
    #[serde(default)]
    pub procedure_name: Option<String>,
    pub start: DateTime<FixedOffset>,
    pub status: AppointmentStatus,
    #[serde(default)]
    pub price_cents: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AppointmentStatus {
    Booked,
    Cancelled,
    /// A state of that agenda's own, such as "waiting for approval".
    #[serde(other)]
    Other,
}

/// A patient to be registered. Whoever is known by the same CPF is not registered twice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewPatient {
    pub name: String,
    /// `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub birth_date: Option<String>,
    /// Eleven digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpf: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub insurance_id: Option<String>,
}

/// A time to be booked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Booking {
    pub slot_id: String,
    pub patient_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub procedure_id: Option<String>,
}

/// What is not what the contract says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misfit {
    /// The list is `null`.
    Empty,
    Shape,
}

/// The list `name` of an answer. Entries that cannot be read are left out, unless none can.
pub fn list<T: DeserializeOwned>(answer: &Value, name: &str) -> Result<Vec<T>, Misfit> {
    let entries = match answer.get(name) {
        Some(Value::Array(entries)) => entries,
        Some(Value::Null) => return Err(Misfit::Empty),
        _ => return Err(Misfit::Shape),
    };
    let read: Vec<T> = entries.iter().filter_map(|entry| T::deserialize(entry).ok()).collect();
    if read.is_empty() && !entries.is_empty() {
        return Err(Misfit::Shape);
    }
    if read.len() < entries.len() {
        let left_out = entries.len() - read.len();
        tracing::warn!(list = name, left_out, "entries of an agenda cannot be read");
    }
    Ok(read)
}

pub fn one<T: DeserializeOwned>(answer: Value) -> Result<T, Misfit> {
    serde_json::from_value(answer).map_err(|_| Misfit::Shape)
}

/// The ids in the list `name`, if there is one.
pub fn ids(answer: &Value, name: &str) -> Vec<String> {
    let entries = answer.get(name).and_then(Value::as_array);
    entries.into_iter().flatten().filter_map(|entry| id(entry).ok()).collect()
}

fn yes() -> bool {
    true
}

/// An id, which is text; numbers are taken as text.
fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) if !text.trim().is_empty() => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(D::Error::custom("no id")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_serve_as_ids_and_what_can_be_read_is_kept() {
        let answer = json!({ "slots": [
            { "id": 7, "doctor_id": 1, "start": "2026-12-01T09:00:00-03:00", "room": "2" },
            { "id": "8", "doctor_id": "1", "start": "amanhã" },
            { "doctor_id": "1", "start": "2026-12-01T09:00:00-03:00" },
        ], "failed_doctors": [2, "d3", null] });
        let slots = list::<Slot>(&answer, "slots").unwrap();
        assert_eq!(slots.iter().map(|slot| slot.id.as_str()).collect::<Vec<_>>(), ["7"]);
        assert_eq!(ids(&answer, "failed_doctors"), ["2", "d3"]);
    }

    #[test]
    fn another_shape_is_told_from_an_empty_list() {
        assert_eq!(list::<Named>(&json!({ "insurances": [] }), "insurances"), Ok(vec![]));
        assert_eq!(list::<Named>(&json!({ "insurances": null }), "insurances"), Err(Misfit::Empty));
        for answer in [json!({ "data": [] }), json!([]), json!({ "insurances": [{ "nome": "x" }] })]
        {
            assert_eq!(list::<Named>(&answer, "insurances"), Err(Misfit::Shape), "{answer}");
        }
    }
}
