//! Tools from the command line.

use serde_json::{Value, json};

use crate::support::fake_api::{FakeApi, Reply};
use crate::support::processes::Installation;

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_is_declared_by_flags_and_files_and_tried() {
    let Some(mut installation) = Installation::standalone() else {
        return;
    };
    let api = FakeApi::start();
    installation.set("TOOLS_ALLOWED_HOSTS", &api.address);
    let tool = |arguments: &[&str]| installation.bot_json(&[&["tool"], arguments].concat());
    let of_one = ["--account", "1"];
    let schema = r#"{"type":"object","properties":{"sku":{"type":"string"}},"required":["sku"]}"#;
    let url = format!("{}/estoque/{{sku}}", api.url);
    let add = [
        "tool",
        "add",
        "--account",
        "1",
        "--name",
        "estoque",
        "--description",
        "Unidades.",
        "--parameters",
        schema,
        "--url",
        &url,
        "--header",
        "Authorization: Bearer jabuticaba",
        "--timeout-ms",
        "1500",
    ];
    let made = installation.bot(&add);
    let text = String::from_utf8_lossy(&made.stdout).into_owned();
    assert!(made.status.success(), "{text}");
    for part in ["estoque", "sku: path", "headers: authorization"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("jabuticaba"));
    assert!(!installation.bot(&add).status.success(), "the same name twice");

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tool.json");
    let declaration = json!({
        "name": "baixar",
        "description": "Dá baixa.",
        "parameters": serde_json::from_str::<Value>(schema).unwrap(),
        "method": "POST",
        "url": format!("{}/baixa", api.url),
        "headers": { "X-Api-Key": "jabuticaba" },
    });
    std::fs::write(&file, declaration.to_string()).expect("writes");
    let file = file.to_string_lossy();
    let made = tool(&["add", "--account", "1", "--file", &file, "--timeout-ms", "900"]);
    assert_eq!((&made["has_effect"], &made["timeout_ms"]), (&json!(true), &json!(900)));
    let listed = tool(&[&["list"], &of_one[..]].concat());
    assert_eq!(listed["tools"].as_array().map(Vec::len), Some(2));
    assert!(!listed.to_string().contains("jabuticaba"), "{listed}");

    api.reply([Reply::json(r#"{"unidades":3}"#)]);
    let tried = tool(&["try", "--account", "1", "estoque", "--arguments", r#"{"sku":"7"}"#]);
    assert_eq!((&tried["ok"], &tried["status"]), (&json!(true), &json!(200)));
    assert_eq!(api.take()[0].header("authorization"), Some("Bearer jabuticaba"));
    let changing = ["tool", "try", "--account", "1", "baixar", "--arguments", r#"{"sku":"7"}"#];
    assert!(!installation.bot(&changing).status.success());
    assert!(installation.bot(&[&changing[..], &["--confirm"]].concat()).status.success());
    assert_eq!(api.take().len(), 1);

    let set = ["set", "--account", "1", "estoque", "--enabled", "false", "--header", "X-B: 1"];
    let changed = tool(&[&set[..], &["--without-header", "authorization"]].concat());
    assert_eq!((&changed["enabled"], &changed["headers"]), (&json!(false), &json!(["x-b"])));
    let shown = tool(&["show", "--account", "1", "estoque"]);
    assert_eq!(shown["headers"], json!(["x-b"]));
    assert_eq!(tool(&["remove", "--account", "1", "estoque"])["removed"], true);
    for wrong in [
        vec!["tool", "show", "--account", "1", "estoque"],
        vec!["tool", "add", "--account", "9", "--file", &file],
        vec!["tool", "set", "--account", "1", "baixar", "--header", "sem dois pontos"],
        vec!["tool", "set", "--account", "1", "baixar", "--url", "http://169.254.169.254/"],
    ] {
        let refused = installation.bot(&wrong);
        assert!(!refused.status.success(), "{wrong:?}");
        assert!(!String::from_utf8_lossy(&refused.stderr).contains("jabuticaba"));
    }
}
