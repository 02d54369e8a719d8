//! Judging fixed answers, within one account.

use lembra_agent::domain::access::Role;
use lembra_agent::domain::triage::eval;
use lembra_agent::store::accounts;
use reqwest::Method;
use serde_json::json;

use crate::support::bodies::{ANA, BIA};
use crate::support::on_both_databases;
use crate::support::operator::Operator;

on_both_databases! {
    async fn a_fixed_answer_is_judged_and_comes_out_as_a_row_of_tests(app: TestApp) {
        let angry = app.say(ANA, "que lixo").await;
        app.settle().await;
        app.say(ANA, "quis dizer: que luxo").await;
        app.say(BIA, "esse bot é um lixo").await;
        app.settle().await;
        let id = app.message(&angry).await.id;
        let agent = Operator::sign_in(&app, Role::Agent).await;
        let page = agent.get("/curation").await.body;
        for told in ["que lixo", "quis dizer: que luxo", "esse bot é um lixo"] {
            assert!(page.contains(told), "{told}");
        }
        let wrong = agent.post(&format!("/curation/{id}/wrong"), &[("expected", "none")]).await;
        assert_eq!((wrong.status, wrong.notice.is_some()), (204, true));
        assert!(!agent.get("/curation").await.body.contains(&format!("id=\"case-{id}\"")));
        let api = format!("/api/v1/accounts/{}/curation", agent.account_id);
        let list = agent.get(&format!("{api}?show=wrong")).await.json();
        assert_eq!(list["messages"][0]["message_id"], id);
        assert_eq!((list["messages"][0]["expected"].as_str(), list["marks"]["wrong"].as_i64()), (Some("none"), Some(1)));
        let table = agent.get("/curation/export?table=guard").await.body;
        assert_eq!(table.lines().nth(1), Some(&*format!("m{id}\tpt-BR\tque lixo\tnone\tcuration")));
        assert_eq!(eval::run(&table).expect("a table").len(), 1);
        // Somebody thinks again.
        agent.post(&format!("/curation/{id}/unmark"), &[]).await;
        assert_eq!(agent.get(&format!("{api}?show=wrong")).await.json()["messages"], json!([]));
    }

    async fn only_labels_of_the_verdict_are_taken_and_only_by_who_may(app: TestApp) {
        let angry = app.say(ANA, "que lixo").await;
        app.settle().await;
        let id = app.message(&angry).await.id;
        let (viewer, agent) =
            (Operator::sign_in(&app, Role::Viewer).await, Operator::sign_in(&app, Role::Agent).await);
        let path = format!("/curation/{id}/wrong");
        assert_eq!(viewer.post(&path, &[("expected", "none")]).await.status, 403);
        assert_eq!(agent.post(&path, &[("expected", "domain:statin")]).await.status, 422);
        let put = |operator: &Operator, body: &str| {
            let path = format!("/api/v1/accounts/{}/curation/{id}/mark", operator.account_id);
            let request = operator.request(Method::PUT, &path).header("x-csrf-token", &operator.csrf);
            request.header("content-type", "application/json").body(body.to_owned()).send()
        };
        for (body, status) in [
            (r#"{"mark":"right","expected":"none"}"#, 422),
            (r#"{"mark":"maybe"}"#, 422),
            (r#"{"mark":"right"}"#, 200),
        ] {
            assert_eq!(put(&agent, body).await.expect("an answer").status(), status, "{body}");
        }
    }

    async fn another_accounts_messages_are_neither_seen_nor_judged_nor_exported(app: TestApp) {
        let angry = app.say(ANA, "que lixo").await;
        app.settle().await;
        let id = app.message(&angry).await.id;
        let other = accounts::add(app.db(), "Outra", app.now()).await.expect("an account").id;
        let other = Operator::of(&app, other, Role::Admin, false).await;
        assert!(!other.get("/curation?show=all").await.body.contains("que lixo"));
        for action in ["right", "wrong", "unmark"] {
            let answer = other.post(&format!("/curation/{id}/{action}"), &[]).await;
            assert_eq!(answer.status, 404, "{action}");
        }
        let own = Operator::sign_in(&app, Role::Agent).await;
        own.post(&format!("/curation/{id}/wrong"), &[]).await;
        assert_eq!(own.get("/curation/export?table=guard").await.body.lines().count(), 2);
        assert_eq!(other.get("/curation/export?table=guard").await.body.lines().count(), 1);
        let message = app.message(&angry).await;
        assert_eq!(message.verdict.as_deref(), Some("frustrated"));
    }
}
