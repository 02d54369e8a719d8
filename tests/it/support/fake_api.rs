//! The system of a business, as an HTTP server: keeps what it was asked, and answers what a test
//! scripted.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Asked {
    pub method: String,
    /// Path and query, as they were written.
    pub target: String,
    headers: Vec<(String, String)>,
    pub body: String,
}

impl Asked {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// What a request is answered with.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
    pub delay: Duration,
}

impl Reply {
    pub fn new(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = match content_type {
            "" => Vec::new(),
            content_type => vec![("content-type", content_type.to_owned())],
        };
        Self { status, headers, body: body.into(), delay: Duration::ZERO }
    }

    pub fn json(body: &str) -> Self {
        Self::new(200, "application/json", body)
    }

    pub fn redirect(status: u16, to: &str) -> Self {
        Self { headers: vec![("location", to.to_owned())], ..Self::new(status, "", "") }
    }

    pub fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }
}

#[derive(Default)]
struct State {
    asked: Vec<Asked>,
    replies: VecDeque<Reply>,
}

/// Clones share what arrived.
#[derive(Clone)]
pub struct FakeApi {
    state: Arc<Mutex<State>>,
    /// `127.0.0.1:port`
    pub address: String,
    pub url: String,
}

impl FakeApi {
    pub fn start() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let api = Self { state: Arc::default(), url: format!("http://{address}"), address };
        let state = web::Data::new(api.clone());
        let server = HttpServer::new(move || {
            App::new().app_data(state.clone()).default_service(web::to(answer))
        });
        let server = server.workers(1).disable_signals().listen(listener).expect("listens").run();
        tokio::spawn(server);
        api
    }

    /// The next requests are answered so, each with one reply; the others with `{"ok":true}`.
    pub fn reply(&self, replies: impl IntoIterator<Item = Reply>) {
        self.state.lock().unwrap().replies.extend(replies);
    }

    /// What arrived since this was asked last.
    pub fn take(&self) -> Vec<Asked> {
        std::mem::take(&mut self.state.lock().unwrap().asked)
    }
}

async fn answer(api: web::Data<FakeApi>, request: HttpRequest, body: web::Bytes) -> HttpResponse {
    let headers = request.headers().iter().map(|(name, value)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    });
    let asked = Asked {
        method: request.method().to_string(),
        target: request.uri().path_and_query().map(ToString::to_string).unwrap_or_default(),
        headers: headers.collect(),
        body: String::from_utf8_lossy(&body).into_owned(),
    };
    let reply = {
        let mut state = api.state.lock().unwrap();
        state.asked.push(asked);
        state.replies.pop_front()
    };
    let reply = reply.unwrap_or_else(|| Reply::json(r#"{"ok":true}"#));
    tokio::time::sleep(reply.delay).await;
    let mut response = HttpResponse::build(reply.status.try_into().expect("a status"));
    for header in reply.headers {
        response.insert_header(header);
    }
    response.body(reply.body)
}
