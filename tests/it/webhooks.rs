//! What comes in at the webhook, good and bad.

use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::bodies::{self, ANA, PHONE_NUMBER_ID, VERIFY_TOKEN};
use crate::support::on_both_databases;

on_both_databases! {
    async fn the_handshake_answers_the_challenge_only_to_the_right_token(app: TestApp) {
        let ask = |token: &str| {
            let query = [
                ("hub.mode", "subscribe"),
                ("hub.verify_token", token),
                ("hub.challenge", "1158201444"),
            ];
            app.http.get(&app.webhook).query(&query).send()
        };
        let answer = ask(VERIFY_TOKEN).await.unwrap();
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.text().await.unwrap(), "1158201444");
        assert_eq!(ask("errado").await.unwrap().status(), 403);
        assert_eq!(ask("").await.unwrap().status(), 403);
        assert_eq!(app.http.get(&app.webhook).send().await.unwrap().status(), 403);
        let elsewhere = format!("{}/webhooks/meta/unknown", app.url);
        assert_eq!(app.http.get(elsewhere).send().await.unwrap().status(), 404);
    }

    async fn a_forged_delivery_is_refused_and_leaves_nothing(app: TestApp) {
        let message = bodies::text_message(ANA, "wamid.F", "oi", app.now().timestamp());
        let body = bodies::envelope(&[vec![bodies::messages(&[message])]]).to_string().into_bytes();
        let good = bodies::signature(&body);
        let tampered = String::from_utf8(body.clone()).unwrap().replace("oi", "ai").into_bytes();
        assert_eq!(app.post_signed_as(body.clone(), None).await, 401);
        assert_eq!(app.post_signed_as(body.clone(), Some("sha256=00")).await, 401);
        assert_eq!(app.post_signed_as(tampered, Some(&good)).await, 401);
        assert_eq!(app.messages().await.len(), 0);
        assert_eq!(app.events().await.len(), 0);
        assert_eq!(app.post_signed_as(body, Some(&good)).await, 200);
    }

    async fn accents_as_meta_escapes_them_pass_the_signature(app: TestApp) {
        let timestamp = app.now().timestamp();
        let body = format!(
            r#"{{"object":"whatsapp_business_account","entry":[{{"id":"1","changes":[{{"field":"messages","value":{{"messaging_product":"whatsapp","metadata":{{"phone_number_id":"{PHONE_NUMBER_ID}"}},"contacts":[{{"profile":{{"name":"Jo\u00e3o"}},"wa_id":"{ANA}"}}],"messages":[{{"from":"{ANA}","id":"wamid.ESC","timestamp":"{timestamp}","type":"text","text":{{"body":"\u00c9 caf\u00e9 \/ ch\u00e1? \ud83c\udf89"}}}}]}}}}]}}]}}"#
        );
        assert_eq!(app.post(body).await, 200);
        assert_eq!(app.message("wamid.ESC").await.text, "É café / chá? 🎉");
    }

    async fn broken_bodies_are_acknowledged_and_kept_with_their_reason(app: TestApp) {
        let now = app.now().timestamp();
        let message = |change: fn(&mut Value)| {
            let mut message = bodies::text_message(ANA, "wamid.X", "oi", now);
            change(&mut message);
            bodies::envelope(&[vec![bodies::messages(&[message])]]).to_string()
        };
        let remove = |key: &'static str| {
            let mut message = bodies::text_message(ANA, "wamid.X", "oi", now);
            message.as_object_mut().unwrap().remove(key);
            let contacts = json!([{ "profile": { "name": "Ana" }, "wa_id": ANA }]);
            let value = json!({ "contacts": contacts, "messages": [message] });
            bodies::envelope(&[vec![bodies::change(PHONE_NUMBER_ID, value)]]).to_string()
        };
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        let cases = [
            ("not json", "{\"entry\":[".to_owned(), "not_json"),
            ("empty", String::new(), "not_json"),
            ("deep", deep, "not_json"),
            ("a list", "[]".to_owned(), "malformed"),
            ("nothing in it", "{}".to_owned(), "malformed"),
            ("no entry", json!({ "entry": [] }).to_string(), "empty"),
            ("entry is a text", json!({ "entry": "x" }).to_string(), "malformed"),
            ("no changes", json!({ "entry": [{ "changes": [] }] }).to_string(), "empty"),
            ("changes is a number", json!({ "entry": [{ "changes": 7 }] }).to_string(), "malformed"),
            ("value is a list", json!({ "entry": [{ "changes": [{ "field": "messages", "value": [] }] }] }).to_string(), "malformed"),
            ("no messages", bodies::envelope(&[vec![bodies::messages(&[])]]).to_string(), "empty"),
            ("no from", remove("from"), "no_sender"),
            ("no id", remove("id"), "no_message_id"),
            ("no timestamp", remove("timestamp"), "malformed"),
            ("no text", remove("text"), "malformed"),
            ("from is a number", message(|m| m["from"] = json!(5511)), "no_sender"),
            ("id is a list", message(|m| m["id"] = json!([1])), "no_message_id"),
            ("text is a text", message(|m| m["text"] = json!("oi")), "malformed"),
            ("body is a number", message(|m| m["text"]["body"] = json!(1)), "malformed"),
            ("timestamp is no number", message(|m| m["timestamp"] = json!("ontem")), "malformed"),
            ("timestamp is far away", message(|m| m["timestamp"] = json!("99999999999999999")), "malformed"),
        ];
        for (index, (case, body, why)) in cases.into_iter().enumerate() {
            assert_eq!(app.post(body).await, 200, "{case}");
            let events = app.events().await;
            assert_eq!(events.len(), index + 1, "{case}");
            assert_eq!(events[index].why, why, "{case}");
            assert!(events[index].body.is_some(), "{case}");
        }
        assert_eq!(app.messages().await.len(), 0);
        // And the next customer is served.
        app.say(ANA, "oi").await;
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
    }

    async fn one_broken_message_does_not_take_the_others_of_its_batch_with_it(app: TestApp) {
        let now = app.now().timestamp();
        let mut broken = bodies::text_message(ANA, "wamid.1", "oi", now);
        broken["text"] = json!(null);
        let good = bodies::text_message(ANA, "wamid.2", "tem vaga?", now);
        assert_eq!(app.deliver(vec![bodies::messages(&[broken, good])]).await, 200);
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
        assert_eq!(app.events().await.len(), 1);
    }

    async fn unknown_types_are_kept_and_asked_for_in_words_without_a_model(app: TestApp) {
        let id = app.wamid();
        let message = json!({
            "from": ANA, "id": id, "timestamp": app.now().timestamp().to_string(),
            "type": "hologram", "hologram": { "x": 1 },
        });
        assert_eq!(app.deliver(vec![bodies::messages(&[message])]).await, 200);
        app.settle().await;
        let message = app.message(&id).await;
        assert_eq!((message.kind.as_str(), message.outcome.as_deref()), ("unsupported", Some("answered")));
        assert_eq!((app.meta.sends().len(), app.model.requests().len()), (1, 0));
    }

    async fn statuses_and_reactions_start_nothing(app: TestApp) {
        let status = json!({ "id": "wamid.Z", "status": "delivered", "timestamp": "1", "recipient_id": ANA });
        assert_eq!(app.deliver(vec![bodies::statuses(&[status])]).await, 200);
        let reaction = json!({
            "from": ANA, "id": app.wamid(), "timestamp": app.now().timestamp().to_string(),
            "type": "reaction", "reaction": { "message_id": "wamid.Z", "emoji": "👍" },
        });
        assert_eq!(app.deliver(vec![bodies::messages(&[reaction])]).await, 200);
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 0);
        assert_eq!(app.model.requests().len(), 0);
        assert_eq!(app.events().await[0].why, "orphan_status");
    }

    async fn messages_to_a_number_that_nobody_connected_are_kept_and_not_answered(app: TestApp) {
        let message = bodies::text_message(ANA, "wamid.U", "oi", app.now().timestamp());
        let value = json!({ "messages": [message] });
        assert_eq!(app.deliver(vec![bodies::change("999999999999999", value)]).await, 200);
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 0);
        let event = &app.events().await[0];
        assert_eq!(event.why, "unknown_channel");
        assert_eq!(event.external_id.as_deref(), Some("999999999999999"));
    }

    async fn old_messages_that_come_with_a_connected_phone_are_not_answered(app: TestApp) {
        let message = bodies::text_message(ANA, "wamid.H", "oi", app.now().timestamp());
        let mut change = bodies::messages(&[message]);
        change["field"] = json!("history");
        assert_eq!(app.deliver(vec![change]).await, 200);
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 0);
        let stored = app.message("wamid.H").await;
        assert_eq!(stored.outcome.as_deref(), Some("ignored"));
        assert_eq!(stored.outcome_detail.as_deref(), Some("history"));
    }

    async fn messages_of_groups_are_not_answered(app: TestApp) {
        let mut message = bodies::text_message(ANA, "wamid.G", "alguém sabe?", app.now().timestamp());
        message["group_id"] = json!("120363000000000001@g.us");
        assert_eq!(app.deliver(vec![bodies::messages(&[message])]).await, 200);
        app.settle().await;
        assert_eq!(app.meta.sends().len(), 0);
        assert_eq!(app.events().await[0].why, "group");
    }

    async fn a_body_over_16_mebibytes_is_refused_and_the_next_one_taken(app: TestApp) {
        let limit = 16 * 1024 * 1024;
        // The announcement is enough; the rest need not be sent.
        let host = app.url.strip_prefix("http://").unwrap();
        let path = app.webhook.strip_prefix(&app.url).unwrap();
        let mut socket = tokio::net::TcpStream::connect(host).await.unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nX-Hub-Signature-256: sha256=00\r\nContent-Length: {}\r\n\r\n",
            limit + 1
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        socket.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 400");
        let mut padded = json!({ "entry": [] }).to_string();
        padded.push_str(&" ".repeat(limit - padded.len()));
        assert_eq!(app.post(padded).await, 200);
    }

    async fn a_failure_of_ours_is_never_acknowledged(app: TestApp) {
        // As a column that a newer build requires, or a full disk, would have it.
        let refuse = match app.db().get_database_backend() {
            sea_orm::DbBackend::Postgres => "ALTER TABLE messages ADD CONSTRAINT never CHECK (id < 0)",
            _ => "CREATE TRIGGER never BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'no'); END",
        };
        let allow = match app.db().get_database_backend() {
            sea_orm::DbBackend::Postgres => "ALTER TABLE messages DROP CONSTRAINT never",
            _ => "DROP TRIGGER never",
        };
        app.db().execute_unprepared(refuse).await.unwrap();
        let message = bodies::text_message(ANA, "wamid.R", "tem vaga?", app.now().timestamp());
        let body = bodies::envelope(&[vec![bodies::messages(&[message])]]).to_string();
        assert_eq!(app.post(body.clone()).await, 503);
        app.db().execute_unprepared(allow).await.unwrap();
        assert_eq!(app.post(body).await, 200);
        app.settle().await;
        assert_eq!(app.meta.texts_to(ANA).len(), 1);
        assert_eq!(app.events().await.len(), 0);
    }

    async fn the_first_of_many_that_come_at_once_is_read_like_the_last(app: TestApp) {
        let now = app.now().timestamp();
        let message = |number: usize| {
            let text = if number == 0 { "esse bot é uma porra".to_owned() } else { format!("e a {number}ª coisa?") };
            bodies::text_message(ANA, &format!("wamid.M{number}"), &text, now)
        };
        let messages: Vec<Value> = (0..20).map(message).collect();
        assert_eq!(app.deliver(vec![bodies::messages(&messages)]).await, 200);
        assert_eq!(app.message("wamid.M0").await.verdict.as_deref(), Some("frustrated"));
        assert_eq!(app.message("wamid.M19").await.verdict.as_deref(), Some("proceed"));
    }

    async fn half_an_emoji_does_not_cost_the_message(app: TestApp) {
        let now = app.now().timestamp();
        let message = bodies::text_message(ANA, "wamid.S", "tem vaga CUT", now);
        let body = bodies::envelope(&[vec![bodies::messages(&[message])]]).to_string();
        let body = body.replace("CUT", r"\ud83c \udf89 \ud83c\udf89 \\ud83c");
        assert_eq!(app.post(body).await, 200);
        assert_eq!(app.message("wamid.S").await.text, "tem vaga \u{fffd} \u{fffd} 🎉 \\ud83c");
    }
}
