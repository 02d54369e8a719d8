//! Answers that go out through Evolution, to a server of version 2 and of version 1.

use std::sync::{Arc, Mutex};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use lembra_agent::services::inboxes::{EvolutionCredentials, NewEvolutionInbox};
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::on_both_databases;

/// An Evolution server: the bodies that it accepted.
#[derive(Clone)]
struct Server {
    version_1: bool,
    accepted: Arc<Mutex<Vec<Value>>>,
    url: String,
}

impl Server {
    fn start(version_1: bool) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let server = Self { version_1, accepted: Arc::default(), url };
        let data = web::Data::new(server.clone());
        let http = HttpServer::new(move || {
            App::new()
                .app_data(data.clone())
                .route("/message/sendText/{instance}", web::post().to(send_text))
                .route("/instance/connectionState/{instance}", web::get().to(state))
        });
        tokio::spawn(http.workers(1).disable_signals().listen(listener).expect("listens").run());
        server
    }

    /// Texts by number, in order.
    fn texts(&self) -> Vec<(String, String)> {
        let place = if self.version_1 { "/textMessage/text" } else { "/text" };
        let text = |body: &Value| {
            let number = body["number"].as_str().unwrap_or_default().to_owned();
            (number, body.pointer(place).and_then(Value::as_str).unwrap_or_default().to_owned())
        };
        self.accepted.lock().unwrap().iter().map(text).collect()
    }
}

fn may_enter(request: &HttpRequest) -> bool {
    request.headers().get("apikey").is_some_and(|key| key == "chave")
        && request.match_info().get("instance") == Some("loja do sol")
}

async fn send_text(
    server: web::Data<Server>,
    request: HttpRequest,
    body: web::Json<Value>,
) -> HttpResponse {
    if !may_enter(&request) {
        return HttpResponse::Unauthorized().finish();
    }
    if server.version_1 && body.get("textMessage").is_none() {
        let message = [["instance requires property \"textMessage\""]];
        let refusal =
            json!({ "status": 400, "error": "Bad Request", "response": { "message": message } });
        return HttpResponse::BadRequest().json(refusal);
    }
    let mut accepted = server.accepted.lock().unwrap();
    accepted.push(body.into_inner());
    let id = format!("3EB0{}", accepted.len());
    HttpResponse::Created().json(json!({ "key": { "id": id }, "status": "PENDING" }))
}

async fn state(request: HttpRequest) -> HttpResponse {
    if !may_enter(&request) {
        return HttpResponse::Unauthorized().finish();
    }
    HttpResponse::Ok().json(json!({ "instance": { "state": "open" } }))
}

/// A customer writes to an instance on `server` and is answered.
async fn answer(app: &TestApp, server: &Server) {
    let row = app
        .runtime
        .inboxes
        .add_evolution(NewEvolutionInbox {
            account_id: 1,
            instance: "loja do sol".to_owned(),
            credentials: EvolutionCredentials {
                api_key: "chave".into(),
                webhook_secret: None,
                jwt_key: None,
            },
            base_url: server.url.clone(),
        })
        .await
        .expect("an inbox");
    let inbox = app.runtime.inboxes.by_id(row.id).await.unwrap().expect("the inbox");
    assert_eq!(app.runtime.inboxes.channel(&inbox).check().await, Ok(()));
    let body = json!({
        "event": "messages.upsert",
        "instance": "loja do sol",
        "data": {
            "key": { "remoteJid": "558587650002@s.whatsapp.net", "fromMe": false, "id": "W1" },
            "message": { "conversation": "tem vaga?" },
            "messageTimestamp": app.now().timestamp(),
        },
    });
    let url = format!("{}/webhooks/evolution/{}", app.url, row.inbox_key);
    assert_eq!(app.http.post(url).body(body.to_string()).send().await.unwrap().status(), 200);
    app.settle().await;
}

on_both_databases! {
    async fn a_customer_of_an_instance_is_answered_once_at_the_number_as_received(app: TestApp) {
        let server = Server::start(false);
        answer(&app, &server).await;
        let texts = server.texts();
        assert_eq!(texts.len(), 1, "{texts:?}");
        assert_eq!(texts[0].0, "558587650002");
        assert!(!texts[0].1.is_empty());
        let sent = app.message("3EB01").await;
        assert_eq!(sent.delivery.as_deref(), Some("sent"));
    }

    async fn a_server_of_version_1_is_spoken_to_in_its_own_words(app: TestApp) {
        let server = Server::start(true);
        answer(&app, &server).await;
        let texts = server.texts();
        assert_eq!(texts.len(), 1, "{texts:?}");
        assert!(!texts[0].1.is_empty());
        assert_eq!(app.message("3EB01").await.delivery.as_deref(), Some("sent"));
    }
}
