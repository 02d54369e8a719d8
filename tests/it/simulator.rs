//! Standalone mode as a newcomer meets it: the real binary, no configuration.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::processes::Installation;
use crate::support::until;

async fn state(installation: &Installation) -> Value {
    let (status, body) = installation.get("/simulator/state").await;
    assert_eq!(status, 200, "{body}");
    serde_json::from_str(&body).expect("JSON")
}

async fn post(installation: &Installation, path: &str, body: Value) -> u16 {
    let client = lembra_agent::http::client(Duration::from_secs(10)).expect("a client");
    let url = format!("http://127.0.0.1:{}{path}", installation.port);
    let request = client.post(url).header("x-requested-with", "lembra").json(&body);
    request.send().await.expect("an answer").status().as_u16()
}

fn texts(state: &Value) -> Vec<String> {
    let messages = state["messages"].as_array().cloned().unwrap_or_default();
    messages.iter().map(|message| message["text"].as_str().unwrap_or_default().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newcomer_writes_and_is_answered_and_finds_it_all_after_a_kill() {
    let Some(mut installation) = Installation::newcomer().await else {
        return;
    };
    let customer = state(&installation).await["customer"]["key"].clone();
    let write = |text: &str| json!({ "customer": customer, "text": text });
    assert_eq!(post(&installation, "/simulator/messages", write("qual o saldo?")).await, 202);
    until(10, "the answer is read", || async {
        let state = state(&installation).await;
        state["messages"]
            .as_array()
            .is_some_and(|messages| messages.len() == 2 && messages[1]["delivery"] == "read")
    })
    .await;
    let angry = write("esse bot é uma porra, não funciona NADA");
    assert_eq!(post(&installation, "/simulator/messages", angry).await, 202);
    until(10, "the canonical answer is there", || async {
        texts(&state(&installation).await).len() == 4
    })
    .await;
    let before = state(&installation).await;
    let angry = &before["messages"][2]["trace"];
    assert_eq!((&angry["verdict"], &angry["outcome"]), (&json!("frustrated"), &json!("preempted")));
    assert_eq!(angry["model"], "triage");
    installation.kill();
    installation.up().await;
    assert_eq!(texts(&state(&installation).await), texts(&before));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resolved_conversation_is_followed_by_another() {
    let Some(installation) = Installation::newcomer().await else {
        return;
    };
    let customer = state(&installation).await["customer"]["key"].clone();
    let write = json!({ "customer": customer, "text": "oi" });
    assert_eq!(post(&installation, "/simulator/messages", write.clone()).await, 202);
    until(10, "an answer", || async { texts(&state(&installation).await).len() == 2 }).await;
    let chosen = json!({ "customer": customer });
    assert_eq!(post(&installation, "/simulator/resolve", chosen).await, 204);
    let first = state(&installation).await["conversation"].clone();
    assert_eq!(first["state"], "resolved");
    assert_eq!(post(&installation, "/simulator/messages", write).await, 202);
    until(10, "another", || async { texts(&state(&installation).await).len() == 4 }).await;
    let second = state(&installation).await["conversation"].clone();
    assert_eq!(second["state"], "open");
    assert_ne!(second["id"], first["id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_says_that_the_offline_model_is_on_and_allows_no_foreign_script() {
    let Some(installation) = Installation::newcomer().await else {
        return;
    };
    let (status, page) = installation.get("/simulator").await;
    assert_eq!(status, 200);
    assert!(page.contains("Modelo offline de demonstração"), "{page}");
    let client = lembra_agent::http::client(Duration::from_secs(10)).expect("a client");
    let url = format!("http://127.0.0.1:{}/simulator", installation.port);
    let answer = client.get(&url).send().await.expect("an answer");
    let policy = answer.headers()["content-security-policy"].to_str().expect("text").to_owned();
    assert!(policy.starts_with("default-src 'self';"), "{policy}");
    // Whoever comes through a proxy or under another name signs in first.
    for (name, value) in [("x-forwarded-for", "203.0.113.9"), ("host", "lembra.example")] {
        let answer = client.get(&url).header(name, value).send().await.expect("an answer");
        assert_eq!(answer.status(), 303, "{name}");
        let state = format!("{url}/state");
        let answer = client.get(state).header(name, value).send().await.expect("an answer");
        assert_eq!(answer.status(), 303, "{name}");
    }
    // Another site's page cannot write in a customer's name.
    let forged = client
        .post(format!("{url}/messages"))
        .json(&json!({ "customer": "5511987650001", "text": "oi" }));
    assert_eq!(forged.send().await.expect("an answer").status(), 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn from_another_device_an_operator_signs_in_with_the_printed_password() {
    let Some(installation) = Installation::newcomer().await else {
        return;
    };
    let reset =
        installation.bot_json(&["operator", "reset-password", "--email", "operador@lembra.local"]);
    let password = reset["password"].as_str().expect("a password").to_owned();
    let client = lembra_agent::http::client(Duration::from_secs(10)).expect("a client");
    let base = format!("http://127.0.0.1:{}", installation.port);
    let form =
        client.get(format!("{base}/sign-in?next=/simulator")).send().await.expect("an answer");
    let cookie = cookie_of(&form);
    let html = form.text().await.expect("a page");
    let token =
        html.split("name=\"csrf_token\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    let token = token.expect("a token").to_owned();
    let submit = |password: &str, cookie: &str| {
        let body = [
            ("email", "operador@lembra.local"),
            ("password", password),
            ("csrf_token", &token),
            ("next", "/simulator"),
        ];
        let body: Vec<String> =
            body.iter().map(|(name, value)| format!("{name}={value}")).collect();
        client
            .post(format!("{base}/sign-in"))
            .header("content-type", "application/x-www-form-urlencoded")
            .header("cookie", cookie)
            .body(body.join("&"))
            .send()
    };
    let wrong = submit("errada", &cookie).await.expect("an answer");
    assert_eq!(wrong.status(), 200);
    let right = submit(&password, &cookie).await.expect("an answer");
    assert_eq!(right.status(), 303);
    let signed_in = cookie_of(&right);
    let far = |cookie: &str| {
        let request = client.get(format!("{base}/simulator")).header("host", "lembra.example");
        request.header("cookie", cookie).send()
    };
    assert_eq!(far(&signed_in).await.expect("an answer").status(), 200);
    assert_eq!(far(&cookie).await.expect("an answer").status(), 303);
    // Guessing is slowed down.
    for _ in 0..6 {
        submit("errada", &cookie).await.expect("an answer");
    }
    let page = submit(&password, &cookie).await.expect("an answer");
    assert_eq!(page.status(), 200);
    assert!(page.text().await.expect("a page").contains("Muitas tentativas"));
}

fn cookie_of(answer: &reqwest::Response) -> String {
    let header = answer.headers()["set-cookie"].to_str().expect("text");
    header.split(';').next().expect("a cookie").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn production_has_no_simulator() {
    let Some(mut installation) = Installation::production(None).await else {
        return;
    };
    installation.up().await;
    for path in ["/simulator", "/simulator/state"] {
        assert_eq!(installation.get(path).await.0, 404, "{path}");
    }
}
