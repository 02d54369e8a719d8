//! Failures by code, and the thresholds that alert.

use chrono::TimeDelta;
use lembra_agent::domain::access::Role;
use lembra_agent::store::accounts;
use lembra_agent::store::dashboard_errors::{self, NewError};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::bodies::ANA;
use crate::support::fake_model::Answer;
use crate::support::on_both_databases;
use crate::support::operator::Operator;

/// An answer that nothing holds, twice: a failure.
async fn invent(app: &TestApp) {
    for _ in 0..2 {
        app.model.answer_next(Answer::Text("A diária custa R$ 98,76.".into()));
    }
    app.say(ANA, "quanto custa a diária?").await;
    app.settle().await;
}

async fn note(app: &TestApp, account_id: i64, code: &str, hours_ago: i64) {
    let error = NewError {
        account_id,
        conversation_id: None,
        turn_id: None,
        error_type: "falha_consulta",
        tool: Some("consultar_horarios".to_owned()),
        code: code.to_owned(),
        detail: "agenda sem horarios disponiveis".to_owned(),
    };
    let at = app.now() - TimeDelta::hours(hours_ago);
    dashboard_errors::insert(app.db(), error, at).await.expect("is written");
}

async fn call(operator: &Operator, method: Method, path: &str, body: &Value) -> u16 {
    let path = format!("/api/v1/accounts/{}{path}", operator.account_id);
    let request = operator.request(method, &path).header("x-csrf-token", &operator.csrf);
    let request = request.header("content-type", "application/json").body(body.to_string());
    request.send().await.expect("an answer").status().as_u16()
}

async fn alerted(app: &TestApp) -> usize {
    app.alerts().await.iter().filter(|(kind, _)| kind == "tool_failures").count()
}

on_both_databases! {
    async fn failures_are_grouped_by_code_and_another_accounts_are_not_among_them(app: TestApp) {
        let account = app.account().await;
        let other = accounts::add(app.db(), "Outra", app.now()).await.expect("an account").id;
        for hours in [0, 2, 30] {
            note(&app, account, "agenda_empty", hours).await;
        }
        note(&app, other, "slot_taken", 0).await;
        let viewer = Operator::sign_in(&app, Role::Viewer).await;
        let path = format!("/api/v1/accounts/{account}/failures");
        let summary = viewer.get(&path).await.json();
        assert_eq!(summary["groups"].as_array().map(Vec::len), Some(1));
        let group = &summary["groups"][0];
        assert_eq!((group["code"].as_str(), group["last_hour"].as_u64()), (Some("agenda_empty"), Some(1)));
        assert_eq!((group["last_24_hours"].as_u64(), group["last_7_days"].as_u64()), (Some(2), Some(3)));
        let page = viewer.get("/failures?show=falha_consulta").await.body;
        assert!(page.contains("agenda_empty") && !page.contains("slot_taken"));
        // By pages, latest first.
        let list = viewer.get(&format!("{path}/agenda_empty?limit=2")).await.json();
        let next = list["next"].as_i64().expect("more follow");
        let rest = viewer.get(&format!("{path}/agenda_empty?limit=2&before={next}")).await.json();
        assert_eq!((rest["failures"].as_array().map(Vec::len), rest["next"].is_null()), (Some(1), true));
        let nothing = viewer.get(&format!("{path}/slot_taken")).await.json();
        assert_eq!(nothing["failures"], json!([]));
    }

    async fn a_failure_leads_to_its_conversation_and_its_turn(app: TestApp) {
        invent(&app).await;
        let (conversation, turn) = (app.conversations().await[0].id, app.turns().await[0].id);
        let agent = Operator::sign_in(&app, Role::Agent).await;
        let page = agent.get("/failures?show=ungrounded&code=ungrounded").await.body;
        assert!(page.contains(&format!("href=\"/conversations/{conversation}\"")));
        assert!(page.contains(&format!("/conversations/{conversation}/turns/{turn}\"")));
    }

    async fn an_account_says_how_many_failures_of_a_code_alert(app: TestApp) {
        invent(&app).await;
        assert_eq!(alerted(&app).await, 0, "the usual threshold is five");
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let saved = admin.post("/failures/ungrounded/threshold", &[("per_hour", "2")]).await;
        assert_eq!((saved.status, saved.notice.is_some()), (204, true));
        invent(&app).await;
        assert_eq!(alerted(&app).await, 1);
        let page = admin.get("/failures?code=ungrounded").await.body;
        assert!(page.contains("value=\"2\"") && page.contains("threshold/clear"));
        // Never again.
        let id = lembra_agent::store::alerts::open(app.db(), None).await.expect("answers")[0].id;
        admin.post(&format!("/alerts/{id}/resolve"), &[]).await;
        let path = "/failure-thresholds/ungrounded";
        assert_eq!(call(&admin, Method::PUT, path, &json!({ "per_hour": 0 })).await, 204);
        invent(&app).await;
        assert_eq!(alerted(&app).await, 0);
        assert_eq!(call(&admin, Method::DELETE, path, &Value::Null).await, 204);
        assert_eq!(call(&admin, Method::DELETE, path, &Value::Null).await, 404);
    }

    async fn a_threshold_is_a_number_and_is_set_by_who_may_and_for_one_account(app: TestApp) {
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let agent = Operator::sign_in(&app, Role::Agent).await;
        let path = "/failures/agenda_empty/threshold";
        assert_eq!(agent.post(path, &[("per_hour", "2")]).await.status, 403);
        for wrong in ["", "-1", "muitas", "10001"] {
            assert_eq!(admin.post(path, &[("per_hour", wrong)]).await.status, 422, "{wrong}");
        }
        assert_eq!(call(&admin, Method::PUT, "/failure-thresholds/agenda_empty", &json!({ "per_hour": -1 })).await, 422);
        assert_eq!(admin.post(path, &[("per_hour", "7")]).await.status, 204);
        let other = accounts::add(app.db(), "Outra", app.now()).await.expect("an account").id;
        let other = Operator::of(&app, other, Role::Admin, false).await;
        let path = |operator: &Operator| format!("/api/v1/accounts/{}/failure-thresholds", operator.account_id);
        assert_eq!(other.get(&path(&other)).await.json()["thresholds"], json!([]));
        let own = admin.get(&path(&admin)).await.json();
        assert_eq!((own["thresholds"][0]["per_hour"].as_i64(), own["thresholds"][0]["code"].as_str()), (Some(7), Some("agenda_empty")));
    }
}
