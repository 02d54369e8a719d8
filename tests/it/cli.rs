//! The command line, as an engineer uses it.

use serde_json::Value;

use crate::support::database::empty_postgres;
use crate::support::fake_meta::Refusal;
use crate::support::processes::Installation;
use crate::support::{skip, until};

fn checks(report: &Value) -> Vec<(String, String)> {
    let checks = report["checks"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    checks.iter().map(|check| (text(&check["part"]), text(&check["state"]))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_is_connected_with_what_to_paste_into_metas_console() {
    let Some(installation) = Installation::standalone() else {
        return;
    };
    let arguments = [
        "inbox",
        "add-meta",
        "--account",
        "1",
        "--phone-number-id",
        "100200300",
        "--app-secret",
        "a",
        "--verify-token",
        "b",
        "--access-token",
        "c",
    ];
    let output = installation.bot(&arguments);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}");
    assert!(text.contains("Callback URL   http://127.0.0.1:"), "{text}");
    assert!(text.contains("/webhooks/meta/"), "{text}");
    // The same number twice, an unknown account, and a telephone number in place of its id.
    assert!(!installation.bot(&arguments).status.success());
    let unknown = arguments.map(|argument| if argument == "1" { "99" } else { argument });
    assert!(!installation.bot(&unknown).status.success());
    let telephone =
        arguments.map(|argument| if argument == "100200300" { "+5511" } else { argument });
    assert!(!installation.bot(&telephone).status.success());
    let list = installation.bot_json(&["inbox", "list"]);
    assert_eq!(list["inboxes"].as_array().map(Vec::len), Some(2));
    // Secrets are in none of it.
    assert!(!list.to_string().contains("segredo"), "{list}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_is_connected_with_what_to_paste_into_evolution() {
    let Some(installation) = Installation::standalone() else {
        return;
    };
    let arguments = [
        "inbox",
        "add-evolution",
        "--account",
        "1",
        "--instance",
        "loja",
        "--api-key",
        "segredo-da-api",
        "--base-url",
        "https://evo.example/",
        "--webhook-secret",
        "segredo-do-webhook",
    ];
    let output = installation.bot(&arguments);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}");
    for part in ["/webhooks/evolution/", "MESSAGES_UPSERT", "Authorization: Bearer"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // The same instance twice, an unknown account, and no address.
    assert!(!installation.bot(&arguments).status.success());
    let unknown = arguments.map(|argument| if argument == "1" { "99" } else { argument });
    assert!(!installation.bot(&unknown).status.success());
    let nowhere = |argument| if argument == "https://evo.example/" { "evo" } else { argument };
    assert!(!installation.bot(&arguments.map(nowhere)).status.success());
    let list = installation.bot_json(&["inbox", "list"]).to_string();
    assert!(list.contains("/webhooks/evolution/") && !list.contains("segredo"), "{list}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_read_in_a_webhook_is_printed_without_any_configuration() {
    let Some(mut installation) = Installation::standalone() else {
        return;
    };
    // It would not open with these.
    installation.set("DATABASE_URL", "postgres://127.0.0.1:1/none");
    installation.set("LEMBRA_KEY", "none");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("body.json");
    let body = serde_json::json!({
        "event": "messages.upsert",
        "instance": "loja",
        "data": {
            "key": { "remoteJid": "5511987650001@s.whatsapp.net", "id": "W1" },
            "message": { "ephemeralMessage": { "message": { "conversation": "tem vaga?" } } },
            "messageTimestamp": "1794312135",
        },
    });
    std::fs::write(&file, body.to_string()).expect("writes");
    let (file, absent) = (file.to_string_lossy(), "/absent.json");
    let output = installation.bot(&["normalize", "evolution", absent, &file]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains(absent), "{errors}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let expected = serde_json::json!({
        "file": file,
        "outcome": "message",
        "kind": "text",
        "channel": "loja",
        "sender": "5511987650001",
        "message_id": "W1",
        "timestamp": 1_794_312_135,
        "text": "tem vaga?",
        "reply_to": null,
        "why": null,
    });
    assert_eq!(lines, [expected]);
    assert!(installation.bot(&["normalize", "meta", &file]).status.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn production_refuses_to_start_on_a_database_that_is_not_migrated() {
    let Some(mut installation) = Installation::production(None).await else {
        return;
    };
    let Some(empty) = empty_postgres().await else {
        return skip("no TEST_DATABASE_URL");
    };
    installation.set("DATABASE_URL", &empty);
    let output = installation.bot(&["serve"]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(text.contains("the database is not migrated: run `bot migrate up`"), "{text}");
    assert!(!installation.bot(&["migrate", "status"]).status.success());
    assert!(installation.bot(&["migrate", "up"]).status.success());
    assert!(installation.bot(&["migrate", "status"]).status.success());
    let down = installation.bot(&["migrate", "down", "--steps", "99"]);
    assert!(down.status.success(), "{}", String::from_utf8_lossy(&down.stderr));
    assert!(installation.bot(&["migrate", "up"]).status.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_tells_what_is_wrong_and_fails() {
    let Some(mut installation) = Installation::production(None).await else {
        return;
    };
    let report = installation.bot_json(&["doctor"]);
    let ok = |part: &str| checks(&report).contains(&(part.to_owned(), "ok".to_owned()));
    assert!(ok("database") && ok("pgvector") && ok("redis") && ok("model"), "{report}");
    assert!(
        checks(&report).iter().any(|(part, state)| part.starts_with("inbox") && state == "ok"),
        "{report}"
    );
    installation.set("LLM_BASE_URL", "http://127.0.0.1:1/v1");
    installation.set("REDIS_URL", "redis://127.0.0.1:1");
    let output = installation.bot(&["doctor"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!output.status.success(), "{text}");
    assert!(text.lines().any(|line| line.starts_with("failed   redis")), "{text}");
    assert!(text.lines().any(|line| line.starts_with("failed   model")), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_names_numbers_that_nobody_connected() {
    let Some(mut installation) = Installation::standalone() else {
        return;
    };
    installation.up().await;
    let message = crate::support::bodies::text_message(
        "5511987650001",
        "wamid.U",
        "oi",
        installation.seconds(),
    );
    let value = serde_json::json!({ "messages": [message] });
    let change = crate::support::bodies::change("777000777", value);
    let body = crate::support::bodies::envelope(&[vec![change]]);
    assert_eq!(installation.post(&body).await, Some(200));
    let report = installation.bot_json(&["doctor"]);
    assert!(
        checks(&report).contains(&("number 777000777".to_owned(), "warning".to_owned())),
        "{report}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn dead_jobs_are_listed_and_tried_again() {
    let Some(mut installation) = Installation::standalone() else {
        return;
    };
    installation.model.answer_always(crate::support::fake_model::Answer::Status(401));
    installation.meta.refuse_next(Refusal::Code(400, 131_026));
    installation.up().await;
    installation.write_at_once(1).await;
    let dead =
        || installation.bot_json(&["jobs", "list"])["jobs"].as_array().cloned().unwrap_or_default();
    until(15, "the job is dead", || async { dead().len() == 1 }).await;
    let id = dead()[0]["id"].as_str().expect("an id").to_owned();
    assert!(installation.bot(&["jobs", "retry", &id]).status.success());
    until(15, "it was tried again", || async { dead().is_empty() }).await;
    assert!(!installation.bot(&["jobs", "retry", &id]).status.success());
    // Its customer was left to a person, who gives the conversation back.
    let left = installation.bot_json(&["conversation", "list"]);
    assert_eq!(left["conversations"][0]["reason"], "technical_problem", "{left}");
    let conversation = left["conversations"][0]["id"].to_string();
    assert!(installation.bot(&["conversation", "resume", &conversation]).status.success());
    let left = installation.bot_json(&["conversation", "list"]);
    assert_eq!(left["conversations"].as_array().map(Vec::len), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn help_names_every_command() {
    let Some(installation) = Installation::standalone() else {
        return;
    };
    let help = String::from_utf8_lossy(&installation.bot(&["--help"]).stdout).into_owned();
    for command in [
        "serve",
        "migrate",
        "account",
        "inbox",
        "operator",
        "conversation",
        "jobs",
        "normalize",
        "doctor",
        "--json",
    ] {
        assert!(help.contains(command), "{command}: {help}");
    }
}
