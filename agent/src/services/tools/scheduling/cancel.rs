//! `cancelar_horario`: cancels an appointment.

use async_trait::async_trait;
use serde_json::json;

use super::book::described;
use super::failure::cancelling;
use super::{ID_PATTERN, argument, question, spec};
use crate::domain::scheduling;
use crate::domain::tool::ToolSpec;
use crate::domain::tool_failure::ToolFailure;
use crate::services::agenda::AgendaClient;
use crate::services::agenda::wire::AppointmentStatus;
use crate::services::tools::{Invocation, Tool, ToolError};

const NOT_THEIRS: &str = "Esse agendamento não está entre os que foram feitos nesta conversa. Se o \
    paciente tem outro, transfira para um atendente.";

const DESCRIPTION: &str = "Cancela um agendamento que o paciente pediu para cancelar e confirmou. \
    Para remarcar, agende primeiro o novo horário e depois cancele o antigo.";

pub struct Cancel {
    agenda: AgendaClient,
    spec: ToolSpec,
    /// The appointments that may be cancelled; any where absent.
    own: Option<Vec<String>>,
}

impl Cancel {
    pub fn new(agenda: AgendaClient, own: Option<Vec<String>>) -> Self {
        let properties = json!({
            "agendamento_id": {
                "type": "string",
                "pattern": ID_PATTERN,
                "description": "agendamento_id que agendar_horario devolveu.",
            },
        });
        let required = ["agendamento_id"];
        Self { agenda, spec: spec(scheduling::CANCEL, DESCRIPTION, &properties, &required), own }
    }
}

#[async_trait]
impl Tool for Cancel {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn has_effect(&self) -> bool {
        true
    }

    async fn call(&self, call: &Invocation<'_>) -> Result<String, ToolError> {
        let Some(id) = argument(call.arguments, "agendamento_id") else {
            return Ok(question("Falta saber qual agendamento cancelar.", &[]));
        };
        // Ids of an agenda may be guessed, and somebody else's time is not the customer's to give.
        if self.own.as_ref().is_some_and(|own| !own.iter().any(|known| known == id)) {
            return Ok(question(NOT_THEIRS, &[]));
        }
        let agenda = self.agenda.begin();
        let cancelled = agenda.cancel(id, call.key).await.map_err(cancelling)?;
        if cancelled.id != id {
            return Err(ToolFailure::internal("a agenda cancelou outro agendamento").into());
        }
        if cancelled.status != AppointmentStatus::Cancelled {
            return Err(ToolFailure::internal("a agenda nao confirmou o cancelamento").into());
        }
        let zone = self.agenda.zone();
        let today = call.now.with_timezone(&zone).date_naive();
        Ok(described(&cancelled, "cancelado", zone, today).to_string())
    }
}
