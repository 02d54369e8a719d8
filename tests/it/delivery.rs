//! From the outbox to the channel.

use chrono::TimeDelta;
use serde_json::{Value, json};

use lembra_agent::jobs::journal::ProcessJournal;

use crate::support::app::TestApp;
use crate::support::bodies::{self, ANA, BIA};
use crate::support::fake_meta::Refusal;
use crate::support::fake_model::Answer;
use crate::support::on_both_databases;

async fn report(app: &TestApp, id: &str, status: &str, callback_data: Option<&str>) {
    let mut report: Value = json!({
        "id": id, "status": status, "recipient_id": ANA,
        "timestamp": app.now().timestamp().to_string(),
    });
    if let Some(callback_data) = callback_data {
        report["biz_opaque_callback_data"] = json!(callback_data);
    }
    if status == "failed" {
        report["errors"] = json!([{ "code": 131_047, "title": "Re-engagement message" }]);
    }
    assert_eq!(app.deliver(vec![bodies::statuses(&[report])]).await, 200);
}

/// The states of the outbound messages, in order.
async fn deliveries(app: &TestApp) -> Vec<String> {
    let outbound = app.messages().await.into_iter().filter(|row| row.direction == "out");
    outbound.filter_map(|row| row.delivery).collect()
}

on_both_databases! {
    async fn every_send_carries_an_id_of_ours_that_statuses_give_back(app: TestApp) {
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        let send = &app.meta.sends()[0];
        assert!(send.callback_data.starts_with("lembra:"), "{}", send.callback_data);
        report(&app, &send.id, "delivered", Some(&send.callback_data)).await;
        assert_eq!(deliveries(&app).await, ["delivered"]);
    }

    async fn statuses_never_move_a_message_back(app: TestApp) {
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        let id = app.meta.sends()[0].id.clone();
        for (status, expected) in [
            ("delivered", "delivered"),
            ("sent", "delivered"),
            ("read", "read"),
            ("delivered", "read"),
            ("failed", "read"),
            ("hologram", "read"),
        ] {
            report(&app, &id, status, None).await;
            assert_eq!(deliveries(&app).await, [expected], "after {status}");
        }
    }

    async fn a_message_that_fails_later_shows_its_code(app: TestApp) {
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        let id = app.meta.sends()[0].id.clone();
        report(&app, &id, "failed", None).await;
        let failed = app.messages().await.into_iter().find(|row| row.direction == "out").unwrap();
        assert_eq!(failed.delivery.as_deref(), Some("failed"));
        assert_eq!(failed.error_code, Some(131_047));
    }

    async fn a_rate_limited_send_waits_as_long_as_the_platform_asks(app: TestApp) {
        app.meta.refuse_next(Refusal::Busy(429, 30));
        app.say(ANA, "tem vaga?").await;
        app.clock.advance(TimeDelta::seconds(3));
        app.drain().await;
        assert_eq!(app.meta.sends().len(), 1);
        app.clock.advance(TimeDelta::seconds(29));
        app.drain().await;
        assert_eq!(app.meta.sends().len(), 1);
        app.clock.advance(TimeDelta::seconds(2));
        app.drain().await;
        assert_eq!(app.meta.sends().len(), 2);
        assert_eq!(deliveries(&app).await, ["sent"]);
    }

    async fn a_refused_message_fails_visibly_and_is_not_sent_again(app: TestApp) {
        app.meta.refuse_next(Refusal::Code(400, 131_026));
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 1);
        let failed = app.messages().await.into_iter().find(|row| row.direction == "out").unwrap();
        assert_eq!((failed.delivery.as_deref(), failed.error_code), (Some("failed"), Some(131_026)));
    }

    async fn parts_of_a_long_answer_go_out_in_order_and_within_the_limit(app: TestApp) {
        let paragraph = |number: usize| format!("{number} {}", "palavra ".repeat(300).trim());
        let answer = (0..6).map(paragraph).collect::<Vec<_>>().join("\n\n");
        app.model.answer_next(Answer::Text(answer.clone()));
        app.say(ANA, "conta tudo").await;
        app.settle().await;
        let parts = app.meta.texts_to(ANA);
        assert!(parts.len() > 1);
        assert!(parts.iter().all(|part| part.chars().count() <= 4_096));
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&parts.join("\n")), words(&answer));
    }

    async fn a_part_that_fails_cancels_the_parts_after_it_and_not_other_answers(app: TestApp) {
        app.model.answer_next(Answer::Text("palavra ".repeat(1_500)));
        app.meta.refuse_next(Refusal::Code(400, 131_026));
        app.say(ANA, "conta tudo").await;
        app.settle().await;
        let states = deliveries(&app).await;
        assert_eq!(states[0], "failed");
        assert!(states.len() > 1 && states[1..].iter().all(|state| state == "cancelled"), "{states:?}");
        app.say(ANA, "e o café?").await;
        app.settle().await;
        assert_eq!(deliveries(&app).await.last().map(String::as_str), Some("sent"));
    }

    async fn a_send_without_an_answer_is_not_repeated_where_no_statuses_arrive(app: TestApp) {
        let id = unclear_send(&app).await;
        app.clock.advance(TimeDelta::seconds(70));
        app.drain().await;
        assert_eq!(app.meta.sends().len(), 1);
        assert_eq!(deliveries(&app).await, ["unknown"]);
        // A late status still tells what became of it.
        report(&app, "wamid.late", "delivered", Some(&id)).await;
        assert_eq!(deliveries(&app).await, ["delivered"]);
    }

    async fn a_send_without_an_answer_is_settled_by_the_status_that_carries_our_id(app: TestApp) {
        let id = unclear_send(&app).await;
        report(&app, "wamid.real", "sent", Some(&id)).await;
        app.clock.advance(TimeDelta::seconds(70));
        app.drain().await;
        assert_eq!(app.meta.sends().len(), 1);
        let sent = app.messages().await.into_iter().find(|row| row.direction == "out").unwrap();
        assert_eq!(sent.delivery.as_deref(), Some("sent"));
        assert_eq!(sent.provider_message_id.as_deref(), Some("wamid.real"));
    }

    async fn where_statuses_arrive_their_absence_for_a_minute_means_not_sent(app: TestApp) {
        app.say(BIA, "oi").await;
        app.settle().await;
        let other = app.meta.sends()[0].id.clone();
        unclear_send(&app).await;
        app.clock.advance(TimeDelta::seconds(50));
        report(&app, &other, "delivered", None).await;
        app.drain().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
        app.clock.advance(TimeDelta::seconds(20));
        app.drain().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 2);
        assert_eq!(deliveries(&app).await, ["delivered", "sent"]);
    }

    async fn statuses_of_before_a_crash_do_not_say_that_a_message_was_not_sent(app: TestApp) {
        app.say(BIA, "oi").await;
        app.settle().await;
        let other = app.meta.sends()[0].id.clone();
        report(&app, &other, "delivered", None).await;
        app.clock.advance(TimeDelta::minutes(1));
        unclear_send(&app).await;
        // Down for two minutes: the status met a closed door.
        app.clock.advance(TimeDelta::minutes(2));
        app.drain().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
        assert_eq!(deliveries(&app).await, ["delivered", "unknown"]);
    }

    async fn a_send_that_died_before_its_body_was_begun_goes_out_at_once(app: TestApp) {
        let process = another_process(&app);
        let ticket = process.ticket().expect("a ticket");
        let name = ticket.name();
        drop((ticket, process));
        announced_by_a_dead_process(&app, &name).await;
        assert_eq!(app.meta.texts_to(ANA).len(), 2, "the fake saw it before the row was set back");
        assert_eq!(deliveries(&app).await, ["sent"]);
    }

    async fn a_send_that_died_after_its_body_was_begun_waits_for_its_status(app: TestApp) {
        let process = another_process(&app);
        let ticket = process.ticket().expect("a ticket");
        let name = ticket.name();
        ticket.begin().expect("can be written");
        drop(process);
        announced_by_a_dead_process(&app, &name).await;
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
        assert_eq!(deliveries(&app).await, ["sending"]);
    }

    async fn an_answer_behind_one_that_was_given_up_still_goes_out(app: TestApp) {
        for _ in 0..8 {
            app.meta.refuse_next(Refusal::Code(500, 131_000));
        }
        app.say(ANA, "tem vaga?").await;
        app.clock.advance(TimeDelta::seconds(3));
        app.drain().await;
        app.say(ANA, "e o café?").await;
        app.settle().await;
        assert_eq!(deliveries(&app).await, ["failed", "sent"]);
        assert_eq!(app.meta.texts_to(ANA).last().map(String::as_str), Some("Resposta 2."));
    }

    async fn a_gateways_error_is_no_proof_that_nothing_was_sent(app: TestApp) {
        app.meta.refuse_next(Refusal::Busy(502, 0));
        app.say(ANA, "tem vaga?").await;
        app.clock.advance(TimeDelta::seconds(3));
        app.drain().await;
        app.clock.advance(TimeDelta::seconds(30));
        app.drain().await;
        assert_eq!(app.meta.sends().len(), 1);
        assert_eq!(deliveries(&app).await, ["sending"]);
    }

    async fn an_answer_that_waited_past_the_window_is_not_sent(app: TestApp) {
        for _ in 0..3 {
            app.meta.refuse_next(Refusal::Busy(503, 80_000));
        }
        app.say(ANA, "tem vaga?").await;
        app.clock.advance(TimeDelta::seconds(3));
        app.drain().await;
        app.clock.advance(TimeDelta::hours(25));
        app.drain().await;
        assert_eq!(app.meta.sends().len(), 1);
        let failed = app.messages().await.into_iter().find(|row| row.direction == "out").unwrap();
        assert_eq!(failed.error_detail.as_deref(), Some("window_closed"));
    }

    async fn a_provider_that_is_down_for_good_leaves_a_failed_message_and_a_dead_job(app: TestApp) {
        for _ in 0..20 {
            app.meta.refuse_next(Refusal::Code(500, 131_000));
        }
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 8);
        assert_eq!(deliveries(&app).await, ["failed"]);
        let dead = app.jobs().await.into_iter().find(|job| job.state == "dead").unwrap();
        assert_eq!(dead.kind, "deliver");
    }
}

