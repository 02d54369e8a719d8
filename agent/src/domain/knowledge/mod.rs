//! Knowledge of an account (seed 002 §4, layer 4): questions with their answers, as its people
//! wrote them; how files of them are read, and how the fitting ones are found.

pub mod block;
pub mod coverage;
pub mod csv_file;
pub mod entry;
pub mod file;
pub mod lexical;
pub mod markdown_file;
pub mod ranking;
pub mod words;

pub use entry::{Entry, Refusal};
pub use file::{Format, Reading};
