//! The API of memories: who may, what they see, what they change, and what is noted of it.

use chrono::TimeDelta;
use lembra_agent::domain::memory::MemoryKind;
use lembra_agent::services::tokens;
use lembra_agent::store::{accounts, api_tokens};
use reqwest::Method;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use super::{acquainted, plant};
use crate::support::app::TestApp;
use crate::support::on_both_databases;

/// A caller with a token of the account.
struct Api<'a> {
    app: &'a TestApp,
    base: String,
    token: String,
    token_id: i64,
}

impl Api<'_> {
    async fn of(app: &TestApp, contact_id: i64) -> Api<'_> {
        let account = app.account().await;
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
        let base = format!("{}/api/accounts/{account}/contacts/{contact_id}", app.url);
        let token = token.expose_secret().to_owned();
        Api { app, base, token, token_id: row.id }
    }

    async fn call(&self, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
        self.call_as(&self.token, method, &format!("{}{path}", self.base), body).await
    }

    async fn call_as(
        &self,
        token: &str,
        method: Method,
        url: &str,
        body: Option<Value>,
    ) -> (u16, Value) {
        let mut request = self.app.http.request(method, url).bearer_auth(token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.expect("an answer");
        let status = answer.status().as_u16();
        let text = answer.text().await.expect("a body");
        (status, serde_json::from_str(&text).unwrap_or_default())
    }
}

