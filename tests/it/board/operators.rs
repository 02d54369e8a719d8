//! Operators, their sessions and passwords, and keys to the API: nobody gives or takes more than
//! they have, and an account keeps an administrator.

use lembra_agent::domain::access::{Permission, Permissions, Role};
use lembra_agent::services::tokens;
use lembra_agent::store::{board, operator_sessions};
use lembra_entities::operator;
use reqwest::Method;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use super::settings::{call, stranger};
use crate::support::app::TestApp;
use crate::support::on_both_databases;
use crate::support::operator::Operator;

async fn row(app: &TestApp, of: &Operator) -> operator::Model {
    let found = board::operators::find(app.db(), of.account_id, of.id).await;
    found.expect("answers").expect("an operator")
}

async fn sessions(app: &TestApp, of: &Operator) -> Vec<i64> {
    let rows = operator_sessions::list(app.db(), of.id, app.now()).await.expect("answers");
    rows.into_iter().map(|row| row.id).collect()
}

/// The same person in another browser.
async fn again(app: &TestApp, of: &Operator) -> Operator {
    let mut other = Operator::of(app, of.account_id, Role::Viewer, false).await;
    other.id = of.id;
    other.email.clone_from(&of.email);
    other.password.clone_from(&of.password);
    assert_eq!(other.enter().await.status, 303);
    other
}

/// A call of the API with a token.
async fn ask(app: &TestApp, token: &str, method: Method, path: &str, body: Value) -> (u16, Value) {
    let url = format!("{}/api/v1/accounts/{}{path}", app.url, app.account().await);
    let request = app.http.request(method, url).bearer_auth(token).json(&body);
    let answer = request.send().await.expect("an answer");
    let status = answer.status().as_u16();
    let text = answer.text().await.expect("a body");
    (status, serde_json::from_str(&text).unwrap_or_default())
}

async fn token(app: &TestApp, scopes: &[Permission]) -> String {
    let (account, clock) = (app.account().await, &app.runtime.clock);
    let made = tokens::add(app.db(), clock, account, "teste", Permissions::of(scopes)).await;
    made.expect("a token").1.expose_secret().to_owned()
}

/// What a page shows once.
fn shown_once(body: &str) -> String {
    let found = body.split("data-copy=\"").nth(1).and_then(|rest| rest.split('"').next());
    found.unwrap_or_else(|| panic!("nothing to copy in {body}")).to_owned()
}

