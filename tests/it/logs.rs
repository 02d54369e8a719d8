//! Logs and metrics: ids and counts, and nothing of what people say or who they are.

use serde_json::Value;

use crate::support::bodies::{self, ACCESS_TOKEN, APP_SECRET};
use crate::support::processes::Installation;
use crate::support::until;

#[tokio::test(flavor = "multi_thread")]
async fn no_text_phone_message_id_token_or_path_is_in_a_log_line_or_a_metric() {
    let Some(mut installation) = Installation::production(None).await else {
        return;
    };
    installation.set("RUST_LOG", "debug,hyper=info,h2=info,rustls=info");
    installation.up().await;
    let now = installation.seconds();
    let phone = "5511987654321";
    let texts = ["Tenho um segredo incomum", "esse bot é uma porra", "{quebrado"];
    for (number, text) in texts.iter().enumerate() {
        let message = bodies::text_message(phone, &format!("wamid.PRIVADO{number}"), text, now);
        let body = bodies::envelope(&[vec![bodies::messages(&[message])]]);
        assert_eq!(installation.post(&body).await, Some(200));
    }
    until(10, "two answers", || async { installation.meta.sends().len() >= 2 }).await;
    let answers: Vec<String> =
        installation.meta.sends().into_iter().map(|send| send.text).collect();
    let (_, metrics) = installation.get("/metrics").await;
    let secret_path = installation.webhook.rsplit('/').next().expect("a key").to_owned();
    let _ = installation.get("/webhooks/meta/nobody?hub.verify_token=palavra-secreta").await;
    assert!(installation.terminate(20).await);
    let logs = installation.logs();
    for line in logs.lines() {
        let parsed: Result<Value, _> = serde_json::from_str(line);
        assert!(parsed.is_ok(), "not JSON: {line}");
    }
    let mut private =
        vec![phone, "PRIVADO", APP_SECRET, ACCESS_TOKEN, &secret_path, "palavra-secreta"];
    private.extend(texts);
    private.extend(answers.iter().map(String::as_str));
    for word in private {
        let found = logs.lines().find(|line| line.contains(word));
        assert_eq!(found, None, "{word}");
        assert!(!metrics.contains(word), "{word}");
    }
    for name in [
        "lembra_webhooks_total",
        "lembra_jobs",
        "lembra_triage_total",
        "lembra_oldest_due_job_seconds",
    ] {
        assert!(metrics.contains(name), "{name}: {metrics}");
    }
}
