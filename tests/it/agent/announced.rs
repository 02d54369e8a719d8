//! Conversations that wait are announced to an address of the account, signed.

use lembra_agent::services::handoff::notify;
use lembra_agent::store::accounts::Changes;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::bodies::ANA;
use crate::support::fake_api::{FakeApi, Reply};
use crate::support::fake_model::Answer;

async fn waits(app: &TestApp) {
    let motive = json!({ "motivo": "o telefone dela é 11987654321" });
    app.model.answer_next(Answer::call("transferir_atendimento", motive));
    app.model.answer_next(Answer::Text("Vou chamar alguém.".into()));
    app.say(ANA, "quero reclamar").await;
    app.settle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_that_waits_is_announced_once_and_signed() {
    let app = TestApp::on_sqlite_with(&[("TOOLS_ALLOWED_HOSTS", "127.0.0.1")]).await;
    let api = FakeApi::start();
    api.reply([Reply::new(503, "", ""), Reply::new(204, "", "")]);
    let account = app.account().await;
    let secret = notify::new_secret(&app.runtime.config.vault, account).unwrap();
    let address = Some(Some((api.url.as_str(), secret.sealed.as_str())));
    app.set(Changes { notify: address, ..Changes::default() }).await;
    waits(&app).await;
    let asked = api.take();
    assert_eq!(asked.len(), 2, "an address that fails is called again");
    let body: Value = serde_json::from_str(&asked[1].body).unwrap();
    assert_eq!((&body["event"], &body["reason"]), (&json!("handoff.waiting"), &json!("asked")));
    assert!(!asked[1].body.contains("11987654321") && !asked[1].body.contains("reclamar"));
    let timestamp = asked[1].header("x-lembra-timestamp").unwrap();
    let signature = notify::sign(&secret.plain, timestamp, &asked[1].body);
    assert_eq!(asked[1].header("x-lembra-signature"), Some(format!("sha256={signature}").as_str()));
    assert!(!secret.sealed.contains(secret.plain.expose_secret()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_cannot_have_a_private_address_called() {
    let app = TestApp::on_sqlite().await;
    let api = FakeApi::start();
    let account = app.account().await;
    let secret = notify::new_secret(&app.runtime.config.vault, account).unwrap();
    let address = Some(Some((api.url.as_str(), secret.sealed.as_str())));
    app.set(Changes { notify: address, ..Changes::default() }).await;
    waits(&app).await;
    assert!(api.take().is_empty());
    let dead: Vec<_> = app.jobs().await.into_iter().filter(|job| job.state == "dead").collect();
    assert_eq!((dead.len(), dead[0].kind.as_str()), (1, "notify_handoff"));
    // The conversation waits all the same.
    assert_eq!(app.handoffs().await[0].state, "waiting");
}