on_both_databases! {
    async fn somebody_who_is_added_signs_in_with_a_password_that_is_shown_once(app: TestApp) {
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let form = [("email", " Ana@Exemplo.com "), ("name", "Ana"), ("role", "agent")];
        let added = admin.post("/operators", &form).await;
        assert_eq!(added.status, 200, "{}", added.body);
        let password = shown_once(&added.body);
        let list = admin.get("/operators").await.body;
        assert!(list.contains("ana@exemplo.com") && list.contains("Atendimento"));
        assert!(!list.contains(&password));
        let mut ana = again(&app, &admin).await;
        (ana.email, ana.password) = ("ana@exemplo.com".to_owned(), password);
        assert_eq!(ana.enter().await.status, 303);
        assert_eq!(ana.get("/operators").await.status, 403);
        assert_eq!(ana.post("/operators", &form).await.status, 403);
        let twice = admin.post("/operators", &form).await;
        assert!(twice.status == 422 && twice.body.contains("email-error"), "{}", twice.body);
        let bad = admin.post("/operators", &[("email", "ana"), ("role", "dona")]).await;
        assert!(bad.body.contains("email-error") && bad.body.contains("role-error"));
        // Nobody gives what they have not.
        let more = admin.post("/operators", &[("email", "b@c.br"), ("role", "viewer"), ("runs_instance", "on")]).await;
        assert_eq!(more.status, 422);
        let draft = json!({ "email": "b@c.br", "role": "viewer", "runs_instance": true });
        let (status, problem) = call(&admin, Method::POST, "/operators", Some(draft)).await;
        assert_eq!((status, problem["errors"]["runs_instance"].is_string()), (422, true));
    }

    async fn the_last_administrator_stays_one(app: TestApp) {
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let path = format!("/operators/{}", admin.id);
        let as_agent = [("email", &*admin.email), ("name", ""), ("role", "agent")];
        let refused = admin.post(&path, &as_agent).await;
        assert!(refused.status == 422 && refused.body.contains("role-error"), "{}", refused.body);
        let off = [("disabled", "true")];
        assert_eq!(admin.post(&format!("{path}/access"), &off).await.status, 400);
        assert_eq!((row(&app, &admin).await.role.as_str(), row(&app, &admin).await.disabled_at), ("admin", None));
        // A disabled administrator is none.
        let second = Operator::sign_in(&app, Role::Admin).await;
        let other = format!("/operators/{}", second.id);
        assert_eq!(admin.post(&format!("{other}/access"), &off).await.status, 204);
        assert_eq!(admin.post(&path, &as_agent).await.status, 422);
        assert_eq!(admin.post(&format!("{other}/access"), &[("disabled", "false")]).await.status, 204);
        assert_eq!(admin.post(&path, &as_agent).await.status, 204);
        assert_eq!(row(&app, &admin).await.role, "agent");
        // They keep the browser in which they did it, and may less in it.
        assert_eq!(admin.get("/knowledge").await.status, 200);
        assert_eq!(admin.get("/operators").await.status, 403);
    }

    async fn another_role_or_none_at_all_ends_the_sessions(app: TestApp) {
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let mut agent = Operator::sign_in(&app, Role::Agent).await;
        let path = format!("/operators/{}", agent.id);
        let named = [("email", &*agent.email), ("name", "Bia"), ("role", "agent")];
        assert_eq!(admin.post(&path, &named).await.status, 204);
        assert_eq!(agent.get("/knowledge").await.status, 200, "a name ends nothing");
        let viewer = [("email", &*agent.email), ("name", "Bia"), ("role", "viewer")];
        assert_eq!(admin.post(&path, &viewer).await.status, 204);
        assert_eq!(agent.get("/knowledge").await.status, 303);
        assert_eq!(agent.enter().await.status, 303);
        assert_eq!(admin.post(&format!("{path}/access"), &[("disabled", "true")]).await.status, 204);
        assert_eq!(agent.get("/knowledge").await.status, 303);
        assert_eq!(agent.enter().await.status, 200, "the form again");
        assert!(sessions(&app, &agent).await.is_empty());
    }

    async fn a_password_is_changed_with_the_old_one_and_the_other_browsers_go(app: TestApp) {
        let mut agent = Operator::sign_in(&app, Role::Agent).await;
        let elsewhere = again(&app, &agent).await;
        assert_eq!(sessions(&app, &agent).await.len(), 2);
        let old = agent.password.clone();
        let form = |old: &str, new: &str, twice: &str| {
            [("old_password", old.to_owned()), ("new_password", new.to_owned()), ("again", twice.to_owned())]
        };
        let send = async |of: &Operator, form: [(&str, String); 3]| {
            let form: Vec<_> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
            of.post("/me/password", &form).await
        };
        let new = "uma frase bem comprida";
        let wrong = send(&agent, form("outra coisa", new, new)).await;
        assert!(wrong.status == 422 && wrong.body.contains("old_password-error"), "{}", wrong.body);
        assert_eq!(row(&app, &agent).await.password_hash, row(&app, &elsewhere).await.password_hash);
        let changed = send(&agent, form(&old, new, new)).await;
        assert_eq!(changed.status, 200);
        assert!(!changed.body.contains(new));
        assert_eq!(agent.get("/knowledge").await.status, 200);
        assert_eq!(elsewhere.get("/knowledge").await.status, 303);
        agent.password = new.to_owned();
    }

    async fn a_new_password_is_neither_short_nor_mistyped_nor_the_old_one(app: TestApp) {
        let agent = Operator::sign_in(&app, Role::Agent).await;
        let before = row(&app, &agent).await.password_hash;
        for (new, twice, field) in [
            ("curta", "curta", "new_password-error"),
            ("uma frase bem comprida", "uma frase", "again-error"),
            (&*agent.password.clone(), &*agent.password.clone(), "new_password-error"),
        ] {
            let form = [("old_password", &*agent.password), ("new_password", new), ("again", twice)];
            let refused = agent.post("/me/password", &form).await;
            assert!(refused.status == 422 && refused.body.contains(field), "{field}: {}", refused.body);
        }
        assert_eq!(row(&app, &agent).await.password_hash, before);
        // It counts as attempts to sign in do.
        let mut last = 0;
        for _ in 0..4 {
            let form = [("old_password", "x"), ("new_password", "curta"), ("again", "curta")];
            last = agent.post("/me/password", &form).await.status;
        }
        assert_eq!(last, 429);
    }

    async fn ones_own_and_others_sessions_are_seen_and_ended(app: TestApp) {
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let agent = Operator::sign_in(&app, Role::Agent).await;
        let elsewhere = again(&app, &agent).await;
        let (_, mine) = call(&agent, Method::GET, "/me/sessions", None).await;
        let mine = mine["sessions"].as_array().expect("sessions").clone();
        assert_eq!(mine.len(), 2);
        let other = mine.iter().find(|one| one["is_current"] == json!(false)).expect("another");
        assert!(agent.get("/me").await.body.contains("Encerrar as outras"));
        let path = format!("/me/sessions/{}/end", other["id"]);
        assert_eq!(admin.post(&path, &[]).await.status, 404, "it is not theirs");
        assert_eq!(agent.post(&path, &[]).await.status, 204);
        assert_eq!(elsewhere.get("/me").await.status, 303);
        assert_eq!(agent.get("/me").await.status, 200);
        let path = format!("/operators/{}/sessions/end", agent.id);
        assert_eq!(stranger(&app).await.post(&path, &[]).await.status, 404);
        assert_eq!(agent.get("/me").await.status, 200);
        assert_eq!(admin.post(&path, &[]).await.status, 204);
        assert_eq!(agent.get("/me").await.status, 303);
    }

    async fn nobody_reaches_somebody_who_may_more(app: TestApp) {
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let host = Operator::who_runs_the_instance(&app).await;
        let path = format!("/operators/{}", host.id);
        let before = row(&app, &host).await;
        assert_eq!(admin.post(&format!("{path}/password"), &[]).await.status, 403);
        assert_eq!(admin.post(&format!("{path}/access"), &[("disabled", "true")]).await.status, 403);
        let form = [("email", "minha@caixa.br"), ("name", ""), ("role", "admin")];
        assert_eq!(admin.post(&path, &form).await.status, 403);
        assert_eq!(row(&app, &host).await, before);
        assert_eq!(host.post(&format!("/operators/{}/password", admin.id), &[]).await.status, 200);
        // Nor does a program with part of what an administrator may.
        let token = token(&app, &[Permission::OperatorsWrite]).await;
        let admins = json!({ "email": "x@y.br", "role": "admin" });
        let (status, problem) = ask(&app, &token, Method::POST, "/operators", admins).await;
        assert_eq!((status, problem["errors"]["role"].is_string()), (422, true));
        let (status, _) = ask(&app, &token, Method::POST, &format!("{path}/password"), json!({})).await;
        assert_eq!(status, 403);
        let more = json!({ "name": "x", "scopes": ["contacts:erase"] });
        let (status, problem) = ask(&app, &token, Method::POST, "/tokens", more).await;
        assert_eq!((status, problem["errors"]["scopes"].is_string()), (422, true));
        assert_eq!(ask(&app, &token, Method::POST, "/me/password", json!({})).await.0, 409);
    }

    async fn a_key_is_shown_once_may_what_it_says_and_ends(app: TestApp) {
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let form = [("name", "Site"), ("scopes", "knowledge:read"), ("scopes", "tools:read")];
        let made = admin.post("/tokens", &form).await;
        assert_eq!(made.status, 200, "{}", made.body);
        let key = shown_once(&made.body);
        assert!(key.starts_with("lembra_"));
        let (status, _) = ask(&app, &key, Method::GET, "/knowledge", json!({})).await;
        assert_eq!(status, 200);
        assert_eq!(ask(&app, &key, Method::GET, "/settings", json!({})).await.0, 403);
        let (_, me) = ask(&app, &key, Method::GET, "/me", json!({})).await;
        assert_eq!(me["permissions"], json!(["knowledge:read", "tools:read"]));
        let page = admin.live("/tokens").await.body;
        assert!(page.contains("Site") && !page.contains(&key) && page.contains("2 permissões"));
        for (name, scopes) in [("", "knowledge:read"), ("x", "tudo"), ("x", "instance:run")] {
            let refused = admin.post("/tokens", &[("name", name), ("scopes", scopes)]).await;
            assert_eq!(refused.status, 422, "{name} {scopes}");
        }
        assert_eq!(admin.post("/tokens", &[("name", "x")]).await.status, 422, "for nothing");
        let (_, listed) = call(&admin, Method::GET, "/tokens", None).await;
        let id = listed["tokens"][0]["id"].as_i64().expect("an id");
        let path = format!("/tokens/{id}/revoke");
        assert_eq!(stranger(&app).await.post(&path, &[]).await.status, 404);
        assert_eq!(admin.post(&path, &[]).await.status, 204);
        assert_eq!(ask(&app, &key, Method::GET, "/knowledge", json!({})).await.0, 401);
        assert_eq!(admin.post(&path, &[]).await.status, 404);
    }

    async fn another_accounts_operators_are_not_there(app: TestApp) {
        let agent = Operator::sign_in(&app, Role::Agent).await;
        let other = stranger(&app).await;
        let path = format!("/operators/{}", agent.id);
        let before = row(&app, &agent).await;
        assert_eq!(other.get(&path).await.status, 404);
        let form = [("email", "x@y.br"), ("name", ""), ("role", "viewer")];
        assert_eq!(other.post(&path, &form).await.status, 404);
        assert_eq!(other.post(&format!("{path}/password"), &[]).await.status, 404);
        assert_eq!(other.post(&format!("{path}/access"), &[("disabled", "true")]).await.status, 404);
        assert_eq!(call(&other, Method::GET, &path, None).await.0, 404);
        assert_eq!(call(&other, Method::GET, &format!("{path}/sessions"), None).await.0, 404);
        assert_eq!(row(&app, &agent).await, before);
        assert!(!other.get("/operators").await.body.contains(&agent.email));
    }
}
