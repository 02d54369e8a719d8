//! The account at a glance: numbers that add up whatever has been gathered, what waits, and what a
//! new account should do first.

use chrono::{DateTime, TimeDelta, Utc};
use lembra_agent::domain::access::Role;
use lembra_agent::jobs::board_kinds::RollUpStats;
use lembra_agent::services::alerts::{self, Kind, Place};
use lembra_agent::services::watch;
use lembra_agent::store::accounts::{self, Changes};
use lembra_agent::store::board::stats;
use lembra_entities::{message, stats_bucket};
use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::{ActiveModelTrait, EntityTrait, PaginatorTrait};
use serde_json::Value;

use crate::support::app::TestApp;
use crate::support::bodies::{ANA, BIA};
use crate::support::on_both_databases;
use crate::support::operator::Operator;

async fn numbers(operator: &Operator, period: &str) -> Value {
    let path = format!("/api/v1/accounts/{}/overview?period={period}", operator.account_id);
    let answer = operator.get(&path).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()
}

/// What must be the same before and after gathering.
fn sums(overview: &Value) -> Vec<Value> {
    let paths = [
        "/messages/received",
        "/messages/sent_by_bot",
        "/answers/count",
        "/answers/p50_ms",
        "/preempts",
        "/recall/count",
        "/recall/hits",
        "/facts/learnt",
        "/failures/agent",
        "/cost/by_purpose/0/calls",
    ];
    paths.map(|path| overview.pointer(path).unwrap_or_else(|| panic!("{path}")).clone()).into()
}

async fn buckets(app: &TestApp) -> u64 {
    stats_bucket::Entity::find().count(app.db()).await.expect("answers")
}

