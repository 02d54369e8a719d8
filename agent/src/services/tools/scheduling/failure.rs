//! What becomes of an agenda's refusals and silences: the contract's failures (seed 004).

use crate::domain::tool_failure::ToolFailure;
use crate::services::agenda::CallError;
use crate::services::agenda::contract::code;
use crate::services::tools::ToolError;

/// What was asked for, in the customer's words: failures name it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked<'a> {
    pub doctor: Option<&'a str>,
    pub insurance: Option<&'a str>,
    pub procedure: Option<&'a str>,
}

/// A name in a failure's text: one line, not too long for a prompt.
pub fn named(name: &str) -> String {
    const LONGEST: usize = 80;
    let line = name.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(LONGEST).collect()
}

/// What a refusal means whatever was done.
fn refused(status: u16, code: Option<&str>, asked: Asked<'_>) -> ToolError {
    let Some(code) = code else {
        return ToolError::Uncontrolled(format!("the agenda answered {status} without a code"));
    };
    let internal = || ToolFailure::internal(code);
    let failure = match code {
        code::DOCTOR_NOT_FOUND => asked
            .doctor
            .map_or_else(internal, |doctor| ToolFailure::DoctorNotFound { doctor: named(doctor) }),
        code::DOCTOR_WITHOUT_SCHEDULING => asked.doctor.map_or_else(internal, |doctor| {
            ToolFailure::DoctorWithoutScheduling { doctor: named(doctor) }
        }),
        // Not taken by this doctor: for the customer it is the same.
        code::INSURANCE_NOT_FOUND | code::INSURANCE_NOT_ACCEPTED => {
            asked.insurance.map_or_else(internal, |insurance| ToolFailure::InsuranceNotFound {
                insurance: named(insurance),
            })
        }
        code::PROCEDURE_NOT_FOUND | code::PROCEDURE_NOT_OFFERED => {
            asked.procedure.map_or_else(internal, |procedure| ToolFailure::ProcedureNotFound {
                procedure: named(procedure),
            })
        }
        _ => internal(),
    };
    failure.into()
}

/// A question to the agenda that failed.
pub fn consulting(error: CallError, asked: Asked<'_>) -> ToolError {
    match error {
        CallError::Unreachable { .. } => ToolFailure::ScheduleUnreachable.into(),
        CallError::Empty => ToolFailure::EmptyAnswer.into(),
        CallError::Refused { status, code } => refused(status, code.as_deref(), asked),
        CallError::Unusable(what) => ToolError::Uncontrolled(what),
    }
}

/// A registration that failed, in whatever way: only a refused token is something else.
pub fn registering(error: CallError) -> ToolError {
    match error {
        CallError::Refused { status: status @ (401 | 403), code } => {
            refused(status, code.as_deref(), Asked::default())
        }
        CallError::Unreachable { .. } | CallError::Refused { .. } => {
            ToolFailure::PatientNotRegistered.into()
        }
        other => consulting(other, Asked::default()),
    }
}

/// A booking that failed.
pub fn booking(error: CallError, asked: Asked<'_>) -> ToolError {
    match error {
        // It may have been booked: nobody may say that it was, nor that it was not.
        CallError::Unreachable { reached: true } => {
            ToolFailure::internal("sem resposta ao agendar").into()
        }
        CallError::Refused { status: 409, code: None } => ToolFailure::SlotTaken.into(),
        CallError::Refused { code: Some(code), .. }
            if [code::SLOT_TAKEN, code::SLOT_NOT_FOUND].contains(&code.as_str()) =>
        {
            ToolFailure::SlotTaken.into()
        }
        other => consulting(other, asked),
    }
}

/// A cancellation that failed.
pub fn cancelling(error: CallError) -> ToolError {
    match error {
        CallError::Unreachable { reached: true } => {
            ToolFailure::internal("sem resposta ao cancelar").into()
        }
        other => consulting(other, Asked::default()),
    }
}
