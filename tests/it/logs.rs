//! Logs and metrics: ids and counts, and nothing of what people say or who they are.

use serde_json::{Value, json};

use crate::support::bodies::{self, ACCESS_TOKEN, APP_SECRET};
use crate::support::fake_agenda::{FakeAgenda, TOKEN};
use crate::support::fake_model::Answer;
use crate::support::processes::Installation;
use crate::support::until;

#[tokio::test(flavor = "multi_thread")]
async fn no_text_phone_message_id_token_or_path_is_in_a_log_line_or_a_metric() {
    let Some(mut installation) = Installation::production(None).await else {
        return;
    };
    installation.set("RUST_LOG", "debug,hyper=info,h2=info,rustls=info");
    let agenda = FakeAgenda::start();
    agenda.offer(&[]);
    let url = agenda.url.clone();
    installation.bot_json(&["agenda", "set", "--account", "1", "--url", &url, "--token", TOKEN]);
    let consult = json!({ "medico": "Joana", "procedimento": "Consulta dermatológica" });
    installation.model.answer_next(Answer::call("consultar_horarios", consult));
    let motive = json!({ "motivo": "FALHA_CONSULTA: Tenho um segredo incomum" });
    installation.model.answer_next(Answer::call("transferir_atendimento", motive));
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
    // The contract's failure leaves its line (seed 004).
    let failed = |line: &&str| line.contains("FALHA") && line.contains("agenda_empty");
    assert!(logs.lines().any(|line| failed(&line)), "no line of the failure");
    let mut private =
        vec![phone, "PRIVADO", APP_SECRET, ACCESS_TOKEN, &secret_path, "palavra-secreta", TOKEN];
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
