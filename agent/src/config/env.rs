//! The one place that reads the environment. Every variable is listed in [`VARIABLES`], which the
//! README's table and `.env.example` are checked against.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use secrecy::SecretString;

/// A setting that Lembra reads from the environment.
#[derive(Debug, Clone, Copy)]
pub struct Variable {
    pub name: &'static str,
    /// What holds when it is absent, in words.
    pub default: &'static str,
    pub meaning: &'static str,
}

const fn variable(name: &'static str, default: &'static str, meaning: &'static str) -> Variable {
    Variable { name, default, meaning }
}

/// All settings, in the order in which they are documented.
pub const VARIABLES: &[Variable] = &[
    variable(
        "DATABASE_URL",
        "sqlite file in DATA_DIR",
        "postgres://… in production; sqlite://… names another file",
    ),
    variable("DATABASE_MAX_CONNECTIONS", "16", "connections of one process to the database"),
    variable(
        "REDIS_URL",
        "absent: standalone mode",
        "redis://… or rediss://…; setting it chooses production mode",
    ),
    variable(
        "REDIS_NAMESPACE",
        "lembra",
        "prefix of all keys, for installations that share one Redis",
    ),
    variable(
        "DATA_DIR",
        "./data",
        "databases and key of standalone mode; in both modes what a process was sending when it died",
    ),
    variable(
        "LEMBRA_KEY",
        "made and kept in DATA_DIR in standalone mode",
        "32 bytes in base64 that encrypt the inboxes' credentials and sign sessions; required in production",
    ),
    variable(
        "LEMBRA_KEY_OLD",
        "none",
        "keys, separated by commas, that still open what they encrypted; see `bot key rotate`",
    ),
    variable("HOST", "127.0.0.1", "address that bot listens on"),
    variable("PORT", "8080", "port that bot listens on"),
    variable("WORKER_HOST", "127.0.0.1", "address of the worker's /healthz, /readyz and /metrics"),
    variable("WORKER_PORT", "8081", "port of the worker's /healthz, /readyz and /metrics"),
    variable(
        "PUBLIC_URL",
        "http://HOST:PORT",
        "address under which the outside reaches bot; printed in webhook addresses",
    ),
    variable(
        "API_RATE_PER_SECOND",
        "20",
        "calls of the API that one token or operator may make in a second, three times as many at once; 0 sets no limit",
    ),
    variable(
        "WEBHOOK_RATE_PER_SECOND",
        "0",
        "webhooks that one process takes from one inbox in a second; 0 sets no limit",
    ),
    variable(
        "LLM_BASE_URL",
        "absent: the offline model",
        "an OpenAI-compatible endpoint, such as https://api.openai.com/v1",
    ),
    variable("LLM_API_KEY", "absent", "sent as bearer token"),
    variable("LLM_MODEL", "gpt-4o-mini", "model that answers customers"),
    variable("LLM_TIMEOUT_SECS", "30", "one model call, in seconds, at most 45"),
    variable("MEMORY_MODEL", "LLM_MODEL", "model that learns facts and compares them"),
    variable(
        "MEMORY_TRANSCRIPT_CHARS",
        "60000",
        "characters of a conversation that one extraction reads, at least 1000; longer ones are read in parts",
    ),
    variable(
        "EMBEDDING_BASE_URL",
        "LLM_BASE_URL",
        "endpoint of the embedding model, when it is another",
    ),
    variable("EMBEDDING_API_KEY", "LLM_API_KEY", "key of that endpoint"),
    variable(
        "EMBEDDING_MODEL",
        "text-embedding-3-small",
        "embedding model; it must give 1536 dimensions",
    ),
    variable(
        "LLM_PRICES_BRL",
        "list prices of the default models",
        "BRL per million tokens as model=input/output, per minute of audio as model=price/min, separated by commas",
    ),
    variable(
        "DEBOUNCE_MS",
        "2500",
        "wait for further messages of a customer before answering; 0 answers at once",
    ),
    variable("MAX_ANSWER_AGE_SECS", "7200", "messages older than this are stored and not answered"),
    variable("WORKING_MEMORY_MESSAGES", "20", "latest messages that the model sees"),
    variable(
        "RETENTION_DAYS",
        "30",
        "age at which raw webhook bodies, transcripts of turns, tool calls, failures and finished jobs are deleted",
    ),
    variable(
        "HUMAN_PAUSE_MINUTES",
        "60",
        "silence of the bot in a conversation after a person wrote there from the phone",
    ),
    variable(
        "SILENCE_ALERT_HOURS",
        "24",
        "a line of which nothing was heard for so long raises an alert; 0 watches no line",
    ),
    variable(
        "MEDIA_URL",
        "folder media in DATA_DIR",
        "where files of customers are kept: file:///…, s3://bucket/…, gs://…, az://…",
    ),
    variable("MEDIA_MAX_MB", "25", "larger files are not fetched; at most 100"),
    variable("MEDIA_RETENTION_DAYS", "90", "age at which files of customers are deleted"),
    variable(
        "TRANSCRIPTION_BASE_URL",
        "absent: customers are asked to write",
        "an OpenAI-compatible endpoint with /audio/transcriptions, for voice messages",
    ),
    variable("TRANSCRIPTION_API_KEY", "LLM_API_KEY", "sent as bearer token"),
    variable("TRANSCRIPTION_MODEL", "whisper-1", "model that listens"),
    variable("TRANSCRIPTION_LANGUAGE", "pt", "ISO 639-1 code; auto lets the model find out"),
    variable(
        "TOOLS_ALLOWED_HOSTS",
        "none",
        "private hosts that tools and notifications of accounts may call: host, host:port, address or network (10.1.0.0/16), separated by commas",
    ),
    variable("RUST_LOG", "info", "log filter, such as info,lembra_agent=debug"),
    variable(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "none",
        "address of a collector of OpenTelemetry traces over HTTP, such as http://127.0.0.1:4318; the exporter's other OTEL_ variables are obeyed as well",
    ),
];

