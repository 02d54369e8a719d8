//! What must hold before any answer goes out, canonical ones included.

use chrono::TimeDelta;
use lembra_entities::account;
use sea_orm::EntityTrait;
use sea_orm::sea_query::Expr;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::bodies::{self, ANA};
use crate::support::on_both_databases;

/// Angry enough to be answered without a model, were a gate not closed.
const ANGRY: &str = "esse bot é uma porra";

async fn pause_account(app: &TestApp) {
    account::Entity::update_many()
        .col_expr(account::Column::BotPaused, Expr::value(true))
        .exec(app.db())
        .await
        .unwrap();
    app.runtime.inboxes.forget();
}

async fn echo(app: &TestApp, to: &str, text: &str) {
    let echo = json!({
        "from": "551140000000", "to": to, "id": app.wamid(), "type": "text",
        "timestamp": app.now().timestamp().to_string(), "text": { "body": text },
    });
    let mut change = bodies::change(bodies::PHONE_NUMBER_ID, json!({ "message_echoes": [echo] }));
    change["field"] = json!("smb_message_echoes");
    assert_eq!(app.deliver(vec![change]).await, 200);
}

on_both_databases! {
    async fn last_nights_messages_are_kept_and_not_answered(app: TestApp) {
        let old = app.say_at(ANA, "tem vaga?", app.now() - TimeDelta::hours(9)).await;
        let older = app.say_at(ANA, ANGRY, app.now() - TimeDelta::hours(30)).await;
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 0);
        let old = app.message(&old).await;
        assert_eq!((old.outcome.as_deref(), old.verdict.as_deref()), (Some("too_old"), Some("proceed")));
        let older = app.message(&older).await;
        assert_eq!(
            (older.outcome.as_deref(), older.verdict.as_deref()),
            (Some("window_closed"), Some("frustrated")),
        );
    }

    async fn a_paused_bot_says_nothing_not_even_what_is_canonical(app: TestApp) {
        pause_account(&app).await;
        let calm = app.say(ANA, "tem vaga?").await;
        let angry = app.say(ANA, ANGRY).await;
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 0);
        assert_eq!(app.message(&calm).await.outcome.as_deref(), Some("human"));
        let angry = app.message(&angry).await;
        assert_eq!(angry.outcome_detail.as_deref(), Some("bot_paused"));
        assert_eq!(angry.verdict.as_deref(), Some("frustrated"));
    }

    async fn a_pause_in_the_middle_of_a_turn_throws_its_answer_away(app: TestApp) {
        let id = app.say(ANA, "tem vaga?").await;
        let job = app.jobs().await.into_iter().find(|job| job.kind == "respond").unwrap();
        app.clock.set(job.run_at);
        app.model.delay(std::time::Duration::from_millis(1_200));
        let pause = async {
            crate::support::until(5, "the model is asked", || async { !app.model.requests().is_empty() }).await;
            pause_account(&app).await;
        };
        tokio::join!(app.run_job(job.id), pause);
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 0);
        assert_eq!(app.message(&id).await.outcome.as_deref(), Some("human"));
    }

    async fn a_person_who_answers_from_the_phone_silences_the_bot_for_an_hour(app: TestApp) {
        let first = app.say(ANA, "tem vaga?").await;
        echo(&app, ANA, "Tem sim, Ana! Quantos dias?").await;
        app.settle().await;
        assert_eq!(app.message(&first).await.outcome.as_deref(), Some("human"));
        let second = app.say(ANA, "dois").await;
        app.settle().await;
        let second = app.message(&second).await;
        assert_eq!(second.outcome_detail.as_deref(), Some("paused_by_human"));
        assert_eq!(app.meta.sends().len(), 0);
        app.clock.advance(TimeDelta::minutes(61));
        app.say(ANA, "e o café está incluso?").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
        // The model knows what the person had said.
        let prompt = app.model.requests()[0].to_string();
        assert!(prompt.contains("Quantos dias?"), "{prompt}");
    }

    async fn two_automata_are_kept_from_talking_for_ever(app: TestApp) {
        for _ in 0..4 {
            app.say(ANA, "Não estou disponível no momento.").await;
            app.settle().await;
        }
        let answered = app.meta.texts_to(ANA).len();
        let fifth = app.say(ANA, "Não estou disponível no momento.").await;
        app.settle().await;
        assert_eq!(app.message(&fifth).await.outcome.as_deref(), Some("rate_limited"));
        assert_eq!(app.meta.texts_to(ANA).len(), answered);
        let conversation = &app.conversations().await[0];
        assert_eq!(conversation.handler_reason.as_deref(), Some("bot_loop"));
    }

    async fn more_than_thirty_answers_in_ten_minutes_end_in_a_person(app: TestApp) {
        for number in 0..32 {
            app.say(ANA, &format!("conta {number}, quanto deu?")).await;
            app.settle().await;
        }
        assert_eq!(app.meta.texts_to(ANA).len(), 30);
        assert_eq!(app.conversations().await[0].handler, "human");
    }
}
