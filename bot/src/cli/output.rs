//! What commands print: lines for people, or one JSON value.

use serde_json::{Value, json};

/// Where a command's result goes.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    pub json: bool,
}

impl Output {
    /// Prints the result, in the form that was asked for.
    #[expect(clippy::print_stdout, reason = "this is the one home of a command's output")]
    pub fn print(self, value: &Value, lines: &[String]) {
        if self.json {
            println!("{value}");
        } else {
            lines.iter().for_each(|line| println!("{line}"));
        }
    }

    /// Says why the command failed, on standard error.
    #[expect(clippy::print_stderr, reason = "this is the one home of a command's output")]
    pub fn failure(self, why: &str) {
        if self.json {
            eprintln!("{}", json!({ "error": why }));
        } else {
            eprintln!("error: {why}");
        }
    }
}
