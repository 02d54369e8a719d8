//! See `bot --help`.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    lembra_bot::cli::run().await
}