on_both_databases! {
    async fn numbers_are_the_same_before_and_after_they_are_gathered(app: TestApp) {
        let app = app.with_memory().await;
        app.model.learn_next(&[("preferencia", "Prefere suíte com hidro", "prefiro suíte com hidro")]);
        app.say(ANA, "prefiro suíte com hidro").await;
        app.settle().await;
        app.resolve().await;
        app.say(ANA, "tem vaga na suíte?").await;
        app.say(BIA, "esse bot é um lixo").await;
        app.settle().await;
        let operator = Operator::sign_in(&app, Role::Viewer).await;
        let live = numbers(&operator, "today").await;
        assert_eq!(live["messages"]["received"], 3);
        assert_eq!(live["preempts"], 1);
        assert_eq!(live["preempts_by_verdict"][0]["name"], "frustrated");
        assert_eq!(live["answers"]["count"], 3);
        // Both turns of the model waited for further words first; the fixed answer did not.
        assert!(live["answers"]["p50_ms"].as_u64().is_some_and(|ms| (2_000..=3_500).contains(&ms)), "{live}");
        assert_eq!((live["recall"]["count"].as_u64(), live["recall"]["hits"].as_u64()), (Some(2), Some(1)));
        assert_eq!(live["facts"]["by_kind"][0]["name"], "preferencia");
        let before = sums(&live);
        app.clock.advance(TimeDelta::minutes(20));
        app.run_now(&RollUpStats {}).await;
        let filled = buckets(&app).await;
        assert!(filled >= 1);
        let gathered = numbers(&operator, "today").await;
        assert_eq!(sums(&gathered), before);
        assert_eq!(gathered["is_behind"], false);
        app.run_now(&RollUpStats {}).await;
        assert_eq!(buckets(&app).await, filled);
        assert_eq!(sums(&numbers(&operator, "7d").await), before);
        assert_eq!(sums(&numbers(&operator, "30d").await), before);
        // Tomorrow's today is empty, and the month still costs what it did.
        app.clock.advance(TimeDelta::hours(24));
        app.run_now(&RollUpStats {}).await;
        let tomorrow = numbers(&operator, "today").await;
        assert_eq!(tomorrow["messages"]["received"], 0);
        assert_eq!(numbers(&operator, "7d").await["messages"]["received"], 3);
    }

    async fn a_month_of_silence_is_passed_over_in_one_run(app: TestApp) {
        app.say(ANA, "oi").await;
        app.settle().await;
        app.run_now(&RollUpStats {}).await;
        app.clock.advance(TimeDelta::days(40));
        app.run_now(&RollUpStats {}).await;
        let progress = stats::progress(app.db()).await.expect("answers").expect("begun");
        assert!(app.now() - progress.filled_until < TimeDelta::minutes(17));
        assert_eq!(buckets(&app).await, 1);
    }

    async fn where_nobody_gathers_the_page_says_until_when_it_counts(app: TestApp) {
        app.say(ANA, "oi").await;
        app.settle().await;
        app.clock.advance(TimeDelta::minutes(20));
        app.run_now(&RollUpStats {}).await;
        app.clock.advance(TimeDelta::hours(3));
        let operator = Operator::sign_in(&app, Role::Agent).await;
        let behind = numbers(&operator, "today").await;
        assert_eq!((behind["is_behind"].as_bool(), behind["messages"]["received"].as_u64()), (Some(true), Some(1)));
        assert!(operator.get("/").await.body.contains("id=\"behind\""));
        app.run_now(&RollUpStats {}).await;
        assert!(!operator.get("/").await.body.contains("id=\"behind\""));
    }

    async fn what_came_late_is_counted_after_all(app: TestApp) {
        app.say(ANA, "oi").await;
        app.settle().await;
        app.clock.advance(TimeDelta::hours(2));
        app.run_now(&RollUpStats {}).await;
        // A row of an hour ago, written only now.
        let mut row = app.messages().await.remove(0);
        row.created_at = app.now() - TimeDelta::hours(1);
        let late = message::ActiveModel {
            id: NotSet,
            provider_message_id: Set(Some("wamid.late".to_owned())),
            ..row.into()
        };
        late.reset_all().insert(app.db()).await.expect("is written");
        app.run_now(&RollUpStats {}).await;
        let operator = Operator::sign_in(&app, Role::Agent).await;
        assert_eq!(numbers(&operator, "7d").await["messages"]["received"], 2);
    }

    async fn a_new_account_is_told_what_to_do_first(app: TestApp) {
        let account = accounts::add(app.db(), "Nova", app.now()).await.expect("an account").id;
        let admin = Operator::of(&app, account, Role::Admin, false).await;
        let page = admin.get("/").await;
        assert_eq!(page.status, 200);
        for part in ["id=\"first-steps\"", "id=\"no-messages\"", "href=\"/inboxes\"", "href=\"/knowledge\""] {
            assert!(page.body.contains(part), "{part}");
        }
        // Nobody is asked to do what they may not.
        let viewer = Operator::of(&app, account, Role::Viewer, false).await;
        assert!(!viewer.get("/").await.body.contains("id=\"first-steps\""));
        // Another account's life is not theirs.
        app.say(ANA, "oi").await;
        app.settle().await;
        assert_eq!(numbers(&admin, "today").await["messages"]["received"], 0);
    }

    async fn an_alert_leads_to_its_conversation_and_is_settled_by_who_may(app: TestApp) {
        app.say(ANA, "quero me matar").await;
        app.settle().await;
        let id = lembra_agent::store::alerts::open(app.db(), None).await.expect("answers")[0].id;
        let conversation = app.conversations().await[0].id;
        let stranger = accounts::add(app.db(), "Outra", app.now()).await.expect("an account").id;
        let stranger = Operator::of(&app, stranger, Role::Admin, false).await;
        let (viewer, agent) =
            (Operator::sign_in(&app, Role::Viewer).await, Operator::sign_in(&app, Role::Agent).await);
        assert!(viewer.get("/").await.body.contains(&format!("href=\"/conversations/{conversation}\"")));
        let path = format!("/alerts/{id}/resolve");
        assert_eq!(viewer.post(&path, &[]).await.status, 403);
        assert_eq!(stranger.post(&path, &[]).await.status, 404);
        assert_eq!(app.alerts().await.len(), 1);
        let settled = agent.post(&path, &[]).await;
        assert_eq!((settled.status, settled.notice.is_some()), (204, true));
        assert!(app.alerts().await.is_empty());
        let api = format!("/api/v1/accounts/{}/alerts?state=settled", agent.account_id);
        assert_eq!(agent.get(&api).await.json()["alerts"][0]["kind"], "crisis");
        assert!(agent.get("/failures").await.body.contains("settled-alerts"));
    }

    async fn alerts_of_no_account_are_for_who_runs_the_instance(app: TestApp) {
        let place = Place::default();
        alerts::raise(app.db(), Kind::Channel, place, "platform", "maintenance", app.now())
            .await
            .expect("is written");
        let admin = Operator::sign_in(&app, Role::Admin).await;
        let host = Operator::who_runs_the_instance(&app).await;
        assert_eq!(numbers(&admin, "today").await["alerts"], serde_json::json!([]));
        assert_eq!(numbers(&host, "today").await["alerts"][0]["kind"], "channel");
    }

    async fn messages_without_an_outcome_are_shown_after_a_quarter_of_an_hour(app: TestApp) {
        app.say(ANA, "alguém aí?").await;
        let agent = Operator::sign_in(&app, Role::Agent).await;
        app.clock.advance(TimeDelta::minutes(14));
        assert_eq!(numbers(&agent, "today").await["unanswered"], 0);
        app.clock.advance(TimeDelta::minutes(2));
        let shown = numbers(&agent, "today").await;
        let conversation = app.conversations().await[0].id;
        assert_eq!(shown["unanswered"], 1);
        assert_eq!(shown["unanswered_conversations"][0]["conversation_id"], conversation);
        assert!(agent.live("/").await.body.contains("id=\"unanswered\""));
        // The alert is this account's, and settled when the message is answered.
        watch::look(app.db(), None, app.now()).await.expect("looks");
        let subject = format!("account {}", agent.account_id);
        assert_eq!(app.alerts().await, [("unanswered".to_owned(), subject)]);
        app.settle().await;
        watch::look(app.db(), None, app.now()).await.expect("looks");
        assert!(app.alerts().await.is_empty());
        assert_eq!(numbers(&agent, "today").await["unanswered"], 0);
    }

    async fn the_months_cost_stands_beside_its_ceiling(app: TestApp) {
        app.set(Changes { monthly_ceiling_brl: Some(Some(10.0)), ..Changes::default() }).await;
        let call = lembra_agent::store::usage::NewUsage {
            account_id: app.account().await,
            conversation_id: None,
            purpose: "reply",
            model: "fake-1".into(),
            prompt_tokens: 1,
            completion_tokens: 1,
            brl: 2.5,
        };
        lembra_agent::store::usage::record(app.db(), &[call], app.now()).await.expect("is written");
        let agent = Operator::sign_in(&app, Role::Agent).await;
        let cost = numbers(&agent, "today").await["cost"].clone();
        assert_eq!((cost["brl"].as_f64(), cost["share"].as_f64()), (Some(2.5), Some(0.25)));
        assert_eq!(cost["by_purpose"][0]["purpose"], "reply");
        let page = agent.get("/").await.body;
        assert!(page.contains("R$ 2,50") && page.contains("25 %"), "the tile of the month's cost");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_period_that_is_none_is_refused_and_old_buckets_go() {
    let app = TestApp::on_sqlite().await;
    let agent = Operator::sign_in(&app, Role::Agent).await;
    let path = format!("/api/v1/accounts/{}/overview?period=90d", agent.account_id);
    assert_eq!(agent.get(&path).await.status, 422);
    let bucket = |start: DateTime<Utc>| stats_bucket::ActiveModel {
        account_id: Set(agent.account_id),
        bucket_start: Set(start),
        figures: Set(serde_json::json!({ "messages_in": 1 })),
    };
    for days in [399, 401] {
        bucket(app.now() - TimeDelta::days(days)).insert(app.db()).await.expect("is written");
    }
    app.run_now(&lembra_agent::jobs::kinds::Retention {}).await;
    assert_eq!(buckets(&app).await, 1);
}