/// A send that was announced and whose process died before the answer; answers our id of it.
async fn unclear_send(app: &TestApp) -> String {
    left_in_sending(app, None).await
}

/// Another process on the same machine.
fn another_process(app: &TestApp) -> ProcessJournal {
    let process = ProcessJournal::new(app.runtime.config.data_dir.join("processes"));
    process.keep().expect("can be written");
    process
}

async fn announced_by_a_dead_process(app: &TestApp, ticket: &str) {
    left_in_sending(app, Some(ticket.to_owned())).await;
}

async fn left_in_sending(app: &TestApp, ticket: Option<String>) -> String {
    use lembra_entities::message;
    use sea_orm::sea_query::Expr;
    use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
    let before = app.meta.sends().len();
    app.say(ANA, "tem vaga?").await;
    app.settle().await;
    let send = app.meta.sends()[before].clone();
    // As the row is left by a process that dies between its call and the answer.
    message::Entity::update_many()
        .col_expr(message::Column::Delivery, Expr::value("sending"))
        .col_expr(message::Column::SendingAt, Expr::value(app.now()))
        .col_expr(message::Column::ProviderMessageId, Expr::value(Option::<String>::None))
        .col_expr(message::Column::SendTicket, Expr::value(ticket))
        .col_expr(
            message::Column::SentAt,
            Expr::value(Option::<chrono::DateTime<chrono::Utc>>::None),
        )
        .filter(message::Column::ProviderMessageId.eq(&send.id))
        .exec(app.db())
        .await
        .unwrap();
    let conversation = app.messages().await.last().unwrap().conversation_id;
    let deliver = lembra_agent::jobs::kinds::Deliver { conversation_id: conversation };
    let job = lembra_agent::jobs::NewJob::of(&deliver, None, app.now());
    lembra_agent::jobs::enqueue::enqueue(app.db(), vec![job], app.now()).await.unwrap();
    app.drain().await;
    send.callback_data
}
