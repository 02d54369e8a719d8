//! The API of knowledge.

use lembra_agent::services::tokens;
use lembra_agent::store::accounts;
use reqwest::Method;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use super::entries;
use crate::support::app::TestApp;
use crate::support::on_both_databases;

/// A caller with a token of one account.
struct Api<'a> {
    app: &'a TestApp,
    base: String,
    token: String,
    by: String,
}

impl Api<'_> {
    async fn of(app: &TestApp, account: i64) -> Api<'_> {
        let clock = &app.runtime.clock;
        let (row, token) = tokens::add(
            app.db(),
            clock,
            account,
            "teste",
            lembra_agent::services::tokens::usual_scopes(),
        )
        .await
        .expect("a token");
        let base = format!("{}/api/v1/accounts/{account}/knowledge", app.url);
        let by = format!("token:{}", row.id);
        Api { app, base, token: token.expose_secret().to_owned(), by }
    }

    async fn call(&self, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
        let url = format!("{}{path}", self.base);
        let mut request = self.app.http.request(method, url).bearer_auth(&self.token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        read(request).await
    }

    async fn upload(&self, query: &str, kind: &str, bytes: &[u8]) -> (u16, Value) {
        let url = format!("{}/import{query}", self.base);
        let request = self.app.http.post(url).bearer_auth(&self.token);
        read(request.header("content-type", kind).body(bytes.to_vec())).await
    }
}

async fn read(request: reqwest::RequestBuilder) -> (u16, Value) {
    let answer = request.send().await.expect("an answer");
    let status = answer.status().as_u16();
    let text = answer.text().await.expect("a body");
    (status, serde_json::from_str(&text).unwrap_or_default())
}

