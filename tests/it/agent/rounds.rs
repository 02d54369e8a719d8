//! Seed 000's fourth scenario, and how calls are made.

use std::sync::Arc;

use async_trait::async_trait;
use lembra_agent::clock::SharedClock;
use lembra_agent::domain::chat::ChatMessage;
use lembra_agent::domain::tool::ToolSpec;
use lembra_agent::domain::tool_failure::ToolFailure;
use lembra_agent::services::agent_chat::{AgentChat, Ask, Reply};
use lembra_agent::services::tools::transfer::Transfer;
use lembra_agent::services::tools::{Caller, Invocation, NoJournal, Session, Tool, ToolError};
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::fake_model::{Answer, FakeModel};

type Does = fn(&serde_json::Map<String, Value>) -> Result<String, ToolError>;

struct Scripted {
    spec: ToolSpec,
    does: Does,
}

#[async_trait]
impl Tool for Scripted {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, call: &Invocation<'_>) -> Result<String, ToolError> {
        (self.does)(call.arguments)
    }
}

fn tool(name: &str, does: Does) -> Arc<dyn Tool> {
    let parameters = json!({
        "type": "object",
        "properties": { "month": { "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$" } },
        "required": ["month"],
    });
    let description = "Total do mês".to_owned();
    Arc::new(Scripted { spec: ToolSpec { name: name.into(), description, parameters }, does })
}

async fn ask(app: &TestApp, tools: Vec<Arc<dyn Tool>>, text: &str) -> Reply {
    let chat = AgentChat::new(app.runtime.model.clone());
    let caller = Caller { account_id: 1, inbox_id: 1, contact_id: 1, conversation_id: 1 };
    let clock: SharedClock = app.clock.clone();
    let session = Session { tools, caller, journal: Arc::new(NoJournal), clock };
    let ask =
        Ask { messages: vec![ChatMessage::user(text)], tools: Some(session), ..Ask::default() };
    chat.ask(ask).await.expect("an answer")
}

fn total() -> Value {
    json!({ "month": "2026-06" })
}

