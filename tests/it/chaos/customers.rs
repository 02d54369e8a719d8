//! Customers, and a platform that delivers what they write as Meta does: at least once, several
//! at a time, in any order, until it is taken.

use std::convert::Infallible;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use fastrand::Rng;
use futures::future::join_all;
use lembra_agent::clock::{Clock, SystemClock};
use lembra_agent::http::Client;
use serde_json::{Value, json};

use crate::support::bodies;
use crate::support::fake_meta::{FakeMeta, Send};
use crate::support::processes::Installation;

/// Messages of each customer.
pub const EACH: usize = 3;

/// What they write; none of it is anything for triage.
const TEXTS: [&str; EACH] =
    ["tem vaga para o feriado?", "aceitam cachorro pequeno?", "o café da manhã está incluído?"];

/// Waits between deliveries of what was not taken, the last one from then on.
const PATIENCE: [Duration; 4] = [
    Duration::from_millis(100),
    Duration::from_millis(300),
    Duration::from_millis(700),
    Duration::from_millis(1500),
];
/// One of so many is delivered twice although it was taken.
const TWICE: usize = 5;
/// How often the platform tells what became of our sends.
const REPORT_EVERY: Duration = Duration::from_millis(100);

pub struct Platform {
    http: Client,
    ports: [u16; 2],
    path: String,
    dice: Mutex<Rng>,
    writing: AtomicBool,
    /// Requests made, of messages and of statuses.
    pub deliveries: AtomicUsize,
    /// Those that were not answered with 200.
    pub refused: AtomicUsize,
}

impl Platform {
    pub fn new(installation: &Installation, ports: [u16; 2], dice: Rng) -> Self {
        let path = installation.webhook.split_once("/webhooks").expect("a path").1;
        Self {
            http: lembra_agent::http::client(Duration::from_secs(10)).expect("a client"),
            ports,
            path: format!("/webhooks{path}"),
            dice: Mutex::new(dice),
            writing: AtomicBool::new(true),
            deliveries: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
        }
    }

    fn dice<T>(&self, throw: impl FnOnce(&mut Rng) -> T) -> T {
        throw(&mut self.dice.lock().expect("nobody panicked"))
    }

    fn wait(&self, most_ms: u64) -> Duration {
        Duration::from_millis(self.dice(|dice| dice.u64(0..=most_ms)))
    }

    /// Whether anybody still writes.
    pub fn is_writing(&self) -> bool {
        self.writing.load(Ordering::Acquire)
    }

    /// All customers begin one after another, each with three messages within a few seconds.
    pub async fn everybody_writes(&self, customers: usize, per_second: f64) {
        let one = |number: usize| async move {
            tokio::time::sleep(Duration::from_secs_f64(number as f64 / per_second)).await;
            let began = SystemClock.now().timestamp() - EACH as i64;
            join_all((0..EACH).map(|which| self.write(number, which, began))).await;
        };
        join_all((0..customers).map(one)).await;
        self.writing.store(false, Ordering::Release);
    }

    async fn write(&self, number: usize, which: usize, began: i64) {
        // The later ones may overtake the earlier, as they do where two servers deliver.
        tokio::time::sleep(self.wait(1_000 * which as u64) + self.wait(300)).await;
        let customer = format!("551198{number:07}");
        let id = format!("wamid.X{number}.{which}");
        let message = bodies::text_message(&customer, &id, TEXTS[which], began + which as i64);
        let body = bodies::envelope(&[vec![bodies::messages(&[message])]]);
        if self.dice(|dice| dice.usize(0..TWICE * 2)) == 0 {
            tokio::join!(self.deliver(&body), self.deliver(&body));
        } else {
            self.deliver(&body).await;
        }
        if self.dice(|dice| dice.usize(0..TWICE * 2)) == 0 {
            tokio::time::sleep(self.wait(3_000)).await;
            self.deliver(&body).await;
        }
    }

    /// Until somebody takes it.
    async fn deliver(&self, body: &Value) {
        let body = body.to_string().into_bytes();
        let signature = bodies::signature(&body);
        for attempt in 0.. {
            let port = self.dice(|dice| dice.choice(self.ports)).expect("a port");
            let request = self.http.post(format!("http://127.0.0.1:{port}{}", self.path));
            let request = request.header("X-Hub-Signature-256", &signature).body(body.clone());
            self.deliveries.fetch_add(1, Ordering::Relaxed);
            if request.send().await.is_ok_and(|answer| answer.status() == 200) {
                return;
            }
            self.refused.fetch_add(1, Ordering::Relaxed);
            let wait = PATIENCE.get(attempt).or(PATIENCE.last()).copied();
            tokio::time::sleep(wait.unwrap_or_default()).await;
        }
    }

    /// Tells what became of each accepted send, now and then twice or in the wrong order.
    pub async fn report_deliveries(&self, meta: &FakeMeta) -> Infallible {
        let mut told = 0;
        loop {
            let sends = meta.sends();
            let new: Vec<&Send> = sends[told..].iter().filter(|send| !send.id.is_empty()).collect();
            join_all(new.into_iter().map(|send| self.report(send))).await;
            told = sends.len();
            tokio::time::sleep(REPORT_EVERY).await;
        }
    }

    async fn report(&self, send: &Send) {
        let mut statuses = vec!["sent", "delivered"];
        self.dice(|dice| dice.shuffle(&mut statuses));
        if self.dice(|dice| dice.usize(0..TWICE)) == 0 {
            statuses.push("delivered");
        }
        for status in statuses {
            let report = json!({
                "id": send.id, "status": status, "recipient_id": send.to,
                "timestamp": SystemClock.now().timestamp().to_string(),
                "biz_opaque_callback_data": send.callback_data,
            });
            self.deliver(&bodies::envelope(&[vec![bodies::statuses(&[report])]])).await;
        }
    }
}
