//! The scheduling tools against an agenda over HTTP, called as a turn calls them, and the agenda of
//! standalone mode from the first question to the file that survives.

mod demo;
mod failures;
mod settings;
mod tools;

use std::time::Duration;

use lembra_agent::domain::tool_failure::ToolFailure;
use lembra_agent::services::agenda::{AgendaClient, Pace};
use lembra_agent::services::tools::{Caller, Invocation, ToolError, arguments, scheduling};
use serde_json::{Map, Value};

use crate::support::app::TestApp;
use crate::support::fake_agenda::FakeAgenda;

pub const CONSULT: &str = "consultar_horarios";
pub const REGISTER: &str = "cadastrar_paciente";
pub const BOOK: &str = "agendar_horario";
pub const CANCEL: &str = "cancelar_horario";

/// An application whose account has an agenda.
pub struct Clinic {
    pub app: TestApp,
    pub agenda: FakeAgenda,
}

impl Clinic {
    pub async fn open(app: TestApp) -> Self {
        let agenda = FakeAgenda::start();
        agenda.connect(&app).await;
        Self { app, agenda }
    }

    /// The account's agenda as it is set up, waited for less long.
    pub async fn client(&self) -> AgendaClient {
        let account = self.app.account().await;
        let client = self.app.runtime.agendas.of_account(account).await.expect("answers");
        client.expect("an agenda").at_pace(Pace {
            attempt: Duration::from_secs(1),
            pause: Duration::from_millis(10),
            whole: Duration::from_secs(8),
        })
    }

    /// Calls a tool under a key.
    pub async fn call_as(
        &self,
        key: &str,
        tool: &str,
        arguments: &Value,
    ) -> Result<Value, ToolError> {
        call(self.client().await, key, self.app.now(), tool, arguments).await
    }

    pub async fn call(&self, tool: &str, arguments: &Value) -> Result<Value, ToolError> {
        self.call_as("turn-1/0", tool, arguments).await
    }

    pub async fn failure(&self, tool: &str, arguments: &Value) -> ToolFailure {
        match self.call(tool, arguments).await {
            Err(ToolError::Failed(failure)) => failure,
            other => panic!("{tool} {arguments}: {other:?}"),
        }
    }
}

/// Calls a tool with arguments that are held against its schema first.
pub async fn call(
    agenda: AgendaClient,
    key: &str,
    now: chrono::DateTime<chrono::Utc>,
    tool: &str,
    arguments: &Value,
) -> Result<Value, ToolError> {
    let tools = scheduling::tools(Some(agenda));
    let found = tools.iter().find(|one| one.spec().name == tool).expect("a tool");
    let arguments: Map<String, Value> =
        arguments::read(&arguments.to_string(), &found.spec().parameters).expect("fits");
    let caller = Caller { account_id: 1, inbox_id: 1, contact_id: 1, conversation_id: 1 };
    let invocation = Invocation { caller: &caller, arguments: &arguments, key, now };
    let answer = found.call(&invocation).await?;
    Ok(serde_json::from_str(&answer).expect("JSON"))
}