on_both_databases! {
    async fn memories_are_listed_in_pages_and_by_filters(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        let mut ids = Vec::new();
        for number in 0..5 {
            let kind = if number == 2 { MemoryKind::Restricao } else { MemoryKind::ContextoPessoal };
            ids.push(plant(&app, origin, kind, &format!("assunto {}", "abcde".get(number..=number).unwrap().repeat(6)), app.now()).await);
        }
        let api = Api::of(&app, origin.contact_id).await;
        let (status, body) = api.call(Method::GET, "/memories?limit=2", None).await;
        assert_eq!(status, 200);
        let listed = |body: &Value| -> Vec<i64> {
            body["memories"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
        };
        assert_eq!(listed(&body), [ids[4], ids[3]]);
        let next = body["next"].as_i64().unwrap();
        let (_, body) = api.call(Method::GET, &format!("/memories?limit=3&before={next}"), None).await;
        assert_eq!(listed(&body), [ids[2], ids[1], ids[0]]);
        let (_, body) = api.call(Method::GET, "/memories?type=restricao", None).await;
        assert_eq!(listed(&body), [ids[2]]);
        let row = &body["memories"][0];
        assert_eq!(row["evidence"], "disse isso");
        assert_eq!((&row["scope"], &row["confidence"]), (&json!("global"), &json!(0.92)));
        for query in ["status=gone", "type=humor"] {
            assert_eq!(api.call(Method::GET, &format!("/memories?{query}"), None).await.0, 422);
        }
        // The address of seed 002 is the same door.
        let url = api.base.replace("/api/", "/api/v1/");
        let (status, body) = api.call_as(&api.token, Method::GET, &format!("{url}/memories"), None).await;
        assert_eq!((status, listed(&body).len()), (200, 5));
    }

    async fn an_edit_is_noted_embedded_and_compared_again(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        let other = plant(&app, origin, MemoryKind::Preferencia, "Prefere suíte sem hidro", app.now()).await;
        let id = plant(&app, origin, MemoryKind::Preferencia, "Gosta de café", app.now()).await;
        let api = Api::of(&app, origin.contact_id).await;
        app.clock.advance(TimeDelta::minutes(5));
        let content = json!({ "content": "  Prefere suíte\ncom hidro " });
        let (status, body) = api.call(Method::PATCH, &format!("/memories/{id}"), Some(content)).await;
        assert_eq!(status, 200, "{body}");
        assert_eq!(body["content"], "Prefere suíte com hidro");
        assert_eq!(body["metadata"]["changed_by_user_id"], format!("token:{}", api.token_id));
        assert!(body["metadata"]["changed_at"].as_str().unwrap().starts_with("2026-11-29T12:"));
        assert_eq!(body["has_embedding"], false);
        app.settle().await;
        let rows = app.memories().await;
        assert!(rows[1].embedding_model.is_some());
        assert_eq!((rows[0].id, rows[0].superseded_by_id), (other, Some(id)));
        for (content, status) in [(json!(" "), 422), (json!("a".repeat(1_001)), 422), (json!(3), 400)] {
            let body = Some(json!({ "content": content }));
            assert_eq!(api.call(Method::PATCH, &format!("/memories/{id}"), body).await.0, status);
        }
        let body = || Some(json!({ "content": "x" }));
        assert_eq!(api.call(Method::PATCH, "/memories/999999", body()).await.0, 404);
        assert_eq!(api.call(Method::PATCH, &format!("/memories/{other}"), body()).await.0, 404);
    }

    async fn a_deletion_can_be_taken_back_for_30_days(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        let id = plant(&app, origin, MemoryKind::Preferencia, "Prefere suíte com hidro", app.now()).await;
        let api = Api::of(&app, origin.contact_id).await;
        let path = format!("/memories/{id}");
        assert_eq!(api.call(Method::DELETE, &path, None).await.0, 204);
        assert_eq!(api.call(Method::DELETE, &path, None).await.0, 404);
        let (_, body) = api.call(Method::GET, "/memories?status=history", None).await;
        assert_eq!(body["memories"][0]["metadata"]["change"], "delete");
        let (_, body) = api.call(Method::GET, "/memories", None).await;
        assert_eq!(body["memories"], json!([]));
        app.clock.advance(TimeDelta::days(29));
        let (status, body) = api.call(Method::POST, &format!("{path}/restore"), None).await;
        assert_eq!((status, &body["deleted_at"]), (200, &Value::Null));
        assert_eq!(api.call(Method::POST, &format!("{path}/restore"), None).await.0, 409);
        assert_eq!(api.call(Method::DELETE, &path, None).await.0, 204);
        app.clock.advance(TimeDelta::days(30));
        assert_eq!(api.call(Method::POST, &format!("{path}/restore"), None).await.0, 409);
    }

    async fn forget_all_deletes_every_fact_and_says_how_many(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        for content in ["Gosta de chá", "Mora em Goiânia"] {
            plant(&app, origin, MemoryKind::ContextoPessoal, content, app.now()).await;
        }
        let api = Api::of(&app, origin.contact_id).await;
        let (status, body) = api.call(Method::DELETE, "/memories", None).await;
        assert_eq!((status, body), (200, json!({ "forgotten": 2 })));
        assert!(app.memories().await.iter().all(|row| {
            row.deleted_at.is_some() && row.metadata["change"] == "forget_all"
        }));
    }

    async fn without_a_valid_token_of_the_account_nothing_is_answered(app: TestApp) {
        let app = app.with_memory().await;
        let origin = acquainted(&app).await;
        plant(&app, origin, MemoryKind::Preferencia, "Gosta de chá", app.now()).await;
        let api = Api::of(&app, origin.contact_id).await;
        let clock = &app.runtime.clock;
        let stranger = accounts::add(app.db(), "Outra", app.now()).await.unwrap().id;
        let (_, foreign) = tokens::add(app.db(), clock, stranger, "x", lembra_agent::services::tokens::usual_scopes()).await.unwrap();
        let url = format!("{}/memories", api.base);
        for token in ["", "lembra_errado", "outro", &api.token[..20]] {
            assert_eq!(api.call_as(token, Method::GET, &url, None).await.0, 401, "{token}");
        }
        assert_eq!(api.call_as(foreign.expose_secret(), Method::GET, &url, None).await.0, 404);
        assert_eq!(app.http.get(&url).send().await.unwrap().status(), 401);
        // A contact of another account is not there, whoever asks under their own account.
        let own = format!("{}/api/accounts/{stranger}/contacts/{}", app.url, origin.contact_id);
        for (method, path) in [
            (Method::GET, "/memories"), (Method::DELETE, "/memories"), (Method::GET, "/export"),
            (Method::DELETE, ""),
        ] {
            let url = format!("{own}{path}");
            assert_eq!(api.call_as(foreign.expose_secret(), method, &url, None).await.0, 404);
        }
        assert!(api_tokens::revoke(app.db(), None, api.token_id, app.now()).await.unwrap());
        assert_eq!(api.call(Method::GET, "/memories", None).await.0, 401);
        assert_eq!(app.known().await.len(), 1);
        // What is kept is a hash.
        let rows = api_tokens::list(app.db(), origin.account_id).await.unwrap();
        assert!(!rows[0].token_hash.contains(&api.token) && rows[0].token_hash.len() == 64);
    }
}
