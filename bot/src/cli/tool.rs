//! `bot tool`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{ArgAction, Args, Subcommand};
use lembra_agent::services::tools::ToolError;
use lembra_agent::services::tools::http::Declared;
use lembra_agent::services::tools::http::changes::Changes;
use lembra_agent::services::tools::http::declaration::Draft;
use lembra_agent::services::tools::http::tool::Report;
use lembra_agent::store::accounts;
use lembra_agent::store::tools::Which;
use lembra_worker::runtime::Runtime;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value, json};

use super::Output;

#[derive(Subcommand)]
pub enum Tool {
    /// Declare a tool, by flags, by a file, or by a file and flags that win over it
    Add {
        #[arg(long)]
        account: i64,
        /// Letters without accents, digits, _ and -
        #[arg(long)]
        name: Option<String>,
        /// The declaration as JSON, with the fields that the API takes
        #[arg(long)]
        file: Option<PathBuf>,
        #[command(flatten)]
        given: Box<Given>,
    },
    /// List an account's tools
    List {
        #[arg(long)]
        account: i64,
    },
    /// Show a tool; of its headers the names
    Show {
        #[command(flatten)]
        which: One,
    },
    /// Change what is named; the rest stays
    Set {
        #[command(flatten)]
        which: One,
        /// Another name
        #[arg(long)]
        name: Option<String>,
        /// Take a header away; may be repeated
        #[arg(long, value_name = "NAME")]
        without_header: Vec<String>,
        #[command(flatten)]
        given: Box<Given>,
    },
    /// Remove a tool
    Remove {
        #[command(flatten)]
        which: One,
    },
    /// Call a tool, and show what the model would be told
    Try {
        #[command(flatten)]
        which: One,
        /// A JSON object
        #[arg(long, default_value = "{}")]
        arguments: String,
        /// Really: the tool changes something on the other side
        #[arg(long)]
        confirm: bool,
    },
}

/// A tool of an account.
#[derive(Args)]
pub struct One {
    #[arg(long)]
    account: i64,
    /// Id or name
    tool: Which,
}

/// What a declaration says beside its name.
#[derive(Args)]
pub struct Given {
    /// For the model: when to call the tool, and what it gives
    #[arg(long)]
    description: Option<String>,
    /// JSON schema of the arguments, an object
    #[arg(long, value_name = "JSON")]
    parameters: Option<String>,
    /// GET (the default), POST, PUT, PATCH or DELETE
    #[arg(long)]
    method: Option<String>,
    /// Address, with arguments as {name} in path and query; {*} in the query of GET and DELETE
    /// stands for all others
    #[arg(long)]
    url: Option<String>,
    /// "Name: value", encrypted and never shown again; may be repeated
    #[arg(long, value_name = "NAME: VALUE")]
    header: Vec<SecretString>,
    /// Milliseconds of one attempt, 500 to 10000 (5000); there are two
    #[arg(long)]
    timeout_ms: Option<i64>,
    /// Which part of the JSON answer is the result, such as /data/0/nome or data.0.nome; "" is all
    #[arg(long)]
    result_path: Option<String>,
    /// Whether it changes something on the other side (true, unless it is a GET)
    #[arg(long, action = ArgAction::Set)]
    effect: Option<bool>,
    /// Whether the agent may call it (true)
    #[arg(long, action = ArgAction::Set)]
    enabled: Option<bool>,
}

impl Given {
    fn parameters(&self) -> anyhow::Result<Option<Value>> {
        let read = self.parameters.as_deref().map(serde_json::from_str).transpose();
        read.context("--parameters is no JSON")
    }

    fn headers(&self) -> anyhow::Result<Vec<(String, SecretString)>> {
        let mut headers = Vec::new();
        for header in &self.header {
            let split = header.expose_secret().split_once(':');
            let (name, value) = split.context("--header is \"Name: value\"")?;
            headers.push((name.trim().to_owned(), value.trim().into()));
        }
        Ok(headers)
    }
}