/// The settings of a bucket's provider, under that provider's own names: `AWS_ACCESS_KEY_ID`,
/// `GOOGLE_SERVICE_ACCOUNT`, `AZURE_STORAGE_ACCOUNT_KEY` and the like.
pub fn of_stores() -> Vec<(String, String)> {
    #[expect(clippy::disallowed_methods, reason = "this is the one home of the environment")]
    let all = std::env::vars_os();
    let known = |name: &str| ["AWS_", "GOOGLE_", "AZURE_"].iter().any(|own| name.starts_with(own));
    all.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| known(name))
        .map(|(name, value)| (name.to_ascii_lowercase(), value))
        .collect()
}

/// A setting that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {problem}")]
pub struct ConfigError {
    pub name: &'static str,
    pub problem: String,
}

impl ConfigError {
    pub fn new(name: &'static str, problem: impl Into<String>) -> Self {
        Self { name, problem: problem.into() }
    }
}

/// The settings as given: the process's environment, or a test's own.
#[derive(Debug, Clone, Default)]
pub struct Env {
    values: BTreeMap<&'static str, String>,
}

impl Env {
    /// Reads `.env` in the working directory where there is one, then the environment, which wins.
    pub fn from_process() -> Self {
        // A missing file is the ordinary case.
        let _ = dotenvy::dotenv();
        #[expect(clippy::disallowed_methods, reason = "this is the one home of the environment")]
        let read = |variable: &Variable| Some((variable.name, std::env::var(variable.name).ok()?));
        Self { values: VARIABLES.iter().filter_map(read).collect() }
    }

    /// A copy with `name` set to `value`; a name that is no setting changes nothing.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        if let Some(variable) = VARIABLES.iter().find(|variable| variable.name == name) {
            self.values.insert(variable.name, value.into());
        }
        self
    }

    /// The text of a setting; empty counts as absent.
    pub fn text(&self, name: &'static str) -> Option<String> {
        debug_assert!(
            VARIABLES.iter().any(|variable| variable.name == name),
            "{name} is not listed"
        );
        self.values.get(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    pub fn secret(&self, name: &'static str) -> Option<SecretString> {
        self.text(name).map(SecretString::from)
    }

    /// A setting read as `T`.
    pub fn parsed<T>(&self, name: &'static str) -> Result<Option<T>, ConfigError>
    where
        T: FromStr,
        T::Err: Display,
    {
        let parse = |text: String| {
            text.parse().map_err(|error| ConfigError::new(name, format!("cannot be read: {error}")))
        };
        self.text(name).map(parse).transpose()
    }
}
