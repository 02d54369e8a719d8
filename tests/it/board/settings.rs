//! Settings of the account: sections with their errors, switches with what they cost, and the API
//! that does the same.

use chrono::TimeDelta;
use lembra_agent::domain::access::{Permission, Permissions, Role};
use lembra_agent::services::tokens;
use lembra_agent::store::usage::{self, NewUsage};
use lembra_agent::store::{accounts, agendas};
use lembra_entities::account;
use reqwest::Method;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::bodies::ANA;
use crate::support::on_both_databases;
use crate::support::operator::Operator;

/// A call of the API from a browser, below the operator's account.
pub(super) async fn call(
    operator: &Operator,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> (u16, Value) {
    let path = format!("/api/v1/accounts/{}{path}", operator.account_id);
    let request = operator.request(method, &path).header("x-csrf-token", &operator.csrf);
    let request = match body {
        Some(body) => request.json(&body),
        None => request,
    };
    let answer = request.send().await.expect("an answer");
    let status = answer.status().as_u16();
    let text = answer.text().await.expect("a body");
    (status, serde_json::from_str(&text).unwrap_or_default())
}

/// Another account, with an admin who is signed in.
pub(super) async fn stranger(app: &TestApp) -> Operator {
    let other = accounts::add(app.db(), "Outra", app.now()).await.expect("an account");
    Operator::of(app, other.id, Role::Admin, false).await
}

async fn account(app: &TestApp) -> account::Model {
    accounts::find(app.db(), app.account().await).await.expect("answers").expect("an account")
}

async fn spend(app: &TestApp, purpose: &'static str, brl: f64, days_ago: i64) {
    let call = NewUsage {
        account_id: app.account().await,
        conversation_id: None,
        purpose,
        model: "teste".to_owned(),
        prompt_tokens: 1,
        completion_tokens: 1,
        brl,
    };
    let at = app.now() - TimeDelta::days(days_ago);
    usage::record(app.db(), &[call], at).await.expect("is written");
}

on_both_databases! {
    async fn a_section_is_saved_whole_or_says_beside_each_field_what_is_wrong(app: TestApp) {
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let good = [
            ("name", " Pousada  do Sol "), ("timezone", "America/Manaus"), ("locale", "es-419"),
            ("facts", "Café das 7h às 10h.\r\nAceita pix."),
        ];
        let saved = admin.post("/settings/form/business", &good).await;
        assert_eq!((saved.status, saved.notice.as_deref()), (204, Some("Salvo.")));
        let row = account(&app).await;
        assert_eq!((row.name.as_str(), row.timezone.as_str()), ("Pousada do Sol", "America/Manaus"));
        assert_eq!(row.facts.as_deref(), Some("Café das 7h às 10h.\nAceita pix."));

        let bad = [("name", " "), ("timezone", "Brasília"), ("locale", "pt-BR"), ("facts", "")];
        let refused = admin.post("/settings/form/business", &bad).await;
        assert_eq!(refused.status, 422);
        for part in ["name-error", "timezone-error", "Brasília", "Preencha este campo."] {
            assert!(refused.body.contains(part), "{part}: {}", refused.body);
        }
        assert!(!refused.body.contains("<!doctype"), "only the form comes back");
        assert_eq!(account(&app).await, row);
        // An empty field takes away what may be absent.
        let fewer = [("name", "Pousada"), ("timezone", "America/Manaus"), ("locale", "pt-BR"), ("facts", "")];
        assert_eq!(admin.post("/settings/form/business", &fewer).await.status, 204);
        assert_eq!(account(&app).await.facts, None);

        let page = admin.get("/settings").await;
        assert!(page.body.contains("Pousada") && page.body.contains("America/Manaus"));
        let viewer = Operator::sign_in(&app, Role::Viewer).await;
        assert_eq!(viewer.post("/settings/form/business", &good).await.status, 403);
        assert!(!viewer.get("/settings").await.body.contains("Salvar negócio"));
    }

    async fn the_secret_of_announcements_is_shown_when_the_address_is_new_and_never_again(app: TestApp) {
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let people = |url: &'static str| [
            ("human_support", "available"), ("handoff_minutes", "20"), ("notify_url", url),
        ];
        let address = "https://avisos.exemplo.com.br/lembra";
        let saved = admin.post("/settings/form/people", &people(address)).await;
        assert_eq!(saved.status, 200);
        let secret = saved.body.split("data-copy=\"").nth(1).and_then(|rest| rest.split('"').next());
        let secret = secret.expect("a secret").to_owned();
        assert_eq!(secret.len(), 48);
        let row = account(&app).await;
        assert_eq!(row.notify_url.as_deref(), Some(address));
        assert!(!row.notify_secret.clone().expect("sealed").contains(&secret));
        assert!(!admin.get("/settings").await.body.contains(&secret));
        // The same address keeps its secret.
        assert_eq!(admin.post("/settings/form/people", &people(address)).await.status, 204);
        assert_eq!(account(&app).await.notify_secret, row.notify_secret);
        let renewed = admin.post("/settings/notify-secret", &[]).await;
        assert_eq!(renewed.status, 200);
        assert!(!renewed.body.contains(&secret));
        assert_ne!(account(&app).await.notify_secret, row.notify_secret);
        assert_eq!(admin.post("/settings/form/people", &people("")).await.status, 204);
        let row = account(&app).await;
        assert_eq!((row.notify_url, row.notify_secret), (None, None));
        // A person picks this conversation up: it was asked for on the way.
        assert_eq!((row.human_support.as_str(), row.handoff_minutes), ("available", 20));
    }

    async fn a_switch_tells_who_turned_it_when_and_what_it_cost_this_month(app: TestApp) {
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let before = admin.get("/settings").await.body;
        assert!(before.contains("Aprender com conversas") && before.contains("nunca mudado"));
        let turned = admin.post("/settings/memory/extraction", &[("enabled", "true")]).await;
        assert_eq!((turned.status, turned.notice.as_deref()), (204, Some("Ligado.")));
        spend(&app, "extraction", 1.0, 0).await;
        spend(&app, "contradiction", 0.5, 0).await;
        spend(&app, "recall_embedding", 0.25, 0).await;
        spend(&app, "extraction", 40.0, 40).await;
        let page = admin.live("/settings").await.body;
        assert!(page.contains(&format!("por {}", admin.email)), "{page}");
        for part in ["R$ 1,50 neste mês", "R$ 0,25 neste mês", "R$ 1,75"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        let (status, switches) = call(&admin, Method::GET, "/memory-switches", None).await;
        assert_eq!(status, 200);
        let extraction = &switches["extraction"];
        assert_eq!((&extraction["enabled"], &extraction["month_brl"]), (&json!(true), &json!(1.5)));
        assert_eq!(extraction["changed_by"], json!(format!("operator:{}", admin.id)));
        assert_eq!(extraction["changed_by_name"], json!(admin.email));
        assert_eq!(switches["recall"]["enabled"], json!(false));
        let health = switches["kinds"].as_array().expect("kinds").iter()
            .find(|kind| kind["name"] == "restricao").expect("a kind");
        assert_eq!((&health["sensitive"], &health["enabled"]), (&json!(true), &json!(true)));
        let off = json!({ "enabled": false });
        let (status, turned) = call(&admin, Method::PUT, "/memory-switches/restricao", Some(off)).await;
        assert_eq!((status, &turned["enabled"]), (200, &json!(false)));
        assert_eq!(admin.post("/settings/memory/humor", &[("enabled", "true")]).await.status, 404);
        let agent = Operator::sign_in(&app, Role::Agent).await;
        assert_eq!(agent.post("/settings/memory/recall", &[("enabled", "true")]).await.status, 403);
    }

    async fn a_paused_bot_keeps_what_comes_in_and_answers_nobody(app: TestApp) {
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let paused = admin.post("/settings/pause", &[("enabled", "true")]).await;
        assert_eq!(paused.notice.as_deref(), Some("Bot pausado."));
        app.say(ANA, "oi, tem vaga?").await;
        app.settle().await;
        assert_eq!(app.outcomes().await, [Some("human".to_owned())]);
        assert!(admin.live("/settings").await.body.contains("aria-checked=\"false\""));
        admin.post("/settings/pause", &[("enabled", "false")]).await;
        app.say(ANA, "e amanhã?").await;
        app.settle().await;
        assert_eq!(app.outcomes().await[1].as_deref(), Some("answered"));
    }

    async fn programs_change_settings_with_the_scope_for_it_and_are_told_each_field(app: TestApp) {
        let account_id = app.account().await;
        let token = async |scopes: &[Permission]| {
            let scopes = Permissions::of(scopes);
            let made = tokens::add(app.db(), &app.runtime.clock, account_id, "x", scopes).await;
            made.expect("a token").1
        };
        let writes = token(&[Permission::SettingsRead, Permission::SettingsWrite]).await;
        let reads = token(&[Permission::SettingsRead]).await;
        let url = format!("{}/api/v1/accounts/{account_id}/settings", app.url);
        let change = async |token: &secrecy::SecretString, body: Value| {
            let request = app.http.patch(&url).bearer_auth(token.expose_secret()).json(&body);
            let answer = request.send().await.expect("an answer");
            let status = answer.status().as_u16();
            (status, answer.json::<Value>().await.expect("JSON"))
        };
        let good = json!({
            "assistant_name": "Bia", "debounce_ms": 0, "monthly_ceiling_brl": 99.9,
            "helps_with": "reservas", "human_support": "available",
        });
        let (status, changed) = change(&writes, good).await;
        assert_eq!((status, &changed["assistant_name"]), (200, &json!("Bia")));
        assert_eq!(changed.get("notify_secret"), None);
        let row = account(&app).await;
        assert_eq!((row.debounce_ms, row.monthly_ceiling_brl), (Some(0), Some(99.9)));
        let (status, changed) =
            change(&writes, json!({ "debounce_ms": null, "helps_with": null })).await;
        assert_eq!((status, &changed["debounce_ms"], &changed["helps_with"]), (200, &Value::Null, &Value::Null));
        assert_eq!(changed["assistant_name"], json!("Bia"));

        let bad = json!({ "name": "", "debounce_ms": 60_000, "scope_profile": "tudo", "locale": "tupi", "bot_paused": true });
        let (status, problem) = change(&writes, bad).await;
        assert_eq!((status, &problem["status"]), (422, &json!(422)));
        let fields: Vec<_> = problem["errors"].as_object().expect("errors").keys().cloned().collect();
        assert_eq!(fields, ["debounce_ms", "locale", "name", "scope_profile"]);
        assert!(!account(&app).await.bot_paused, "all or nothing");
        assert_eq!(change(&writes, json!({ "nome": "x" })).await.0, 400);
        assert_eq!(change(&reads, json!({ "name": "x" })).await.0, 403);
        let read = app.http.get(&url).bearer_auth(reads.expose_secret()).send().await;
        assert_eq!(read.expect("an answer").status(), 200);
        let elsewhere = accounts::add(app.db(), "Outra", app.now()).await.expect("an account").id;
        let url = format!("{}/api/v1/accounts/{elsewhere}/settings", app.url);
        let read = app.http.get(&url).bearer_auth(writes.expose_secret()).send().await;
        assert_eq!(read.expect("an answer").status(), 404);
    }

    async fn an_agendas_token_stays_at_its_address_and_follows_to_no_other(app: TestApp) {
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let (here, there) = (format!("{}/v1", app.api.url), format!("{}/v2", app.api.url));
        let set = async |url: &str, token: &str| {
            admin.post("/agenda", &[("base_url", url), ("token", token)]).await
        };
        assert_eq!(set(&here, "segredo-da-agenda").await.status, 204);
        let page = admin.get("/tools").await.body;
        assert!(page.contains(&here) && page.contains("Com token") && !page.contains("segredo-da-agenda"));
        assert_eq!(set(&here, "").await.status, 204);
        let row = agendas::find(app.db(), admin.account_id).await.expect("answers").expect("one");
        assert!(row.token.is_some() && row.public_only);
        assert_eq!(set(&there, "").await.status, 204);
        let (status, shown) = call(&admin, Method::GET, "/agenda", None).await;
        assert_eq!((status, &shown["has_token"]), (200, &json!(false)));
        // Nobody speaks the contract there.
        let tried = admin.post("/agenda/try", &[]).await;
        assert!(tried.status == 200 && tried.body.contains("Não responde"), "{}", tried.body);
        for address in ["", "ftp://agenda.exemplo", "https://a:b@agenda.exemplo", "http://10.0.0.7/v1"] {
            let refused = set(address, "").await;
            assert_eq!(refused.status, 422, "{address}");
            assert!(refused.body.contains("base_url-error"), "{address}");
        }
        let viewer = Operator::sign_in(&app, Role::Viewer).await;
        assert_eq!(viewer.post("/agenda/remove", &[]).await.status, 403);
        let other = stranger(&app).await;
        assert_eq!(other.post("/agenda/remove", &[]).await.status, 404);
        assert_eq!(admin.post("/agenda/remove", &[]).await.status, 204);
        assert_eq!(call(&admin, Method::GET, "/agenda", None).await.0, 404);
    }
}
