//! Offering times: names as people write them, times as people say them, and which of many slots
//! are worth showing.

pub mod names;
pub mod offer;
pub mod patient;
mod spelling;
pub mod spoken;

/// Names of the tools, as models know them.
pub const CONSULT: &str = "consultar_horarios";
pub const REGISTER: &str = "cadastrar_paciente";
pub const BOOK: &str = "agendar_horario";
pub const CANCEL: &str = "cancelar_horario";
