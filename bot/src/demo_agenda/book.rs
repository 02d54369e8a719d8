//! What was registered and booked, and the answers that were given under each key.

use std::collections::VecDeque;

use lembra_agent::services::agenda::contract::code;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Answers that are kept; the oldest give way.
const MOST_ANSWERS: usize = 2_000;

/// What a request is answered with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    pub status: u16,
    pub body: Value,
}

impl Reply {
    pub fn ok(status: u16, body: &impl Serialize) -> Self {
        Self { status, body: json!(body) }
    }

    /// A refusal with a code of the contract.
    pub fn refusal(status: u16, code: &str) -> Self {
        Self { status, body: json!({ "error": { "code": code } }) }
    }
}

/// A registered patient.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Patient {
    pub id: String,
    pub name: String,
    #[serde(default)]
    pub birth_date: Option<String>,
    #[serde(default)]
    pub cpf: Option<String>,
    #[serde(default)]
    pub phone: Option<String>,
    #[serde(default)]
    pub insurance_id: Option<String>,
}

/// A booked or cancelled time, as the contract tells it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Appointment {
    pub id: String,
    pub slot_id: String,
    pub patient_id: String,
    pub doctor_id: String,
    pub doctor_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub procedure_name: Option<String>,
    pub start: chrono::DateTime<chrono::FixedOffset>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_cents: Option<i64>,
    pub status: Status,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Booked,
    Cancelled,
}

/// An answer that was given under a key.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Answered {
    key: String,
    /// The whole request: the same key with another one is a mistake of the caller.
    request: String,
    reply: Reply,
}

/// Everything that is kept.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Book {
    pub patients: Vec<Patient>,
    pub appointments: Vec<Appointment>,
    answers: VecDeque<Answered>,
}

impl Book {
    pub fn is_booked(&self, slot_id: &str) -> bool {
        let mut booked = self.appointments.iter().filter(|one| one.status == Status::Booked);
        booked.any(|one| one.slot_id == slot_id)
    }

    pub fn patient(&self, id: &str) -> Option<&Patient> {
        self.patients.iter().find(|patient| patient.id == id)
    }

    /// The answer to a request that came under this key before.
    pub fn answered(&self, key: &str, request: &str) -> Option<Reply> {
        let known = self.answers.iter().find(|answered| answered.key == key)?;
        Some(match known.request == request {
            true => known.reply.clone(),
            false => Reply::refusal(422, code::IDEMPOTENCY_KEY_REUSED),
        })
    }

    /// Keeps the answer of what was done under a key.
    pub fn remember(&mut self, key: &str, request: &str, reply: &Reply) {
        self.answers.push_back(Answered {
            key: key.to_owned(),
            request: request.to_owned(),
            reply: reply.clone(),
        });
        while self.answers.len() > MOST_ANSWERS {
            self.answers.pop_front();
        }
    }
}
