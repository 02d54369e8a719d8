//! Lines that are refused, down or silent, and statuses that come when they like.

use chrono::TimeDelta;
use lembra_agent::store::inboxes;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::bodies::{self, ANA, BIA};
use crate::support::fake_meta::Refusal;
use crate::support::on_both_databases;

async fn report(app: &TestApp, id: &str, status: &str, code: Option<i64>) {
    let mut report = json!({
        "id": id, "status": status, "recipient_id": ANA,
        "timestamp": app.now().timestamp().to_string(),
    });
    if let Some(code) = code {
        report["errors"] = json!([{ "code": code, "title": "failed" }]);
    }
    assert_eq!(app.deliver(vec![bodies::statuses(&[report])]).await, 200);
}

async fn deliveries(app: &TestApp) -> Vec<String> {
    let rows = app.messages().await.into_iter().filter_map(|row| row.delivery);
    rows.collect()
}

on_both_databases! {
    async fn a_refused_token_stops_the_line_and_the_answer_goes_out_once_it_is_replaced(app: TestApp) {
        app.meta.refuse_next(Refusal::Code(401, 190));
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        app.say(BIA, "e o café?").await;
        app.clock.advance(TimeDelta::seconds(30));
        app.drain().await;
        assert_eq!(app.meta.sends().len(), 1, "nothing more is sent with a refused token");
        let inbox = inboxes::list(app.db()).await.unwrap().remove(0);
        assert!(inbox.stopped_at.is_some());
        let alerts = app.alerts().await;
        assert_eq!(alerts, [("inbox_stopped".to_owned(), format!("inbox {}", inbox.id))]);
        app.runtime.inboxes.set_token(inbox.id, "outro".into()).await.unwrap();
        inboxes::resume(app.db(), inbox.id).await.unwrap();
        app.clock.advance(TimeDelta::seconds(31));
        app.drain().await;
        app.settle().await;
        assert_eq!(deliveries(&app).await, ["sent", "sent"]);
        assert_eq!(app.meta.sends().len(), 3);
    }

    async fn yesterdays_answers_do_not_go_out_when_a_stopped_line_is_resumed(app: TestApp) {
        app.meta.refuse_next(Refusal::Code(401, 190));
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        let inbox = inboxes::list(app.db()).await.unwrap().remove(0);
        app.clock.advance(TimeDelta::hours(20));
        inboxes::resume(app.db(), inbox.id).await.unwrap();
        app.drain().await;
        assert_eq!(app.meta.sends().len(), 1);
        let failed = app.messages().await.into_iter().find(|row| row.direction == "out").unwrap();
        assert_eq!(failed.error_detail.as_deref(), Some("too_old"));
    }

    async fn a_message_that_was_accepted_and_failed_later_is_a_failure_that_operators_see(app: TestApp) {
        let long = "Primeira parte. ".repeat(400);
        app.model.answer_next(crate::support::fake_model::Answer::Text(long));
        app.say(ANA, "me conta tudo").await;
        app.settle().await;
        let sends = app.meta.sends();
        assert!(sends.len() >= 2);
        report(&app, &sends[0].id, "failed", Some(131_047)).await;
        let failed = app.messages().await.into_iter().find(|row| row.delivery.as_deref() == Some("failed")).unwrap();
        assert_eq!(failed.error_code, Some(131_047));
        assert_eq!(app.alerts().await[0].0, "delivery_failed");
    }

    async fn a_failed_part_takes_the_waiting_parts_with_it(app: TestApp) {
        use lembra_entities::message;
        use sea_orm::sea_query::Expr;
        use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
        let long = "Primeira parte. ".repeat(600);
        app.model.answer_next(crate::support::fake_model::Answer::Text(long));
        app.say(ANA, "me conta tudo").await;
        app.settle().await;
        let last = app.messages().await.last().unwrap().id;
        message::Entity::update_many()
            .col_expr(message::Column::Delivery, Expr::value("pending"))
            .filter(message::Column::Id.eq(last))
            .exec(app.db())
            .await
            .unwrap();
        report(&app, &app.meta.sends()[0].id, "failed", Some(131_026)).await;
        let states = deliveries(&app).await;
        assert_eq!(states.first().map(String::as_str), Some("failed"));
        assert_eq!(states.last().map(String::as_str), Some("cancelled"));
    }

    async fn what_a_message_costs_is_kept_with_it(app: TestApp) {
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        let status = json!({
            "id": app.meta.sends()[0].id, "status": "sent", "recipient_id": ANA,
            "timestamp": app.now().timestamp().to_string(),
            "pricing": { "billable": true, "pricing_model": "PMP", "category": "service" },
        });
        let delivered = json!({
            "id": app.meta.sends()[0].id, "status": "delivered", "recipient_id": ANA,
            "timestamp": app.now().timestamp().to_string(),
            "pricing": { "billable": false, "pricing_model": "PMP", "category": "service" },
        });
        app.deliver(vec![bodies::statuses(&[status, delivered])]).await;
        let row = app.messages().await.into_iter().find(|row| row.direction == "out").unwrap();
        assert_eq!(row.pricing.unwrap()["category"], "service");
    }

    async fn a_status_that_comes_before_the_answer_to_its_send_waits_for_it(app: TestApp) {
        // The fake numbers its ids.
        report(&app, "wamid.fake0", "delivered", None).await;
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        assert_eq!(deliveries(&app).await, ["delivered"]);
    }

    async fn a_line_that_falls_silent_raises_an_alert_that_its_next_event_settles(app: TestApp) {
        app.say(ANA, "oi").await;
        app.settle().await;
        app.clock.advance(TimeDelta::hours(25));
        lembra_worker::schedule::tick(&app.runtime).await.unwrap();
        app.drain().await;
        assert_eq!(app.alerts().await, [("inbox_silent".to_owned(), "inbox 1".to_owned())]);
        app.say(ANA, "oi?").await;
        app.clock.advance(TimeDelta::minutes(1));
        lembra_worker::schedule::tick(&app.runtime).await.unwrap();
        app.drain().await;
        assert_eq!(app.alerts().await, []);
    }

    async fn a_restriction_of_the_account_raises_an_alert(app: TestApp) {
        let change = json!({ "field": "account_update", "value": { "event": "DISABLED_UPDATE" } });
        app.deliver(vec![change]).await;
        assert_eq!(app.alerts().await[0].0, "channel");
        assert_eq!(app.events().await[0].why, "system");
    }
}
