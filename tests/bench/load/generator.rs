//! Signed webhooks, each of a customer of its own, over plain connections that are kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use crate::figures::{Latencies, Shot};
use crate::support::bodies;
use crate::support::processes::Installation;

/// Where webhooks go.
#[derive(Clone)]
pub struct Target {
    port: u16,
    path: String,
    now: i64,
    next: Arc<AtomicUsize>,
}

impl Target {
    pub fn of(installation: &Installation) -> Self {
        let path = installation.webhook.split_once("/webhooks").expect("a path").1;
        Self {
            port: installation.port,
            path: format!("/webhooks{path}"),
            now: installation.seconds(),
            next: Arc::default(),
        }
    }

    /// The next customer with their message, as a whole request.
    fn request(&self) -> (String, Vec<u8>) {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let customer = format!("55119{:08}", 80_000_000 + number);
        let id = format!("wamid.L{number}");
        let message = bodies::text_message(&customer, &id, "tem vaga para o feriado?", self.now);
        let body = bodies::envelope(&[vec![bodies::messages(&[message])]]).to_string();
        let signature = bodies::signature(body.as_bytes());
        let head = format!(
            "POST {} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n\
             x-hub-signature-256: {signature}\r\ncontent-length: {}\r\n\r\n",
            self.path,
            body.len()
        );
        (customer, [head.into_bytes(), body.into_bytes()].concat())
    }
}

struct Line {
    stream: TcpStream,
    answer: Vec<u8>,
}

impl Line {
    async fn open(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).await.expect("connects");
        stream.set_nodelay(true).expect("a socket");
        Self { stream, answer: vec![0; 4096] }
    }

    /// Sends a request and waits for its answer, which is a 200 without a body.
    async fn ask(&mut self, request: &[u8]) {
        self.stream.write_all(request).await.expect("is sent");
        let mut read = 0;
        while !self.answer[..read].ends_with(b"\r\n\r\n") {
            let count = self.stream.read(&mut self.answer[read..]).await.expect("is answered");
            assert!(count > 0, "the connection was closed");
            read += count;
        }
        let answer = String::from_utf8_lossy(&self.answer[..read]);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

/// Each connection sends its next message when the last was acknowledged.
pub async fn closed(target: &Target, connections: usize, time: Duration) -> Latencies {
    let until = Instant::now() + time;
    let one = |target: Target| async move {
        let mut line = Line::open(target.port).await;
        let mut shots = Vec::new();
        while Instant::now() < until {
            let (customer, request) = target.request();
            let intended = Instant::now();
            line.ask(&request).await;
            shots.push(Shot { customer, intended, took: intended.elapsed() });
        }
        shots
    };
    let lines: Vec<_> = (0..connections).map(|_| tokio::spawn(one(target.clone()))).collect();
    let mut latencies = Latencies::default();
    for line in lines {
        line.await.expect("a line").into_iter().for_each(|shot| latencies.add(shot));
    }
    latencies
}

/// So many messages a second, whatever becomes of the earlier ones; times count from the moment at
/// which a message was to be sent.
pub async fn open(target: &Target, connections: usize, rate: u32, time: Duration) -> Latencies {
    let (sender, receiver) = mpsc::unbounded_channel::<Instant>();
    let receiver = Arc::new(tokio::sync::Mutex::new(receiver));
    let (shots, mut taken) = mpsc::unbounded_channel();
    for _ in 0..connections {
        let (target, receiver, shots) = (target.clone(), receiver.clone(), shots.clone());
        tokio::spawn(async move {
            let mut line = Line::open(target.port).await;
            loop {
                let next = receiver.lock().await.recv().await;
                let Some(intended) = next else { return };
                let (customer, request) = target.request();
                line.ask(&request).await;
                let _ = shots.send(Shot { customer, intended, took: intended.elapsed() });
            }
        });
    }
    drop(shots);
    let start = Instant::now();
    for number in 0..rate * u32::try_from(time.as_secs()).unwrap_or(1) {
        let intended = start + Duration::from_secs(1) / rate * number;
        tokio::time::sleep_until(intended.into()).await;
        sender.send(intended).expect("somebody sends");
    }
    drop(sender);
    let mut latencies = Latencies::default();
    while let Some(shot) = taken.recv().await {
        latencies.add(shot);
    }
    latencies
}