on_both_databases! {
    async fn entries_are_written_listed_changed_and_removed(app: TestApp) {
        let api = Api::of(&app, app.account().await).await;
        let new = |question: &str| Some(json!({
            "question": question, "answer": "Sim, coberto.", "category": "Estrutura",
        }));
        let (status, row) = api.call(Method::POST, "", new("Tem estacionamento?")).await;
        assert_eq!((status, &row["status"]), (201, &json!("enabled")));
        assert_eq!((&row["source"], &row["has_embedding"]), (&json!(api.by), &json!(false)));
        let id = row["id"].as_i64().unwrap();
        app.settle().await;
        let (status, body) = api.call(Method::POST, "", new("TEM ESTACIONAMENTO")).await;
        assert_eq!((status, &body["entry"]), (409, &json!(id)));
        for (body, expected) in [
            (new(" ?! "), 422),
            (Some(json!({ "question": "a?", "answer": " " })), 422),
            (Some(json!({ "question": "a?", "answer": "b".repeat(4_001) })), 422),
            (Some(json!({ "question": "a?" })), 400),
        ] {
            assert_eq!(api.call(Method::POST, "", body).await.0, expected);
        }
        api.call(Method::POST, "", new("Tem piscina?")).await;
        let (status, body) = api.call(Method::GET, "?limit=1", None).await;
        assert_eq!((status, &body["entries"][0]["question"]), (200, &json!("Tem piscina?")));
        let next = body["next"].as_i64().unwrap();
        let (_, body) = api.call(Method::GET, &format!("?limit=1&before={next}"), None).await;
        assert_eq!(body["entries"][0]["id"], id);
        let (_, body) = api.call(Method::GET, "?search=ESTACIÓN&category=estrutura&status=enabled", None).await;
        assert_eq!(body["entries"].as_array().unwrap().len(), 1);
        assert_eq!(api.call(Method::GET, "?status=gone", None).await.0, 422);
        let (status, row) = api.call(Method::GET, &format!("/{id}"), None).await;
        assert_eq!((status, &row["has_embedding"]), (200, &json!(true)));
        let change = Some(json!({ "answer": "Não.", "category": null, "status": "disabled" }));
        let (status, row) = api.call(Method::PATCH, &format!("/{id}"), change).await;
        assert_eq!((status, &row["answer"], &row["category"]), (200, &json!("Não."), &Value::Null));
        assert_eq!((&row["status"], &row["question"]), (&json!("disabled"), &json!("Tem estacionamento?")));
        let (_, row) = api.call(Method::PATCH, &format!("/{id}"), Some(json!({ "category": "Vagas" }))).await;
        assert_eq!(row["category"], "Vagas");
        let bad = Some(json!({ "status": "gone" }));
        assert_eq!(api.call(Method::PATCH, &format!("/{id}"), bad).await.0, 422);
        assert_eq!(api.call(Method::DELETE, &format!("/{id}"), None).await.0, 204);
        for method in [Method::GET, Method::DELETE] {
            assert_eq!(api.call(method, &format!("/{id}"), None).await.0, 404);
        }
        assert_eq!(entries(&app).await.len(), 1);
    }

    async fn files_are_imported_and_what_they_hold_is_found(app: TestApp) {
        let api = Api::of(&app, app.account().await).await;
        let table = "pergunta;resposta\nAceitam cartão?;Sim\n;Nada\n".as_bytes();
        let (status, report) = api.upload("?name=faq.csv", "application/octet-stream", table).await;
        assert_eq!((status, &report["added"]), (200, &json!(1)), "{report}");
        let refused = json!([{ "line": 3, "code": "no_question", "why": "there is no question" }]);
        assert_eq!(report["refused"], refused);
        // As an older spreadsheet saves it.
        let latin: Vec<u8> = b"pergunta;resposta\nTem estacionamento pr\xf3prio?;N\xe3o\n".to_vec();
        assert_eq!(api.upload("", "text/csv", &latin).await.1["added"], 1);
        let document = "# Tem piscina?\nSim.\n".as_bytes();
        assert_eq!(api.upload("", "text/markdown; charset=utf-8", document).await.1["added"], 1);
        assert_eq!(api.upload("?format=markdown", "text/plain", document).await.1["unchanged"], 1);
        assert_eq!(api.upload("?format=xlsx", "text/plain", document).await.0, 422);
        assert_eq!(api.upload("?format=csv", "text/csv", b"a,b\n1,2\n").await.0, 422);
        app.settle().await;
        assert_eq!(entries(&app).await[1].question, "Tem estacionamento próprio?");
        let asked = Some(json!({ "text": "vcs tem estacionamento?", "limit": 1 }));
        let (status, body) = api.call(Method::POST, "/search", asked).await;
        assert_eq!(status, 200);
        assert_eq!(body["hits"][0]["answer"], "Não");
        assert!(body["hits"][0]["score"].as_f64().unwrap() > 0.3);
    }

    async fn a_token_opens_its_own_account_only(app: TestApp) {
        let api = Api::of(&app, app.account().await).await;
        let new = Some(json!({ "question": "Tem wifi?", "answer": "Sim" }));
        let (_, row) = api.call(Method::POST, "", new.clone()).await;
        let id = row["id"].as_i64().unwrap();
        let stranger = accounts::add(app.db(), "Outra", app.now()).await.unwrap().id;
        let foreign = Api::of(&app, stranger).await;
        // Under its own account the entry is not there; under the other it may not call.
        for (method, body) in [
            (Method::GET, None), (Method::DELETE, None), (Method::PATCH, Some(json!({ "answer": "x" }))),
        ] {
            let (status, _) = foreign.call(method.clone(), &format!("/{id}"), body.clone()).await;
            assert_eq!(status, 404);
            let crossing = Api { base: api.base.clone(), token: foreign.token.clone(), by: String::new(), app: &app };
            assert_eq!(crossing.call(method, &format!("/{id}"), body).await.0, 404);
        }
        let nobody = Api { base: api.base.clone(), token: "lembra_errado".into(), by: String::new(), app: &app };
        for (method, path, body) in [
            (Method::GET, "", None), (Method::POST, "", new), (Method::GET, "/1", None),
            (Method::DELETE, "/1", None), (Method::PATCH, "/1", Some(json!({}))),
            (Method::POST, "/search", Some(json!({ "text": "wifi" }))),
        ] {
            assert_eq!(nobody.call(method, path, body).await.0, 401, "{path}");
        }
        assert_eq!(nobody.upload("", "text/csv", b"pergunta,resposta\na?,b\n").await.0, 401);
        assert_eq!(entries(&app).await[0].answer, "Sim");
        let (_, body) = foreign.call(Method::POST, "/search", Some(json!({ "text": "tem wifi?" }))).await;
        assert_eq!(body["hits"], json!([]));
    }
}
