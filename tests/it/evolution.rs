//! Evolution API's webhooks, from the request to what is stored.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures::future::join_all;
use hmac::{Hmac, KeyInit, Mac};
use lembra_agent::services::inboxes::{EvolutionCredentials, NewEvolutionInbox};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::support::app::TestApp;
use crate::support::on_both_databases;

const CHAT: &str = "5511987650001@s.whatsapp.net";

/// An instance of the app's account, and where its webhooks go.
struct Instance<'a> {
    app: &'a TestApp,
    url: String,
}

impl<'a> Instance<'a> {
    async fn new(app: &'a TestApp) -> Self {
        Self::named(app, "loja", None, None).await
    }

    async fn named(
        app: &'a TestApp,
        instance: &str,
        secret: Option<&str>,
        jwt_key: Option<&str>,
    ) -> Self {
        let row = app
            .runtime
            .inboxes
            .add_evolution(NewEvolutionInbox {
                account_id: 1,
                instance: instance.to_owned(),
                credentials: EvolutionCredentials {
                    api_key: "chave".into(),
                    webhook_secret: secret.map(Into::into),
                    jwt_key: jwt_key.map(Into::into),
                },
                base_url: "http://127.0.0.1:1".to_owned(),
            })
            .await
            .expect("an inbox");
        Self { app, url: format!("{}/webhooks/evolution/{}", app.url, row.inbox_key) }
    }

    async fn post_to(&self, end: &str, body: impl Into<Vec<u8>>, headers: &[(&str, &str)]) -> u16 {
        let mut request = self.app.http.post(format!("{}{end}", self.url));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(body.into()).send().await.expect("an answer").status().as_u16()
    }

    async fn post(&self, body: &Value) -> u16 {
        self.post_to("", body.to_string(), &[]).await
    }

    /// A message written now.
    fn message(&self, id: &str, message: &Value) -> Value {
        json!({
            "key": { "remoteJid": CHAT, "fromMe": false, "id": id },
            "pushName": "Ana",
            "message": message,
            "messageTimestamp": self.app.now().timestamp(),
        })
    }

    fn text(&self, id: &str, text: &str) -> Value {
        upsert(&self.message(id, &json!({ "conversation": text })))
    }
}

fn envelope(event: &str, data: &Value) -> Value {
    json!({
        "event": event,
        "instance": "loja",
        "data": data,
        "sender": "5511940010001@s.whatsapp.net",
        "apikey": "credencial-no-corpo",
    })
}

fn upsert(data: &Value) -> Value {
    envelope("messages.upsert", data)
}

/// The jobs that will answer.
async fn answers_due(app: &TestApp) -> usize {
    app.jobs().await.iter().filter(|job| job.kind == "respond").count()
}

/// A token as Evolution signs it.
fn token(key: &str, header: &Value, expires: i64) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let claims = json!({ "iat": expires - 600, "exp": expires, "app": "evolution" });
    let signed = format!("{}.{}", part(header), part(&claims));
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key.as_bytes()).expect("a key");
    mac.update(signed.as_bytes());
    format!("Bearer {signed}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
}

