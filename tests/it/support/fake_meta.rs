//! The Graph API, as an HTTP server: accepts messages, or answers what a test scripted. It also
//! speaks Evolution's API, so that whatever dies is tested on both channels alike.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use serde_json::{Value, json};

/// A send as it arrived.
#[derive(Debug, Clone)]
pub struct Send {
    pub to: String,
    /// `to` or `recipient`.
    pub addressed_by: &'static str,
    pub text: String,
    pub callback_data: String,
    /// The id that it was accepted under; empty when it was refused.
    pub id: String,
    pub at: Instant,
}

/// What a send is answered with, in place of being accepted.
#[derive(Debug, Clone)]
pub enum Refusal {
    Code(u16, i64),
    /// HTTP status, with a Retry-After of so many seconds.
    Busy(u16, u64),
}

/// A file that customers sent.
#[derive(Debug, Clone)]
struct File {
    mime: String,
    bytes: Vec<u8>,
}

#[derive(Default)]
struct State {
    sends: Vec<Send>,
    /// Ids of the messages that were marked as read, with whether typing was shown.
    reads: Vec<(String, bool)>,
    files: HashMap<String, File>,
    downloads: usize,
    refusals: VecDeque<Refusal>,
    delay: Duration,
    in_flight: usize,
    /// Every so many sends, one is refused and another one accepted with an answer that says
    /// nothing; 0: none is.
    fail_every: usize,
}

/// Clones share what arrived.
#[derive(Clone, Default)]
pub struct FakeMeta {
    state: Arc<Mutex<State>>,
    pub url: String,
}

impl FakeMeta {
    pub fn start() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let meta = Self { state: Arc::default(), url };
        let state = web::Data::new(meta.clone());
        let server = HttpServer::new(move || {
            App::new()
                .app_data(state.clone())
                .route("/{number}/messages", web::post().to(messages))
                .route("/files/{id}", web::get().to(file))
                .route("/message/sendText/{instance}", web::post().to(send_text))
                .route("/chat/findMessages/{instance}", web::post().to(find_messages))
                .route("/chat/{action}/{instance}", web::post().to(HttpResponse::Created))
                .route("/{number}", web::get().to(number))
        });
        let server = server.workers(1).disable_signals().listen(listener).expect("listens").run();
        tokio::spawn(server);
        meta
    }

    pub fn sends(&self) -> Vec<Send> {
        self.state.lock().unwrap().sends.clone()
    }

    /// The texts that went to one address, in order.
    pub fn texts_to(&self, to: &str) -> Vec<String> {
        self.sends().into_iter().filter(|send| send.to == to).map(|send| send.text).collect()
    }

    /// How many sends went to each address.
    pub fn counts(&self) -> HashMap<String, usize> {
        let mut counts = HashMap::new();
        for send in self.sends() {
            *counts.entry(send.to).or_default() += 1;
        }
        counts
    }

    pub fn reads(&self) -> Vec<(String, bool)> {
        self.state.lock().unwrap().reads.clone()
    }

    /// Keeps a file under the id that a webhook names.
    pub fn keep_file(&self, id: &str, mime: &str, bytes: &[u8]) {
        let file = File { mime: mime.to_owned(), bytes: bytes.to_vec() };
        self.state.lock().unwrap().files.insert(id.to_owned(), file);
    }

    pub fn downloads(&self) -> usize {
        self.state.lock().unwrap().downloads
    }

    pub fn in_flight(&self) -> usize {
        self.state.lock().unwrap().in_flight
    }

    pub fn refuse_next(&self, refusal: Refusal) {
        self.state.lock().unwrap().refusals.push_back(refusal);
    }

    pub fn delay(&self, delay: Duration) {
        self.state.lock().unwrap().delay = delay;
    }

    /// From now on, one of so many sends is refused for a second, and one is accepted without our
    /// being told.
    pub fn fail_every(&self, sends: usize) {
        self.state.lock().unwrap().fail_every = sends;
    }
}

/// A number, or a file's description.
async fn number(meta: web::Data<FakeMeta>, id: web::Path<String>) -> HttpResponse {
    let id = id.into_inner();
    let found = meta.state.lock().unwrap().files.get(&id).cloned();
    match found {
        Some(file) => HttpResponse::Ok().json(json!({
            "id": id,
            "mime_type": file.mime,
            "file_size": file.bytes.len(),
            "url": format!("{}/files/{id}", meta.url),
        })),
        None if id.starts_with("gone") => HttpResponse::NotFound().finish(),
        None => HttpResponse::Ok().json(json!({ "id": id })),
    }
}

