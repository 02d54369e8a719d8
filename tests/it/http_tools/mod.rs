//! HTTP tools of accounts: declared through the API, called against a real server, and kept away
//! from everything private.

mod calls;
mod cli;
mod declaring;

use std::sync::Arc;

use lembra_agent::services::tokens;
use lembra_agent::services::tools::Tool;
use reqwest::Method;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use crate::support::app::TestApp;

/// What must never be seen again.
const SECRET: &str = "Bearer jabuticaba";

/// A caller with a token of an account.
struct Api<'a> {
    app: &'a TestApp,
    base: String,
    token: String,
}

impl Api<'_> {
    async fn of(app: &TestApp) -> Api<'_> {
        let account = app.account().await;
        Self::of_account(app, account).await
    }

    async fn of_account(app: &TestApp, account: i64) -> Api<'_> {
        let clock = &app.runtime.clock;
        let (_, token) = tokens::add(
            app.db(),
            clock,
            account,
            "teste",
            lembra_agent::services::tokens::usual_scopes(),
        )
        .await
        .expect("a token");
        let base = format!("{}/api/v1/accounts/{account}/tools", app.url);
        Api { app, base, token: token.expose_secret().to_owned() }
    }

    async fn call(&self, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
        let url = format!("{}{path}", self.base);
        let mut request = self.app.http.request(method, url).bearer_auth(&self.token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.expect("an answer");
        let status = answer.status().as_u16();
        let text = answer.text().await.expect("a body");
        assert!(!text.contains("jabuticaba"), "{text}");
        (status, serde_json::from_str(&text).unwrap_or_default())
    }

    /// Declares the stock tool, with changes of the test's own.
    async fn declare(&self, changes: Value) -> Value {
        let (status, body) = self.call(Method::POST, "", Some(stock(self.app, changes))).await;
        assert_eq!(status, 201, "{body}");
        body
    }

    async fn try_out(&self, name: &str, arguments: Value) -> Value {
        let trial = json!({ "arguments": arguments, "confirm": true });
        let (status, body) = self.call(Method::POST, &format!("/{name}/try"), Some(trial)).await;
        assert_eq!(status, 200, "{body}");
        body
    }
}

/// A tool that asks the fake system for a product.
fn stock(app: &TestApp, changes: Value) -> Value {
    let mut tool = json!({
        "name": "consultar_estoque",
        "description": "Quantas unidades há de um produto.",
        "parameters": {
            "type": "object",
            "properties": { "sku": { "type": "string" }, "loja": { "type": "string" } },
            "required": ["sku"],
        },
        "url": format!("{}/estoque/{{sku}}?loja={{loja}}", app.api.url),
        "headers": { "Authorization": SECRET },
        "timeout_ms": 2_000,
    });
    let Value::Object(changes) = changes else { unreachable!("an object") };
    tool.as_object_mut().expect("an object").extend(changes);
    tool
}

/// What the agent of the account may call.
async fn of_account(app: &TestApp, account: i64) -> Vec<Arc<dyn Tool>> {
    app.runtime.http_tools.of_account(account).await.expect("answers")
}
