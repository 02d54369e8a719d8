//! The command line.

mod account;
mod agenda;
mod alert;
mod conversation;
mod curation;
mod doctor;
mod eval;
mod failure;
mod handoff;
mod health;
mod inbox;
mod jobs;
mod key;
mod knowledge;
mod memory;
mod migrate;
mod normalize;
mod operator;
mod output;
mod serve;
mod token;
mod tool;
mod unit;

use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Parser, Subcommand};
use lembra_agent::clock::SystemClock;
use lembra_agent::config::{Config, Env};
use lembra_worker::runtime::Runtime;
use lembra_worker::telemetry;

pub use output::Output;

/// Lembra: a self-hosted WhatsApp agent that remembers its customers.
///
/// Without a command it serves. Without any configuration it serves a demonstration with a
/// simulator, all in one process, on http://127.0.0.1:8080.
#[derive(Parser)]
#[command(
    name = "bot",
    version,
    after_help = "Settings come from the environment and from a file .env; see .env.example."
)]
struct Cli {
    /// Print results as JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: serve::Serve,
}

#[derive(Subcommand)]
enum Command {
    /// Serve webhooks; in standalone mode also the simulator and the jobs (the default)
    Serve(serve::Serve),
    /// Bring the database to this version's schema, or back
    Migrate {
        #[command(subcommand)]
        action: migrate::Migrate,
    },
    /// The companies that use this installation
    Account {
        #[command(subcommand)]
        action: account::Account,
    },
    /// The agendas that times are offered from
    Agenda {
        #[command(subcommand)]
        action: agenda::Agenda,
    },
    /// The WhatsApp numbers
    Inbox {
        #[command(subcommand)]
        action: inbox::Inbox,
    },
    /// The people who work in the browser
    Operator {
        #[command(subcommand)]
        action: operator::Operator,
    },
    /// Conversations that are left to a person
    Conversation {
        #[command(subcommand)]
        action: conversation::Conversation,
    },
    /// The queue of conversations that wait for a person
    Handoff {
        #[command(subcommand)]
        action: handoff::Handoff,
    },
    /// Failures of tools and answers, grouped by code and day
    Failure(failure::Failure),
    /// What an operator must look at
    Alert {
        #[command(subcommand)]
        action: alert::Alert,
    },
    /// Fixed answers of triage with what the customer wrote next, to be marked right or wrong
    Curation(curation::Curation),
    /// Measure triage on labelled messages
    Eval {
        #[command(subcommand)]
        action: eval::Eval,
    },
    /// What is known of customers, and whether to learn and use it
    Memory {
        #[command(subcommand)]
        action: memory::Memory,
    },
    /// What the assistant knows of the business: questions with their answers
    Knowledge {
        #[command(subcommand)]
        action: knowledge::Knowledge,
    },
    /// Keys to the API
    Token {
        #[command(subcommand)]
        action: token::Token,
    },
    /// HTTP tools that an account's agent may call
    Tool {
        #[command(subcommand)]
        action: tool::Tool,
    },
    /// The places of a business
    Unit {
        #[command(subcommand)]
        action: unit::Unit,
    },
    /// Jobs that failed for good, and stopping whole queues
    Jobs {
        #[command(subcommand)]
        action: jobs::Jobs,
    },
    /// Print what is read in webhook bodies, one JSON object per event and line
    Normalize(normalize::Normalize),
    /// The key that encrypts credentials
    Key {
        #[command(subcommand)]
        action: key::Key,
    },
    /// Ask the process of this machine whether it is ready; exits with 1 when it is not
    Health(health::Health),
    /// Check database, queue, model and every number; exits with 1 when something fails
    Doctor(NoArguments),
}

#[derive(Args)]
struct NoArguments {}

/// Runs the command that the process was started with.
pub async fn run() -> ExitCode {
    let cli = Cli::parse();
    let env = Env::from_process();
    telemetry::log(&env, "bot");
    let output = Output { json: cli.json };
    let command = cli.command.unwrap_or(Command::Serve(cli.serve));
    let ended = Box::pin(dispatch(command, &env, output)).await;
    telemetry::flush();
    match ended {
        Ok(code) => code,
        Err(error) => {
            output.failure(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

async fn dispatch(command: Command, env: &Env, output: Output) -> anyhow::Result<ExitCode> {
    match command {
        Command::Serve(serve) => serve.run(env, output).await?,
        Command::Migrate { action } => action.run(&Config::from_env(env)?, output).await?,
        Command::Account { action } => action.run(&open(env).await?, output).await?,
        Command::Agenda { action } => action.run(&open(env).await?, output).await?,
        Command::Inbox { action } => action.run(&open(env).await?, output).await?,
        Command::Operator { action } => action.run(&open(env).await?, output).await?,
        Command::Conversation { action } => action.run(&open(env).await?, output).await?,
        Command::Handoff { action } => action.run(&open(env).await?, output).await?,
        Command::Failure(failure) => failure.run(&open(env).await?, output).await?,
        Command::Alert { action } => action.run(&open(env).await?, output).await?,
        Command::Curation(curation) => curation.run(&open(env).await?, output).await?,
        Command::Eval { action } => action.run(output)?,
        Command::Memory { action } => action.run(&open(env).await?, output).await?,
        Command::Knowledge { action } => action.run(&open(env).await?, output).await?,
        Command::Token { action } => action.run(&open(env).await?, output).await?,
        Command::Tool { action } => action.run(&open(env).await?, output).await?,
        Command::Unit { action } => action.run(&open(env).await?, output).await?,
        Command::Jobs { action } => action.run(&open(env).await?, output).await?,
        Command::Key { action } => action.run(&Config::from_env(env)?, output).await?,
        Command::Health(health) => health.run(env, output).await?,
        Command::Normalize(normalize) => return normalize.run(output),
        Command::Doctor(_) => return doctor::run(env, output).await,
    }
    Ok(ExitCode::SUCCESS)
}

async fn open(env: &Env) -> anyhow::Result<Runtime> {
    Ok(Runtime::open(Config::from_env(env)?, Arc::new(SystemClock)).await?)
}
