//! An OpenAI-compatible endpoint, as an HTTP server.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::{App, HttpResponse, HttpServer, web};
use serde_json::{Value, json};

/// What the next call is answered with.
#[derive(Debug, Clone)]
pub enum Answer {
    Text(String),
    /// An HTTP status without a useful body.
    Status(u16),
    /// 429 with Retry-After.
    Busy(u64),
    /// 200 with this body.
    Body(String),
    /// Calls of tools, with what the model says beside.
    Calls(&'static str, Vec<(&'static str, Value)>),
}

impl Answer {
    /// A call of one tool, in silence.
    pub fn call(tool: &'static str, arguments: Value) -> Self {
        Answer::Calls("", vec![(tool, arguments)])
    }
}

/// What a call is for, by what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    Reply,
    Extraction,
    Contradiction,
    Embedding,
}

impl Asked {
    fn of(body: &Value) -> Self {
        let system = body["messages"][0]["content"].as_str().unwrap_or_default();
        match system {
            _ if system.contains("memory_type") => Asked::Extraction,
            _ if system.contains("se contradizem") => Asked::Contradiction,
            _ => Asked::Reply,
        }
    }
}

#[derive(Default)]
struct State {
    requests: Vec<Value>,
    extractions: VecDeque<Answer>,
    contradictions: VecDeque<Answer>,
    embeddings: VecDeque<Answer>,
    embedded: Vec<Value>,
    embedding_delay: Duration,
    answers: VecDeque<Answer>,
    otherwise: Option<Answer>,
    /// Every so many replies asked for, one fails; 0: none does.
    fail_every: usize,
    delay: Duration,
    /// Forms of audio that came, and what is heard in the next ones.
    audios: Vec<String>,
    hears: VecDeque<Answer>,
}

/// Clones share what arrived.
#[derive(Clone, Default)]
pub struct FakeModel {
    state: Arc<Mutex<State>>,
    /// For LLM_BASE_URL.
    pub url: String,
}