fn calls(model: &FakeModel, times: usize) {
    for _ in 0..times {
        model.answer_next(Answer::call("budgetTotal", total()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_normal_message_reaches_the_model_and_its_tool() {
    let app = TestApp::on_sqlite().await;
    calls(&app.model, 1);
    app.model.answer_next(Answer::Text("O total de junho está dentro do combinado.".into()));
    let budget =
        tool("budgetTotal", |arguments| Ok(json!({ "of": arguments["month"] }).to_string()));
    let reply = ask(&app, vec![budget], "qual o total do mês?").await;
    assert_eq!(app.model.requests().len(), 2);
    assert_eq!(reply.tool_calls.len(), 1);
    assert_eq!(reply.tool_calls[0].name, "budgetTotal");
    assert_eq!(reply.reply.content, "O total de junho está dentro do combinado.");
    let results = app.model.results_in(1);
    assert_eq!(
        results,
        ["<resultado ferramenta=\"budgetTotal\">\n{\"of\":\"2026-06\"}\n</resultado>"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frustrated_customer_reaches_no_tool() {
    let app = TestApp::on_sqlite().await;
    let reply =
        ask(&app, vec![Arc::new(Transfer)], "esse bot é uma porra, não funciona NADA").await;
    assert!(reply.tool_calls.is_empty());
    assert_eq!(app.model.requests().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_one_message_are_made_together_and_answered_in_order() {
    let app = TestApp::on_sqlite().await;
    let month = |month: &str| ("budgetTotal", json!({ "month": month }));
    app.model.answer_next(Answer::Calls("", vec![month("2026-05"), month("2026-06")]));
    app.model.answer_next(Answer::Text("Pronto.".into()));
    let budget = tool("budgetTotal", |arguments| Ok(arguments["month"].to_string()));
    ask(&app, vec![budget], "e maio e junho?").await;
    let results = app.model.results_in(1);
    assert!(results[0].contains("2026-05") && results[1].contains("2026-06"), "{results:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_arguments_are_corrected_once_and_fail_the_second_time() {
    let app = TestApp::on_sqlite().await;
    let bad = || Answer::call("budgetTotal", json!({ "month": "junho" }));
    app.model.answer_next(bad());
    app.model.answer_next(Answer::call("budgetTotal", total()));
    app.model.answer_next(Answer::Text("Pronto.".into()));
    let budget = || tool("budgetTotal", |_| Ok("42".into()));
    let reply = ask(&app, vec![budget()], "total?").await;
    assert!(app.model.results_in(1)[0].starts_with("Argumentos inválidos: /month"));
    assert!(reply.incidents.is_empty() && reply.resolved);

    app.model.answer_next(bad());
    app.model.answer_next(bad());
    app.model.answer_next(Answer::Text("Não consegui.".into()));
    let reply = ask(&app, vec![budget(), Arc::new(Transfer)], "total do mês?").await;
    assert_eq!(reply.incidents[0].code, "internal");
    assert!(reply.transfer.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_is_not_there_is_said_to_be_so() {
    let app = TestApp::on_sqlite().await;
    app.model.answer_next(Answer::call("inventada", json!({})));
    app.model.answer_next(Answer::Text("Posso ver isso de outro jeito.".into()));
    let reply = ask(&app, vec![tool("budgetTotal", |_| Ok("42".into()))], "total?").await;
    assert_eq!(
        app.model.results_in(1),
        ["Não existe essa ferramenta. As que existem: budgetTotal."],
    );
    assert!(reply.tool_calls.is_empty() && reply.incidents.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_only_calls_is_stopped_after_five_rounds() {
    let app = TestApp::on_sqlite().await;
    calls(&app.model, 9);
    let reply = ask(&app, vec![tool("budgetTotal", |_| Ok("42".into()))], "total?").await;
    assert_eq!(app.model.requests().len(), 5);
    assert_eq!(app.model.requests()[4]["tool_choice"], "none");
    assert!(reply.transfer.is_some_and(|transfer| transfer.detail.contains("limite de rodadas")));
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_failure_every_tool_but_the_transfer_is_withheld() {
    let app = TestApp::on_sqlite().await;
    calls(&app.model, 2);
    app.model.answer_next(Answer::Text("Tive uma dificuldade.".into()));
    let budget = tool("budgetTotal", |_| Err(ToolFailure::AgendaEmpty.into()));
    let reply = ask(&app, vec![budget, Arc::new(Transfer)], "total?").await;
    let failure = "FALHA_CONSULTA: agenda sem horarios disponiveis";
    assert_eq!(app.model.offered_in(0), ["budgetTotal", "transferir_atendimento"]);
    assert_eq!(app.model.offered_in(1), ["transferir_atendimento"]);
    assert_eq!(app.model.results_in(1), [failure]);
    // The second call was answered without being made.
    assert_eq!(app.model.results_in(2), [failure, failure]);
    assert_eq!(reply.incidents.len(), 1);
    assert_eq!(reply.transfer.unwrap().detail, failure);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_partial_result_is_a_success() {
    let app = TestApp::on_sqlite().await;
    calls(&app.model, 1);
    app.model.answer_next(Answer::Text("Achei um só.".into()));
    let budget = tool("budgetTotal", |_| Ok(r#"{"slots":[1],"asked":4}"#.into()));
    let reply = ask(&app, vec![budget, Arc::new(Transfer)], "total?").await;
    assert!(reply.resolved && reply.transfer.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_panics_ends_the_turn_and_not_the_process() {
    let app = TestApp::on_sqlite().await;
    for does in [(|_| panic!("a bug")) as Does, |_| {
        Err(ToolError::Uncontrolled("HTML in place of JSON".into()))
    }] {
        calls(&app.model, 1);
        let reply = ask(&app, vec![tool("budgetTotal", does)], "total?").await;
        assert_eq!(
            reply.reply.content,
            "Desculpe, tive um problema tecnico. Um atendente ja foi acionado.",
        );
        assert_eq!(reply.incidents[0].code, "uncontrolled");
        assert!(reply.transfer.is_some());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_may_speak_the_contract_as_text() {
    let app = TestApp::on_sqlite().await;
    for (text, code) in [
        ("FALHA_CONSULTA: convenio nao encontrado: Vida+", "insurance_not_found"),
        ("FALHA_CONSULTA: caiu a linha", "internal"),
        ("  ", "empty_answer"),
    ] {
        calls(&app.model, 1);
        app.model.answer_next(Answer::Text("Não consegui consultar.".into()));
        let budget = Arc::new(Says(text));
        let reply = ask(&app, vec![budget], "total?").await;
        assert_eq!(reply.incidents[0].code, code, "{text}");
    }
}

struct Says(&'static str);

#[async_trait]
impl Tool for Says {
    fn spec(&self) -> &ToolSpec {
        static SPEC: std::sync::LazyLock<ToolSpec> = std::sync::LazyLock::new(|| ToolSpec {
            name: "budgetTotal".into(),
            description: "Total".into(),
            parameters: json!({ "type": "object" }),
        });
        &SPEC
    }

    async fn call(&self, _: &Invocation<'_>) -> Result<String, ToolError> {
        Ok(self.0.to_owned())
    }
}