async fn file(
    meta: web::Data<FakeMeta>,
    id: web::Path<String>,
    request: HttpRequest,
) -> HttpResponse {
    if !request.headers().contains_key("authorization") {
        return HttpResponse::Unauthorized().finish();
    }
    let mut state = meta.state.lock().unwrap();
    state.downloads += 1;
    match state.files.get(&id.into_inner()) {
        Some(file) => HttpResponse::Ok().content_type(file.mime.clone()).body(file.bytes.clone()),
        None => HttpResponse::NotFound().finish(),
    }
}

async fn messages(meta: web::Data<FakeMeta>, body: web::Json<Value>) -> HttpResponse {
    let text = |path: &str| body.pointer(path).and_then(Value::as_str).map(str::to_owned);
    if text("/status").as_deref() == Some("read") {
        let typing = body.pointer("/typing_indicator").is_some();
        let read = (text("/message_id").unwrap_or_default(), typing);
        meta.state.lock().unwrap().reads.push(read);
        return HttpResponse::Ok().json(json!({ "success": true }));
    }
    let (to, addressed_by) = match text("/to") {
        Some(to) => (to, "to"),
        None => (text("/recipient").unwrap_or_default(), "recipient"),
    };
    let (refusal, delay, id, is_silent) = {
        let mut state = meta.state.lock().unwrap();
        let turn = state.sends.len().checked_rem(state.fail_every);
        let busy = (turn == Some(1)).then_some(Refusal::Busy(429, 1));
        let refusal = state.refusals.pop_front().or(busy);
        let id = match refusal {
            Some(_) => String::new(),
            None => format!("wamid.fake{}", state.sends.len()),
        };
        state.sends.push(Send {
            to: to.clone(),
            addressed_by,
            text: text("/text/body").unwrap_or_default(),
            callback_data: text("/biz_opaque_callback_data").unwrap_or_default(),
            id: id.clone(),
            at: Instant::now(),
        });
        state.in_flight += 1;
        (refusal, state.delay, id, turn == Some(2))
    };
    tokio::time::sleep(delay).await;
    meta.state.lock().unwrap().in_flight -= 1;
    if is_silent {
        return HttpResponse::BadGateway().finish();
    }
    match refusal {
        None => HttpResponse::Ok().json(json!({
            "messaging_product": "whatsapp",
            "contacts": [{ "input": to, "wa_id": to }],
            "messages": [{ "id": id }],
        })),
        Some(Refusal::Code(status, code)) => {
            let error = json!({ "error": { "code": code, "message": "refused" } });
            HttpResponse::build(status.try_into().expect("a status")).json(error)
        }
        Some(Refusal::Busy(status, seconds)) => {
            HttpResponse::build(status.try_into().expect("a status"))
                .insert_header(("retry-after", seconds.to_string()))
                .json(json!({ "error": { "message": "busy" } }))
        }
    }
}

/// Evolution's `sendText`, version 2.
async fn send_text(meta: web::Data<FakeMeta>, body: web::Json<Value>) -> HttpResponse {
    let text = |key: &str| body.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (delay, id) = {
        let mut state = meta.state.lock().unwrap();
        let id = format!("3EB0FAKE{}", state.sends.len());
        state.sends.push(Send {
            to: text("number"),
            addressed_by: "number",
            text: text("text"),
            callback_data: String::new(),
            id: id.clone(),
            at: Instant::now(),
        });
        state.in_flight += 1;
        (state.delay, id)
    };
    tokio::time::sleep(delay).await;
    meta.state.lock().unwrap().in_flight -= 1;
    HttpResponse::Created()
        .json(json!({ "key": { "id": id, "fromMe": true }, "status": "PENDING" }))
}

/// What was sent to a chat, as Evolution keeps it.
async fn find_messages(meta: web::Data<FakeMeta>, body: web::Json<Value>) -> HttpResponse {
    use lembra_agent::clock::{Clock, SystemClock};
    let chat = body.pointer("/where/key/remoteJid").and_then(Value::as_str).unwrap_or_default();
    let record = |send: &Send| {
        json!({
            "key": { "id": send.id, "fromMe": true, "remoteJid": chat },
            "message": { "conversation": send.text },
            "messageTimestamp": SystemClock.now().timestamp(),
        })
    };
    let sends = meta.sends();
    let number = chat.trim_end_matches("@s.whatsapp.net");
    let records: Vec<Value> = sends.iter().filter(|send| send.to == number).map(record).collect();
    HttpResponse::Ok().json(json!({ "messages": { "total": records.len(), "records": records } }))
}