impl FakeModel {
    pub fn start() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let model = Self { state: Arc::default(), url };
        let state = web::Data::new(model.clone());
        let server = HttpServer::new(move || {
            App::new()
                .app_data(state.clone())
                .app_data(web::JsonConfig::default().limit(4 << 20))
                .route("/v1/chat/completions", web::post().to(complete))
                .app_data(web::PayloadConfig::default().limit(4 << 20))
                .route("/v1/audio/transcriptions", web::post().to(transcribe))
                .route("/v1/embeddings", web::post().to(embed))
                .route("/v1/models", web::get().to(HttpResponse::Ok))
        });
        let server = server.workers(1).disable_signals().listen(listener).expect("listens").run();
        tokio::spawn(server);
        model
    }

    /// What tools gave, as one call's prompt tells it.
    pub fn results_in(&self, call: usize) -> Vec<String> {
        let requests = self.requests();
        let messages = requests[call]["messages"].as_array().cloned().unwrap_or_default();
        let results = messages.iter().filter(|message| message["role"] == "tool");
        results.map(|message| message["content"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// The tools on offer in one call.
    pub fn offered_in(&self, call: usize) -> Vec<String> {
        let tools = self.requests()[call]["tools"].as_array().cloned().unwrap_or_default();
        let name = |tool: &Value| tool["function"]["name"].as_str().unwrap_or_default().to_owned();
        tools.iter().map(name).collect()
    }

    /// Bodies of the calls, in order.
    pub fn requests(&self) -> Vec<Value> {
        self.state.lock().unwrap().requests.clone()
    }

    /// The texts of the customer's messages in one call's prompt.
    pub fn said_in(&self, call: usize) -> Vec<String> {
        let requests = self.requests();
        let messages = requests[call]["messages"].as_array().cloned().unwrap_or_default();
        let said = messages.iter().filter(|message| message["role"] == "user");
        said.map(|message| message["content"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// The forms in which audio came, as text.
    pub fn audios(&self) -> Vec<String> {
        self.state.lock().unwrap().audios.clone()
    }

    pub fn hear_next(&self, answer: Answer) {
        self.state.lock().unwrap().hears.push_back(answer);
    }

    /// Bodies of the calls for one purpose, in order.
    pub fn requests_for(&self, asked: Asked) -> Vec<Value> {
        let state = self.state.lock().unwrap();
        match asked {
            Asked::Embedding => state.embedded.clone(),
            _ => {
                let fitting = state.requests.iter().filter(|body| Asked::of(body) == asked);
                fitting.cloned().collect()
            }
        }
    }

    /// The instructions of the latest reply's prompt.
    pub fn last_system(&self) -> String {
        let requests = self.requests_for(Asked::Reply);
        let last = requests.last().expect("a reply was asked for");
        last["messages"][0]["content"].as_str().unwrap_or_default().to_owned()
    }

    /// What the next call for that purpose is answered with. Without any, an extraction finds
    /// nothing, nothing contradicts, and embeddings are those of the offline model.
    pub fn answer_memory(&self, asked: Asked, answer: Answer) {
        let mut state = self.state.lock().unwrap();
        match asked {
            Asked::Extraction => state.extractions.push_back(answer),
            Asked::Contradiction => state.contradictions.push_back(answer),
            Asked::Embedding => state.embeddings.push_back(answer),
            Asked::Reply => state.answers.push_back(answer),
        }
    }

    /// The next extraction finds these facts: kind, content, evidence.
    pub fn learn_next(&self, facts: &[(&str, &str, &str)]) {
        let facts: Vec<Value> = facts
            .iter()
            .map(|(kind, content, evidence)| {
                json!({
                    "memory_type": kind,
                    "content": content,
                    "evidence": evidence,
                    "confidence": 0.92,
                })
            })
            .collect();
        self.answer_memory(Asked::Extraction, Answer::Text(json!({ "facts": facts }).to_string()));
    }

    pub fn delay_embeddings(&self, delay: Duration) {
        self.state.lock().unwrap().embedding_delay = delay;
    }

    pub fn answer_next(&self, answer: Answer) {
        self.state.lock().unwrap().answers.push_back(answer);
    }

    /// Whatever has no scripted answer is answered so.
    pub fn answer_always(&self, answer: Answer) {
        self.state.lock().unwrap().otherwise = Some(answer);
    }

    pub fn delay(&self, delay: Duration) {
        self.state.lock().unwrap().delay = delay;
    }

    /// From now on, one of so many calls fails with a 500.
    pub fn fail_every(&self, calls: usize) {
        self.state.lock().unwrap().fail_every = calls;
    }
}

async fn transcribe(model: web::Data<FakeModel>, form: web::Bytes) -> HttpResponse {
    let mut state = model.state.lock().unwrap();
    state.audios.push(String::from_utf8_lossy(&form).into_owned());
    match state.hears.pop_front() {
        Some(Answer::Text(text)) => HttpResponse::Ok().json(json!({ "text": text })),
        Some(Answer::Status(status)) => {
            HttpResponse::build(status.try_into().expect("a status")).finish()
        }
        Some(Answer::Busy(_)) => HttpResponse::TooManyRequests().finish(),
        Some(Answer::Body(body)) => HttpResponse::Ok().body(body),
        Some(Answer::Calls(..)) | None => HttpResponse::InternalServerError().finish(),
    }
}

async fn complete(model: web::Data<FakeModel>, body: web::Json<Value>) -> HttpResponse {
    let (answer, delay) = {
        let mut state = model.state.lock().unwrap();
        let asked = Asked::of(&body);
        state.requests.push(body.into_inner());
        let scripted = match asked {
            Asked::Extraction => {
                let nothing = || Some(Answer::Text(r#"{"facts":[]}"#.to_owned()));
                state.extractions.pop_front().or_else(nothing)
            }
            Asked::Contradiction => {
                let no = || Some(Answer::Text("não".to_owned()));
                state.contradictions.pop_front().or_else(no)
            }
            _ => state.answers.pop_front().or_else(|| state.otherwise.clone()),
        };
        let number = state.requests.len();
        let fails = number.checked_rem(state.fail_every) == Some(0);
        let scripted = if fails { Some(Answer::Status(500)) } else { scripted };
        (scripted.unwrap_or_else(|| Answer::Text(format!("Resposta {number}."))), state.delay)
    };
    tokio::time::sleep(delay).await;
    respond(answer)
}

async fn embed(model: web::Data<FakeModel>, body: web::Json<Value>) -> HttpResponse {
    let (answer, delay) = {
        let mut state = model.state.lock().unwrap();
        state.embedded.push(body.clone());
        (state.embeddings.pop_front(), state.embedding_delay)
    };
    tokio::time::sleep(delay).await;
    if let Some(answer) = answer {
        return respond(answer);
    }
    let texts = body["input"].as_array().cloned().unwrap_or_default();
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| {
            let vector = lembra_agent::llm::offline::embed(text.as_str().unwrap_or_default());
            json!({ "index": index, "embedding": vector })
        })
        .collect();
    HttpResponse::Ok().json(json!({ "data": data, "usage": { "prompt_tokens": 5 } }))
}

fn respond(answer: Answer) -> HttpResponse {
    match answer {
        Answer::Text(text) => HttpResponse::Ok().json(json!({
            "id": "chatcmpl-1",
            "model": "fake-1",
            "choices": [{
                "index": 0,
                "finish_reason": "stop",
                "message": { "role": "assistant", "content": text },
            }],
            "usage": { "prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18 },
        })),
        Answer::Status(status) => {
            HttpResponse::build(status.try_into().expect("a status")).finish()
        }
        Answer::Busy(seconds) => HttpResponse::TooManyRequests()
            .insert_header(("retry-after", seconds.to_string()))
            .json(json!({ "error": { "message": "slow down" } })),
        Answer::Body(body) => HttpResponse::Ok().content_type("application/json").body(body),
        Answer::Calls(said, calls) => {
            let calls = calls.iter().enumerate().map(|(index, (tool, arguments))| {
                json!({
                    "id": format!("call_{index}"),
                    "type": "function",
                    "function": { "name": tool, "arguments": arguments.to_string() },
                })
            });
            HttpResponse::Ok().json(json!({
                "id": "chatcmpl-1",
                "model": "fake-1",
                "choices": [{
                    "index": 0,
                    "finish_reason": "tool_calls",
                    "message": {
                        "role": "assistant",
                        "content": said,
                        "tool_calls": calls.collect::<Vec<_>>(),
                    },
                }],
                "usage": { "prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18 },
            }))
        }
    }
}
