//! `agendar_horario`: books a free time for a registered patient.

use async_trait::async_trait;
use chrono_tz::Tz;
use serde_json::{Value, json};

use super::failure::{Asked, booking};
use super::names::{self, Chosen};
use super::{ID_PATTERN, argument, question, spec};
use crate::domain::scheduling;
use crate::domain::scheduling::spoken;
use crate::domain::tool::ToolSpec;
use crate::domain::tool_failure::ToolFailure;
use crate::services::agenda::wire::{Appointment, AppointmentStatus, Booking};
use crate::services::agenda::{AgendaClient, Call, CallError};
use crate::services::tools::{Invocation, Tool, ToolError};

const DESCRIPTION: &str = "Agenda um horário que consultar_horarios devolveu, depois que o \
    paciente o escolheu, para um paciente que cadastrar_paciente devolveu. Só diga que está \
    agendado se a situação devolvida for agendado. Guarde agendamento_id para cancelar; não o \
    mostre ao paciente.";

pub struct Book {
    agenda: AgendaClient,
    spec: ToolSpec,
}

impl Book {
    pub fn new(agenda: AgendaClient) -> Self {
        let id = |description: &str| json!({ "type": "string", "pattern": ID_PATTERN, "description": description });
        let properties = json!({
            "horario_id": id("horario_id do horário escolhido, como veio de consultar_horarios."),
            "paciente_id": id("paciente_id que veio de cadastrar_paciente."),
            "procedimento": {
                "type": "string",
                "maxLength": 200,
                "description": "O mesmo procedimento da consulta de horários, se houve.",
            },
        });
        let required = ["horario_id", "paciente_id"];
        Self { agenda, spec: spec(scheduling::BOOK, DESCRIPTION, &properties, &required) }
    }
}

#[async_trait]
impl Tool for Book {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn has_effect(&self) -> bool {
        true
    }

    async fn call(&self, call: &Invocation<'_>) -> Result<String, ToolError> {
        let text = |name| argument(call.arguments, name);
        let (Some(slot_id), Some(patient_id)) = (text("horario_id"), text("paciente_id")) else {
            return Ok(question("Faltam o horário ou o paciente.", &[]));
        };
        let asked = Asked { procedure: text("procedimento"), ..Asked::default() };
        let agenda = self.agenda.begin();
        let procedure = names::procedure(&agenda, asked.procedure).await;
        let procedure = match procedure.map_err(|problem| problem.into_error(asked))? {
            Chosen::Ask(question) => return Ok(question),
            Chosen::One(procedure) => Some(procedure),
            Chosen::Any => None,
        };
        let wish = Booking {
            slot_id: slot_id.to_owned(),
            patient_id: patient_id.to_owned(),
            procedure_id: procedure.map(|procedure| procedure.id),
        };
        let booked = match agenda.book(&wish, call.key).await {
            Err(error @ CallError::Unreachable { reached: true }) => {
                look_up(&agenda, &wish).await.ok_or(error)
            }
            answer => answer,
        };
        let booked = booked.map_err(|error| booking(error, asked))?;
        if booked.slot_id != slot_id {
            return Err(ToolFailure::internal("a agenda confirmou outro horario").into());
        }
        if booked.status != AppointmentStatus::Booked {
            return Err(ToolFailure::internal("a agenda nao confirmou o agendamento").into());
        }
        let zone = self.agenda.zone();
        let now = call.now.with_timezone(&zone).date_naive();
        Ok(described(&booked, "agendado", zone, now).to_string())
    }
}

/// Whether a booking whose answer never came stands in the agenda. That it does not proves
/// nothing: it may still come.
async fn look_up(agenda: &Call<'_>, wish: &Booking) -> Option<Appointment> {
    let appointments = agenda.appointments(&wish.patient_id).await.ok()?;
    appointments.into_iter().find(|appointment| {
        appointment.slot_id == wish.slot_id && appointment.status == AppointmentStatus::Booked
    })
}

/// An appointment as the model is told of it.
pub(super) fn described(
    appointment: &Appointment,
    state: &str,
    zone: Tz,
    today: chrono::NaiveDate,
) -> Value {
    let at = appointment.start.with_timezone(&zone);
    let mut described = json!({
        "situacao": state,
        "agendamento_id": appointment.id,
        "medico": appointment.doctor_name,
        "inicio": at.to_rfc3339_opts(chrono::SecondsFormat::Secs, false),
        "quando": spoken::moment(at.naive_local(), today),
    });
    if let Some(procedure) = &appointment.procedure_name {
        described["procedimento"] = json!(procedure);
    }
    if let Some(cents) = appointment.price_cents.filter(|cents| *cents >= 0) {
        described["preco"] = json!(spoken::price(cents));
    }
    described
}
