//! The contract of an agenda in constants. `docs/agenda.openapi.yaml` says it in full; a test holds
//! the two together.

use std::fmt;

/// One thing that an agenda can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    pub method: &'static str,
    /// Below the base URL; `{id}` stands for an id.
    pub path: &'static str,
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.method, self.path)
    }
}

pub const LIST_DOCTORS: Operation = Operation { method: "GET", path: "/doctors" };
pub const LIST_INSURANCES: Operation = Operation { method: "GET", path: "/insurances" };
pub const LIST_PROCEDURES: Operation = Operation { method: "GET", path: "/procedures" };
pub const LIST_SLOTS: Operation = Operation { method: "GET", path: "/slots" };
pub const REGISTER_PATIENT: Operation = Operation { method: "POST", path: "/patients" };
pub const LIST_APPOINTMENTS: Operation = Operation { method: "GET", path: "/appointments" };
pub const BOOK: Operation = Operation { method: "POST", path: "/appointments" };
pub const CANCEL: Operation = Operation { method: "DELETE", path: "/appointments/{id}" };

/// Everything that the contract has.
pub const OPERATIONS: [Operation; 8] = [
    LIST_DOCTORS,
    LIST_INSURANCES,
    LIST_PROCEDURES,
    LIST_SLOTS,
    REGISTER_PATIENT,
    LIST_APPOINTMENTS,
    BOOK,
    CANCEL,
];

/// The header that makes a repetition harmless.
pub const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// Codes of errors.
pub mod code {
    pub const APPOINTMENT_NOT_FOUND: &str = "appointment_not_found";
    pub const DOCTOR_NOT_FOUND: &str = "doctor_not_found";
    pub const DOCTOR_WITHOUT_SCHEDULING: &str = "doctor_without_scheduling";
    pub const FORBIDDEN: &str = "forbidden";
    pub const IDEMPOTENCY_KEY_MISSING: &str = "idempotency_key_missing";
    pub const IDEMPOTENCY_KEY_REUSED: &str = "idempotency_key_reused";
    pub const INSURANCE_NOT_ACCEPTED: &str = "insurance_not_accepted";
    pub const INSURANCE_NOT_FOUND: &str = "insurance_not_found";
    pub const INTERNAL: &str = "internal";
    pub const INVALID_REQUEST: &str = "invalid_request";
    pub const PATIENT_INVALID: &str = "patient_invalid";
    pub const PATIENT_NOT_FOUND: &str = "patient_not_found";
    pub const PROCEDURE_NOT_FOUND: &str = "procedure_not_found";
    pub const PROCEDURE_NOT_OFFERED: &str = "procedure_not_offered";
    pub const REQUEST_IN_PROGRESS: &str = "request_in_progress";
    pub const SLOT_NOT_FOUND: &str = "slot_not_found";
    pub const SLOT_TAKEN: &str = "slot_taken";
    pub const UNAUTHORIZED: &str = "unauthorized";

    /// All of them.
    pub const ALL: [&str; 18] = [
        APPOINTMENT_NOT_FOUND,
        DOCTOR_NOT_FOUND,
        DOCTOR_WITHOUT_SCHEDULING,
        FORBIDDEN,
        IDEMPOTENCY_KEY_MISSING,
        IDEMPOTENCY_KEY_REUSED,
        INSURANCE_NOT_ACCEPTED,
        INSURANCE_NOT_FOUND,
        INTERNAL,
        INVALID_REQUEST,
        PATIENT_INVALID,
        PATIENT_NOT_FOUND,
        PROCEDURE_NOT_FOUND,
        PROCEDURE_NOT_OFFERED,
        REQUEST_IN_PROGRESS,
        SLOT_NOT_FOUND,
        SLOT_TAKEN,
        UNAUTHORIZED,
    ];
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::super::wire;
    use super::*;

    const DOCUMENT: &str = include_str!("../../../../docs/agenda.openapi.yaml");

    /// Lines of the top-level section `name`, with the number of spaces before each.
    fn section(name: &str) -> Vec<(usize, &'static str)> {
        let start = format!("{name}:");
        let after = DOCUMENT.lines().skip_while(|line| *line != start).skip(1);
        let lines = after.take_while(|line| line.is_empty() || line.starts_with(' '));
        lines.map(|line| (line.len() - line.trim_start().len(), line.trim())).collect()
    }

    /// Each operation of the document with the lines below it.
    fn documented() -> Vec<(String, String, Vec<&'static str>)> {
        let mut found: Vec<(String, String, Vec<&'static str>)> = Vec::new();
        let mut path = "";
        for (depth, line) in section("paths") {
            match (depth, line.strip_suffix(':')) {
                (2, Some(name)) => path = name,
                (4, Some(method)) => {
                    found.push((method.to_uppercase(), path.to_owned(), Vec::new()));
                }
                _ => {
                    if let Some((_, _, lines)) = found.last_mut() {
                        lines.push(line);
                    }
                }
            }
        }
        found
    }

    #[test]
    fn the_document_has_exactly_the_operations_of_the_code() {
        let documented: BTreeSet<_> =
            documented().into_iter().map(|(method, path, _)| format!("{method} {path}")).collect();
        let known: BTreeSet<_> = OPERATIONS.iter().map(ToString::to_string).collect();
        assert_eq!(documented, known);
    }

    #[test]
    fn whatever_has_an_effect_asks_for_a_key() {
        for (method, path, lines) in documented() {
            let asks = lines.iter().any(|line| line.contains("parameters/IdempotencyKey"));
            assert_eq!(asks, method != "GET", "{method} {path}");
        }
        assert!(DOCUMENT.contains(&format!("name: {IDEMPOTENCY_KEY}")));
    }

    #[test]
    fn the_document_has_exactly_the_codes_of_the_code() {
        let components = section("components");
        let codes = components.iter().skip_while(|(_, line)| *line != "ErrorCode:");
        let codes = codes.skip_while(|(_, line)| *line != "enum:").skip(1);
        let codes = codes.map_while(|(_, line)| line.strip_prefix("- "));
        let documented: BTreeSet<&str> = codes.collect();
        assert_eq!(documented, code::ALL.into_iter().collect());
    }

    #[test]
    fn the_examples_of_the_document_are_read() {
        let mut read = 0;
        for (method, path, lines) in documented() {
            for line in lines {
                let Some(example) = line.strip_prefix("example: {") else { continue };
                let value: Value = serde_json::from_str(&format!("{{{example}"))
                    .unwrap_or_else(|error| panic!("{method} {path}: {error}"));
                let is_read = match format!("{method} {path}").as_str() {
                    "GET /doctors" => wire::list::<wire::Doctor>(&value, "doctors").is_ok(),
                    "GET /insurances" => wire::list::<wire::Named>(&value, "insurances").is_ok(),
                    "GET /procedures" => {
                        wire::list::<wire::Procedure>(&value, "procedures").is_ok()
                    }
                    "GET /slots" => wire::list::<wire::Slot>(&value, "slots").is_ok(),
                    "POST /patients" => wire::one::<wire::Patient>(value).is_ok(),
                    "GET /appointments" => {
                        wire::list::<wire::Appointment>(&value, "appointments").is_ok()
                    }
                    _ => wire::one::<wire::Appointment>(value).is_ok(),
                };
                assert!(is_read, "{method} {path}: {line}");
                read += 1;
            }
        }
        assert_eq!(read, OPERATIONS.len(), "one example of an answer per operation");
    }
}
