//! `bot normalize`: what Lembra reads in webhook bodies, without a database or a configuration.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use lembra_agent::channels::reading::{self, Provider};
use serde_json::Value;

use super::Output;

#[derive(Args)]
pub struct Normalize {
    /// Whose bodies they are
    provider: Whose,
    /// Files that each hold one webhook body
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Whose {
    Meta,
    Evolution,
}

impl Normalize {
    /// Prints one JSON object per event and line. A file that cannot be read is named on standard
    /// error, and the others are still read.
    pub fn run(self, output: Output) -> anyhow::Result<ExitCode> {
        let provider = match self.provider {
            Whose::Meta => Provider::Meta,
            Whose::Evolution => Provider::Evolution,
        };
        let mut code = ExitCode::SUCCESS;
        for path in self.files {
            let file = path.to_string_lossy();
            match std::fs::read(&path) {
                Ok(body) => {
                    let readings = reading::read(provider, &file, &body);
                    let lines: Result<Vec<String>, _> =
                        readings.iter().map(serde_json::to_string).collect();
                    // The lines are JSON in either form of output.
                    Output { json: false }.print(&Value::Null, &lines?);
                }
                Err(error) => {
                    output.failure(&format!("{file}: {error}"));
                    code = ExitCode::FAILURE;
                }
            }
        }
        Ok(code)
    }
}
