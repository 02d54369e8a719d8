//! Declaring, changing and removing, and whose a tool is.

use chrono::TimeDelta;
use lembra_agent::store::accounts;
use lembra_entities::tool;
use reqwest::Method;
use sea_orm::EntityTrait;
use serde_json::{Value, json};

use super::{Api, of_account, stock};
use crate::support::app::TestApp;
use crate::support::on_both_databases;

on_both_databases! {
    async fn a_tool_is_declared_changed_and_removed(app: TestApp) {
        let api = Api::of(&app).await;
        let made = api.declare(json!({})).await;
        let id = made["id"].to_string();
        assert_eq!(made["headers"], json!(["authorization"]));
        assert_eq!(made["arguments"], json!({ "sku": "path", "loja": "query" }));
        assert_eq!((&made["method"], &made["has_effect"]), (&json!("GET"), &json!(false)));
        for path in [format!("/{id}"), "/consultar_estoque".to_owned()] {
            let (status, body) = api.call(Method::GET, &path, None).await;
            assert_eq!((status, body), (200, made.clone()), "{path}");
        }
        api.declare(json!({ "name": "baixar_estoque", "method": "POST" })).await;
        let (_, body) = api.call(Method::GET, "", None).await;
        let names: Vec<&Value> =
            body["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
        assert_eq!(names, ["baixar_estoque", "consultar_estoque"]);

        app.clock.advance(TimeDelta::minutes(1));
        let change = json!({
            "name": "estoque", "timeout_ms": 900, "result_path": "total", "enabled": false,
            "headers": { "X-Loja": "jabuticaba" },
        });
        let (status, body) = api.call(Method::PATCH, &format!("/{id}"), Some(change)).await;
        assert_eq!(status, 200, "{body}");
        assert_eq!((&body["id"], &body["name"]), (&made["id"], &json!("estoque")));
        assert_eq!(body["headers"], json!(["authorization", "x-loja"]));
        assert_ne!(body["updated_at"], made["updated_at"]);
        // The headers open under the new name as well.
        let account = app.account().await;
        assert_eq!(of_account(&app, account).await.len(), 1);
        api.call(Method::PATCH, &format!("/{id}"), Some(json!({ "enabled": true }))).await;
        let names: Vec<String> = of_account(&app, account)
            .await
            .iter()
            .map(|tool| tool.spec().name.clone())
            .collect();
        assert_eq!(names, ["baixar_estoque", "estoque"]);

        let (status, body) = api.call(Method::POST, "", Some(stock(&app, json!({ "name": "estoque" })))).await;
        assert_eq!(status, 409, "{body}");
        let rename = json!({ "name": "baixar_estoque" });
        assert_eq!(api.call(Method::PATCH, &format!("/{id}"), Some(rename)).await.0, 409);
        assert_eq!(api.call(Method::DELETE, "/estoque", None).await.0, 204);
        assert_eq!(api.call(Method::DELETE, "/estoque", None).await.0, 404);
        assert_eq!(api.call(Method::GET, &format!("/{id}"), None).await.0, 404);
        assert_eq!(of_account(&app, account).await.len(), 1);
    }

    async fn a_header_is_kept_encrypted_and_opens_for_its_own_tool_only(app: TestApp) {
        let api = Api::of(&app).await;
        api.declare(json!({})).await;
        api.declare(json!({ "name": "outra" })).await;
        let rows = tool::Entity::find().all(app.db()).await.unwrap();
        for row in &rows {
            let text = format!("{row:?}");
            assert!(!text.contains("jabuticaba") && !text.contains("uthorization"), "{text}");
        }
        // The headers of one tool are laid into the other, as somebody at the database might.
        let swapped = tool::ActiveModel {
            id: sea_orm::ActiveValue::Unchanged(rows[0].id),
            headers: sea_orm::ActiveValue::Set(rows[1].headers.clone()),
            ..Default::default()
        };
        tool::Entity::update(swapped).exec(app.db()).await.unwrap();
        let account = app.account().await;
        let left: Vec<String> = of_account(&app, account)
            .await
            .iter()
            .map(|tool| tool.spec().name.clone())
            .collect();
        assert_eq!(left, [rows[1].name.clone()]);
    }

    async fn a_tool_of_another_account_is_not_there(app: TestApp) {
        let mine = Api::of(&app).await;
        let id = mine.declare(json!({})).await["id"].to_string();
        let stranger = accounts::add(app.db(), "Outra", app.now()).await.unwrap().id;
        let theirs = Api::of_account(&app, stranger).await;
        for path in [format!("/{id}"), "/consultar_estoque".to_owned()] {
            let change = Some(json!({ "description": "x" }));
            for (method, path, body) in [
                (Method::GET, path.clone(), None),
                (Method::PATCH, path.clone(), change),
                (Method::DELETE, path.clone(), None),
                (Method::POST, format!("{path}/try"), Some(json!({ "arguments": { "sku": "1" } }))),
            ] {
                assert_eq!(theirs.call(method, &path, body).await.0, 404, "{path}");
            }
        }
        assert_eq!(theirs.call(Method::GET, "", None).await.1, json!({ "tools": [] }));
        assert_eq!(of_account(&app, stranger).await.len(), 0);
        // Nor by one's own token under the other's address, nor by none.
        let foreign = Api { app: &app, base: mine.base.clone(), token: theirs.token.clone() };
        assert_eq!(foreign.call(Method::GET, "", None).await.0, 404);
        let nobody = Api { app: &app, base: mine.base.clone(), token: "lembra_x".to_owned() };
        for (method, path) in [(Method::GET, ""), (Method::DELETE, "/consultar_estoque")] {
            assert_eq!(nobody.call(method, path, None).await.0, 401);
        }
        // The same name is free in another account.
        theirs.declare(json!({})).await;
        assert!(app.api.take().is_empty());
        assert_eq!(mine.call(Method::GET, &format!("/{id}"), None).await.0, 200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_a_tool_is_refused_in_words() {
    let app = TestApp::on_sqlite().await;
    let api = Api::of(&app).await;
    for (changes, part) in [
        (json!({ "name": "transferir_atendimento" }), "Lembra's own"),
        (json!({ "name": "com espaço" }), "name"),
        (json!({ "url": "file:///etc/passwd" }), "https://"),
        (json!({ "url": "https://{sku}.example/" }), "path and query"),
        (json!({ "url": "https://erp.example/{outro}" }), "no property"),
        (json!({ "parameters": { "type": "string" } }), "object"),
        (json!({ "timeout_ms": 60_000 }), "500 to 10000"),
        (json!({ "result_path": "a..b" }), "result_path"),
        (json!({ "headers": { "X-A": "jabuticaba\r\nX-B: 1" } }), "x-a"),
        (json!({ "headers": { "Host": "jabuticaba" } }), "host"),
    ] {
        let (status, body) = api.call(Method::POST, "", Some(stock(&app, changes))).await;
        let error = body["detail"].as_str().unwrap_or_default();
        assert!(status == 422 && error.contains(part), "{status} {body}");
    }
    for changes in [json!({ "header": { "A": "jabuticaba" } }), json!({ "headers": "jabuticaba" })]
    {
        let (status, body) = api.call(Method::POST, "", Some(stock(&app, changes))).await;
        assert!(status == 400 && body["detail"].as_str().unwrap().contains("header"), "{body}");
    }
    api.declare(json!({})).await;
    let moved = json!({ "url": "https://b.example/{sku}" });
    let (status, body) = api.call(Method::PATCH, "/consultar_estoque", Some(moved)).await;
    assert!(status == 422 && body["detail"].as_str().unwrap().contains("origin"), "{body}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_addresses_of_contacts_and_conversations_are_guarded_alike() {
    let app = TestApp::on_sqlite().await;
    let api = Api::of(&app).await;
    let base = api.base.trim_end_matches("/tools").to_owned();
    let token = api.token.clone();
    let ask = |method: Method, path: &str, token: &str| {
        app.http.request(method, format!("{base}{path}")).bearer_auth(token.to_owned()).send()
    };
    for (method, path) in [
        (Method::GET, "/contacts/1/memories"),
        (Method::GET, "/contacts/eu/memories"),
        (Method::GET, "/contacts/1/export"),
        (Method::DELETE, "/contacts/1"),
        (Method::POST, "/conversations/1/pause"),
        (Method::POST, "/conversations/1/resume"),
        (Method::GET, "/tools/1"),
    ] {
        let status = ask(method.clone(), path, "lembra_x").await.unwrap().status();
        assert_eq!(status, 401, "{path}");
        assert_eq!(ask(method, path, &token).await.unwrap().status(), 404, "{path}");
    }
}
