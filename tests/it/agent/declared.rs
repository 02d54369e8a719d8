//! A tool that an account declared, in a conversation: the couple's budget of seed 000.

use lembra_agent::services::tools::http::declaration::Draft;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::bodies::ANA;
use crate::support::fake_api::{FakeApi, Reply};
use crate::support::fake_model::Answer;

#[tokio::test(flavor = "multi_thread")]
async fn an_accounts_own_tool_answers_a_customer() {
    let app = TestApp::on_sqlite_with(&[("TOOLS_ALLOWED_HOSTS", "127.0.0.1")]).await;
    let api = FakeApi::start();
    let draft = json!({
        "name": "budgetTotal",
        "description": "Total gasto no mês",
        "parameters": {
            "type": "object",
            "properties": { "month": { "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$" } },
            "required": ["month"],
        },
        "url_template": format!("{}/totals/{{month}}", api.url),
        "result_path": "/total",
    });
    let draft: Draft = serde_json::from_value(draft).unwrap();
    let account = app.account().await;
    assert!(app.runtime.http_tools.add(account, draft).await.is_ok());
    api.reply([Reply::json(r#"{"total": 1234.5}"#)]);
    app.model.answer_next(Answer::call("budgetTotal", json!({ "month": "2026-06" })));
    app.model.answer_next(Answer::Text("Em junho vocês gastaram R$ 1.234,50.".into()));
    app.say(ANA, "qual o total do mês?").await;
    app.settle().await;
    assert_eq!(api.take()[0].target, "/totals/2026-06");
    assert_eq!(app.meta.texts_to(ANA), ["Em junho vocês gastaram R$ 1.234,50."]);

    // The same answer without the call has no source.
    app.model.answer_always(Answer::Text("Em julho foram R$ 2.345,60.".into()));
    app.say(ANA, "e julho?").await;
    app.settle().await;
    assert!(app.meta.texts_to(ANA)[1].starts_with("Não tenho esse dado confirmado"));
    let offered: Vec<Value> = app.model.requests()[0]["tools"].as_array().unwrap().clone();
    assert!(offered.iter().any(|tool| tool["function"]["name"] == "budgetTotal"));
}
