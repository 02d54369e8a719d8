//! Messages that are no plain text.

use serde_json::json;

use crate::support::bodies::{self, ANA};
use crate::support::on_both_databases;

on_both_databases! {
    async fn a_text_that_was_corrected_in_time_is_answered_as_corrected(app: TestApp) {
        let id = app.say(ANA, "quero 2 diárias").await;
        let change = json!({ "original_message_id": id, "message": { "type": "text", "text": { "body": "quero 3 diárias" } } });
        app.send_kind(ANA, "edit", change).await;
        app.settle().await;
        assert_eq!(app.model.said_in(0), ["quero 3 diárias"]);
        let row = app.message(&id).await;
        assert_eq!(row.text, "quero 3 diárias");
        assert!(row.edited_at.is_some());
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
    }

    async fn a_message_that_was_withdrawn_is_not_answered_and_no_model_reads_it(app: TestApp) {
        let id = app.say(ANA, "minha senha é 1234").await;
        app.send_kind(ANA, "revoke", json!({ "original_message_id": id })).await;
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 0);
        let row = app.message(&id).await;
        assert_eq!((row.outcome.as_deref(), row.outcome_detail.as_deref()), (Some("ignored"), Some("revoked")));
        app.say(ANA, "tem vaga?").await;
        app.settle().await;
        assert_eq!(app.model.said_in(0), ["tem vaga?"]);
    }

    async fn what_stands_beside_a_message_withdrawn_during_the_turn_is_still_answered(app: TestApp) {
        let withdrawn = app.say(ANA, "minha senha é 1234").await;
        let kept = app.say(ANA, "tem vaga?").await;
        let job = app.jobs().await.into_iter().find(|job| job.kind == "respond").unwrap();
        app.clock.set(job.run_at);
        app.model.delay(std::time::Duration::from_millis(1_200));
        let customer = async {
            crate::support::until(5, "the model is asked", || async { !app.model.requests().is_empty() }).await;
            app.send_kind(ANA, "revoke", json!({ "original_message_id": withdrawn })).await;
        };
        tokio::join!(app.run_job(job.id), customer);
        app.settle().await;
        assert_eq!(app.message(&kept).await.outcome.as_deref(), Some("answered"));
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
        assert_eq!(app.model.said_in(1), ["tem vaga?"]);
    }

    async fn somebody_else_cannot_change_a_customers_words(app: TestApp) {
        let id = app.say(ANA, "quero 2 diárias").await;
        let change = json!({ "original_message_id": id, "message": { "type": "text", "text": { "body": "nada" } } });
        app.send_kind("5511900000009", "edit", change).await;
        assert_eq!(app.message(&id).await.text, "quero 2 diárias");
    }

    async fn a_thumbs_up_is_stored_and_starts_nothing(app: TestApp) {
        let id = app.say(ANA, "obrigada").await;
        app.settle().await;
        app.send_kind(ANA, "reaction", json!({ "message_id": id, "emoji": "👍" })).await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
        assert_eq!(app.messages().await.last().unwrap().kind, "reaction");
    }

    async fn a_message_that_meta_cannot_show_opens_a_conversation_and_is_asked_for_again(app: TestApp) {
        let message = json!({
            "from": ANA, "id": "wamid.X", "timestamp": app.now().timestamp().to_string(),
            "type": "unsupported", "errors": [{ "code": 131_060, "title": "unavailable" }],
        });
        app.deliver(vec![bodies::messages(&[message])]).await;
        app.settle().await;
        assert_eq!(app.conversations().await.len(), 1);
        assert_eq!(app.model.requests().len(), 0);
        assert!(app.meta.texts_to(ANA)[0].contains("Pode enviar de novo, em texto"));
    }

    async fn a_place_is_told_to_the_model(app: TestApp) {
        let place = json!({ "latitude": -23.55, "longitude": -46.63, "name": "Praça da Sé" });
        app.send_kind(ANA, "location", place).await;
        app.settle().await;
        assert_eq!(app.model.said_in(0), ["[localização: Praça da Sé, -23.55, -46.63]"]);
    }

    async fn the_ad_that_a_customer_came_from_is_kept_with_the_conversation(app: TestApp) {
        let mut message = bodies::text_message(ANA, "wamid.AD", "oi, vi o anúncio", app.now().timestamp());
        message["referral"] = json!({ "source_id": "1201", "source_type": "ad", "headline": "Suíte" });
        app.deliver(vec![bodies::messages(&[message])]).await;
        let referral = app.conversations().await[0].referral.clone().unwrap();
        assert_eq!(referral["source_id"], "1201");
    }

    async fn the_customer_sees_that_the_message_was_read_and_an_answer_is_being_written(app: TestApp) {
        let id = app.say(ANA, "tem vaga?").await;
        app.settle().await;
        assert_eq!(app.meta.reads(), [(id, true)]);
        assert_eq!(app.meta.sends().len(), 1);
    }
}
