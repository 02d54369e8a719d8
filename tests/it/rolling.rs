//! A release is rolled out: two bots and two workers are exchanged one after the other while
//! customers write.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use lembra_agent::http::Client;

use crate::support::bodies;
use crate::support::fleet::Fleet;
use crate::support::processes::Installation;
use crate::support::until;

/// Customers who write at the same time.
const AT_ONCE: usize = 4;
/// Between two of one's messages: what is asked is whether anything is lost, not how fast it is.
const PACE: Duration = Duration::from_millis(200);
/// They go on until everything has been exchanged, and each at least so often.
const LEAST_EACH: usize = 15;

/// Delivers as a platform behind a load balancer does: to whoever takes it.
async fn deliver(http: &Client, ports: [u16; 2], path: &str, number: usize, now: i64) {
    let customer = customer(number);
    let message = bodies::text_message(&customer, &format!("wamid.R{number}"), "oi", now);
    let body = bodies::envelope(&[vec![bodies::messages(&[message])]]).to_string().into_bytes();
    let signature = bodies::signature(&body);
    for attempt in 0..200 {
        let port = ports[(number + attempt) % 2];
        let request = http.post(format!("http://127.0.0.1:{port}{path}"));
        let request = request.header("X-Hub-Signature-256", &signature).body(body.clone());
        if request.send().await.is_ok_and(|answer| answer.status() == 200) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("nobody takes the message of {customer}");
}

fn customer(number: usize) -> String {
    format!("55119871{number:05}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_restart_of_two_bots_and_two_workers_loses_and_doubles_nothing() {
    let Some(installation) = Installation::production(None).await else {
        return;
    };
    let fleet = Fleet::of(&installation);
    let path = installation.webhook.split_once("/webhooks").expect("a path").1;
    let path = format!("/webhooks{path}");
    let mut members = Vec::new();
    for program in ["bot", "bot", "worker", "worker"] {
        members.push(fleet.start(program).await);
    }
    let ports = [members[0].port, members[1].port];
    let (done, next) = (AtomicBool::new(false), AtomicUsize::new(0));
    let now = installation.seconds();
    let write = || async {
        let mut written = Vec::new();
        while written.len() < LEAST_EACH || !done.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            deliver(&fleet.http, ports, &path, number, now).await;
            written.push(number);
            tokio::time::sleep(PACE).await;
        }
        written
    };
    let writing = futures::future::join_all((0..AT_ONCE).map(|_| write()));
    let exchanging = async {
        for member in &mut members {
            fleet.exchange(member).await;
        }
        done.store(true, Ordering::Relaxed);
    };
    let (written, ()) = tokio::join!(writing, exchanging);
    let expected: BTreeMap<String, usize> =
        written.into_iter().flatten().map(|number| (customer(number), 1)).collect();
    until(60, "everybody is answered", || async {
        installation.meta.sends().len() >= expected.len()
    })
    .await;
    let mut answers: BTreeMap<String, usize> = BTreeMap::new();
    for send in installation.meta.sends() {
        *answers.entry(send.to).or_default() += 1;
    }
    assert_eq!(answers, expected);
}