impl Tool {
    pub async fn run(self, runtime: &Runtime, output: Output) -> anyhow::Result<()> {
        let tools = &runtime.http_tools;
        match self {
            Tool::Add { account, name, file, given } => {
                if accounts::find(&runtime.db, account).await?.is_none() {
                    anyhow::bail!("there is no account {account}; see `bot account list`");
                }
                let tool = tools.add(account, draft(name, file.as_deref(), &given)?).await?;
                show(&tool, output);
            }
            Tool::List { account } => {
                let all = tools.list(account).await?;
                let lines: Vec<String> = all.iter().map(line).collect();
                let list: Vec<Value> = all.iter().map(Declared::json).collect();
                output.print(&json!({ "tools": list }), &lines);
            }
            Tool::Show { which } => show(&tools.find(which.account, &which.tool).await?, output),
            Tool::Set { which, name, without_header, given } => {
                let mut headers: BTreeMap<String, Option<SecretString>> =
                    without_header.into_iter().map(|name| (name, None)).collect();
                headers
                    .extend(given.headers()?.into_iter().map(|(name, value)| (name, Some(value))));
                let mut changes = Changes {
                    name,
                    parameters: given.parameters()?,
                    description: given.description,
                    method: given.method,
                    url: given.url,
                    timeout_ms: given.timeout_ms,
                    result_path: given.result_path.map(Some),
                    has_effect: given.effect,
                    enabled: given.enabled,
                    ..Changes::default()
                };
                changes.headers.0 = headers;
                show(&tools.change(which.account, &which.tool, changes).await?, output);
            }
            Tool::Remove { which } => {
                tools.remove(which.account, &which.tool).await?;
                output.print(&json!({ "removed": true }), &["removed".to_owned()]);
            }
            Tool::Try { which, arguments, confirm } => {
                let arguments: Map<String, Value> =
                    serde_json::from_str(&arguments).context("--arguments is no JSON object")?;
                let tried = tools.try_out(which.account, &which.tool, &arguments, confirm).await;
                tell(&tried?, output);
            }
        }
        Ok(())
    }
}

fn draft(name: Option<String>, file: Option<&Path>, given: &Given) -> anyhow::Result<Draft> {
    let from_file = match file {
        Some(file) => {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("{} cannot be read", file.display()))?;
            serde_json::from_str(&text)
                .with_context(|| format!("{} is no declaration", file.display()))?
        }
        None => Draft::default(),
    };
    let mut headers = from_file.headers;
    headers.0.extend(given.headers()?);
    Ok(Draft {
        name: name.unwrap_or(from_file.name),
        description: given.description.clone().unwrap_or(from_file.description),
        parameters: given.parameters()?.or(from_file.parameters),
        method: given.method.clone().or(from_file.method),
        url: given.url.clone().unwrap_or(from_file.url),
        headers,
        timeout_ms: given.timeout_ms.or(from_file.timeout_ms),
        result_path: given.result_path.clone().or(from_file.result_path),
        has_effect: given.effect.or(from_file.has_effect),
        enabled: given.enabled.or(from_file.enabled),
    })
}

fn line(tool: &Declared) -> String {
    let declared = &tool.declaration;
    let state = if declared.enabled { "" } else { "  OFF" };
    let effect = if declared.has_effect { "  changes something" } else { "" };
    let (name, method, url) = (&declared.spec.name, declared.method, declared.url.as_str());
    format!("tool {}  {name}  {method} {url}{effect}{state}", tool.id)
}

fn show(tool: &Declared, output: Output) {
    let declared = &tool.declaration;
    let mut lines = vec![line(tool), format!("  {}", declared.spec.description)];
    lines.extend(declared.places().iter().map(|(name, place)| format!("  {name}: {place}")));
    let headers: Vec<&str> = declared.headers.names().collect();
    if !headers.is_empty() {
        lines.push(format!("  headers: {}", headers.join(", ")));
    }
    lines.push(format!("  timeout: {} ms for each of two attempts", declared.timeout_ms()));
    if let Some(path) = &declared.result_path {
        lines.push(format!("  result: {}", path.as_str()));
    }
    output.print(&tool.json(), &lines);
}

fn tell(report: &Report, output: Output) {
    let status = report.status.map_or("no answer".to_owned(), |status| status.to_string());
    let told = match &report.outcome {
        Ok(result) => result.clone(),
        Err(ToolError::Failed(failure)) => failure.to_string(),
        Err(ToolError::Uncontrolled(why)) => format!("uncontrolled error: {why}"),
    };
    let took = report.took.as_millis();
    let lines = [format!("{status}  {} attempt(s)  {took} ms", report.attempts), told];
    output.print(&report.json(), &lines);
}
