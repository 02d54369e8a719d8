//! `FALHA_CONSULTA`: how a tool tells the model of a failure that it may speak of (seed 004).
//! The twelve texts stand here once, and are read back as they are written.

use std::fmt;
use std::str::FromStr;

/// What every text begins with.
pub const PREFIX: &str = "FALHA_CONSULTA: ";

/// Longest detail of an internal error, in characters.
const DETAIL_CHARS: usize = 200;

/// A controlled failure of a tool. It is not actionable: the turn transfers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolFailure {
    DoctorWithoutScheduling {
        doctor: String,
    },
    DoctorNotFound {
        doctor: String,
    },
    InsuranceNotFound {
        insurance: String,
    },
    ProcedureNotFound {
        procedure: String,
    },
    AgendaEmpty,
    NoDoctorAvailable,
    /// Two attempts failed.
    ScheduleUnreachable,
    /// The agenda that came back is another doctor's.
    AgendaMismatch,
    /// Somebody else took it between offer and booking.
    SlotTaken,
    PatientNotRegistered,
    Internal {
        detail: String,
    },
    EmptyAnswer,
}

impl ToolFailure {
    /// An internal error, on one line and not too long for a prompt.
    pub fn internal(detail: impl fmt::Display) -> Self {
        let detail = detail.to_string();
        let line = detail.split_whitespace().collect::<Vec<_>>().join(" ");
        let short: String = line.chars().take(DETAIL_CHARS).collect();
        let detail = if short.is_empty() { "sem detalhe".to_owned() } else { short };
        ToolFailure::Internal { detail }
    }

    /// The stable name that failures are grouped by.
    pub fn code(&self) -> &'static str {
        match self {
            ToolFailure::DoctorWithoutScheduling { .. } => "doctor_without_scheduling",
            ToolFailure::DoctorNotFound { .. } => "doctor_not_found",
            ToolFailure::InsuranceNotFound { .. } => "insurance_not_found",
            ToolFailure::ProcedureNotFound { .. } => "procedure_not_found",
            ToolFailure::AgendaEmpty => "agenda_empty",
            ToolFailure::NoDoctorAvailable => "no_doctor_available",
            ToolFailure::ScheduleUnreachable => "schedule_unreachable",
            ToolFailure::AgendaMismatch => "agenda_mismatch",
            ToolFailure::SlotTaken => "slot_taken",
            ToolFailure::PatientNotRegistered => "patient_not_registered",
            ToolFailure::Internal { .. } => "internal",
            ToolFailure::EmptyAnswer => "empty_answer",
        }
    }

    /// The text without its prefix: the reason of a transfer.
    pub fn detail(&self) -> String {
        match self {
            ToolFailure::DoctorWithoutScheduling { doctor } => {
                format!("medico '{doctor}' nao possui agendamento automatico")
            }
            ToolFailure::DoctorNotFound { doctor } => format!("medico '{doctor}' nao encontrado"),
            ToolFailure::InsuranceNotFound { insurance } => {
                format!("convenio nao encontrado: {insurance}")
            }
            ToolFailure::ProcedureNotFound { procedure } => {
                format!("procedimento '{procedure}' nao encontrado")
            }
            ToolFailure::AgendaEmpty => "agenda sem horarios disponiveis".to_owned(),
            ToolFailure::NoDoctorAvailable => "nenhum medico tem horarios disponiveis".to_owned(),
            ToolFailure::ScheduleUnreachable => {
                "erro ao consultar horarios apos 2 tentativas".to_owned()
            }
            ToolFailure::AgendaMismatch => {
                "agenda retornada nao bate com o medico esperado".to_owned()
            }
            ToolFailure::SlotTaken => "slot indisponivel (pode ter sido ocupado)".to_owned(),
            ToolFailure::PatientNotRegistered => "cadastro de paciente falhou".to_owned(),
            ToolFailure::Internal { detail } => format!("erro interno: {detail}"),
            ToolFailure::EmptyAnswer => "resposta vazia".to_owned(),
        }
    }
}

impl fmt::Display for ToolFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{PREFIX}{}", self.detail())
    }
}

/// A text that is none of the twelve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no FALHA_CONSULTA that is known")]
pub struct NotAFailure;

impl FromStr for ToolFailure {
    type Err = NotAFailure;

