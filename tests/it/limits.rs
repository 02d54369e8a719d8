//! How often one caller may ask.

use std::collections::BTreeMap;

use lembra_agent::services::tokens;
use secrecy::{ExposeSecret, SecretString};

use crate::support::app::TestApp;
use crate::support::bodies::{self, ANA};
use crate::support::until;

async fn token(app: &TestApp) -> SecretString {
    let (account, clock) = (app.account().await, &app.runtime.clock);
    let added = tokens::add(app.db(), clock, account, "teste", tokens::usual_scopes()).await;
    added.expect("a token").1
}

async fn ask(app: &TestApp, token: &SecretString) -> reqwest::Response {
    let url = format!("{}/api/v1/accounts/{}/tools", app.url, app.account().await);
    let request = app.http.get(url).bearer_auth(token.expose_secret());
    request.send().await.expect("an answer")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_asks_too_often_is_told_when_to_come_back_and_no_other_is() {
    let app = TestApp::on_sqlite_with(&[("API_RATE_PER_SECOND", "1")]).await;
    let (loud, quiet) = (token(&app).await, token(&app).await);
    // Three at once are allowed. Whoever goes on is refused, however slow this machine is.
    let mut refused = None;
    let mut answered = 0;
    while refused.is_none() && answered < 200 {
        let answers = futures::future::join_all((0..8).map(|_| ask(&app, &loud))).await;
        for answer in answers {
            match answer.status().as_u16() {
                200 => answered += 1,
                429 => refused = Some(answer),
                other => panic!("status {other}"),
            }
        }
    }
    let refused = refused.expect("a refusal");
    assert!(answered >= 3, "{answered}");
    assert_eq!(refused.headers()["retry-after"], "1");
    assert_eq!(refused.headers()["content-type"], "application/problem+json");
    let problem: serde_json::Value =
        serde_json::from_str(&refused.text().await.expect("a body")).expect("JSON");
    assert_eq!(problem["status"], 429);
    assert_eq!(ask(&app, &quiet).await.status(), 200);
    // A second later it is welcome again.
    until(10, "the program is let in", || async { ask(&app, &loud).await.status() == 200 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn webhooks_above_an_inboxs_limit_are_refused_and_lost_to_nobody_who_delivers_again() {
    let app = TestApp::on_sqlite_with(&[("WEBHOOK_RATE_PER_SECOND", "2")]).await;
    let bodies: BTreeMap<String, String> = (0..8)
        .map(|number| {
            let id = format!("wamid.L{number:02}");
            let message = bodies::text_message(ANA, &id, "oi", app.now().timestamp());
            let body = bodies::envelope(&[vec![bodies::messages(&[message])]]).to_string();
            (id, body)
        })
        .collect();
    let statuses =
        futures::future::join_all(bodies.values().map(|body| app.post(body.clone()))).await;
    let count = |wanted| statuses.iter().filter(|status| **status == wanted).count();
    assert!(count(200) >= 2 && count(429) >= 1, "{statuses:?}");
    assert_eq!(count(200) + count(429), 8, "{statuses:?}");
    assert_eq!(app.messages().await.len(), count(200), "what is refused leaves nothing");
    // As a platform does.
    for body in bodies.values() {
        until(20, "it is taken", || async { app.post(body.clone()).await == 200 }).await;
    }
    assert_eq!(app.messages().await.len(), 8);
}
