//! An agenda on a real socket that answers each route as it is told.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long one attempt waits.
pub const PATIENCE: Duration = Duration::from_millis(700);

/// What a route answers with.
#[derive(Debug, Clone)]
pub enum Answer {
    Status(u16, String),
    /// Nothing, until nobody waits any more.
    Silence,
    HangUp,
    /// The first request so, later ones otherwise.
    First(Box<Answer>, Box<Answer>),
}

impl Answer {
    pub fn ok(body: &str) -> Self {
        Answer::Status(200, body.to_owned())
    }
}

/// A request as it arrived.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    pub route: String,
    pub query: String,
    pub authorization: String,
    pub key: String,
    pub body: String,
}

pub struct Server {
    pub url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// Answers routes such as `GET /slots`; others with 404.
    pub fn start(answers: HashMap<String, Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (answers, seen) = (Arc::new(answers), Arc::<Mutex<Vec<Seen>>>::default());
        let kept = seen.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answers, kept) = (answers.clone(), kept.clone());
                std::thread::spawn(move || serve(stream, &answers, &kept));
            }
        });
        Self { url, seen }
    }

    /// An address where nobody listens.
    pub fn deserted() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        Self { url, seen: Arc::default() }
    }

    pub fn requests(&self, route: &str) -> Vec<Seen> {
        let seen = self.seen.lock().unwrap();
        seen.iter().filter(|request| request.route == route).cloned().collect()
    }
}

fn read(stream: &TcpStream) -> Option<Seen> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut parts = line.split_whitespace();
    let (method, target) = (parts.next()?.to_owned(), parts.next()?.to_owned());
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let mut seen =
        Seen { route: format!("{method} {path}"), query: query.to_owned(), ..Seen::default() };
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().ok()?,
            "authorization" => seen.authorization = value.to_owned(),
            "idempotency-key" => seen.key = value.to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    seen.body = String::from_utf8(body).ok()?;
    Some(seen)
}

fn serve(mut stream: TcpStream, answers: &HashMap<String, Answer>, kept: &Mutex<Vec<Seen>>) {
    let Some(seen) = read(&stream) else { return };
    let route = seen.route.clone();
    let before = {
        let mut kept = kept.lock().unwrap();
        kept.push(seen);
        kept.iter().filter(|request| request.route == route).count() - 1
    };
    let mut answer = answers.get(&route).cloned().unwrap_or(Answer::Status(404, String::new()));
    while let Answer::First(first, later) = answer {
        answer = if before == 0 { *first } else { *later };
    }
    match answer {
        Answer::Silence => std::thread::sleep(PATIENCE * 2),
        Answer::Status(status, body) => {
            let head = format!(
                "HTTP/1.1 {status} x\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            // Whoever reads at most so much hangs up first.
            let _ =
                stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
        }
        Answer::HangUp | Answer::First(..) => {}
    }
}