    fn from_str(text: &str) -> Result<Self, NotAFailure> {
        let text = text.strip_prefix(PREFIX).ok_or(NotAFailure)?;
        let fixed = [
            ToolFailure::AgendaEmpty,
            ToolFailure::NoDoctorAvailable,
            ToolFailure::ScheduleUnreachable,
            ToolFailure::AgendaMismatch,
            ToolFailure::SlotTaken,
            ToolFailure::PatientNotRegistered,
            ToolFailure::EmptyAnswer,
        ];
        if let Some(failure) = fixed.into_iter().find(|failure| failure.detail() == text) {
            return Ok(failure);
        }
        let between = |before: &str, after: &str| {
            let inside = text.strip_prefix(before)?.strip_suffix(after)?;
            (!inside.is_empty()).then(|| inside.to_owned())
        };
        if let Some(doctor) = between("medico '", "' nao possui agendamento automatico") {
            return Ok(ToolFailure::DoctorWithoutScheduling { doctor });
        }
        if let Some(doctor) = between("medico '", "' nao encontrado") {
            return Ok(ToolFailure::DoctorNotFound { doctor });
        }
        if let Some(insurance) = between("convenio nao encontrado: ", "") {
            return Ok(ToolFailure::InsuranceNotFound { insurance });
        }
        if let Some(procedure) = between("procedimento '", "' nao encontrado") {
            return Ok(ToolFailure::ProcedureNotFound { procedure });
        }
        between("erro interno: ", "")
            .map(|detail| ToolFailure::Internal { detail })
            .ok_or(NotAFailure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<(ToolFailure, &'static str)> {
        let name = |name: &str| name.to_owned();
        vec![
            (
                ToolFailure::DoctorWithoutScheduling { doctor: name("Dra. Joana D'Ávila") },
                "FALHA_CONSULTA: medico 'Dra. Joana D'Ávila' nao possui agendamento automatico",
            ),
            (
                ToolFailure::DoctorNotFound { doctor: name("X") },
                "FALHA_CONSULTA: medico 'X' nao encontrado",
            ),
            (
                ToolFailure::InsuranceNotFound { insurance: name("Y") },
                "FALHA_CONSULTA: convenio nao encontrado: Y",
            ),
            (
                ToolFailure::ProcedureNotFound { procedure: name("Z") },
                "FALHA_CONSULTA: procedimento 'Z' nao encontrado",
            ),
            (ToolFailure::AgendaEmpty, "FALHA_CONSULTA: agenda sem horarios disponiveis"),
            (
                ToolFailure::NoDoctorAvailable,
                "FALHA_CONSULTA: nenhum medico tem horarios disponiveis",
            ),
            (
                ToolFailure::ScheduleUnreachable,
                "FALHA_CONSULTA: erro ao consultar horarios apos 2 tentativas",
            ),
            (
                ToolFailure::AgendaMismatch,
                "FALHA_CONSULTA: agenda retornada nao bate com o medico esperado",
            ),
            (ToolFailure::SlotTaken, "FALHA_CONSULTA: slot indisponivel (pode ter sido ocupado)"),
            (ToolFailure::PatientNotRegistered, "FALHA_CONSULTA: cadastro de paciente falhou"),
            (ToolFailure::internal("limite\n de 5"), "FALHA_CONSULTA: erro interno: limite de 5"),
            (ToolFailure::EmptyAnswer, "FALHA_CONSULTA: resposta vazia"),
        ]
    }

    #[test]
    fn the_twelve_texts_are_written_and_read_to_the_letter() {
        for (failure, text) in all() {
            assert_eq!(failure.to_string(), text);
            assert_eq!(text.parse(), Ok(failure));
        }
    }

    #[test]
    fn each_failure_has_a_code_of_its_own() {
        let codes: std::collections::BTreeSet<_> =
            all().iter().map(|(failure, _)| failure.code()).collect();
        assert_eq!(codes.len(), 12);
    }

    #[test]
    fn other_texts_are_no_failures() {
        for text in [
            "",
            "agenda sem horarios disponiveis",
            "FALHA_CONSULTA",
            "FALHA_CONSULTA: ",
            "FALHA_CONSULTA: outra coisa",
            "FALHA_CONSULTA: medico '' nao encontrado",
            "falha_consulta: resposta vazia",
        ] {
            assert_eq!(text.parse::<ToolFailure>(), Err(NotAFailure), "{text}");
        }
    }
}