on_both_databases! {
    async fn a_text_is_stored_and_one_answer_is_due(app: TestApp) {
        let instance = Instance::new(&app).await;
        assert_eq!(instance.post(&instance.text("W1", "tem vaga?")).await, 200);
        let row = app.message("W1").await;
        assert_eq!((row.text.as_str(), row.direction.as_str()), ("tem vaga?", "in"));
        assert_eq!(row.verdict.as_deref(), Some("proceed"));
        assert_eq!(answers_due(&app).await, 1);
        assert_eq!(app.events().await.len(), 0);
    }

    async fn an_event_that_comes_from_the_instance_and_from_the_server_counts_once(app: TestApp) {
        let instance = Instance::new(&app).await;
        let body = instance.text("W1", "tem vaga?");
        let mut shouted = body.clone();
        shouted["event"] = "MESSAGES_UPSERT".into();
        let (body, shouted) = (body.to_string(), shouted.to_string());
        let statuses = tokio::join!(
            instance.post_to("", body.clone(), &[]),
            instance.post_to("/messages-upsert", shouted, &[]),
            instance.post_to("//messages-upsert", body, &[]),
        );
        assert_eq!(statuses, (200, 200, 200));
        assert_eq!(app.messages().await.len(), 1);
        assert_eq!(answers_due(&app).await, 1);
    }

    async fn an_album_of_six_that_comes_at_once_is_one_conversation_and_one_answer(app: TestApp) {
        let instance = Instance::new(&app).await;
        let image = |number: usize| {
            let image = json!({ "imageMessage": { "mimetype": "image/jpeg", "caption": "serve?" } });
            upsert(&instance.message(&format!("W{number}"), &image))
        };
        let bodies: Vec<Value> = (0..6).map(image).collect();
        let statuses = join_all(bodies.iter().map(|body| instance.post(body))).await;
        assert_eq!(statuses, [200; 6]);
        assert_eq!(app.messages().await.len(), 6);
        assert_eq!(app.conversations().await.len(), 1);
        assert_eq!(answers_due(&app).await, 1);
    }

    async fn a_lid_and_the_phone_behind_it_are_one_customer(app: TestApp) {
        let instance = Instance::new(&app).await;
        let mut both = instance.text("W1", "oi");
        both["data"]["key"]["remoteJid"] = "100000000000001@lid".into();
        both["data"]["key"]["remoteJidAlt"] = CHAT.into();
        let mut lid = instance.text("W2", "tem vaga?");
        lid["data"]["key"]["remoteJid"] = "100000000000001@lid".into();
        for body in [both, lid, instance.text("W3", "sábado")] {
            assert_eq!(instance.post(&body).await, 200);
        }
        assert_eq!(app.messages().await.len(), 3);
        assert_eq!(app.conversations().await.len(), 1);
    }

    async fn groups_channels_and_our_own_chat_are_ignored_with_their_reason(app: TestApp) {
        let instance = Instance::new(&app).await;
        for jid in ["120363000000000001@g.us", "status@broadcast", "1203630@newsletter", "5511940010001@s.whatsapp.net"] {
            let mut body = instance.text("W1", "só para os amigos");
            body["data"]["key"]["remoteJid"] = jid.into();
            assert_eq!(instance.post(&body).await, 200);
        }
        assert_eq!(app.messages().await.len(), 0);
        assert_eq!(app.jobs().await.len(), 0);
        let events = app.events().await;
        let whys: Vec<&str> = events.iter().map(|event| event.why.as_str()).collect();
        assert_eq!(whys, ["group", "status_broadcast", "newsletter", "self_chat"]);
        assert!(events.iter().all(|event| event.body.is_none() && event.channel == "evolution"));
    }

    async fn only_who_shows_every_secret_of_the_inbox_gets_in(app: TestApp) {
        let with_header = Instance::named(&app, "a", Some("palavra"), None).await;
        let with_token = Instance::named(&app, "b", None, Some("chave-jwt")).await;
        let body = with_header.text("W1", "oi").to_string();
        let mut stranger = Instance { app: &app, url: with_header.url.clone() };
        stranger.url.push('x');
        assert_eq!(stranger.post_to("", body.clone(), &[]).await, 404);
        for (headers, status) in [
            (vec![], 401),
            (vec![("authorization", "Bearer outra")], 401),
            (vec![("authorization", "Bearer palavra")], 200),
            (vec![("x-webhook-secret", "palavra")], 200),
        ] {
            assert_eq!(with_header.post_to("", body.clone(), &headers).await, status, "{headers:?}");
        }
        let (fresh, hs256) = (app.now().timestamp() + 600, json!({ "alg": "HS256" }));
        for (authorization, status) in [
            (token("chave-jwt", &hs256, fresh), 200),
            (token("outra", &hs256, fresh), 401),
            (token("chave-jwt", &hs256, fresh - 1_200), 401),
            (token("chave-jwt", &json!({ "alg": "none" }), fresh), 401),
            ("Bearer chave-jwt".to_owned(), 401),
        ] {
            let headers = [("authorization", authorization.as_str())];
            assert_eq!(with_token.post_to("", body.clone(), &headers).await, status, "{authorization}");
        }
        // Meta's address takes nothing of Evolution's, and the other way round.
        let elsewhere = with_token.url.replace("/evolution/", "/meta/");
        let elsewhere = Instance { app: &app, url: elsewhere };
        assert_eq!(elsewhere.post_to("", body.clone(), &[]).await, 404);
        let elsewhere = Instance { app: &app, url: app.webhook.replace("/meta/", "/evolution/") };
        assert_eq!(elsewhere.post_to("", body, &[]).await, 404);
    }

    async fn files_and_credentials_in_a_body_are_not_stored(app: TestApp) {
        let instance = Instance::new(&app).await;
        let file = "QUJDREVG".repeat(2_000);
        let image = json!({ "imageMessage": { "caption": "serve?", "jpegThumbnail": file }, "base64": file });
        // The second cannot be read, so the body is kept.
        let data = json!([instance.message("W1", &image), { "message": { "base64": file } }]);
        assert_eq!(instance.post(&upsert(&data)).await, 200);
        assert_eq!(instance.post_to("", format!("{{\"base64\":\"{file}"), &[]).await, 200);
        let row = app.message("W1").await;
        assert!(!row.content.expect("a file").to_string().contains("QUJDREVG"));
        let events = app.events().await;
        assert_eq!(events.len(), 2);
        for event in events {
            let body = event.body.expect("kept");
            assert!(!body.contains("QUJDREVG") && !body.contains("credencial-no-corpo"), "{body}");
        }
    }

    async fn history_is_stored_in_silence(app: TestApp) {
        let instance = Instance::new(&app).await;
        let mut ours = instance.message("W2", &json!({ "conversation": "de nada" }));
        ours["key"]["fromMe"] = true.into();
        let data = json!([instance.message("W1", &json!({ "conversation": "quero falar com um humano" })), ours]);
        assert_eq!(instance.post(&envelope("messages.set", &data)).await, 200);
        assert_eq!(app.messages().await.len(), 2);
        assert_eq!(app.message("W1").await.outcome.as_deref(), Some("ignored"));
        assert_eq!(app.jobs().await.len(), 0);
        // Nobody took over: what the customer writes now is answered.
        assert_eq!(instance.post(&instance.text("W3", "tem vaga?")).await, 200);
        assert_eq!(app.message("W3").await.outcome, None);
        assert_eq!(answers_due(&app).await, 1);
    }

    async fn a_person_at_the_phone_silences_the_bot_and_the_api_does_not(app: TestApp) {
        let instance = Instance::new(&app).await;
        let mut sent = instance.text("W1", "Olá! Sou o assistente.");
        sent["event"] = "send.message".into();
        sent["data"]["key"]["fromMe"] = true.into();
        assert_eq!(instance.post(&sent).await, 200);
        assert_eq!(instance.post(&instance.text("W2", "tem vaga?")).await, 200);
        assert_eq!(answers_due(&app).await, 1);
        let mut typed = instance.text("W3", "deixa comigo");
        typed["data"]["key"]["fromMe"] = true.into();
        assert_eq!(instance.post(&typed).await, 200);
        assert_eq!(instance.post(&instance.text("W4", "obrigada")).await, 200);
        assert_eq!(app.message("W4").await.outcome.as_deref(), Some("human"));
    }

    async fn one_address_receives_for_all_instances_of_its_server(app: TestApp) {
        let instance = Instance::new(&app).await;
        Instance::named(&app, "filial", None, None).await;
        Instance::named(&app, "protegida", Some("palavra"), None).await;
        for (name, id) in [("filial", "W1"), ("protegida", "W2"), ("desconhecida", "W3")] {
            let mut body = instance.text(id, "tem vaga?");
            body["instance"] = name.into();
            assert_eq!(instance.post(&body).await, 200);
        }
        assert_eq!(app.messages().await.len(), 1);
        assert_eq!(app.message("W1").await.inbox_id, 3);
        let events = app.events().await;
        let why = |event: &lembra_entities::webhook_event::Model| {
            (event.why.clone(), event.external_id.clone().unwrap_or_default())
        };
        let unknown = |name: &str| ("unknown_channel".to_owned(), name.to_owned());
        assert_eq!(
            events.iter().map(why).collect::<Vec<_>>(),
            [unknown("protegida"), unknown("desconhecida")]
        );
    }

    async fn a_typing_customer_leaves_nothing_behind(app: TestApp) {
        let instance = Instance::new(&app).await;
        let data = json!({ "id": CHAT, "presences": { CHAT: { "lastKnownPresence": "composing" } } });
        assert_eq!(instance.post(&envelope("presence.update", &data)).await, 200);
        assert_eq!(app.events().await.len() + app.messages().await.len(), 0);
    }

    async fn a_lost_connection_is_kept_with_its_code(app: TestApp) {
        let instance = Instance::new(&app).await;
        let data = json!({ "instance": "loja", "state": "close", "statusReason": 401 });
        assert_eq!(instance.post(&envelope("CONNECTION_UPDATE", &data)).await, 200);
        let event = app.events().await.pop().expect("kept");
        assert_eq!((event.why.as_str(), event.detail.as_str()), ("system", "connection.update:close"));
        assert!(event.body.expect("a body").contains("401"));
    }

    async fn what_cannot_be_read_is_kept_and_what_cannot_be_stored_comes_again(app: TestApp) {
        let instance = Instance::new(&app).await;
        for body in ["", "[]", "nothing", "{\"event\":\"messages.upsert\"}", "{\"event\":7}"] {
            assert_eq!(instance.post_to("", body, &[]).await, 200, "{body}");
        }
        assert_eq!(app.events().await.len(), 5);
        let (refuse, allow) = match app.db().get_database_backend() {
            sea_orm::DbBackend::Postgres => (
                "ALTER TABLE messages ADD CONSTRAINT never CHECK (id < 0)",
                "ALTER TABLE messages DROP CONSTRAINT never",
            ),
            _ => (
                "CREATE TRIGGER never BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'no'); END",
                "DROP TRIGGER never",
            ),
        };
        app.db().execute_unprepared(refuse).await.unwrap();
        assert_eq!(instance.post(&instance.text("W1", "tem vaga?")).await, 503);
        app.db().execute_unprepared(allow).await.unwrap();
        assert_eq!(instance.post(&instance.text("W1", "tem vaga?")).await, 200);
        assert_eq!(answers_due(&app).await, 1);
    }

    async fn a_body_above_the_limit_is_refused_once_and_for_all(app: TestApp) {
        let instance = Instance::new(&app).await;
        let body = vec![b' '; 16 * 1024 * 1024 + 1];
        // The refusal may come while the body is still being written, which ends the connection.
        let sent = app.http.post(&instance.url).body(body).send().await;
        if let Ok(answer) = sent {
            assert_eq!(answer.status().as_u16(), 400);
        }
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let address = app.url.strip_prefix("http://").expect("an address");
        let path = instance.url.strip_prefix(&app.url).expect("a path");
        let mut socket = tokio::net::TcpStream::connect(address).await.unwrap();
        let head = format!("POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 16777217\r\n\r\n");
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        socket.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 400");
    }
}
